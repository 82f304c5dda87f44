package ceremony

import (
	"context"

	"portal/api/access"
	"portal/api/agreement"
	"portal/api/agreement/document"
	"portal/api/agreement/evidence"
	"portal/api/clock"
	"portal/api/fault"
)

// States are how far the signers of a lease are, the landlord last.
func (s *Service) States(ctx context.Context, by access.Actor, leaseID string) ([]agreement.SignerState, error) {
	all, _, err := s.agreements.SignerStates(ctx, by.Portfolio, leaseID)
	return all, err
}

// Recipient is a signer whom a lease is sent to.
type Recipient struct{ Name, Email string } // Email is "" where there is none

// Recipients are those whom a lease is sent to, the landlord last.
func (s *Service) Recipients(ctx context.Context, by access.Actor, leaseID string) (to []Recipient, err error) {
	all, err := s.States(ctx, by, leaseID)
	for i := 0; i < len(all) && err == nil; i++ {
		var o *signing
		if o, err = s.opened(ctx, all[i].ID); err == nil {
			to = append(to, Recipient{o.signer.Name, o.email})
		}
	}
	return to, err
}

// Offered is a lease as the landlord signs it in the dashboard.
type Offered struct {
	Document *document.Document
	Version  int
	Signer   string // name of who signs for the landlord
}

// ToSign is the lease that the landlord can sign, nil where there is nothing to sign.
func (s *Service) ToSign(ctx context.Context, by access.Actor, leaseID string) (*Offered, error) {
	o, err := s.ofLandlord(ctx, by, leaseID)
	if err != nil || o == nil || o.signer.SignedAt != nil || !o.offered(clock.At(s.Now(o.in))) {
		return nil, err
	}
	d, err := body(o.document.Body)
	return &Offered{d, o.document.Number, o.signer.Name}, err
}

// ofLandlord is the landlord's own signing, nil where there is none.
func (s *Service) ofLandlord(ctx context.Context, by access.Actor, leaseID string) (*signing, error) {
	all, err := s.States(ctx, by, leaseID)
	if err != nil || len(all) == 0 || all[len(all)-1].TenantID != nil {
		return nil, err
	}
	return s.opened(ctx, all[len(all)-1].ID)
}

// SignAsLandlord is the landlord's signature in the dashboard, of an owner who has just shown who they are:
// that proves what a code proves. Who signs agrees to electronic records.
func (s *Service) SignAsLandlord(
	ctx context.Context, by access.Actor, leaseID, email string, g Signature, from Client,
) error {
	switch {
	case by.Role != access.Owner:
		return fault.New(fault.ScopeRequired, "Owners of the account sign for the landlord. Ask one of them.")
	case by.Need(access.Write) != nil:
		return by.Need(access.Write)
	}
	return s.Tx.Exclusively(ctx, by.Portfolio, func(ctx context.Context) error {
		o, err := s.ofLandlord(ctx, by, leaseID)
		if err != nil {
			return err
		}
		if o == nil {
			return fault.NotFound("lease to sign")
		}
		now := s.agreements.Moment(ctx, o.in)
		switch {
		case o.signer.SignedAt != nil:
			return nil
		case !o.offered(now):
			return fault.New(fault.InvalidTransition, "This lease can no longer be signed.")
		case o.document.Number != g.Version:
			return reviewFirst()
		case !sameName(g.Name, o.signer.Name):
			return fault.New(fault.InvalidField, "Type the name as the lease has it: %s.", o.signer.Name).At("name")
		}
		if err := s.agreeAsLandlord(ctx, o, email, now, from); err != nil {
			return err
		}
		return s.sign(ctx, o, &g, now, from)
	})
}

// agreeAsLandlord notes that the landlord was shown the lease, agreed to electronic records, and was known
// by the account with an email address.
func (s *Service) agreeAsLandlord(
	ctx context.Context, o *signing, email string, now clock.Time, from Client,
) error {
	if o.signer.ViewedAt == nil {
		o.signer.ViewedAt = &now
	}
	o.signer.ViewedVersion, o.signer.ConsentedAt = o.document.Number, &now
	if err := s.store.SaveView(ctx, o.in, o.document.ID, &o.signer); err != nil {
		return err
	}
	if err := s.store.SaveConsent(ctx, o.in, &o.signer); err != nil {
		return err
	}
	for _, e := range []struct {
		kind  evidence.Kind
		words string
	}{{evidence.Viewed, ""}, {evidence.Consented, ""}, {evidence.Confirmed, email}} {
		if err := s.note(ctx, o, e.kind, e.words, now, from); err != nil {
			return err
		}
	}
	return nil
}
