package ledger

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"portal/api/access"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/id"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/lease/law"
)

// batch is how many leases, or late rows, one transaction charges, so that other writes need not wait long. A day of a
// test clock is one transaction with all that happens on it.
var batch = map[access.Mode]int{access.Live: 10, access.Test: 100}

// Changes are what has become of the rows of a lease.
type Changes struct{ Added, Voided, Revised, Credited int }

// AutoCharge writes what the leases of a portfolio charge within the next days, the fees for rent that is late, and
// pays what is due by credits that are left. It looks at those leases alone that have something to charge. Doing it
// twice changes nothing. Each batch reads the setting again under the lock of the portfolio, so nothing is charged once
// an owner has turned it off.
func (s *Ledger) AutoCharge(ctx context.Context, in access.Portfolio, zone *time.Location) error {
	by := access.Actor{Portfolio: in, Zone: zone}
	since, err := s.store.AutoChargeSince(ctx, in)
	if err == nil && since == nil && in.Mode == access.Test { // demo portfolios always charge by themselves
		since, err = s.startCharging(ctx, in)
	}
	if err != nil || since == nil {
		return err
	}
	today := s.Today(by)
	a := &automatic{Ledger: s, by: by, since: since, today: today, rules: map[string]place{}}
	err = repeat(ctx, a, func(ctx context.Context, most int) ([]portfolio.Lease, error) {
		return s.store.LeasesToCharge(ctx, in, today, most)
	}, whileOn(a, a.chargeAll))
	if err == nil {
		err = repeat(ctx, a, func(ctx context.Context, most int) ([]string, error) {
			return s.store.Credited(ctx, in, most)
		}, whileOn(a, func(ctx context.Context, leases []string) error {
			for _, leaseID := range leases {
				if err := s.applyCredits(ctx, by, leaseID); err != nil {
					return err
				}
			}
			return nil
		}))
	}
	if err == nil {
		err = repeat(ctx, a, func(ctx context.Context, most int) ([]portfolio.Payment, error) {
			return s.store.LatePayments(ctx, in, today, most)
		}, whileOn(a, a.chargeLate))
	}
	if errors.Is(err, errTurnedOff) || errors.Is(err, errImporting) {
		return nil
	}
	return err
}

// startCharging has the ledger of a demo portfolio charge by itself from now on, unless another process has meanwhile.
func (s *Ledger) startCharging(ctx context.Context, in access.Portfolio) (since *clock.Time, err error) {
	err = s.Tx.Exclusively(ctx, in, func(ctx context.Context) error {
		if since, err = s.store.AutoChargeSince(ctx, in); err != nil || since != nil {
			return err
		}
		since = new(clock.At(s.Now(in)))
		return s.store.SetAutoCharge(ctx, in, since)
	})
	return since, err
}

// errTurnedOff ends a run during which an owner has turned automatic rent off.
var errTurnedOff = errors.New("automatic rent was turned off")

// importTime is for how long the leases of a live portfolio wait for an import: many times what a large one takes.
const importTime = time.Hour

// errImporting ends a run that would take turns with an import, which keeps everybody else waiting. What is left is
// charged by the next run, within the hour.
var errImporting = errors.New("an import is under way")

// unlessImporting is errImporting while an import adds units to the portfolio.
func (a *automatic) unlessImporting(ctx context.Context) error {
	in := a.by.Portfolio
	is, err := a.store.Importing(ctx, in, clock.At(a.Now(in).Add(-importTime)))
	if err == nil && is {
		err = errImporting
	}
	return err
}

// whileOn does something under the lock of the portfolio unless the ledger no longer charges by itself. It reads the
// setting again, as it may have been turned off, or off and on, since the run began.
func whileOn[T any](a *automatic, do func(context.Context, []T) error) func(context.Context, []T) error {
	return func(ctx context.Context, some []T) (err error) {
		if a.since, err = a.store.AutoChargeSince(ctx, a.by.Portfolio); err != nil {
			return err
		}
		if a.since == nil {
			return errTurnedOff
		}
		return do(ctx, some)
	}
}

// repeat does something with what is found, some at a time in a transaction of its own, until nothing is found any
// more. Where nothing is found at once, nobody waits for it; that is not asked first in a demo portfolio, whose day is
// one transaction.
func repeat[T any](
	ctx context.Context,
	a *automatic,
	find func(ctx context.Context, most int) ([]T, error),
	do func(context.Context, []T) error,
) error {
	in := a.by.Portfolio
	if in.Mode != access.Test {
		ctx = change.WithUnhurried(ctx)
		if found, err := find(ctx, 1); err != nil || len(found) == 0 {
			return err
		}
	}
	for n := batch[in.Mode]; n == batch[in.Mode]; {
		if in.Mode != access.Test {
			if err := a.unlessImporting(ctx); err != nil {
				return err
			}
		}
		err := a.Tx.Exclusively(ctx, in, func(ctx context.Context) error {
			found, err := find(ctx, batch[in.Mode])
			if n = len(found); err != nil || n == 0 {
				return err
			}
			return do(ctx, found)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// automatic is the ledger of a portfolio while it charges by itself.
type automatic struct {
	*Ledger
	by    access.Actor
	since *clock.Time // nil where it does not
	today clock.Date
	rules map[string]place // by the id of the property
	// agreedFrom is the first day for which the rent is charged as the leases have it, whatever is due or paid of it
	// already, nil for none.
	agreedFrom *clock.Date
}

// place is what matters of a property to its leases.
type place struct {
	*law.Rules
	commercial bool
}

func (a *automatic) place(ctx context.Context, propertyID string) (place, error) {
	if known, is := a.rules[propertyID]; is {
		return known, nil
	}
	p, err := a.store.Property(ctx, a.by.Portfolio, propertyID)
	if err != nil {
		return place{}, err
	}
	return a.learn(&p), nil
}

// learn keeps what matters of a property.
func (a *automatic) learn(p *portfolio.Property) place {
	a.rules[p.ID] = place{law.Of(p.State), p.Commercial()}
	return a.rules[p.ID]
}

// places reads together what matters of properties that are not known yet.
func (a *automatic) places(ctx context.Context, ids []string) error {
	slices.Sort(ids)
	ids = slices.DeleteFunc(slices.Compact(ids), func(id string) bool {
		_, known := a.rules[id]
		return known
	})
	properties, err := a.store.PropertiesWithIDs(ctx, a.by.Portfolio, ids)
	for i := range properties {
		a.learn(&properties[i])
	}
	return err
}

// chargeAll charges what leases charge next.
func (a *automatic) chargeAll(ctx context.Context, leases []portfolio.Lease) error {
	ids, properties := make([]string, len(leases)), make([]string, len(leases))
	for i := range leases {
		ids[i], properties[i] = leases[i].ID, leases[i].PropertyID
	}
	rows, err := a.store.RowsOfLeases(ctx, a.by.Portfolio, ids)
	if err == nil {
		err = a.places(ctx, properties)
	}
	if err != nil {
		return err
	}
	all, next := plan{}, map[clock.Date][]string{}
	for i := range leases {
		p, err := a.plan(ctx, &leases[i], rows[leases[i].ID], false)
		if err != nil {
			return err
		}
		all.added, all.changed = append(all.added, p.added...), append(all.changed, p.changed...)
		all.adopted = append(all.adopted, p.adopted...)
		next[p.next] = append(next[p.next], leases[i].ID)
	}
	return a.carryOut(ctx, all, next)
}

// Follow has the rows of a lease follow the lease as it is now, in the transaction of the context: what nobody has
// paid is charged as the lease has it, what is paid is credited, and what is missing is charged where the ledger does
// so by itself. Ended tells that the lease ends sooner than it did.
func (s *Ledger) Follow(
	ctx context.Context, by access.Actor, l *portfolio.Lease, ended bool,
) (made Changes, err error) {
	return s.follow(ctx, by, l, ended, nil)
}

// FollowRent is Follow for a rent that all parties have agreed on from a day on: what is for the time from that day on
// is charged by it, though it is due already or paid.
func (s *Ledger) FollowRent(
	ctx context.Context, by access.Actor, l *portfolio.Lease, from clock.Date,
) (made Changes, err error) {
	return s.follow(ctx, by, l, false, &from)
}

func (s *Ledger) follow(
	ctx context.Context, by access.Actor, l *portfolio.Lease, ended bool, agreedFrom *clock.Date,
) (made Changes, err error) {
	since, err := s.store.AutoChargeSince(ctx, by.Portfolio)
	if err != nil {
		return made, err
	}
	a := &automatic{
		Ledger: s, by: by, since: since, today: s.Today(by), rules: map[string]place{}, agreedFrom: agreedFrom,
	}
	rows, err := s.store.RowsOfLeases(ctx, by.Portfolio, []string{l.ID})
	if err != nil {
		return made, err
	}
	p, err := a.plan(ctx, l, rows[l.ID], ended)
	if err != nil {
		return made, err
	}
	made = Changes{len(p.added), p.voided, p.revised, p.credited}
	if err := a.carryOut(ctx, p, map[clock.Date][]string{p.next: {l.ID}}); err != nil {
		return made, err
	}
	if err := s.AwaitDeposit(ctx, by, l); err != nil {
		return made, err
	}
	return made, s.applyCredits(ctx, by, l.ID)
}

// plan is what the ledger of a lease lacks. The rows that are added have their ids.
func (a *automatic) plan(
	ctx context.Context, l *portfolio.Lease, rows []portfolio.Payment, ended bool,
) (plan, error) {
	c := &charging{
		lease: l, until: l.LastDay(), rows: rows, today: a.today, ended: ended, auto: a.since != nil,
		agreedFrom: a.agreedFrom,
	}
	if c.until == nil {
		c.until = l.MoveOutDate
	}
	if l.RenewedToLeaseID != nil {
		next, err := a.store.Lease(ctx, a.by.Portfolio, *l.RenewedToLeaseID)
		if err != nil {
			return plan{}, err
		}
		if before := next.StartDate - 1; next.Binding() && !next.NeverStarted() &&
			(c.until == nil || before < *c.until) {
			c.until = &before
		}
	}
	at, err := a.place(ctx, l.PropertyID)
	if err != nil {
		return plan{}, err
	}
	if c.auto {
		c.after, c.whole = a.after(), a.whole(l)
	}
	if c.whole { // the moment of the signature is a real one, and the day one of the test clock
		c.signed = clock.DateOf(l.SignedAt.Std(), a.by.Zone).AddDays(a.by.Portfolio.Ahead)
	}
	c.lateFrom = func(after clock.Date) *clock.Date { return a.lateFrom(l, at, after) }
	p := c.plan()
	for i := range p.added {
		row := &p.added[i]
		row.Record = a.NewRecord(a.by, id.Payment, "payment")
		row.Compute(a.today)
	}
	return p, nil
}

// after is the day after which the ledger charges what is due.
func (a *automatic) after() clock.Date { return clock.DateOf(a.since.Std(), a.by.Zone) }

// whole reports whether a lease is charged from its first day on: it was signed since the ledger charges by itself.
func (a *automatic) whole(l *portfolio.Lease) bool {
	return l.SignedAt != nil && *l.SignedAt >= *a.since
}

// lateFrom is the day on which a late fee for rent is looked at whose days of grace count after a day: the one after
// them. It is nil where the lease has no late fee.
func (a *automatic) lateFrom(l *portfolio.Lease, at place, after clock.Date) *clock.Date {
	if a.since == nil || l.LateFeeAmount == nil || *l.LateFeeAmount == 0 {
		return nil
	}
	grace, _ := at.Grace(l.LateFeeGraceDays)
	return new(after.AddDays(grace + 1))
}

// carryOut writes what a plan says, and on which day each lease is looked at again.
func (a *automatic) carryOut(ctx context.Context, p plan, next map[clock.Date][]string) error {
	in, now := a.by.Portfolio, clock.At(a.Now(a.by.Portfolio))
	if err := a.store.SaveCharges(ctx, in, p.adopted); err != nil {
		return err
	}
	for i := range p.changed {
		row := &p.changed[i]
		row.Revise(now)
		if err := a.store.SavePayment(ctx, in, row); err != nil {
			return err
		}
	}
	if err := a.store.AddPayments(ctx, in, p.added); err != nil {
		return err
	}
	for _, day := range slices.Sorted(maps.Keys(next)) {
		if err := a.store.SetChargeOn(ctx, in, next[day], day); err != nil {
			return err
		}
	}
	return nil
}

// applyCredits pays what is due under a lease by the credits that are left, the oldest first. A transaction on each
// side tells of it, so that what is owed stays the same in all. The deposit is kept apart.
func (s *Ledger) applyCredits(ctx context.Context, by access.Actor, leaseID string) error {
	if has, err := s.store.HasCredit(ctx, by.Portfolio, leaseID); err != nil || !has {
		return err
	}
	rows, err := s.store.RowsOfLeases(ctx, by.Portfolio, []string{leaseID})
	if err != nil {
		return err
	}
	var credits, owed []*portfolio.Payment
	for i := range rows[leaseID] {
		switch row := &rows[leaseID][i]; {
		case row.Credit() && row.AmountPaid > row.Amount:
			credits = append(credits, row)
		case row.Status.Unpaid() && row.AmountPaid < row.Amount && row.Type != portfolio.PaymentDeposit:
			owed = append(owed, row)
		}
	}
	slices.SortFunc(credits, OldestDue)
	slices.SortFunc(owed, OldestDue)
	for _, credit := range credits {
		of := credit.ReversesPaymentID // what it takes back comes first
		slices.SortStableFunc(owed, func(a, b *portfolio.Payment) int {
			return cmp.Compare(notOf(a, of), notOf(b, of))
		})
		for _, row := range owed {
			amount := min(row.Left(), credit.AmountPaid-credit.Amount)
			if amount <= 0 {
				continue
			}
			if err := s.move(ctx, by, credit, row, -amount); err != nil {
				return err
			}
			if err := s.move(ctx, by, row, credit, amount); err != nil {
				return err
			}
		}
		slices.SortFunc(owed, OldestDue)
	}
	return nil
}

// OldestDue orders rows by their due dates, the oldest first.
func OldestDue(a, b *portfolio.Payment) int {
	return cmp.Or(cmp.Compare(a.DueDate, b.DueDate), cmp.Compare(a.ID, b.ID))
}

// notOf is 0 for the row of an id, and 1 for others.
func notOf(row *portfolio.Payment, id *string) int {
	if id != nil && row.ID == *id {
		return 0
	}
	return 1
}

// move adds a transaction to a row by which a credit pays a charge.
func (s *Ledger) move(ctx context.Context, by access.Actor, row, other *portfolio.Payment, amount money.Cents) error {
	recorder := portfolio.ByDashboard
	if by.KeyID != "" {
		recorder = portfolio.ByAPI
	}
	return s.addTo(ctx, by, row, portfolio.Transaction{
		Kind:       portfolio.TransactionCorrection,
		Amount:     amount,
		Status:     portfolio.TransactionSucceeded,
		Reference:  &other.ID,
		OccurredAt: clock.At(s.Now(by.Portfolio)),
		RecordedBy: recorder,
	})
}

// addTo adds a transaction to a row that is stored.
func (s *Ledger) addTo(ctx context.Context, by access.Actor, row *portfolio.Payment, t portfolio.Transaction) error {
	stored, err := s.store.Transactions(ctx, by.Portfolio, row.ID)
	if err != nil {
		return err
	}
	now := s.Now(by.Portfolio)
	t.ID = id.New(id.Transaction, now)
	all := append(row.Told(stored), t)
	row.Derive(all, s.Today(by))
	row.Revise(clock.At(now))
	if err := s.store.SavePayment(ctx, by.Portfolio, row); err != nil {
		return err
	}
	return s.store.AddTransactions(ctx, by.Portfolio, row.ID, len(stored), all[len(stored):])
}

// rowsOf are all rows of a lease.
func (s *Ledger) rowsOf(ctx context.Context, by access.Actor, leaseID string) ([]portfolio.Payment, error) {
	rows, err := s.store.RowsOfLeases(ctx, by.Portfolio, []string{leaseID})
	return rows[leaseID], err
}
