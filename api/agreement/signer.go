package agreement

import (
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

// signers are the parties of a lease, the landlord last.
func signers(t *document.Terms) (all []Signer) {
	l := t.Lease
	for i := range l.Tenants {
		p := &l.Tenants[i]
		s := Signer{
			ID:       id.Derived(id.Signer, l.ID, p.ID),
			TenantID: &p.ID,
			Role:     TenantSigner,
			Name:     p.Name,
			Status:   AwaitingSignature,
			SignedAt: p.SignedAt,
		}
		if p.Role == portfolio.PartyGuarantor {
			s.Role = GuarantorSigner
		}
		if p.SignedAt != nil {
			s.Status = Signed
		}
		all = append(all, s)
	}
	s := Signer{
		ID:     id.Derived(id.Signer, l.ID, "landlord"),
		Role:   LandlordSigner,
		Name:   t.Landlord.Signer,
		Status: AwaitingSignature,
	}
	if t.Landlord.Title != "" {
		s.Title = &t.Landlord.Title
	}
	return append(all, s)
}
