package mcp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"portal/api/access"
	"portal/api/clock"
	ids "portal/api/id"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/db/portfoliostore"
)

// unpaidLeases writes leases of one unit, each with unpaid charges, and answers with their ids.
func (r *fixture) unpaidLeases(key string, leases, charges int) (all []string) {
	r.t.Helper()
	record := func(prefix, object string) portfolio.Record {
		return portfolio.Record{
			ID:        ids.New(prefix, noon),
			Object:    object,
			Mode:      access.Live,
			Version:   1,
			CreatedAt: clock.At(noon),
			UpdatedAt: clock.At(noon),
		}
	}
	property := portfolio.Property{
		Record:             record(ids.Property, "property"),
		StreetAddress:      "1420 Maple Avenue",
		City:               "Austin",
		State:              "TX",
		PropertyType:       "apartment",
		UnitCount:          1,
		Status:             portfolio.PropertyActive,
		VerificationStatus: portfolio.Unverified,
	}
	unit := portfolio.Unit{
		Record:     record(ids.Unit, "unit"),
		PropertyID: property.ID,
		UnitNumber: "2B",
		Status:     portfolio.UnitOccupied,
	}
	tenant := portfolio.Tenant{
		Record:    record(ids.Tenant, "tenant"),
		FirstName: "Dana",
		LastName:  "Whitfield",
		Email:     new("dana@example.com"),
		Status:    portfolio.TenantCurrent,
	}
	book := portfolio.Book{
		Properties: []portfolio.Property{property},
		Units:      []portfolio.Unit{unit},
		Tenants:    []portfolio.Tenant{tenant},
	}
	today := clock.DateOf(noon, noon.Location())
	for range leases {
		lease := portfolio.Lease{
			Record:        record(ids.Lease, "lease"),
			Status:        portfolio.LeaseActive,
			PropertyID:    property.ID,
			UnitID:        unit.ID,
			Tenants:       []portfolio.Party{{ID: tenant.ID, Role: portfolio.PartyPrimary}},
			RentalAddress: "1420 Maple Avenue, Unit 2B, Austin, TX 78701",
			LeaseType:     portfolio.MonthToMonth,
			StartDate:     today - 9000,
			MonthlyRent:   145_000,
			RentDueDay:    1,
		}
		all = append(all, lease.ID)
		book.Leases = append(book.Leases, lease)
		for i := range charges {
			book.Payments = append(book.Payments, portfolio.Payment{
				Record:      record(ids.Payment, "payment"),
				LeaseID:     lease.ID,
				TenantID:    tenant.ID,
				UnitID:      unit.ID,
				PropertyID:  property.ID,
				Type:        portfolio.PaymentRent,
				Description: new("Rent"),
				Amount:      145_000,
				Status:      portfolio.PaymentDue,
				DueDate:     today - clock.Date(30*(charges-i)),
			})
		}
	}
	must(r.t, portfoliostore.New(r.db).Add(context.Background(), r.caller(key).Portfolio, &book))
	return all
}

// balances is a page of get_rent_balances.
type balances struct {
	Data []struct {
		LeaseID    string  `json:"lease_id"`
		BalanceDue float64 `json:"balance_due"`
		Charges    []struct{ Amount float64 }
		Truncated  []string
	}
	HasMore    bool    `json:"has_more"`
	NextCursor *string `json:"next_cursor"`
	TotalDue   float64 `json:"total_due"`
}

// sizedPage calls a tool and holds its answer to the sizes of a page of so many records.
func (r *fixture) sizedPage(key, tool, arguments string, limit int, into any) {
	r.t.Helper()
	a := r.post(
		key,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"`+tool+`","arguments":{`+arguments+`}}}`,
	)
	var v struct{ Result outcome }
	must(r.t, json.Unmarshal([]byte(a.body), &v))
	must(r.t, json.Unmarshal(v.Result.Data, into))
	data, text := len(v.Result.Data), len(v.Result.Content[0].Text)
	if len(a.body) > 64<<10 || limit <= 20 && (data > 24<<10 || text > 24<<10) || v.Result.IsError {
		r.t.Errorf("%s {%s}: %d bytes of JSON, %d of text, %d in all", tool, arguments, data, text, len(a.body))
	}
}

// TestTwoHundredUnpaidChargesStayWithinSizeLimits however they are spread over leases.
func TestTwoHundredUnpaidChargesStayWithinSizeLimits(t *testing.T) {
	for _, c := range []struct{ leases, charges int }{{1, 200}, {1, 2000}, {20, 10}, {3, 70}, {200, 1}} {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			alone(t, func(t *testing.T, r *fixture) {
				key := r.key(access.Live)
				before := ok[balances](r, key, "get_rent_balances", `{"limit":1}`).TotalDue
				want := r.unpaidLeases(key, c.leases, c.charges)
				of := money.Cents(c.charges) * 145_000
				for _, limit := range []int{20, 100} {
					r.holdsDebts(key, want, limit, c.charges, float64(of)/100, before+float64(c.leases)*float64(of)/100)
				}
			})
		})
	}
}

// holdsDebts turns the pages of the balances and compares those of some leases.
func (r *fixture) holdsDebts(key string, want []string, limit, charges int, each, total float64) {
	r.t.Helper()
	var seen []string
	for after := ""; ; {
		var page balances
		r.sizedPage(key, "get_rent_balances", fmt.Sprintf(`"limit":%d%s`, limit, after), limit, &page)
		if page.TotalDue != total || page.HasMore != (page.NextCursor != nil) {
			r.t.Errorf("total_due %v, want %v; next_cursor %v", page.TotalDue, total, page.NextCursor)
		}
		for _, b := range page.Data {
			if !slices.Contains(want, b.LeaseID) {
				continue
			}
			seen = append(seen, b.LeaseID)
			cut := slices.Contains(b.Truncated, "charges")
			if b.BalanceDue != each || cut != (len(b.Charges) < charges) || len(b.Charges) == 0 {
				r.t.Errorf("%v is due, %d of %d charges, truncated %v", b.BalanceDue, len(b.Charges), charges,
					b.Truncated)
			}
		}
		if page.NextCursor == nil {
			break
		}
		after = `,"starting_after":"` + *page.NextCursor + `"`
	}
	if !slices.Equal(seen, want) {
		r.t.Errorf("limit %d: %d of %d leases", limit, len(seen), len(want))
	}
}

// The other tools that look over a portfolio or a unit are held to the sizes too.
func TestPortfolioToolsStayWithinSizeLimits(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		key := r.key(access.Live)
		lease := r.unpaidLeases(key, 40, 10)[0]
		unit := ok[struct {
			Data []struct {
				UnitID   string `json:"unit_id"`
				TenantID string `json:"tenant_id"`
			}
		}](r, key, "list_payments", `{"limit":1,"lease_id":"`+lease+`"}`).Data[0].UnitID
		for _, limit := range []int{20, 100} {
			var page struct{ Data []json.RawMessage }
			r.sizedPage(key, "get_expiring_leases", fmt.Sprintf(`"within_days":365,"limit":%d`, limit), limit, &page)
			r.sizedPage(key, "list_payments", fmt.Sprintf(`"overdue":true,"limit":%d`, limit), limit, &page)
			r.sizedPage(key, "list_tenants", fmt.Sprintf(`"search":"dana","limit":%d`, limit), limit, &page)
			for _, kind := range []string{"leases", "payments"} {
				r.sizedPage(key, "get_unit_history", fmt.Sprintf(`"unit_id":"%s","kind":"%s","limit":%d`,
					unit, kind, limit), limit, &page)
			}
			r.sizedPage(key, "get_portfolio_summary", "", limit, &page)
		}
	})
}
