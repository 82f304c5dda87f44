package records_test

import (
	"context"
	"fmt"
	"iter"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/operation"
	"portal/api/portfolio"
	"portal/api/portfolio/lease"
	"portal/api/portfolio/ledger/report"
	"portal/api/portfolio/property"
	"portal/api/portfolio/ticket"
)

func TestSummaryShowsEveryLeaseStatus(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		for i, status := range portfolio.LeaseDraft.Values() {
			for range i {
				h.adds(h.lease(portfolio.LeaseStatus(status), clock.Day(2026, 1, 1), h.tenants[0]), nil)
			}
		}
		sum, err := h.Reports.Summary(h.Context(), h.by)
		h.ok(err)
		want := `{"draft":1,"pending_signature":1,"signed":2,"active":4,"expired":4,"renewed":5,"terminated":6,` +
			`"declined":7,"voided":8}`
		if got := string(operation.Encoder[report.LeaseCounts]()(nil, &sum.Leases)); got != want {
			h.Errorf("%s, want %s", got, want)
		}
	})
}

func TestEachLeaseStatusHasCount(t *testing.T) {
	t.Parallel()
	var c report.LeaseCounts
	fields := string(operation.Encoder[report.LeaseCounts]()(nil, &c))
	want := ""
	for i, status := range portfolio.LeaseDraft.Values() {
		*c.Of(portfolio.LeaseStatus(status)) = 0
		want += fmt.Sprintf("%s%q:0", map[bool]string{true: ","}[i > 0], status)
	}
	if fields != "{"+want+"}" || c.Of("closed") != nil {
		t.Errorf("%s, want {%s}", fields, want)
	}
}

func TestSummaryUsesLandlordsDate(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		h.charges(h.let, clock.Day(2026, 12, 1), func(p *portfolio.Payment) { p.Status = portfolio.PaymentScheduled })
		h.now = time.Date(2026, 12, 1, 4, 30, 0, 0, time.UTC) // 23:30 in New York
		for zone, want := range map[string]string{
			"America/New_York": "2026-11-30 0.00",
			"Pacific/Honolulu": "2026-11-30 0.00",
			"UTC":              "2026-12-01 1000.00",
		} {
			h.in(zone)
			sum, err := h.Reports.Summary(h.Context(), h.by)
			h.ok(err)
			if got := fmt.Sprint(sum.AsOf, " ", sum.RentDueTotal); got != want {
				h.Errorf("%s: %s, want %s", zone, got, want)
			}
		}
	})
}

func TestSummaryCountsOnePortfolio(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		h.owes(portfolio.PaymentRent, portfolio.PaymentDue)
		others := h.others()
		for i, want := range []string{
			"1 properties, 1 units, 0 occupied, 1 vacant, 3 tenants, 1 active, 0 tickets, 1000.00",
			"1 properties, 1 units, 0 occupied, 1 vacant, 0 tenants, 0 active, 0 tickets, 0.00",
			"1 properties, 1 units, 0 occupied, 1 vacant, 0 tenants, 0 active, 0 tickets, 0.00",
		} {
			if i > 0 {
				h.by.Portfolio = others[i-1]
			}
			s, err := h.Reports.Summary(h.Context(), h.by)
			h.ok(err)
			got := fmt.Sprintf(
				"%d properties, %d units, %d occupied, %d vacant, %d tenants, %d active, %d tickets, %s",
				s.Properties,
				s.Units,
				s.OccupiedUnits,
				s.VacantUnits,
				s.Tenants,
				s.Leases.Active,
				s.OpenTickets,
				s.RentDueTotal,
			)
			if got != want {
				h.Errorf("%s, want %s", got, want)
			}
		}
	})
}

func TestSummaryFollowsEveryChange(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		unit := h.home.Unit[access.Live].ID
		var opened, charge string
		for name, step := range h.inTurn(&opened, &charge, unit) {
			before, err := h.Reports.Summary(h.Context(), h.by)
			h.ok(err)
			h.ok(step(h.Context()))
			kept, err := h.Reports.Summary(h.Context(), h.by)
			h.ok(err)
			var fresh *report.Summary
			h.ok(
				h.db.Atomically(
					h.Context(),
					func(ctx context.Context) (err error) { // nothing is kept within a transaction
						fresh, err = h.Reports.Summary(ctx, h.by)
						return err
					},
				),
			)
			if *kept != *fresh {
				h.Errorf("after %s: %+v, counted anew %+v", name, kept, fresh)
			}
			if *before == *fresh {
				h.Errorf("%s changes nothing that is counted", name)
			}
		}
	})
}

// inTurn are changes of each kind of record, each of which is counted.
func (h *leaseFixture) inTurn(opened, charge *string, unit string) iter.Seq2[string, func(context.Context) error] {
	return func(yield func(string, func(context.Context) error) bool) {
		for _, c := range []struct {
			name string
			do   func(context.Context) error
		}{
			{"a property", func(ctx context.Context) error {
				return second(h.Properties.CreateProperty(ctx, h.by, property.Create{
					StreetAddress: "1 Elm Street",
					City:          "Austin",
					State:         "TX",
				}))
			}},
			{"a unit", func(ctx context.Context) error {
				return second(h.Units.AddUnit(ctx, h.by, h.home.Unit[access.Live].PropertyID, property.UnitAdd{
					UnitNumber: "9",
				}))
			}},
			{"a ticket", func(ctx context.Context) error {
				m, err := h.Tickets.CreateTicket(ctx, h.by, portfolio.FromAPI, ticket.Create{
					UnitID:      &unit,
					Description: "The tap drips.",
				})
				if err == nil {
					*opened = m.After.ID
				}
				return err
			}},
			{"a completed ticket", func(ctx context.Context) error {
				return second(h.Tickets.UpdateTicket(
					ctx,
					h.by,
					change.Target{ID: *opened},
					ticket.Update{Status: change.To(portfolio.TicketCompleted)},
				))
			}},
			{"rent that is due", func(ctx context.Context) error {
				*charge = h.charges(h.let, clock.Day(2026, 10, 1), nil)
				return nil
			}},
			{"rent that is paid", func(ctx context.Context) error {
				return second(h.Ledger.RecordPayment(ctx, h.by, change.Target{ID: *charge}, dollars(400, "check")))
			}},
			{"a voided lease", func(ctx context.Context) error {
				return second(h.Leases.UpdateLease(
					ctx,
					h.by,
					change.Target{ID: h.open},
					lease.Update{Status: change.To(portfolio.LeaseVoided)},
				))
			}},
			{"an ended lease", func(ctx context.Context) error {
				return second(h.Leases.UpdateLease(
					ctx,
					h.by,
					change.Target{ID: h.let},
					lease.Update{Status: change.To(portfolio.LeaseTerminated)},
				))
			}},
		} {
			if !yield(c.name, c.do) {
				return
			}
		}
	}
}
