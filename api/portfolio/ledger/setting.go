package ledger

import (
	"context"
	"math"
	"slices"

	"portal/api/access"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/list"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/lease/terms"
)

// Setting is whether the ledger of a portfolio charges by itself.
type Setting struct {
	Since *clock.Time // nil where it does not
}

// On reports whether it does.
func (s Setting) On() bool { return s.Since != nil }

// AutoChargeSetting tells whether the ledger of a portfolio charges by itself. That of a demo portfolio always does,
// and has no moment since when before it has charged something.
func (s *Ledger) AutoChargeSetting(ctx context.Context, by access.Actor) (Setting, error) {
	since, err := s.store.AutoChargeSince(ctx, by.Portfolio)
	return Setting{since}, err
}

// SetAutoCharge has the ledger of a live portfolio charge by itself from now on, or no longer, for an owner. What is
// due until the end of the day is never charged by it. Turning on what is on changes nothing.
func (s *Ledger) SetAutoCharge(ctx context.Context, by access.Actor, on bool) (*change.Result[Setting], error) {
	if by.Role != access.Owner {
		return nil, fault.New(fault.OwnerRequired, "Only an owner of the account can change how rent is charged.")
	}
	if by.Portfolio.Mode == access.Test {
		return nil, fault.New(fault.InvalidTransition, "Demo portfolios always charge rent automatically.")
	}
	return portfolio.Write(ctx, s.Common, by, func(ctx context.Context) (*change.Result[Setting], error) {
		before, err := s.AutoChargeSetting(ctx, by)
		m := &change.Result[Setting]{Before: &before, After: &before}
		if err != nil || before.On() == on {
			return m, err
		}
		after, action := Setting{}, "account.auto_charge_turned_off"
		if on {
			after.Since, action = new(clock.At(s.Now(by.Portfolio))), "account.auto_charge_turned_on"
		}
		if err := s.store.SetAutoCharge(ctx, by.Portfolio, after.Since); err != nil {
			return nil, err
		}
		m.After = &after
		return m, s.RecordDone(ctx, by, action, by.AccountID, nil)
	})
}

// RentNotices reports whether tenants of a portfolio get emails about rent where the ledger charges by itself.
func (s *Ledger) RentNotices(ctx context.Context, by access.Actor) (bool, error) {
	return s.store.RentNotices(ctx, by.Portfolio)
}

// SetRentNotices has tenants of a portfolio get emails about rent from now on, or no longer, for an owner. It reports
// whether that has changed. What has happened before it was turned on is never told.
func (s *Ledger) SetRentNotices(ctx context.Context, by access.Actor, on bool) (changed bool, err error) {
	if by.Role != access.Owner {
		return false, fault.New(
			fault.OwnerRequired,
			"Only an owner of the account can change which emails tenants get.",
		)
	}
	err = s.Tx.Exclusively(ctx, by.Portfolio, func(ctx context.Context) error {
		before, err := s.store.RentNotices(ctx, by.Portfolio)
		if changed = err == nil && before != on; !changed {
			return err
		}
		if err := s.store.SetRentNotices(ctx, by.Portfolio, on); err != nil {
			return err
		}
		action := "account.rent_notices_turned_off"
		if on {
			action = "account.rent_notices_turned_on"
		}
		return s.RecordDone(ctx, by, action, by.AccountID, nil)
	})
	return changed && err == nil, err
}

// Preview is what the ledger of a portfolio would do first if it began to charge by itself now.
type Preview struct {
	Rows    []PreviewRow   // at most so many as were asked for
	Count   int            // of all rows that would be written
	Total   money.Cents    // what they come to
	Leases  int            // that would be charged something
	Changed []PreviewRow   // rows that are there already, and would change; at most so many as were asked for
	Changes int            // of all rows that would change
	Skipped []SkippedLease // at most so many as were asked for
	Skips   list.Count     // of all leases that nothing would be charged for
}

// PreviewRow is a row that the ledger would write, or change.
type PreviewRow struct {
	portfolio.Payment
	Lease  *portfolio.Lease
	Before *portfolio.Payment // the row as it is, nil for a new one
	On     clock.Date         // on which it would be written
}

// SkippedLease is a lease that nothing would be charged for.
type SkippedLease struct {
	*portfolio.Lease
	Reason SkipReason
}

// SkipReason is why nothing would be charged for a lease.
type SkipReason string

// The reasons to charge nothing for a lease.
const (
	SkipEnded   SkipReason = "ended"   // it is over
	SkipNoRent  SkipReason = "no_rent" // and no monthly fee either
	SkipCharged SkipReason = "charged" // all that it charges is in the ledger, or falls due before
)

// previewBatch is how many leases a preview reads at a time.
const previewBatch = 200

// endedLeases are the statuses of leases that were in force.
var endedLeases = []portfolio.LeaseStatus{
	portfolio.LeaseExpired, portfolio.LeaseRenewed, portfolio.LeaseTerminated,
}

// PreviewAutoCharge tells what the first rows of each lease would be if the ledger charged by itself from now on, by
// the same plan as AutoCharge, and writes nothing. It lists at most so many rows and leases. Nobody waits for it: it
// reads some leases at a time, as they are then.
func (s *Ledger) PreviewAutoCharge(ctx context.Context, by access.Actor, most int) (*Preview, error) {
	now := clock.At(s.Now(by.Portfolio))
	a := &automatic{Ledger: s, by: by, since: &now, today: s.Today(by), rules: map[string]place{}}
	p := &preview{automatic: a, Preview: &Preview{}, most: most}
	for _, status := range portfolio.AgreedLeases() {
		if err := p.each(ctx, status, math.MaxInt, p.add); err != nil {
			return nil, err
		}
	}
	for _, status := range endedLeases { // of many, only some are counted
		if err := p.each(ctx, status, list.Most, p.addEnded); err != nil {
			return nil, err
		}
	}
	return p.Preview, nil
}

// preview is a preview while it is made.
type preview struct {
	*automatic
	*Preview
	most int
}

// add adds what would be charged for leases.
func (p *preview) add(ctx context.Context, leases []portfolio.Lease) error {
	ids := make([]string, len(leases))
	for i := range leases {
		ids[i] = leases[i].ID
	}
	rows, err := p.store.RowsOfLeases(ctx, p.by.Portfolio, ids)
	if err != nil {
		return err
	}
	for i := range leases {
		if err := p.addLease(ctx, &leases[i], rows[leases[i].ID]); err != nil {
			return err
		}
	}
	return nil
}

// addLease adds the first rows of a lease, be it that they are written on a later day.
func (p *preview) addLease(ctx context.Context, l *portfolio.Lease, rows []portfolio.Payment) error {
	first, on := *p.automatic, p.today
	now, err := first.plan(ctx, l, slices.Clone(rows), false)
	if err != nil {
		return err
	}
	added := now.added
	if len(added) == 0 && now.next < clock.LastDay {
		first.today, on = now.next, now.next
		later, err := first.plan(ctx, l, slices.Clone(rows), false)
		if err != nil {
			return err
		}
		added = later.added
	}
	for i := range added {
		p.Count++
		p.Total += added[i].Amount
		if len(p.Rows) < p.most {
			p.Rows = append(p.Rows, PreviewRow{Payment: added[i], Lease: l, On: on})
		}
	}
	for i := range now.changed {
		row := &now.changed[i]
		row.Compute(p.today)
		if p.Changes++; len(p.Changed) < p.most {
			at := slices.IndexFunc(rows, func(before portfolio.Payment) bool { return before.ID == row.ID })
			p.Changed = append(p.Changed, PreviewRow{Payment: *row, Lease: l, Before: &rows[at], On: p.today})
		}
	}
	if len(added) > 0 {
		p.Leases++
		return nil
	}
	reason := SkipCharged
	if l.MonthlyRent == 0 && !slices.ContainsFunc(l.Terms.Fees, func(f terms.Fee) bool {
		return f.Frequency == terms.Monthly
	}) {
		reason = SkipNoRent
	}
	p.skip(l, reason)
	return nil
}

func (p *preview) skip(l *portfolio.Lease, reason SkipReason) {
	if p.Skips.N++; len(p.Skipped) < p.most {
		p.Skipped = append(p.Skipped, SkippedLease{l, reason})
	}
}

// addEnded adds leases that are over.
func (p *preview) addEnded(_ context.Context, leases []portfolio.Lease) error {
	for i := range leases {
		p.skip(&leases[i], SkipEnded)
	}
	return nil
}

// each does something with the leases of a status, some at a time, and at most with so many.
func (p *preview) each(
	ctx context.Context,
	status portfolio.LeaseStatus,
	most int,
	do func(context.Context, []portfolio.Lease) error,
) error {
	for after, done := "", 0; ; {
		leases, err := p.store.LeasesOfStatus(ctx, p.by.Portfolio, status, after, previewBatch)
		if err == nil {
			err = do(ctx, leases)
		}
		if err != nil || len(leases) < previewBatch {
			return err
		}
		after = leases[len(leases)-1].ID
		if done += len(leases); done >= most {
			p.Skips.More = true
			return nil
		}
	}
}
