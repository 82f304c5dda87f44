package payment

import (
	"context"
	"slices"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/id"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/ledger"
)

// toldAhead is how many days before a payment its tenant is told of it.
const toldAhead = 3

// triedFor is for how long autopay tries to send a payment to a processor that does not answer.
const triedFor = 24 * time.Hour

// endAfter is how many payments in a row may fail before autopay ends.
const endAfter = 2

// firstOn is the first day of autopay that begins on a day: the tenant is told of it before.
func (a *Autopay) firstOn(today clock.Date) clock.Date { return onDay(today.AddDays(toldAhead), a.Day) }

// onDay is the first date from one on that is a day of the month.
func onDay(from clock.Date, day int) clock.Date {
	y, m, d := from.Std().Date()
	if d > day {
		m++
	}
	return clock.DateOf(time.Date(y, m, day, 0, 0, 0, 0, time.UTC), time.UTC)
}

// plan has the next payment be made on a day.
func (a *Autopay) plan(on clock.Date) {
	a.NextOn, a.ActOn, a.Told = &on, new(on.AddDays(-toldAhead)), nil
}

// planNext has the next payment be made in the month after the one that was made or left out.
func (a *Autopay) planNext() {
	y, m, _ := a.NextOn.Std().Date()
	a.plan(clock.DateOf(time.Date(y, m+1, a.Day, 0, 0, 0, 0, time.UTC), time.UTC))
}

// AutopayDay does what is due by the portfolio's present day: it tells tenants of payments that come, and makes those
// that they were told of. Where payments are simulated they are sent at once, otherwise by Reconcile.
func (s *Service) AutopayDay(ctx context.Context, by access.Actor) error {
	p, _, err := s.taking(ctx, by.Portfolio)
	if err != nil || p == nil {
		return err
	}
	today := s.Today(by)
	due, err := s.store.AutopaysToAct(ctx, by.Portfolio, today)
	if err != nil {
		return err
	}
	for _, autopayID := range due {
		var sent *Attempt
		if err := s.changeAutopay(ctx, by, autopayID, func(ctx context.Context, a *Autopay) (err error) {
			if a.Status != AutopayActive || a.ActOn == nil || *a.ActOn > today {
				return nil
			}
			sent, err = s.act(ctx, by, p, a, today)
			return err
		}); err != nil {
			return err
		}
		if sent != nil && by.Portfolio.Mode == access.Test {
			if err := s.Refresh(ctx, by, sent.ID); err != nil {
				return err
			}
		}
	}
	return nil
}

// act tells the tenant of the next payment, or begins it.
func (s *Service) act(
	ctx context.Context, by access.Actor, p Processor, a *Autopay, today clock.Date,
) (*Attempt, error) {
	if goes, err := s.follow(ctx, by, a); err != nil || !goes {
		return nil, err
	}
	allowed, err := s.store.OnlinePayments(ctx, by.Portfolio, a.LeaseID)
	if err != nil {
		return nil, err
	}
	if a.Told == nil {
		return nil, s.tell(ctx, by, a, allowed, today)
	}
	shares, kept, err := s.autopays(ctx, by, a, min(a.Most, *a.Told), allowed)
	if err != nil || kept { // somebody is paying: the next hour tells what is left
		return nil, err
	}
	told, on := *a.Told, *a.NextOn
	a.planNext()
	if allowed == AllowNone {
		return nil, s.notify(ctx, by, a, Notice{Kind: NoticeStopped, Amount: told, On: on})
	}
	if len(shares) == 0 { // paid meanwhile
		return nil, err
	}
	now := clock.At(s.Now(by.Portfolio))
	attempt := &Attempt{
		Record:    s.NewRecord(by, id.Attempt, "payment_attempt"),
		LeaseID:   a.LeaseID,
		TenantID:  a.TenantID,
		Processor: p.Name(),
		Account:   a.Account,
		AutopayID: &a.ID,
		Status:    Open,
		StartedOn: today,
		ExpiresAt: clock.At(now.Std().Add(triedFor)),
		Shares:    shares,
		LookAt:    &now,
	}
	attempt.Amount = sumOf(shares)
	return attempt, s.store.AddAttempt(ctx, by.Portfolio, attempt)
}

func sumOf(shares []ledger.Share) (sum money.Cents) {
	for _, share := range shares {
		sum += share.Amount
	}
	return sum
}

// follow reports whether autopay goes on. It moves along to the lease that renews its own, and ends with a lease that
// nothing renews, and where the tenant cannot be reached.
func (s *Service) follow(ctx context.Context, by access.Actor, a *Autopay) (bool, error) {
	l, err := s.store.Lease(ctx, by.Portfolio, a.LeaseID)
	if err != nil {
		return false, err
	}
	for l.Status == portfolio.LeaseRenewed && l.RenewedToLeaseID != nil {
		if l, err = s.store.Lease(ctx, by.Portfolio, *l.RenewedToLeaseID); err != nil {
			return false, err
		}
	}
	if !charges(&l, a.TenantID) {
		return false, s.endOne(ctx, by, a, EndedLease, nil)
	}
	a.LeaseID = l.ID
	reached, err := s.reaches(ctx, by, a.TenantID)
	if err == nil && !reached {
		err = s.endOne(ctx, by, a, EndedUnreachable, nil)
	}
	return reached, err
}

// tell tells a tenant what is paid on the next day of autopay. Where nothing is, they are told nothing.
func (s *Service) tell(ctx context.Context, by access.Actor, a *Autopay, allowed Allowed, today clock.Date) error {
	on := max(*a.NextOn, today.AddDays(toldAhead)) // later where nobody was told in time
	a.NextOn = &on
	shares, _, err := s.autopays(ctx, by, a, a.Most, allowed)
	if err != nil {
		return err
	}
	n := Notice{Kind: NoticeAhead, Amount: sumOf(shares), On: on}
	switch {
	case allowed == AllowNone:
		n.Kind = NoticeStopped
	case n.Amount == 0:
		a.planNext()
		return nil
	}
	if allowed == AllowNone {
		a.planNext()
	} else {
		a.Told, a.ActOn = &n.Amount, &on
	}
	return s.notify(ctx, by, a, n)
}

// autopays are the shares that autopay pays on its next day: what is due by then, the oldest first, up to an amount.
// kept reports whether a part of that is kept for somebody who is paying right now.
func (s *Service) autopays(
	ctx context.Context, by access.Actor, a *Autopay, most money.Cents, allowed Allowed,
) (shares []ledger.Share, kept bool, err error) {
	rows, err := s.Payable(ctx, by, a.LeaseID)
	if err != nil {
		return nil, false, err
	}
	rows = slices.DeleteFunc(rows, func(r PayableRow) bool { return r.DueDate > *a.NextOn })
	for i := range rows {
		kept = kept || rows[i].Kept > 0
	}
	if allowed != AllowWhole {
		return Split(rows, &most), kept, nil
	}
	for i := range rows { // whole charges, as long as they fit
		if r := &rows[i]; r.Kept == 0 && r.Left() <= most {
			shares, most = append(shares, ledger.Share{PaymentID: r.ID, Amount: r.Left()}), most-r.Left()
		}
	}
	return shares, kept, nil
}

// charge has autopay pay an attempt that was not sent, or cancels one that is too late or whose autopay has ended.
func (s *Service) charge(ctx context.Context, by access.Actor, p Processor, a *Attempt) error {
	autopay, err := s.store.Autopay(ctx, by.Portfolio, *a.AutopayID)
	switch {
	case err != nil:
		return err
	case autopay.Status != AutopayActive || a.ExpiresAt <= clock.At(s.Now(by.Portfolio)):
		return p.Cancel(ctx, by, a)
	}
	reference, err := p.Charge(ctx, by, a, &autopay)
	if reference != nil {
		a.Reference = reference
	}
	return err
}

// followAutopay tells the tenant that a payment by autopay was not made, and ends autopay that cannot go on.
func (s *Service) followAutopay(ctx context.Context, by access.Actor, a *Attempt, before Status, was Back) error {
	if a.AutopayID == nil || a.Status == before && a.Back == was {
		return nil
	}
	return s.changeAutopay(ctx, by, *a.AutopayID, func(ctx context.Context, p *Autopay) error {
		back := a.Back != was && a.Back != Won
		switch {
		case p.Status != AutopayActive || a.Status == Processing:
			return nil
		case a.Status == Succeeded && !back:
			p.Failures = 0
			return nil
		case a.Status != Canceled:
			if p.Failures++; p.Failures >= endAfter || final(a.FailureCode) {
				return s.endOne(ctx, by, p, EndedFailed, a)
			}
		}
		return s.notify(ctx, by, p, Notice{
			Kind:           NoticeUnpaid,
			Amount:         a.Amount,
			On:             a.StartedOn,
			FailureCode:    a.FailureCode,
			FailureMessage: a.FailureMessage,
		})
	})
}

// final reports whether a payment for whose failure a code stands would fail again.
func final(code *string) bool {
	return code != nil && slices.Contains([]string{
		"account_closed", "no_account", "debit_not_authorized", "expired_card", "payment_returned", "dispute",
	}, *code)
}
