package records_test

import (
	"strings"
	"testing"

	"portal/api/access"
	"portal/api/change"
	"portal/api/fault"
	"portal/api/list"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/ticket"
)

// someRows is a page of any list.
var someRows = list.Query{Limit: 50}

func TestRecordNamesAreResolvedOnlyInTheirPortfolio(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		u := h.home.Unit[access.Live]
		ids := []string{u.PropertyID, u.ID, h.tenants[1], h.let, "", "none", "ten_01KA5R2M7Q8D4E6F9G1H3J5K7M", u.ID}
		names, err := h.Finder.Called(h.Context(), h.by, ids...)
		h.ok(err)
		if len(names) != 4 || names[u.PropertyID] != "1420 Maple Avenue" || names[u.ID] != "2B" ||
			names[h.tenants[1]] != "Sam Rivera" {
			h.Errorf("%q", names)
		}
		if names, err := h.Finder.Called(h.Context(), h.owner(access.Test), ids...); err != nil || len(names) != 0 {
			h.Errorf("%q, %v", names, err)
		}
		if names, err := h.Finder.Called(h.Context(), h.by); err != nil || len(names) != 0 {
			h.Errorf("%q, %v", names, err)
		}
	})
}

func TestPropertiesAreFoundByAddressWords(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		for words, want := range map[string]int{
			"maple":        1,
			"MAPLE austin": 1,
			"1420 aus":     1,
			"oak":          0,
			"maple oak":    0,
			"%":            0,
			"_":            0,
			`\`:            0,
			"":             1,
			"'":            0,
		} {
			found, err := h.Finder.PropertiesAbout(h.Context(), h.by, strings.Fields(words), 20)
			if err != nil || len(found) != want {
				h.Errorf("%q finds %d: %v", words, len(found), err)
			}
		}
		if found, err := h.Finder.PropertiesAbout(h.Context(), h.by, []string{
			"maple",
		}, 0); err != nil || len(found) != 0 {
			h.Errorf("%d, %v", len(found), err)
		}
	})
}

func TestSiteIsPropertyOrUnitWithItsTenants(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		u := h.home.Unit[access.Live]
		whole, err := h.Homes.Site(h.Context(), h.by, u.PropertyID, "")
		h.ok(err)
		if whole.Unit != nil || whole.Property.ID != u.PropertyID || len(whole.Property.Units) != 1 ||
			len(whole.Tenants) != 0 {
			h.Errorf("%+v", whole)
		}
		of, err := h.Homes.Site(h.Context(), h.by, "", u.ID)
		h.ok(err)
		if of.Unit == nil || of.Unit.ID != u.ID || of.Property.ID != u.PropertyID {
			h.Errorf("%+v", of)
		}
		for _, at := range [][2]string{{"", "unit_x"}, {"prop_x", ""}, {"", ""}, {"prop_x", u.ID}} {
			if _, err := h.Homes.Site(h.Context(), h.by, at[0], at[1]); !fault.Is(err, fault.NoRecord) {
				h.Errorf("%q: %v", at, err)
			}
		}
		if _, err := h.Homes.Site(h.Context(), h.owner(access.Test), "", u.ID); !fault.Is(err, fault.NoRecord) {
			h.Errorf("in another portfolio: %v", err)
		}
	})
}

func TestListReadsNewestFirst(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		var rows []string
		for range 5 {
			rows = append(rows, h.owes(portfolio.PaymentRent, portfolio.PaymentDue))
		}
		var got []string
		for after := ""; ; {
			page, err := h.Ledger.Payments(h.Context(), h.by, portfolio.PaymentFilter{
				Query:  list.Query{Limit: 2, Newest: true, StartingAfter: after},
				Status: portfolio.PaymentDue,
			})
			h.ok(err)
			for _, p := range page.Data {
				got = append([]string{p.ID}, got...)
			}
			if page.NextCursor == nil {
				break
			}
			after = *page.NextCursor
		}
		if strings.Join(got, " ") != strings.Join(rows, " ") {
			h.Errorf("%q, not %q", got, rows)
		}
	})
}

func TestTicketRecordsActualCost(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		u := h.home.Unit[access.Live]
		made, err := h.Tickets.CreateTicket(h.Context(), h.by, portfolio.FromDashboard, ticket.Create{
			UnitID:      &u.ID,
			Description: "The tap drips.",
		})
		h.ok(err)
		m, err := h.Tickets.UpdateTicket(
			h.Context(),
			h.by,
			change.Target{ID: made.After.ID},
			ticket.Update{ActualCost: change.To(new(money.Dollars(80)))},
		)
		h.ok(err)
		if *m.After.ActualCost != money.Dollars(80) || m.After.Version != 2 ||
			made.After.Source != portfolio.FromDashboard {
			h.Errorf("%+v", m.After)
		}
	})
}
