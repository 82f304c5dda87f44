package simulate_test

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"portal/api/access"
	"portal/api/agreement"
	"portal/api/clock"
	"portal/api/event"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/list"
	"portal/api/portfolio"
	"portal/api/portfolio/lease/terms"
	"portal/api/portfolio/simulate"
	"portal/db"
)

// to makes an event happen to whom a choice names.
func (h *fixture) to(kind string, c event.Choice) (string, error) {
	return h.HappenTo(h.Context(), h.owner(h.home.Test), kind, c)
}

// refusedTo expects that an event does not happen to whom a choice names.
func (h *fixture) refusedTo(kind string, c event.Choice, code fault.Code, param string) {
	h.Helper()
	_, err := h.to(kind, c)
	if f := fault.From(err); err == nil || f.Code != code || f.Param != param {
		h.Errorf("%s to %v: %v", kind, c.Given(), err)
	}
}

// renewed is the draft that renews a lease which was just signed.
func (h *fixture) renewed(leaseID string) string {
	h.Helper()
	by := h.owner(h.home.Test)
	l, err := h.Agreements.Lease(h.Context(), by, leaseID)
	h.ok(err)
	made, err := h.Agreements.Generate(h.Context(), by, agreement.LeaseGenerate{
		PropertyID:    l.PropertyID,
		UnitID:        &l.UnitID,
		TenantID:      l.TenantIDs[0],
		RenewsLeaseID: &l.ID,
		StartDate:     *l.EndDate + 1,
		MonthlyRent:   l.MonthlyRent,
		LeaseType:     new(portfolio.Fixed),
		RentDueDay:    new(1),
		ExpiresInDays: 14,
		LeadPaint:     &terms.LeadPaint{Hazards: terms.NoHazards, Records: terms.NoRecords},
	})
	h.ok(err)
	return made.After.ID
}

func TestChosenLeaseIsSignedByAll(t *testing.T) {
	onEach(t, func(h *fixture) {
		by := h.owner(h.home.Test)
		var signed, drafts []string
		for range 2 {
			leaseID, err := h.Happen(h.Context(), by, event.LeaseSigned)
			h.ok(err)
			signed = append(signed, leaseID)
		}
		for _, leaseID := range signed {
			drafts = append(drafts, h.renewed(leaseID))
		}
		got, err := h.to(event.LeaseSigned, event.Choice{LeaseID: &drafts[1]})
		if err != nil || got != drafts[1] {
			h.Errorf("signed is %s, want %s: %v", got, drafts[1], err)
		}
		for i, want := range []portfolio.LeaseStatus{portfolio.LeaseDraft, portfolio.LeaseSigned} {
			if l, err := h.Agreements.Lease(h.Context(), by, drafts[i]); err != nil || l.Status != want {
				h.Errorf("the draft %d is %s, %v", i, l.Status, err)
			}
		}
		h.refusedTo(event.LeaseSigned, event.Choice{LeaseID: &drafts[1]}, fault.InvalidTransition, "")
		recorded, err := h.Portfolio.Leases.Leases(h.Context(), by, portfolio.LeaseFilter{
			Query:  list.Query{Limit: 1},
			Status: portfolio.LeaseActive,
		})
		h.ok(err)
		h.refusedTo(event.LeaseSigned, event.Choice{LeaseID: &recorded.Data[0].ID}, fault.InvalidTransition, "")
		absent := id.New(id.Lease, h.Portfolio.Now(h.home.Test))
		for _, leaseID := range []string{absent, "x", ""} {
			h.refusedTo(event.LeaseSigned, event.Choice{LeaseID: &leaseID}, fault.NoRecord, "lease_id")
		}
	})
}

// unpaid are the rows of rent that can be paid, those due first before the others.
func (h *fixture) unpaid(f portfolio.PaymentFilter) (rows []portfolio.Payment) {
	h.Helper()
	f.Query, f.Type = list.Query{Limit: 10_000}, portfolio.PaymentRent
	page, err := h.Portfolio.Ledger.Payments(h.Context(), h.owner(h.home.Test), f)
	h.ok(err)
	rows = slices.DeleteFunc(page.Data, func(p portfolio.Payment) bool { return !p.Payable() || p.BalanceDue == 0 })
	slices.SortStableFunc(rows, func(a, b portfolio.Payment) int { return int(a.DueDate - b.DueDate) })
	return rows
}

func TestChosenRentIsPaid(t *testing.T) {
	onEach(t, func(h *fixture) {
		all := h.unpaid(portfolio.PaymentFilter{})
		last := all[len(all)-1]
		got, err := h.to(event.PaymentSucceeded, event.Choice{PaymentID: &last.ID})
		if err != nil || got != last.ID {
			h.Fatalf("paid is %s, want %s: %v", got, last.ID, err)
		}
		h.refusedTo(event.PaymentSucceeded, event.Choice{PaymentID: &last.ID}, fault.InvalidTransition, "")
		ofLease, ofTenant := all[len(all)-2], all[len(all)-3]
		for _, c := range []struct {
			choice event.Choice
			filter portfolio.PaymentFilter
		}{
			{event.Choice{LeaseID: &ofLease.LeaseID}, portfolio.PaymentFilter{LeaseID: ofLease.LeaseID}},
			{event.Choice{TenantID: &ofTenant.TenantID}, portfolio.PaymentFilter{TenantID: ofTenant.TenantID}},
		} {
			owed := h.unpaid(c.filter)
			if len(owed) == 0 {
				h.Fatalf("nothing is unpaid of %v", c.choice.Given())
			}
			for i := range owed {
				if got, err := h.to(event.PaymentSucceeded, c.choice); err != nil || got != owed[i].ID {
					h.Errorf("paid is %s, want %s: %v", got, owed[i].ID, err)
				}
			}
			h.refusedTo(event.PaymentSucceeded, c.choice, fault.InvalidTransition, "")
		}
		deposits, err := h.Portfolio.Ledger.Payments(h.Context(), h.owner(h.home.Test), portfolio.PaymentFilter{
			Query: list.Query{Limit: 1},
			Type:  portfolio.PaymentDeposit,
		})
		h.ok(err)
		deposit := deposits.Data[0].ID
		h.refusedTo(event.PaymentSucceeded, event.Choice{PaymentID: &deposit}, fault.InvalidTransition, "")
		none := "x"
		h.refusedTo(event.PaymentSucceeded, event.Choice{PaymentID: &none}, fault.NoRecord, "payment_id")
		h.refusedTo(event.PaymentSucceeded, event.Choice{LeaseID: &none}, fault.NoRecord, "lease_id")
		h.refusedTo(event.PaymentSucceeded, event.Choice{TenantID: &none}, fault.NoRecord, "tenant_id")
	})
}

func TestChosenTenantSubmitsTicketWithChosenText(t *testing.T) {
	onEach(t, func(h *fixture) {
		by := h.owner(h.home.Test)
		tenants := func(s portfolio.TenantStatus) []portfolio.Tenant {
			page, err := h.Portfolio.Tenants.Tenants(h.Context(), by, portfolio.TenantFilter{Query: all, Status: s})
			h.ok(err)
			return page.Data
		}
		current := tenants(portfolio.TenantCurrent)
		tenant, words := current[len(current)-1].ID, "The bell at the gate is silent."
		ticketID, err := h.to(event.MaintenanceCreated, event.Choice{TenantID: &tenant, Description: &words})
		h.ok(err)
		made, err := h.Portfolio.Tickets.Ticket(h.Context(), by, ticketID)
		h.ok(err)
		if *made.TenantID != tenant || made.Description != words || made.Source != portfolio.FromTenant {
			h.Errorf("made %+v", made)
		}
		ticketID, err = h.to(event.MaintenanceCreated, event.Choice{Description: &words})
		h.ok(err)
		if made, err = h.Portfolio.Tickets.Ticket(h.Context(), by, ticketID); err != nil || made.Description != words {
			h.Errorf("made %+v, %v", made, err)
		}
		prospect := tenants(portfolio.TenantProspect)[0].ID
		h.refusedTo(event.MaintenanceCreated, event.Choice{TenantID: &prospect}, fault.InvalidTransition, "")
		absent := id.New(id.Tenant, h.Portfolio.Now(h.home.Test))
		h.refusedTo(event.MaintenanceCreated, event.Choice{TenantID: &absent}, fault.NoRecord, "tenant_id")
	})
}

// searching notes what is looked for while nobody else can write, and lets others be faster.
type searching struct {
	simulate.Store
	within  atomic.Int64
	outside atomic.Int64
	between func() // after each search outside of a transaction
}

func (s *searching) looked(ctx context.Context) {
	if db.Inside(ctx) {
		s.within.Add(1)
		return
	}
	s.outside.Add(1)
	if s.between != nil {
		s.between()
	}
}

func (s *searching) RentOwed(
	ctx context.Context, in access.Portfolio, f portfolio.PaymentFilter, most int,
) ([]string, error) {
	ids, err := s.Store.RentOwed(ctx, in, f, most)
	s.looked(ctx)
	return ids, err
}

func (s *searching) Residents(ctx context.Context, in access.Portfolio) ([]string, error) {
	tenants, err := s.Store.Residents(ctx, in)
	s.looked(ctx)
	return tenants, err
}

func (s *searching) Leases(
	ctx context.Context, in access.Portfolio, f portfolio.LeaseFilter,
) ([]portfolio.Lease, error) {
	leases, err := s.Store.Leases(ctx, in, f)
	if f.UnitID == "" {
		s.looked(ctx)
	}
	return leases, err
}

func TestWhatIsToHappenIsLookedForBeforeTransaction(t *testing.T) {
	onEach(t, func(h *fixture) {
		by := h.owner(h.home.Test)
		s := &searching{Store: h.Simulator.Store}
		h.Simulator.Store = s
		lease := h.unpaid(portfolio.PaymentFilter{})[0].LeaseID
		for _, c := range []struct {
			kind   string
			choice event.Choice
		}{
			{event.PaymentSucceeded, event.Choice{}},
			{event.PaymentSucceeded, event.Choice{LeaseID: &lease}},
			{event.MaintenanceCreated, event.Choice{}},
			{event.LeaseSigned, event.Choice{}}, // of the demo's that is out for signature
			{event.LeaseSigned, event.Choice{}},
		} {
			for _, looked := range []bool{false, true} {
				s.within.Store(0)
				s.outside.Store(0)
				ctx := h.Context()
				if looked { // as a request does that is part of a transaction then
					ctx = h.Look(ctx, by, c.kind, c.choice)
				}
				h.ok(h.db.Exclusively(ctx, by.Portfolio, func(ctx context.Context) error {
					_, err := h.HappenTo(ctx, by, c.kind, c.choice)
					if fault.Is(err, fault.InvalidTransition) && c.choice.LeaseID != nil {
						err = nil // all of its rent is paid
					}
					return err
				}))
				if s.within.Load() != 0 || s.outside.Load() != 1 {
					h.Errorf("%s, looked for before %v: %d searches within the transaction, %d before it",
						c.kind, looked, s.within.Load(), s.outside.Load())
				}
			}
		}
	})
}

// Everybody finds the same rent at first; whoever is slower takes the next one.
func TestConcurrentCallersPayDifferentRents(t *testing.T) {
	onEach(t, func(h *fixture) {
		by := h.owner(h.home.Test)
		rents := h.unpaid(portfolio.PaymentFilter{})
		const callers = 12
		var looked sync.WaitGroup
		looked.Add(callers)
		h.Simulator.Store = &searching{Store: h.Simulator.Store, between: func() {
			looked.Done()
			looked.Wait()
		}}
		paid := make([]string, callers)
		var all sync.WaitGroup
		for i := range paid {
			all.Go(func() {
				var err error
				if paid[i], err = h.Happen(h.Context(), by, event.PaymentSucceeded); err != nil {
					h.Error(err)
				}
			})
		}
		all.Wait()
		slices.Sort(paid)
		if n := len(slices.Compact(paid)); n != callers {
			h.Errorf("%d callers paid %d of %d rents", callers, n, len(rents))
		}
	})
}

// Everybody finds the same lease at first; whoever is slower signs another one.
func TestConcurrentCallersSignDifferentLeases(t *testing.T) {
	onEach(t, func(h *fixture) {
		by := h.owner(h.home.Test)
		const callers = 4
		var looked sync.WaitGroup
		looked.Add(callers)
		var first sync.Map
		h.Simulator.Store = &searching{Store: h.Simulator.Store, between: func() {
			looked.Done()
			looked.Wait()
		}}
		var all sync.WaitGroup
		for range callers {
			all.Go(func() {
				leaseID, err := h.Happen(h.Context(), by, event.LeaseSigned)
				if err != nil {
					h.Error(err)
				} else if _, twice := first.LoadOrStore(leaseID, true); twice {
					h.Errorf("%s is signed twice", leaseID)
				}
			})
		}
		all.Wait()
	})
}

func TestNextMonthIsChargedOfEachLeaseInTurn(t *testing.T) {
	onEach(t, func(h *fixture) {
		by := h.owner(h.home.Test)
		for range h.unpaid(portfolio.PaymentFilter{}) {
			_, err := h.Happen(h.Context(), by, event.PaymentSucceeded)
			h.ok(err)
		}
		until := map[string]clock.Date{}
		for i := range 40 {
			paymentID, err := h.Happen(h.Context(), by, event.PaymentSucceeded)
			h.ok(err)
			p, err := h.Portfolio.Ledger.Payment(h.Context(), by, paymentID)
			h.ok(err)
			if last := until[p.LeaseID]; last != 0 && *p.PeriodStart != last+1 {
				h.Errorf("payment %d is from %s, the one before until %s", i, p.PeriodStart, last)
			}
			until[p.LeaseID] = *p.PeriodEnd
		}
		if len(until) < 2 {
			h.Errorf("rent of %d leases was charged", len(until))
		}
	})
}
