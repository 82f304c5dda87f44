package tenantportal

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/portfolio"
)

// noticeEvery is the least time between two emails about a ticket to its tenant, and to the landlord.
const noticeEvery = clock.Time(time.Hour / time.Millisecond)

// mostDue is how many emails that are due are read at a time.
const mostDue = 100

// TicketNotice is when a tenant or a landlord was emailed about a ticket.
type TicketNotice struct {
	TicketID string
	To       portfolio.TicketReader
	SentAt   clock.Time  // the latest email, which told of all that had happened before
	DueAt    *clock.Time // when the next one leaves, nil where there is nothing to tell
}

// DueNotice is an email about a ticket that is due. The zero value is before all of them.
type DueNotice struct {
	In       access.Portfolio
	TicketID string
	To       portfolio.TicketReader
	At       clock.Time
}

// TicketChanged emails the tenant of a ticket, or the landlord, what has happened to it, in the transaction of the
// context; an hour after the latest email where they had one within the hour.
func (s *Service) TicketChanged(
	ctx context.Context, by access.Actor, t *portfolio.Ticket, to portfolio.TicketReader,
) error {
	n, err := s.store.TicketNotice(ctx, by.Portfolio, t.ID, to)
	if err != nil || n.DueAt != nil {
		return err
	}
	if next := n.SentAt + noticeEvery; n.SentAt != 0 && clock.At(s.Now(by.Portfolio)) < next {
		n.DueAt = &next
		return s.store.SaveTicketNotice(ctx, by.Portfolio, n)
	}
	return s.notify(ctx, by.Portfolio, t, n)
}

// SendNotices sends the emails about tickets that are due, each in a transaction of its own. One that fails keeps no
// other back, and is due until it was sent.
func (s *Service) SendNotices(ctx context.Context, now time.Time) error {
	var failed []error
	for last := (DueNotice{}); ; {
		due, err := s.store.DueTicketNotices(ctx, clock.At(now), last, mostDue)
		if err != nil {
			return errors.Join(append(failed, err)...)
		}
		for _, d := range due {
			if err := s.sendDue(ctx, d, clock.At(now)); err != nil {
				failed = append(failed, fmt.Errorf("email the %s about the ticket %s: %w", d.To, d.TicketID, err))
			}
		}
		if len(due) < mostDue || ctx.Err() != nil {
			return errors.Join(failed...)
		}
		last = due[len(due)-1]
	}
}

// sendDue sends an email that is due, unless another process has.
func (s *Service) sendDue(ctx context.Context, d DueNotice, now clock.Time) error {
	return s.Tx.Exclusively(ctx, d.In, func(ctx context.Context) error {
		n, err := s.store.TicketNotice(ctx, d.In, d.TicketID, d.To)
		if err != nil || n.DueAt == nil || *n.DueAt > now {
			return err
		}
		t, err := s.store.Ticket(ctx, d.In, d.TicketID)
		if err != nil {
			return err
		}
		return s.notify(ctx, d.In, &t, n)
	})
}

// notify emails somebody all that has happened to a ticket since they were emailed last, in the transaction of the
// context. Where nobody wants to know it, the next email tells it if somebody does by then.
func (s *Service) notify(ctx context.Context, in access.Portfolio, t *portfolio.Ticket, n TicketNotice) error {
	all, err := s.store.Activities(ctx, in, t.ID, n.SentAt)
	if err != nil {
		return err
	}
	all = slices.DeleteFunc(all, func(a portfolio.TicketActivity) bool { return a.Reader() != n.To })
	sent, err := s.email(ctx, in, t, n, all)
	if err != nil || !sent && n.DueAt == nil {
		return err
	}
	n.DueAt = nil
	if sent {
		n.SentAt = clock.At(s.Now(in))
	}
	for i := range all { // the clock of another node may be ahead
		if sent {
			n.SentAt = max(n.SentAt, all[i].CreatedAt)
		}
	}
	return s.store.SaveTicketNotice(ctx, in, n)
}

// email writes to all who want to know what has happened to a ticket, and reports whether there were any.
func (s *Service) email(
	ctx context.Context,
	in access.Portfolio,
	t *portfolio.Ticket,
	n TicketNotice,
	all []portfolio.TicketActivity,
) (sent bool, err error) {
	created := n.To == portfolio.ReadByLandlord && n.SentAt == 0 && len(all) == 0
	if t.TenantID == nil || len(all) == 0 && !created {
		return false, nil
	}
	if open, err := s.store.AccountOpen(ctx, in); err != nil || !open {
		return false, err
	}
	v, found, err := s.live(ctx, access.Actor{Portfolio: in}, *t.TenantID)
	if err != nil {
		return false, err
	}
	if n.To == portfolio.ReadByLandlord {
		return s.mailLandlord(ctx, v, t, all)
	}
	if !found || !v.wantsMail() {
		return false, nil
	}
	return true, s.mailTenant(ctx, v, t, all)
}

// wantsMail reports whether a tenant whose link is live gets emails about tickets.
func (v *Visit) wantsMail() bool { return v.open() && v.Link.MailStoppedAt == nil && v.email() != "" }

// NoticeWanted reports whether an email about a ticket should still leave: to members of the account who want such
// emails, and to the tenant while their link opens the page and they have not stopped emails.
func (s *Service) NoticeWanted(ctx context.Context, in access.Portfolio, ticketID, to string) (bool, error) {
	if open, err := s.store.AccountOpen(ctx, in); err != nil || !open {
		return false, err
	}
	t, err := s.store.Ticket(ctx, in, ticketID)
	if fault.Is(err, fault.NoRecord) {
		return false, nil
	}
	if err != nil || t.TenantID == nil {
		return false, err
	}
	v, found, err := s.live(ctx, access.Actor{Portfolio: in}, *t.TenantID)
	if err != nil {
		return false, err
	}
	return slices.Contains(v.Landlord.Recipients(portfolio.TicketNotice), to) ||
		found && v.wantsMail() && v.email() == to, nil
}

// StopMail keeps emails about tickets from the tenant whose page a token opens. It may be asked for again and again.
func (s *Service) StopMail(ctx context.Context, token string) error {
	return s.setMail(ctx, token, func(v *Visit) *clock.Time { return new(clock.At(s.Now(v.By.Portfolio))) })
}

// StartMail has the tenant whose page a token opens get emails about tickets again.
func (s *Service) StartMail(ctx context.Context, token string) error {
	return s.setMail(ctx, token, func(*Visit) *clock.Time { return nil })
}

func (s *Service) setMail(ctx context.Context, token string, stopped func(*Visit) *clock.Time) error {
	v, err := s.Open(ctx, token)
	if err != nil {
		return err
	}
	at := stopped(v)
	if (at == nil) == (v.Link.MailStoppedAt == nil) {
		return nil
	}
	return s.Tx.Exclusively(ctx, v.By.Portfolio, func(ctx context.Context) error {
		return s.store.SaveMailStopped(ctx, v.By.Portfolio, v.Tenant.ID, at)
	})
}
