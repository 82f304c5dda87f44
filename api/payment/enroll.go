package payment

import (
	"context"
	"fmt"
	"slices"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/language"
	"portal/api/money"
	"portal/api/portfolio"
)

// Notices emails tenants about autopay.
type Notices interface {
	// Reaches reports whether a tenant can be told of payments, and end autopay: whether they have an email address and
	// a page.
	Reaches(ctx context.Context, by access.Actor, tenantID string) (bool, error)
	// AutopayNotice emails the tenant of autopay, in the transaction of the context. One without an address gets none.
	AutopayNotice(ctx context.Context, by access.Actor, p *Autopay, n Notice) error
	// PaymentCleared emails the tenant who has paid, in the transaction of the context, if no other email tells them.
	PaymentCleared(ctx context.Context, by access.Actor, a *Attempt) error
}

// Notice is what a tenant is told about autopay.
type Notice struct {
	Kind   NoticeKind
	Amount money.Cents // that is paid, or was not
	On     clock.Date  // when
	// Why it was not paid.
	FailureCode, FailureMessage *string
}

// NoticeKind is what a notice is about.
type NoticeKind string

// The kinds of notices.
const (
	NoticeStarted NoticeKind = "started"
	NoticeAhead   NoticeKind = "ahead"   // a payment in 3 days
	NoticeUnpaid  NoticeKind = "unpaid"  // a payment that was not made
	NoticeStopped NoticeKind = "stopped" // by the landlord, who takes no online payment of the lease at present
	NoticeEnded   NoticeKind = "ended"
)

// AutopayOrder is what a tenant agrees to.
type AutopayOrder struct {
	LeaseID  string
	TenantID string
	Day      int         // of the month, 1 to LastAutopayDay
	Most     money.Cents // that is paid in a month
	Text     string      // as the tenant has read it
	Language language.Language
}

// LastAutopayDay is the last day of the month that can be chosen, as each month has it.
const LastAutopayDay = 28

// MostAutopay is the largest limit of a month.
var MostAutopay = money.Dollars(100_000)

// StartAutopay opens the processor's page on which a tenant gives a card or a bank account, and is its address. Autopay
// that the tenant has stays until that is done.
//
// Errors: fault.InvalidField at day or most, fault.InvalidTransition where the landlord takes no online payment of the
// lease or the lease charges the tenant no more, fault.Unavailable where the processor does not answer.
func (s *Service) StartAutopay(
	ctx context.Context, by access.Actor, o *AutopayOrder, returnTo func(autopayID string) string,
) (*Autopay, string, error) {
	p, account, err := s.taking(ctx, by.Portfolio)
	if err != nil {
		return nil, "", err
	}
	if p == nil {
		return nil, "", fault.New(fault.InvalidTransition, notSetUp)
	}
	var a *Autopay
	err = s.Tx.Exclusively(ctx, by.Portfolio, func(ctx context.Context) error {
		if err := s.mayAgree(ctx, by, o); err != nil {
			return err
		}
		now := clock.At(s.Now(by.Portfolio))
		a = &Autopay{
			Record:    s.NewRecord(by, id.Autopay, "autopay"),
			LeaseID:   o.LeaseID,
			TenantID:  o.TenantID,
			Processor: p.Name(),
			Account:   account,
			Day:       o.Day,
			Most:      o.Most,
			Text:      o.Text,
			Language:  o.Language,
			Status:    AutopayPending,
			LookAt:    new(clock.At(now.Std().Add(keptFor))),
		}
		return s.store.AddAutopay(ctx, by.Portfolio, a)
	})
	if err != nil {
		return nil, "", err
	}
	started, err := p.Enroll(ctx, by, a, returnTo(a.ID))
	if err != nil {
		err = fault.New(fault.Unavailable,
			"The payment service didn’t answer. Autopay isn’t set up. Try again in a few minutes.").Because(err)
		return nil, "", errOr(s.EndAutopay(context.WithoutCancel(ctx), by, a.ID, EndedUnfinished), err)
	}
	err = s.changeAutopay(ctx, by, a.ID, func(_ context.Context, kept *Autopay) error {
		kept.Session = started.Session
		a = kept
		return nil
	})
	return a, started.URL, err
}

// notSetUp is said where a mode has no processor.
const notSetUp = "Online payment isn’t set up here."

// errOr is the first of two errors that there is.
func errOr(first, second error) error {
	if first != nil {
		return first
	}
	return second
}

// mayAgree holds an order against the lease and what the landlord takes.
func (s *Service) mayAgree(ctx context.Context, by access.Actor, o *AutopayOrder) error {
	switch {
	case o.Day < 1 || o.Day > LastAutopayDay:
		return fault.New(fault.InvalidField, "day must be from 1 to %d.", LastAutopayDay).At("day")
	case o.Most <= 0 || o.Most > MostAutopay:
		return fault.New(
			fault.InvalidField,
			"most must be more than 0 and at most %s.",
			MostAutopay.Dollars(),
		).At(
			"most",
		)
	}
	allowed, err := s.store.OnlinePayments(ctx, by.Portfolio, o.LeaseID)
	if err != nil {
		return err
	}
	if allowed == AllowNone {
		return fault.New(fault.InvalidTransition, "Online payment is turned off for this lease.")
	}
	l, err := s.store.Lease(ctx, by.Portfolio, o.LeaseID)
	if err != nil {
		return err
	}
	if !charges(&l, o.TenantID) {
		return fault.New(fault.InvalidTransition, "Autopay needs a lease that goes on.")
	}
	if reached, err := s.reaches(ctx, by, o.TenantID); err != nil || reached {
		return err
	}
	return fault.New(fault.InvalidTransition, "Autopay needs an email address, to tell you of payments.")
}

func (s *Service) reaches(ctx context.Context, by access.Actor, tenantID string) (bool, error) {
	if s.Notices == nil {
		return true, nil
	}
	return s.Notices.Reaches(ctx, by, tenantID)
}

// charges reports whether a lease goes on and charges a tenant.
func charges(l *portfolio.Lease, tenantID string) bool {
	return l.Charged() && slices.ContainsFunc(l.Tenants, func(p portfolio.Party) bool {
		return p.ID == tenantID && p.Role != portfolio.PartyGuarantor
	})
}

// RefreshAutopay asks the processor what has become of autopay, and has it forget the card or the account once autopay
// has ended.
func (s *Service) RefreshAutopay(ctx context.Context, by access.Actor, autopayID string) error {
	a, err := s.store.Autopay(ctx, by.Portfolio, autopayID)
	if err != nil {
		return err
	}
	p := s.processors[by.Portfolio.Mode]
	if p == nil || p.Name() != a.Processor {
		return nil
	}
	switch {
	case a.Status == AutopayPending:
		e, err := p.Enrolled(ctx, by, &a)
		if err != nil {
			return fmt.Errorf("ask for the state of autopay %s: %w", a.ID, err)
		}
		return s.enroll(ctx, by, a.ID, e)
	case a.Status == AutopayEnded && !a.Released:
		if err := p.Release(ctx, by, &a); err != nil {
			return fmt.Errorf("release autopay %s: %w", a.ID, err)
		}
		return s.changeAutopay(ctx, by, a.ID, func(ctx context.Context, a *Autopay) error {
			told := a.Released || a.EndedWhy != EndedClosed || a.AgreedAt == nil
			if a.Released, a.LookAt = true, nil; told {
				return nil
			}
			return s.notify(ctx, by, a, Notice{Kind: NoticeEnded, On: s.Today(by)}) // nobody could while it was closed
		})
	}
	return nil
}

// enroll begins autopay once the tenant has given a card or an account, in place of what the tenant had before. What
// was not finished in time ends.
func (s *Service) enroll(ctx context.Context, by access.Actor, autopayID string, e Enrollment) error {
	return s.changeAutopay(ctx, by, autopayID, func(ctx context.Context, a *Autopay) error {
		now := clock.At(s.Now(by.Portfolio))
		switch {
		case a.Status == AutopayActive:
			return nil
		case a.Status == AutopayEnded: // while the tenant was on the page; what they gave is released
			a.Customer, a.Reference, a.Released, a.LookAt = e.Customer, e.Reference, false, &now
			return nil
		case e.Status == AutopayEnded, e.Status == AutopayPending && a.LookAt != nil && *a.LookAt <= now:
			s.end(a, EndedUnfinished, now)
			return nil
		case e.Status == AutopayPending:
			return nil
		}
		others, err := s.store.AutopaysOf(ctx, by.Portfolio, []string{a.LeaseID})
		if err != nil {
			return err
		}
		for i := range others {
			if o := &others[i]; o.ID != a.ID && o.TenantID == a.TenantID && o.Status != AutopayEnded {
				if err := s.endOne(ctx, by, o, EndedReplaced, nil); err != nil {
					return err
				}
				o.Revise(now)
				if err := s.store.SaveAutopay(ctx, by.Portfolio, o); err != nil {
					return err
				}
			}
		}
		a.Status, a.AgreedAt, a.LookAt = AutopayActive, &now, nil
		a.Customer, a.Reference, a.Method = e.Customer, e.Reference, &e.Method
		a.plan(a.firstOn(s.Today(by)))
		return s.notify(ctx, by, a, Notice{Kind: NoticeStarted, On: *a.NextOn, Amount: a.Most})
	})
}

// EndAutopay ends autopay. Of what has ended, nothing changes. A payment that was sent goes on; one that was not is not
// sent any more.
func (s *Service) EndAutopay(ctx context.Context, by access.Actor, autopayID string, why AutopayEnd) error {
	var open []Attempt
	if err := s.changeAutopay(ctx, by, autopayID, func(ctx context.Context, a *Autopay) error {
		if a.Status == AutopayEnded {
			return nil
		}
		all, err := s.store.OpenAttempts(ctx, by.Portfolio, a.LeaseID)
		if err != nil {
			return err
		}
		for i := range all {
			if of := all[i].AutopayID; of != nil && *of == a.ID {
				open = append(open, all[i])
			}
		}
		return s.endOne(ctx, by, a, why, nil)
	}); err != nil {
		return err
	}
	for i := range open { // Refresh charges nothing of what has ended
		if err := s.Refresh(ctx, by, open[i].ID); err != nil {
			return err
		}
	}
	// It has ended. A processor that does not answer now is asked again by Reconcile.
	_ = s.RefreshAutopay(ctx, by, autopayID)
	return nil
}

// endOne ends autopay in the transaction of the context, and tells the tenant, unless they have begun another one or
// never finished this one.
func (s *Service) endOne(ctx context.Context, by access.Actor, a *Autopay, why AutopayEnd, failed *Attempt) error {
	active := a.Status == AutopayActive
	s.end(a, why, clock.At(s.Now(by.Portfolio)))
	if !active || why == EndedReplaced {
		return nil
	}
	n := Notice{Kind: NoticeEnded, On: s.Today(by)}
	if failed != nil {
		n.Amount, n.FailureCode, n.FailureMessage = failed.Amount, failed.FailureCode, failed.FailureMessage
	}
	return s.notify(ctx, by, a, n)
}

// end ends autopay. The processor is to forget what it charges.
func (s *Service) end(a *Autopay, why AutopayEnd, now clock.Time) {
	a.Status, a.EndedAt, a.EndedWhy = AutopayEnded, &now, why
	a.NextOn, a.ActOn, a.Told, a.LookAt = nil, nil, nil, &now
}

func (s *Service) notify(ctx context.Context, by access.Actor, a *Autopay, n Notice) error {
	if s.Notices == nil {
		return nil
	}
	return s.Notices.AutopayNotice(ctx, by, a, n)
}

// Autopays are those of some leases, the latest first.
func (s *Service) Autopays(ctx context.Context, by access.Actor, leaseIDs []string) ([]Autopay, error) {
	return s.store.AutopaysOf(ctx, by.Portfolio, leaseIDs)
}

// Autopay is one, or fault.NotFound.
func (s *Service) Autopay(ctx context.Context, by access.Actor, autopayID string) (*Autopay, error) {
	if !id.Valid(id.Autopay, autopayID) {
		return nil, fault.NotFound("autopay")
	}
	a, err := s.store.Autopay(ctx, by.Portfolio, autopayID)
	return &a, err
}

// changeAutopay changes autopay under the lock of the portfolio.
func (s *Service) changeAutopay(
	ctx context.Context, by access.Actor, autopayID string, do func(context.Context, *Autopay) error,
) error {
	return s.Tx.Exclusively(ctx, by.Portfolio, func(ctx context.Context) error {
		a, err := s.store.Autopay(ctx, by.Portfolio, autopayID)
		if err != nil {
			return err
		}
		if err := do(ctx, &a); err != nil {
			return err
		}
		a.Revise(clock.At(s.Now(by.Portfolio)))
		return s.store.SaveAutopay(ctx, by.Portfolio, &a)
	})
}
