package simulate_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/list"
	"portal/api/portfolio"
	"portal/api/portfolio/simulate"
	"portal/db/portfoliostore"
)

// everyOne is more than a demo portfolio holds.
var everyOne = list.Query{Limit: 10_000}

// noting is a store that notes where test clocks are set, and calls back each time.
type noting struct {
	simulate.Store
	set func(portfolio.TestClock) error
}

func (n noting) SetTestClock(ctx context.Context, in access.Portfolio, c portfolio.TestClock) error {
	if err := n.Store.SetTestClock(ctx, in, c); err != nil {
		return err
	}
	return n.set(c)
}

// actor is the owner of the demo portfolio as a key or a session finds them now.
func (h *fixture) actor() access.Actor {
	h.Helper()
	by := h.owner(h.home.Test)
	c, err := portfoliostore.New(h.db).TestClock(h.Context(), by.Portfolio)
	h.ok(err)
	by.Portfolio.Ahead = c.Ahead
	return by
}

// advances has the clock go on by some days, and does what the job does.
func (h *fixture) advances(days int) access.Actor {
	h.Helper()
	by := h.actor()
	_, err := h.Advance(h.Context(), by, h.Portfolio.Today(by).AddDays(days))
	h.ok(err)
	h.ok(h.Continue(h.Context(), h.home.Test, by.Zone))
	return h.actor()
}

func (h *fixture) clock() portfolio.TestClock {
	h.Helper()
	c, err := portfoliostore.New(h.db).TestClock(h.Context(), h.home.Test)
	h.ok(err)
	return c
}

func TestClockAdvancesDayByDay(t *testing.T) {
	onEach(t, func(h *fixture) {
		began := clock.At(time.Now())
		by := h.owner(h.home.Test)
		first := h.Portfolio.Today(by)
		var days []int
		h.Store = noting{h.Store, func(c portfolio.TestClock) error {
			days = append(days, c.Ahead)
			return nil
		}}
		out, err := h.Advance(h.Context(), by, first.AddMonths(24))
		h.ok(err)
		if out.After.Status != portfolio.ClockAdvancing || out.After.Today != first ||
			*out.After.AdvanceTo != first.AddMonths(24) {
			h.Errorf("the clock is %+v", out.After)
		}
		h.ok(h.ContinueAll(h.Context()))
		all := int(first.AddMonths(24) - first)
		if len(days) != all+1 || days[all] != all {
			h.Fatalf("%d days: %v", all, days)
		}
		for i, day := range days {
			if day != i {
				h.Fatalf("day %d is number %d", i, day)
			}
		}
		by = h.actor()
		got, err := h.Clock(h.Context(), by)
		h.ok(err)
		if got.Status != portfolio.ClockReady || got.Today != first.AddMonths(24) || got.AdvanceTo != nil {
			h.Errorf("the clock is %+v", got)
		}
		h.is(by, got.Today, began)
	})
}

// is checks that the records are those of a day, and that what has changed did so after a real moment.
func (h *fixture) is(by access.Actor, today clock.Date, began clock.Time) {
	h.Helper()
	leases, err := h.Store.Leases(h.Context(), by.Portfolio, portfolio.LeaseFilter{Query: everyOne})
	h.ok(err)
	ended := 0
	for i := range leases {
		l := &leases[i]
		if l.Status == portfolio.LeaseExpired && l.UpdatedAt >= began {
			ended++
		}
		if l.UpdatedAt > clock.At(time.Now()) {
			h.Errorf("the lease %s was changed at %s", l.ID, l.UpdatedAt)
		}
		if l.Status == portfolio.LeaseActive && l.EndDate != nil && *l.EndDate < today ||
			l.Status == portfolio.LeaseSigned || l.Status == portfolio.LeaseDraft {
			h.Errorf("the lease %s from %s to %s is %s", l.ID, l.StartDate, l.EndDate, l.Status)
		}
	}
	if ended == 0 {
		h.Error("no lease has ended")
	}
	rows, err := h.Portfolio.Ledger.Payments(h.Context(), by, portfolio.PaymentFilter{
		Query:  list.Query{Limit: 10},
		Status: portfolio.PaymentScheduled,
	})
	h.ok(err)
	for i := range rows.Data {
		if rows.Data[i].DueDate <= today {
			h.Errorf("a charge due on %s is scheduled", rows.Data[i].DueDate)
		}
	}
}

var errKilled = errors.New("killed")

// The process ends in the middle of a day. That day is not committed, and whoever goes on begins with it.
func TestAdvanceGoesOnAfterCrash(t *testing.T) {
	onEach(t, func(h *fixture) {
		by := h.owner(h.home.Test)
		first, whole := h.Portfolio.Today(by), h.Store
		_, err := h.Advance(h.Context(), by, first.AddDays(40))
		h.ok(err)
		h.Store = noting{whole, func(c portfolio.TestClock) error {
			if c.Ahead == 25 {
				return errKilled
			}
			return nil
		}}
		if err := h.Continue(h.Context(), by.Portfolio, by.Zone); !errors.Is(err, errKilled) {
			h.Fatal(err)
		}
		if c := h.clock(); c.Ahead != 24 || c.AdvanceTo == nil || *c.AdvanceTo != first.AddDays(40) {
			h.Fatalf("the clock is %+v", c)
		}
		h.Store = whole
		var both sync.WaitGroup // two nodes go on
		for range 2 {
			both.Go(func() {
				if err := h.ContinueAll(h.Context()); err != nil {
					h.Error(err)
				}
			})
		}
		both.Wait()
		if c := h.clock(); c.Ahead != 40 || c.AdvanceTo != nil {
			h.Errorf("the clock is %+v", c)
		}
	})
}

func TestClockIsAdvancedOnlyWithinReachAndInDemoPortfolio(t *testing.T) {
	onEach(t, func(h *fixture) {
		by := h.advances(30)
		today := h.Portfolio.Today(by)
		last := today.AddDays(-30).AddMonths(24)
		for _, day := range []clock.Date{today - 1, today - 30, last + 1, clock.FirstDay, clock.LastDay} {
			_, err := h.Advance(h.Context(), by, day)
			if !fault.Is(err, fault.InvalidField) || fault.From(err).Param != "advance_to" {
				h.Errorf("%s: %v", day, err)
			}
		}
		out, err := h.Advance(h.Context(), by, today)
		h.ok(err)
		if out.After.Status != portfolio.ClockReady || out.After.Today != today || h.clock().AdvanceTo != nil {
			h.Errorf("the clock is %+v", out.After)
		}
		if _, err := h.Advance(h.Context(), h.owner(h.home.Live), today+1); !fault.Is(err, fault.NoRecord) {
			h.Errorf("a live portfolio: %v", err)
		}
		if _, err := h.Clock(h.Context(), h.owner(h.home.Live)); !fault.Is(err, fault.NoRecord) {
			h.Errorf("a live portfolio: %v", err)
		}
		reader := by
		reader.Scopes = access.Scopes{access.Read}
		if _, err := h.Advance(h.Context(), reader, today+1); !fault.Is(err, fault.ScopeRequired) {
			h.Errorf("a reader: %v", err)
		}
		_, err = h.Advance(h.Context(), by, last)
		h.ok(err)
		if _, err := h.Advance(h.Context(), by, last); !fault.Is(err, fault.InvalidTransition) {
			h.Errorf("while it is being advanced: %v", err)
		}
		h.ok(h.StopClock(h.Context(), by.Portfolio))
		if c := h.clock(); c.Ahead != 30 || c.AdvanceTo != nil {
			h.Errorf("a stopped clock is %+v", c)
		}
	})
}

func TestOfSimultaneousAdvancesOneRuns(t *testing.T) {
	onEach(t, func(h *fixture) {
		by := h.owner(h.home.Test)
		errs := make([]error, 8)
		var all sync.WaitGroup
		for i := range errs {
			all.Go(func() { _, errs[i] = h.Advance(h.Context(), by, h.Portfolio.Today(by).AddDays(i+1)) })
		}
		all.Wait()
		ran := 0
		for i, err := range errs {
			if err == nil {
				ran += i + 1
			} else if !fault.Is(err, fault.InvalidTransition) {
				h.Error(err)
			}
		}
		h.ok(h.Continue(h.Context(), by.Portfolio, by.Zone))
		if c := h.clock(); c.Ahead != ran || c.AdvanceTo != nil {
			h.Errorf("the clock is %+v, not at %d", c, ran)
		}
	})
}

// Whoever has found the clock ahead before the reset ages nothing of what it has written.
func TestResetSetsClockBackAndEndsAdvance(t *testing.T) {
	onEach(t, func(h *fixture) {
		by := h.owner(h.home.Test)
		ended := make(chan struct{})
		reached := make(chan struct{})
		days := 0
		resets := *h.Simulator
		h.Store = noting{h.Store, func(portfolio.TestClock) error {
			if days++; days == 5 {
				close(reached)
			}
			return nil
		}}
		_, err := h.Advance(h.Context(), by, h.Portfolio.Today(by).AddMonths(24))
		h.ok(err)
		go func() {
			defer close(ended)
			if err := h.Continue(h.Context(), by.Portfolio, by.Zone); err != nil {
				h.Error(err)
			}
		}()
		<-reached
		h.ok(resets.Reset(h.Context(), by))
		<-ended
		if c := h.clock(); c.Ahead != 0 || c.AdvanceTo != nil {
			h.Errorf("the clock is %+v", c)
		}
		before := h.state()
		stale := by.Portfolio
		stale.Ahead = 700
		h.ok(h.Portfolio.Calendar.RollOver(h.Context(), stale, by.Zone))
		if after := h.state(); after != before {
			h.Errorf("the reset portfolio has aged: %s, was %s", after, before)
		}
	})
}

// state is how many leases have each status.
func (h *fixture) state() string {
	h.Helper()
	leases, err := h.Store.Leases(h.Context(), h.home.Test, portfolio.LeaseFilter{Query: everyOne})
	h.ok(err)
	n := map[portfolio.LeaseStatus]int{}
	for i := range leases {
		n[leases[i].Status]++
	}
	return fmt.Sprint(n)
}

func TestDraftsAndInvitationsExpireByTestClock(t *testing.T) {
	onEach(t, func(h *fixture) {
		by := h.advances(100)
		leaseID, err := h.Happen(h.Context(), by, "lease.signed")
		h.ok(err)
		l, err := h.Portfolio.Leases.Lease(h.Context(), by, leaseID)
		h.ok(err)
		if today := h.Portfolio.Today(by); l.SignedAt == nil || *l.SignedAt > clock.At(time.Now()) ||
			l.StartDate < today-31 {
			h.Errorf("on %s, a lease from %s was signed at %s", today, l.StartDate, l.SignedAt)
		}
		draft := *l
		draft.ID, draft.Status = l.ID[:len(l.ID)-1]+"x", portfolio.LeaseDraft
		draft.SignedAt, draft.DocumentID = nil, nil
		draft.ExpiresAt = new(clock.At(time.Now()).Later(100 + 14))
		h.ok(portfoliostore.New(h.db).AddPeople(h.Context(), by.Portfolio, &portfolio.Book{
			Leases: []portfolio.Lease{draft},
		}))
		status := func(by access.Actor) portfolio.LeaseStatus {
			got, err := h.Portfolio.Leases.Lease(h.Context(), by, draft.ID)
			h.ok(err)
			return got.Status
		}
		if got := status(h.advances(13)); got != portfolio.LeaseDraft {
			h.Errorf("after 13 days it is %s", got)
		}
		if got := status(h.advances(2)); got != portfolio.LeaseVoided {
			h.Errorf("after 15 days it is %s", got)
		}
	})
}

func TestMoneyComesOnDayOfTestClock(t *testing.T) {
	onEach(t, func(h *fixture) {
		by := h.advances(200)
		paymentID, err := h.Happen(h.Context(), by, "payment.succeeded")
		h.ok(err)
		p, err := h.Portfolio.Ledger.Payment(h.Context(), by, paymentID)
		h.ok(err)
		if day := clock.DateOf(
			p.PaidAt.Std(),
			by.Zone,
		); day != h.Portfolio.Today(by) ||
			p.UpdatedAt > clock.At(time.Now()) {
			h.Errorf("paid on %s, changed at %s", day, p.UpdatedAt)
		}
	})
}

// What is under way when a demo portfolio is made clears within some days, and brings its event.
func TestPaymentsThatADemoPortfolioBeginsWithClear(t *testing.T) {
	onEach(t, func(h *fixture) {
		by := h.actor()
		underWay := func() []portfolio.Payment {
			page, err := h.Portfolio.Ledger.Payments(h.Context(), by, portfolio.PaymentFilter{
				Query: list.Query{Limit: 100}, Status: portfolio.PaymentProcessing,
			})
			h.ok(err)
			return page.Data
		}
		before := underWay()
		if len(before) == 0 {
			h.Fatal("nothing is under way")
		}
		by = h.advances(7)
		for i := range before {
			p, err := h.Portfolio.Ledger.PaymentWithTransactions(h.Context(), by, before[i].ID)
			h.ok(err)
			last := p.Transactions[len(p.Transactions)-1]
			if p.Status != portfolio.PaymentSucceeded || last.AttemptID == nil ||
				*last.AttemptID != *before[i].PaymentID || last.Amount != before[i].BalanceDue {
				h.Errorf("%+v", p)
			}
		}
		if left := underWay(); len(left) != 0 {
			h.Errorf("%d are still under way", len(left))
		}
	})
}
