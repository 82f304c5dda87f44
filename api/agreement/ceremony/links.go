package ceremony

import (
	"context"
	"errors"
	"fmt"
	"time"

	"portal/api/access"
	"portal/api/agreement/evidence"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/mail"
)

// SendLinks sends every signer of a lease who has an email address the link of their page, in the
// transaction of the context.
func (s *Service) SendLinks(ctx context.Context, by access.Actor, leaseID string) error {
	all, err := s.agreements.Signers(ctx, by.Portfolio, leaseID)
	for i := 0; i < len(all) && err == nil; i++ {
		err = s.offer(ctx, all[i].ID, linkMail)
	}
	return err
}

// SendLink sends a signer the link of their page once more.
func (s *Service) SendLink(ctx context.Context, by access.Actor, leaseID, signerID string) error {
	if err := by.Need(access.Write); err != nil {
		return err
	}
	return s.Tx.Exclusively(ctx, by.Portfolio, func(ctx context.Context) error {
		in, of, _, err := s.store.Signer(ctx, signerID)
		if err == nil && (in.ID != by.Portfolio.ID || of != leaseID) {
			err = fault.NotFound("signer")
		}
		if err != nil {
			return err
		}
		o, err := s.opened(ctx, signerID)
		if err != nil {
			return err
		}
		switch {
		case o.signer.SignedAt != nil:
			return fault.New(fault.InvalidTransition, "%s has signed already.", o.signer.Name)
		case !o.offered(clock.At(s.Now(in))):
			return fault.New(fault.InvalidTransition, "The lease can no longer be signed.")
		case o.email == "":
			return fault.New(fault.InvalidTransition, "%s has no email address. Add one first.", o.signer.Name)
		}
		if err := mail.SpareRecipient(ctx, s.store, o.in, o.email, clock.At(s.Now(o.in))); err != nil {
			return err
		}
		return s.offer(ctx, signerID, linkMail)
	})
}

// offered reports whether the lease can be signed.
func (o *signing) offered(now clock.Time) bool {
	standing := o.standing(now)
	return standing == ToReview || standing == ToSign || standing == Signed
}

// The emails with a link.
const (
	linkMail     = "link"
	reminderMail = "reminder"
)

// offer sends the link to a signer who has yet to sign, and notes it.
func (s *Service) offer(ctx context.Context, signerID, template string) error {
	o, err := s.opened(ctx, signerID)
	if err != nil {
		return err
	}
	now := s.agreements.Moment(ctx, o.in)
	if o.email == "" || o.signer.SignedAt != nil || !o.offered(now) {
		return nil
	}
	o.signer.SentAt, o.signer.EmailStatus = &now, new(string(mail.Queued))
	if err := s.store.SaveSent(ctx, o.in, &o.signer); err != nil {
		return err
	}
	m, err := s.linkEmail(o, template)
	if err != nil {
		return err
	}
	if err := s.Send(ctx, m); err != nil {
		return err
	}
	return s.note(ctx, o, evidence.Sent, o.email, now, Client{})
}

// reminders are how long after a link was sent they go out to who has not signed.
var reminders = [...]time.Duration{3 * 24 * time.Hour, 7 * 24 * time.Hour}

// mostReminded is how many signers are read at a time.
const mostReminded = 100

// Remind sends reminders to those whose link was sent three days ago, and seven. One that fails keeps no
// other of its batch back.
func (s *Service) Remind(ctx context.Context, now time.Time) error {
	var failed []error
	for n, after := range reminders {
		for {
			due, err := s.store.ToRemind(ctx, n, clock.At(now.Add(-after)), mostReminded)
			failed = append(failed, err)
			for _, d := range due {
				if e := s.remind(ctx, d, n); e != nil {
					err = fmt.Errorf("remind the signer %s: %w", d.SignerID, e)
					failed = append(failed, err)
				}
			}
			if err != nil || len(due) < mostReminded { // who failed is read again the next time
				break
			}
		}
	}
	return errors.Join(failed...)
}

// remind sends a signer a reminder, after so many others.
func (s *Service) remind(ctx context.Context, d Due, earlier int) error {
	return s.Tx.Exclusively(ctx, d.In, func(ctx context.Context) error {
		o, err := s.opened(ctx, d.SignerID)
		if err != nil || o.signer.Reminders != earlier || o.signer.SignedAt != nil {
			return err // reminded by another process, or signed meanwhile
		}
		first := o.signer.SentAt
		if err := s.offer(ctx, d.SignerID, reminderMail); err != nil {
			return err
		}
		return s.store.SaveReminded(ctx, d.In, d.SignerID, earlier+1, first)
	})
}

// Due is a signer who is to be reminded.
type Due struct {
	In       access.Portfolio
	SignerID string
}

// MailWanted reports whether an email about a signer should still leave: while they have yet to sign.
func (s *Service) MailWanted(ctx context.Context, about string) (bool, error) {
	o, err := s.opened(ctx, about)
	if err != nil {
		return false, err
	}
	return o.signer.SignedAt == nil && o.offered(clock.At(s.Now(o.in))), nil
}

// MailFollowed writes down what became of an email about a signer.
func (s *Service) MailFollowed(ctx context.Context, in access.Portfolio, about string, status mail.Status) error {
	if !id.Valid(id.Signer, about) {
		return nil
	}
	return s.store.SaveEmailStatus(ctx, in, about, string(status))
}
