package agreement

import (
	"context"
	"strings"

	"portal/api/access"
	"portal/api/agreement/document"
	"portal/api/clock"
	"portal/api/id"
	"portal/api/portfolio"
)

// SignerRole is what a party is that signs a lease.
type SignerRole string

// The roles of signers.
const (
	TenantSigner    SignerRole = "tenant"
	GuarantorSigner SignerRole = "guarantor"
	LandlordSigner  SignerRole = "landlord"
)

// SchemaName is the name of the OpenAPI component.
func (SignerRole) SchemaName() string { return "LeaseSignerRole" }

// Values are all roles of signers.
func (SignerRole) Values() []string { return []string{"tenant", "guarantor", "landlord"} }

// SignerStatus is how far a signer is.
type SignerStatus string

// The statuses of a signer.
const (
	AwaitingSignature SignerStatus = "awaiting_signature"
	Viewed            SignerStatus = "viewed"
	Signed            SignerStatus = "signed"
	Declined          SignerStatus = "declined"
)

// SchemaName is the name of the OpenAPI component.
func (SignerStatus) SchemaName() string { return "LeaseSignerStatus" }

// Values are all statuses of a signer.
func (SignerStatus) Values() []string {
	return []string{"awaiting_signature", "viewed", "signed", "declined"}
}

// Signer is a party that signs a lease.
type Signer struct {
	// Identifier of the party in this lease.
	ID string `json:"id" format:"id" prefix:"sig"`
	// The tenant; null for the landlord.
	TenantID *string `json:"tenant_id" format:"id" prefix:"ten"`
	// What the party is in the lease.
	Role SignerRole `json:"role" example:"tenant"`
	// The party's name in the document.
	Name string `json:"name" by:"tenant" maxlen:"255" example:"Dana Whitfield"`
	// Title of who signs for the landlord; null for others.
	Title *string `json:"title" maxlen:"60"`
	// How far the party is.
	Status SignerStatus `json:"status" example:"awaiting_signature"`
	// When the party first looked at the lease.
	ViewedAt *clock.Time `json:"viewed_at"`
	// When the party signed.
	SignedAt *clock.Time `json:"signed_at"`
	// When the party declined to sign.
	DeclinedAt *clock.Time `json:"declined_at"`
	// Why the party declined.
	DeclineReason *string `json:"decline_reason" by:"tenant" maxlen:"500"`
	// The party's signing page while the document is open; null without the scope write.
	EsignURL *string `json:"esign_url" format:"uri" secret:"true"`
}

// SchemaName is the name of the OpenAPI component.
func (Signer) SchemaName() string { return "LeaseSigner" }

// SignerState is a signer of a lease as it is kept.
type SignerState struct {
	Position      int // in the order of the document
	ID            string
	TenantID      *string // nil for the landlord
	Role          string  // that of the party, or landlord
	Name          string  // in the document
	Title         *string // of who signs for the landlord
	ViewedAt      *clock.Time
	ViewedVersion int // the latest one that was viewed, 0 for none
	ConsentedAt   *clock.Time
	SignedAt      *clock.Time
	SignedVersion int    // 0 for none
	SignedName    string // as it was typed
	DeclinedAt    *clock.Time
	DeclineReason *string
	SentAt        *clock.Time // of the latest email with the link
	EmailStatus   *string     // of that email: queued, sent, failed or kept
	Reminders     int         // that have followed the first email
}

// status is how far a signer is with the latest version of the document.
func (s *SignerState) status(version int) SignerStatus {
	switch {
	case s.DeclinedAt != nil:
		return Declined
	case s.SignedAt != nil:
		return Signed
	case s.ViewedAt != nil && s.ViewedVersion == version:
		return Viewed
	}
	return AwaitingSignature
}

// signerStates are the parties of a lease before anything has happened, the landlord last.
func signerStates(t *document.Terms) (all []SignerState) {
	l := t.Lease
	for i := range l.Tenants {
		p := &l.Tenants[i]
		all = append(all, SignerState{
			Position: i,
			ID:       id.Derived(id.Signer, l.ID, p.ID),
			TenantID: &p.ID,
			Role:     string(p.Role),
			Name:     p.Name,
			SignedAt: p.SignedAt,
		})
	}
	s := SignerState{
		Position: len(l.Tenants),
		ID:       id.Derived(id.Signer, l.ID, "landlord"),
		Role:     string(LandlordSigner),
		Name:     t.Landlord.Signer,
	}
	if t.Landlord.Title != "" {
		s.Title = &t.Landlord.Title
	}
	return append(all, s)
}

// signers are who signs a lease, as REST shows them.
func signers(all []SignerState, version int) (shown []Signer) {
	for i := range all {
		s := &all[i]
		role := TenantSigner
		switch s.Role {
		case string(LandlordSigner):
			role = LandlordSigner
		case string(portfolio.PartyGuarantor):
			role = GuarantorSigner
		}
		shown = append(shown, Signer{
			ID:            s.ID,
			TenantID:      s.TenantID,
			Role:          role,
			Name:          s.Name,
			Title:         s.Title,
			Status:        s.status(version),
			ViewedAt:      s.ViewedAt,
			SignedAt:      s.SignedAt,
			DeclinedAt:    s.DeclinedAt,
			DeclineReason: s.DeclineReason,
		})
	}
	return shown
}

// Signers are who signs a lease that was generated here, the landlord last.
func (s *Service) Signers(ctx context.Context, in access.Portfolio, leaseID string) ([]Signer, error) {
	all, version, err := s.store.Signers(ctx, in, leaseID)
	return signers(all, version), err
}

// SignerStates are the signers of a lease as they are kept, and the latest version of its document.
func (s *Service) SignerStates(
	ctx context.Context, in access.Portfolio, leaseID string,
) (all []SignerState, version int, err error) {
	return s.store.Signers(ctx, in, leaseID)
}

// signingPurpose is what the links of signers are signed for.
const signingPurpose = "link of a signer"

// SigningLink is the address of a signer's page. It opens it for whoever has it.
func (s *Service) SigningLink(signerID string) string {
	return s.BaseURL + "/sign/" + s.SigningToken(signerID)
}

// SigningToken is what the link of a signer ends with.
func (s *Service) SigningToken(signerID string) string {
	return signerID + "." + s.box.Sign(signingPurpose, signerID)
}

// SignerOf is the signer whose link ends with a token, "" where nobody of ours has made the link.
func (s *Service) SignerOf(token string) string {
	signerID, signature, _ := strings.Cut(token, ".")
	if !id.Valid(id.Signer, signerID) || !s.box.Signed(signingPurpose, signerID, signature) {
		return ""
	}
	return signerID
}

// EsignURL implements portfolio.Documents.
func (s *Service) EsignURL(l *portfolio.Lease) *string {
	if s.Offers == nil || l.Landlord == nil || !l.Landlord.TenantEmail {
		return nil
	}
	return new(s.SigningLink(id.Derived(id.Signer, l.ID, l.Tenants[0].ID)))
}

// withLinks fills the addresses where those sign who have yet to sign, for who may write.
func (s *Service) withLinks(by access.Actor, t *document.Terms, all []Signer) {
	l := t.Lease
	if s.Offers == nil || l.Landlord == nil || !l.Open() || l.Lapsed(clock.At(s.Now(by.Portfolio))) ||
		!by.Scopes.Has(access.Write) {
		return
	}
	for i := range all {
		signer := &all[i]
		reachable := signer.TenantID == nil || i < len(t.Emails) && t.Emails[i] != ""
		if reachable && signer.Status != Signed && signer.Status != Declined {
			signer.EsignURL = new(s.SigningLink(signer.ID))
		}
	}
}
