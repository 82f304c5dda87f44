package ceremony

import (
	"context"
	"slices"

	"portal/api/access"
	"portal/api/agreement"
	"portal/api/agreement/document"
	"portal/api/agreement/evidence"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/language"
	"portal/api/texts"
)

// States are how far the signers of a lease are, the landlord last.
func (s *Service) States(ctx context.Context, by access.Actor, leaseID string) ([]agreement.SignerState, error) {
	all, _, err := s.agreements.SignerStates(ctx, by.Portfolio, leaseID)
	return all, err
}

// Recipient is a signer whom a lease is sent to.
type Recipient struct {
	ID       string // of the signer
	Name     string
	Email    string            // "" where there is none
	Language language.Language // that they have chosen
}

// Recipients are those whom a lease is sent to, the landlord last.
func (s *Service) Recipients(ctx context.Context, by access.Actor, leaseID string) (to []Recipient, err error) {
	all, err := s.States(ctx, by, leaseID)
	for i := 0; i < len(all) && err == nil; i++ {
		if all[i].SignedAt != nil {
			continue // on paper, before it was sent
		}
		var o *signing
		if o, err = s.opened(ctx, all[i].ID); err == nil {
			to = append(to, Recipient{o.signer.ID, o.signer.Name, o.email, o.language})
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
	return s.toSign(o, err)
}

// ToSignHere is the lease that a tenant can sign on the landlord's device, nil where there is nothing to sign.
func (s *Service) ToSignHere(ctx context.Context, by access.Actor, leaseID, signerID string) (*Offered, error) {
	o, err := s.ofTenant(ctx, by, leaseID, signerID)
	return s.toSign(o, err)
}

func (s *Service) toSign(o *signing, err error) (*Offered, error) {
	if err != nil || o == nil || o.signer.SignedAt != nil || !o.offered(clock.At(s.Now(o.in))) {
		return nil, err
	}
	return offeredBy(o)
}

// offeredBy is the lease of a signing that can be signed.
func offeredBy(o *signing) (*Offered, error) {
	d, err := body(o.document.Body)
	return &Offered{d, o.document.Number, o.signer.Name}, err
}

// ofTenant is the signing of a tenant of a lease, or fault.NotFound.
func (s *Service) ofTenant(ctx context.Context, by access.Actor, leaseID, signerID string) (*signing, error) {
	o, err := s.of(ctx, by, leaseID, signerID)
	if err == nil && o.signer.TenantID == nil {
		err = fault.NotFound("signer")
	}
	return o, err
}

// of is the signing of a signer of a lease, or fault.NotFound.
func (s *Service) of(ctx context.Context, by access.Actor, leaseID, signerID string) (*signing, error) {
	all, err := s.States(ctx, by, leaseID)
	if err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(all, func(g agreement.SignerState) bool { return g.ID == signerID }) {
		return nil, fault.NotFound("signer")
	}
	return s.opened(ctx, signerID)
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
	return s.signInDashboard(ctx, by, evidence.Confirmed, email, g, from, func(ctx context.Context) (*signing, error) {
		o, err := s.ofLandlord(ctx, by, leaseID)
		if err == nil && o == nil {
			err = fault.NotFound("lease to sign")
		}
		return o, err
	})
}

// SignHere is the signature of a tenant on the device of an owner, who has just shown who they are and says that the
// tenant signs. The tenant agrees to electronic records. The log and the certificate say how it was.
func (s *Service) SignHere(
	ctx context.Context, by access.Actor, leaseID, signerID, email string, g Signature, from Client,
) error {
	return s.signInDashboard(ctx, by, evidence.HandedOver, email, g, from, func(ctx context.Context) (*signing, error) {
		return s.ofTenant(ctx, by, leaseID, signerID)
	})
}

// signInDashboard is a signature in the dashboard, where the email address of an owner who has just shown who they are
// is the proof, of a kind.
func (s *Service) signInDashboard(
	ctx context.Context, by access.Actor, proof evidence.Kind, email string, g Signature, from Client,
	find func(context.Context) (*signing, error),
) error {
	switch {
	case by.Role != access.Owner:
		return fault.New(fault.ScopeRequired, "Owners of the account sign for the landlord. Ask one of them.")
	case by.Need(access.Write) != nil:
		return by.Need(access.Write)
	}
	return s.Tx.Exclusively(ctx, by.Portfolio, func(ctx context.Context) error {
		o, err := find(ctx)
		if err != nil {
			return err
		}
		now := s.agreements.Moment(ctx, o.in)
		switch {
		case o.signer.SignedAt != nil:
			return nil
		case !o.offered(now):
			return fault.New(fault.InvalidTransition, "This lease can no longer be signed.")
		case o.document.Number != g.Version:
			return reviewFirst()
		case !texts.SameName(g.Name, o.signer.Name):
			return fault.New(fault.InvalidField, "Type the name as the lease has it: %s.", o.signer.Name).At("name")
		}
		if err := o.mayInitial(&g); err != nil {
			return err
		}
		if err := s.agreeInDashboard(ctx, o, proof, email, now, from); err != nil {
			return err
		}
		return s.sign(ctx, o, &g, now, from)
	})
}

// agreeInDashboard notes that a signer was shown the lease, agreed to electronic records, and by what they were known.
func (s *Service) agreeInDashboard(
	ctx context.Context, o *signing, proof evidence.Kind, email string, now clock.Time, from Client,
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
	}{{proof, email}, {evidence.Viewed, ""}, {evidence.Consented, ""}} {
		if err := s.note(ctx, o, e.kind, e.words, now, from); err != nil {
			return err
		}
	}
	return nil
}
