package agreement

import (
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

// signers are the parties of a lease that nobody has looked at yet.
func signers(l *portfolio.Lease, landlord string) (all []Signer) {
	for _, p := range l.Tenants {
		role := TenantSigner
		if p.Role == portfolio.PartyGuarantor {
			role = GuarantorSigner
		}
		all = append(all, Signer{role, p.Name, AwaitingSignature})
	}
	return append(all, Signer{LandlordSigner, landlord, AwaitingSignature})
}
