package ceremony

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"portal/api/access"
	"portal/api/agreement/evidence"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/mail"
	"portal/api/portfolio"
)

// SendLinks sends every signer of a lease who has an email address the link of their page, in the
// transaction of the context.
func (s *Service) SendLinks(ctx context.Context, in access.Portfolio, leaseID string) error {
	all, err := s.agreements.Signers(ctx, in, leaseID)
	for i := 0; i < len(all) && err == nil; i++ {
		err = s.offer(ctx, all[i].ID, evidence.LinkMail)
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
		case o.sending.RequestedAt == nil:
			return fault.New(fault.InvalidTransition, "The lease is a draft. Send it for signature first.")
		case o.sending.SentAt == nil:
			return fault.New(fault.InvalidTransition,
				"Something still blocks a signature. The emails leave by themselves when it is gone.")
		case !o.offered(clock.At(s.Now(in))):
			return fault.New(fault.InvalidTransition, "The lease can no longer be signed.")
		case o.email == "":
			return fault.New(fault.InvalidTransition, "%s has no email address. Add one first.", o.signer.Name)
		}
		if err := mail.SpareRecipient(ctx, s.store, o.in, o.email, clock.At(s.Now(o.in))); err != nil {
			return err
		}
		return s.offer(ctx, signerID, evidence.LinkMail)
	})
}

// SendUnblocked sends the leases that waited to be sent and that nothing blocks any more.
func (s *Service) SendUnblocked(ctx context.Context) error { return s.agreements.SendUnblocked(ctx) }

// Readdress implements agreement.Offers.
func (s *Service) Readdress(ctx context.Context, signerID, earlier string, sent bool) error {
	o, err := s.opened(ctx, signerID)
	if err != nil {
		return err
	}
	now := s.agreements.Moment(ctx, o.in)
	signed := o.lease.Status == portfolio.LeaseSigned
	if !signed && (!sent || !o.offered(now)) {
		return nil
	}
	if earlier != "" {
		if err := mail.SpareRecipient(ctx, s.store, o.in, earlier, now); err != nil {
			return err
		}
		if err := s.tellEarlier(ctx, o, earlier); err != nil {
			return err
		}
	}
	if signed || o.email == "" {
		return nil
	}
	if err := mail.SpareRecipient(ctx, s.store, o.in, o.email, now); err != nil {
		return err
	}
	return s.offer(ctx, signerID, evidence.LinkMail)
}

// offered reports whether the lease was sent for signature and can be signed.
func (o *signing) offered(now clock.Time) bool {
	return o.sending.RequestedAt != nil && o.signable(now)
}

// signable reports whether the lease can be signed, once it is sent or on paper.
func (o *signing) signable(now clock.Time) bool {
	standing := o.standing(now)
	return standing == ToReview || standing == ToSign || standing == Signed
}

// offer emails the link to a signer who has yet to sign, and notes it.
func (s *Service) offer(ctx context.Context, signerID string, topic evidence.Topic) error {
	o, err := s.opened(ctx, signerID)
	if err != nil {
		return err
	}
	now := s.agreements.Moment(ctx, o.in)
	if o.email == "" || o.signer.SignedAt != nil || !o.offered(now) {
		return nil
	}
	m, err := s.linkEmail(o, topic)
	if err != nil {
		return err
	}
	if err := s.email(ctx, o, topic, m, Client{}); err != nil {
		return err
	}
	o.signer.SentAt, o.signer.EmailStatus = &now, new(string(m.Status))
	return s.store.SaveSent(ctx, o.in, &o.signer)
}

// email sends a signer an email, and notes that it was written, or kept. What else becomes of it is noted when it is
// known.
func (s *Service) email(ctx context.Context, o *signing, topic evidence.Topic, m *mail.Message, from Client) error {
	m.Topic = string(topic)
	if err := s.Send(ctx, m); err != nil || m.Status == mail.Failed {
		return err
	}
	kind := evidence.MailQueued
	if m.Status == mail.Kept {
		kind = evidence.MailKept
	}
	return s.note(ctx, o, kind, evidence.Mailed{Topic: topic, To: m.To}.Note(), s.agreements.Moment(ctx, o.in), from)
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
		if err := s.offer(ctx, d.SignerID, evidence.ReminderMail); err != nil {
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

// aboutEndings are the topics of emails that ask a tenant whether a lease ends.
var aboutEndings = []evidence.Topic{evidence.EndingMail, evidence.EndingCodeMail}

// MailWanted reports whether an email to a signer should still leave: while they have yet to sign, or to answer the
// request that the email belongs to, and have the address that it goes to.
func (s *Service) MailWanted(ctx context.Context, m *mail.Message) (bool, error) {
	o, err := s.opened(ctx, m.About)
	if err != nil {
		return false, err
	}
	if !slices.Contains(aboutEndings, evidence.Topic(m.Topic)) {
		return o.signer.SignedAt == nil && o.email == m.To && o.offered(clock.At(s.Now(o.in))), nil
	}
	e, err := s.store.Ending(ctx, o.in, o.lease.ID)
	if fault.Is(err, fault.NoRecord) {
		return false, nil
	}
	e.derive(&o.lease, s.Today(o.by))
	return err == nil && e.Number == m.Request && e.Status == EndingOpen && e.of(o.signer.ID) == nil &&
		o.email == m.To, err
}

// MailFollowed writes down what became of an email to a signer, and notes it while the lease can be signed. What became
// of an email about the end of a lease is noted alone, whenever that is known.
func (s *Service) MailFollowed(ctx context.Context, in access.Portfolio, about string, f mail.Followed) error {
	if !id.Valid(id.Signer, about) {
		return nil
	}
	return s.Tx.Exclusively(ctx, in, func(ctx context.Context) error {
		o, err := s.opened(ctx, about)
		if fault.Is(err, fault.NoRecord) { // the account was closed meanwhile
			return nil
		}
		if err != nil {
			return err
		}
		if !slices.Contains(aboutEndings, evidence.Topic(f.Topic)) {
			err := s.store.SaveEmailStatus(ctx, in, about, string(f.Status))
			if err != nil || !o.lease.Open() {
				return err
			}
		}
		kind := evidence.MailSent
		if f.Status == mail.Failed {
			kind = evidence.MailFailed
		}
		mailed := evidence.Mailed{Topic: cmp.Or(evidence.Topic(f.Topic), evidence.LinkMail), To: f.To, Words: f.Words}
		return s.note(ctx, o, kind, mailed.Note(), s.agreements.Moment(ctx, in), Client{})
	})
}
