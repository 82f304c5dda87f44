package ceremony

import (
	"context"
	"slices"

	"portal/api/access"
	"portal/api/agreement"
	"portal/api/agreement/evidence"
	"portal/api/mail"
)

// Extended implements agreement.Offers. The reminders begin anew with the email.
func (s *Service) Extended(ctx context.Context, by access.Actor, leaseID string) error {
	in := by.Portfolio
	all, _, err := s.agreements.SignerStates(ctx, in, leaseID)
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(all, func(g agreement.SignerState) bool { return g.SentAt != nil }) {
		return nil // nobody was sent it yet
	}
	now := s.agreements.Moment(ctx, in)
	for i := range all {
		o, err := s.opened(ctx, all[i].ID)
		if err != nil {
			return err
		}
		if o.email == "" || o.signer.SignedAt != nil || !o.offered(now) {
			continue
		}
		if err := mail.SpareRecipient(ctx, s.store, in, o.email, now); err != nil {
			return err
		}
		if err := s.store.SaveReminded(ctx, in, o.signer.ID, 0, o.signer.SentAt); err != nil {
			return err
		}
		if err := s.offer(ctx, o.signer.ID, evidence.ExtensionMail); err != nil {
			return err
		}
	}
	return nil
}
