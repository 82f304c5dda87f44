package ledger

import (
	"context"
	"embed"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/mail"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/lease/law"
)

//go:embed emails
var templateFiles embed.FS

var templates = mail.ReadTemplates(templateFiles, map[string]any{
	"dollars": money.Cents.Dollars,
	"date":    func(d clock.Date) string { return d.Std().Format("January 2, 2006") },
})

// RemindOfDeposits reminds the owners of a portfolio to return deposits, each once. Where none is due, nobody waits.
//
// It looks for leases first whose end nothing has noted: those that were imported after it, or that an older process
// has ended. Of them, reminders are sent until the deadline is over.
func (s *Ledger) RemindOfDeposits(ctx context.Context, in access.Portfolio, zone *time.Location) error {
	by := access.Actor{Portfolio: in, Zone: zone}
	a := &automatic{Ledger: s, by: by, today: s.Today(by)}
	for _, maybeSent := range []bool{false, true} {
		err := repeat(ctx, a, func(ctx context.Context, most int) ([]portfolio.Lease, error) {
			return s.store.UnawaitedDeposits(ctx, in, maybeSent, most)
		}, func(ctx context.Context, leases []portfolio.Lease) error {
			for i := range leases {
				if err := s.awaitLate(ctx, by, &leases[i], maybeSent); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return repeat(ctx, a, func(ctx context.Context, most int) ([]portfolio.Lease, error) {
		return s.store.DepositReminders(ctx, in, a.today, most)
	}, func(ctx context.Context, leases []portfolio.Lease) error {
		for i := range leases {
			if err := s.remindOfDeposit(ctx, by, &leases[i]); err != nil {
				return err
			}
		}
		return nil
	})
}

// awaitLate is AwaitDeposit for a lease of which it was not done when its end became known. What an earlier version may
// have reminded of already is not reminded of again.
func (s *Ledger) awaitLate(ctx context.Context, by access.Actor, l *portfolio.Lease, maybeSent bool) error {
	ended := l.TenancyEnded()
	if ended == nil {
		return s.store.SetDepositReminder(ctx, by.Portfolio, l.ID, nil)
	}
	p, err := s.store.Property(ctx, by.Portfolio, l.PropertyID)
	if err != nil {
		return err
	}
	today, deadline := s.Today(by), ended.AddDays(law.Of(p.State).Deposit.ReturnDays)
	if deadline < today || maybeSent && deadline.AddDays(-remindDays) <= today {
		return s.store.SetDepositReminder(ctx, by.Portfolio, l.ID, nil)
	}
	return s.AwaitDeposit(ctx, by, l)
}

// remindOfDeposit reminds the owners to return the deposit of a lease, unless that is done, or nothing is held.
func (s *Ledger) remindOfDeposit(ctx context.Context, by access.Actor, l *portfolio.Lease) error {
	if err := s.store.SetDepositReminder(ctx, by.Portfolio, l.ID, nil); err != nil {
		return err
	}
	d, err := s.deposit(ctx, by, l)
	if err != nil || !d.Over || d.Commercial || d.Statement != nil || d.Held <= 0 || s.Post == nil {
		return err
	}
	who, err := s.store.Landlord(ctx, by.Portfolio)
	if err != nil {
		return err
	}
	citation, _ := d.Citation()
	for _, r := range who.Readers {
		if r.Role != access.Owner {
			continue
		}
		m, err := templates.Fill("deposit_reminder", &mail.Message{
			AccountID: who.AccountID,
			Portfolio: by.Portfolio,
			To:        r.Email,
			Subject:   "Return the deposit by " + d.Deadline.Std().Format("January 2") + ": " + l.RentalAddress,
		}, struct {
			Home, State, Citation, Link string
			Held                        money.Cents
			EndedOn, Deadline           clock.Date
			Days                        int
			Cases                       bool
		}{
			l.RentalAddress, d.Rules.NameInSentence(), citation,
			s.BaseURL + "/" + string(by.Portfolio.Mode) + "/leases/" + l.ID,
			d.Held, *d.EndedOn, d.Deadline, d.Rules.Deposit.ReturnDays, len(d.Rules.Deposit.ReturnCases) > 0,
		})
		if err != nil {
			return err
		}
		if err := s.Send(ctx, m); err != nil {
			return err
		}
	}
	return nil
}
