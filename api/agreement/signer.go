package agreement

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"portal/api/access"
	"portal/api/agreement/document"
	"portal/api/agreement/evidence"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/language"
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

// CoOwnerRole is the role in which a co-owner is kept, who signs as a landlord.
const CoOwnerRole = "co_owner"

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
	// The tenant; null for the landlord and for co-owners.
	TenantID *string `json:"tenant_id" format:"id" prefix:"ten"`
	// What the party is in the lease.
	Role SignerRole `json:"role" example:"tenant"`
	// The party's name in the document.
	Name string `json:"name" by:"tenant" maxlen:"255" example:"Dana Whitfield"`
	// Title of who signs as a landlord; null for tenants.
	Title *string `json:"title" maxlen:"60"`
	// How far the party is.
	Status SignerStatus `json:"status" example:"awaiting_signature"`
	// When the party first looked at the lease.
	ViewedAt *clock.Time `json:"viewed_at"`
	// When the party signed; one who signed on paper, when that was recorded.
	SignedAt *clock.Time `json:"signed_at"`
	// The day the party signed on paper, as the landlord recorded it; null for a party who signed here.
	PaperSignedOn *clock.Date `json:"paper_signed_on"`
	// When the party declined to sign.
	DeclinedAt *clock.Time `json:"declined_at"`
	// Why the party declined.
	DeclineReason *string `json:"decline_reason" by:"tenant" maxlen:"500"`
	// The signing page; after the answer that generates the lease, the landlord's alone.
	EsignURL *string `json:"esign_url" format:"uri" secret:"true"`
}

// SchemaName is the name of the OpenAPI component.
func (Signer) SchemaName() string { return "LeaseSigner" }

// SignerState is a signer of a lease as it is kept.
type SignerState struct {
	Position      int // in the order of the document
	ID            string
	TenantID      *string // nil for the landlord and co-owners
	Role          string  // that of the party, landlord or CoOwnerRole
	Name          string  // in the document
	Title         *string // of who signs as a landlord
	ViewedAt      *clock.Time
	ViewedVersion int // the latest one that was viewed, 0 for none
	ConsentedAt   *clock.Time
	SignedAt      *clock.Time
	SignedVersion int    // 0 for none
	SignedName    string // as it was typed, "" for who has signed on paper
	PaperSignedOn *clock.Date
	DeclinedAt    *clock.Time
	DeclineReason *string
	SentAt        *clock.Time       // of the latest email with the link
	EmailStatus   *string           // of that email: queued, sent, failed or kept
	Reminders     int               // that have followed the first email
	EndedLinks    int               // links of this signer that open nothing any more
	Language      language.Language // in which they last sent a form
}

// Landlord reports whether it is the landlord, and neither a tenant nor a co-owner.
func (s *SignerState) Landlord() bool { return s.Role == string(LandlordSigner) }

// CoOwner is which of the co-owners of a lease it is, from 1; 0 for others.
func (s *SignerState) CoOwner(l *portfolio.Lease) int {
	if s.Role != CoOwnerRole {
		return 0
	}
	return s.Position - len(l.Tenants) + 1
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
	for i := range l.Terms.CoOwners {
		o := &l.Terms.CoOwners[i]
		all = append(all, SignerState{
			Position: len(all),
			ID:       id.Derived(id.Signer, l.ID, "co-owner "+strconv.Itoa(i+1)),
			Role:     CoOwnerRole,
			Name:     o.Name,
			Title:    o.Title,
		})
	}
	s := SignerState{
		Position: len(all),
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
		case string(LandlordSigner), CoOwnerRole:
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
			PaperSignedOn: s.PaperSignedOn,
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

// LinkOf is the address of a signer's page. It opens it for whoever has it.
func (s *Service) LinkOf(signer *SignerState) string {
	return s.BaseURL + "/sign/" + s.SigningToken(signer)
}

// SigningToken is what the link of a signer ends with.
func (s *Service) SigningToken(signer *SignerState) string {
	return signer.ID + "." + s.box.Sign(signingPurpose, signer.link())
}

// link tells the links of a signer apart: the first one from those that followed when it was ended.
func (s *SignerState) link() string {
	if s.EndedLinks == 0 {
		return s.ID
	}
	return s.ID + " " + strconv.Itoa(s.EndedLinks)
}

// SignerOf is the signer whom the link that ends with a token names, "" for none. Opens tells whether it opens
// anything.
func (s *Service) SignerOf(token string) string {
	signerID, _, _ := strings.Cut(token, ".")
	if !id.Valid(id.Signer, signerID) {
		return ""
	}
	return signerID
}

// Opens reports whether a token is the end of the signer's link, which has not ended.
func (s *Service) Opens(token string, signer *SignerState) bool {
	signerID, signature, _ := strings.Cut(token, ".")
	return signerID == signer.ID && s.box.Signed(signingPurpose, signer.link(), signature)
}

// withLinks fills the address where the landlord signs who has yet to, for who may write.
func (s *Service) withLinks(by access.Actor, l *portfolio.Lease, all []Signer, states []SignerState) {
	if !s.mayLink(by, l) {
		return
	}
	for i := range all {
		if states[i].Landlord() && all[i].unsigned() {
			all[i].EsignURL = new(s.LinkOf(&states[i]))
		}
	}
}

// mayLink reports whether somebody may be shown links of those who sign a lease.
func (s *Service) mayLink(by access.Actor, l *portfolio.Lease) bool {
	return s.Offers != nil && l.Landlord != nil && l.Open() && !l.Lapsed(s.BusinessNow(by.Portfolio)) &&
		by.Scopes.Has(access.Write)
}

// unsigned reports whether a signer can still sign.
func (s *Signer) unsigned() bool { return s.Status != Signed && s.Status != Declined }

// giveLinks fills the addresses where those sign who can be reached, in the answer that generates a lease. Those that a
// key is given are entries of the log, but for the landlord's.
func (s *Service) giveLinks(by access.Actor, t *document.Terms, shown *LeaseWithTerms, d *Document) []evidence.Entry {
	if !s.mayLink(by, t.Lease) {
		return nil
	}
	var log []evidence.Entry
	states := signerStates(t)
	for i := range shown.Signers {
		signer := &shown.Signers[i]
		if signer.TenantID != nil && t.Emails[i] == "" {
			continue
		}
		signer.EsignURL = new(s.LinkOf(&states[i]))
		if !states[i].Landlord() && by.KeyID != "" {
			log = append(log, linkGiven(by, d, &states[i], d.CreatedAt))
		}
	}
	shown.EsignURL = shown.Signers[0].EsignURL
	return log
}

// linkGiven is the entry that a key was given the link of a signer.
func linkGiven(by access.Actor, d *Document, signer *SignerState, at clock.Time) evidence.Entry {
	return evidence.Entry{
		At:       at,
		Kind:     evidence.LinkGiven,
		Party:    signer.ID,
		Name:     signer.Name,
		Document: d.SHA256,
		Note:     who(by),
	}
}

// who says who does something for the landlord.
func who(by access.Actor) string {
	if by.KeyID != "" {
		return "the landlord’s key " + by.KeyID
	}
	return "the landlord in the dashboard"
}

// SigningLink is a signer's link that was handed out.
type SigningLink struct {
	// Always signing_link.
	Object string `json:"object" const:"signing_link"`
	// The lease.
	LeaseID string `json:"lease_id" format:"id" prefix:"lea"`
	// The signer.
	SignerID string `json:"signer_id" format:"id" prefix:"sig"`
	// The party's signing page. Anyone who has the link can open it. A preview has none.
	EsignURL *string `json:"esign_url" format:"uri" secret:"true"`
	// When the lease expires, and the link with it.
	ExpiresAt *clock.Time `json:"expires_at"`
}

// SchemaName is the name of the OpenAPI component.
func (SigningLink) SchemaName() string { return "LeaseSigningLinkOut" }

// GiveLink hands out the link of a signer who can still sign, and notes it in the log of the document.
func (s *Service) GiveLink(
	ctx context.Context, by access.Actor, leaseID, signerID string,
) (*change.Result[SigningLink], error) {
	return portfolio.Write(ctx, s.Common, by, func(ctx context.Context) (*change.Result[SigningLink], error) {
		in := by.Portfolio
		l, err := portfolio.Find(ctx, in, id.Lease, leaseID, "lease", s.store.Lease)
		if err != nil {
			return nil, err
		}
		signer, err := s.signerIn(ctx, in, l.ID, signerID)
		switch {
		case err != nil:
			return nil, err
		case !s.mayLink(by, &l):
			return nil, fault.New(fault.InvalidTransition, "The lease can no longer be signed.")
		case signer.SignedAt != nil:
			return nil, fault.New(fault.InvalidTransition, "%s has signed already.", signer.Name)
		}
		if sending, err := s.store.Sending(ctx, in, *l.DocumentID); err != nil || sending.RequestedAt == nil {
			return nil, cmp.Or(
				err,
				error(fault.New(fault.InvalidTransition, "The lease is a draft. Send it for signature first.")),
			)
		}
		m := &change.Result[SigningLink]{After: &SigningLink{
			Object:    "signing_link",
			LeaseID:   l.ID,
			SignerID:  signer.ID,
			ExpiresAt: l.ExpiresAt,
		}}
		if change.IsDryRun(ctx) {
			return m, nil
		}
		_, d, err := s.store.Document(ctx, *l.DocumentID)
		if err != nil {
			return nil, err
		}
		m.After.EsignURL = new(s.LinkOf(signer))
		return m, s.Note(ctx, in, &d, linkGiven(by, &d, signer, s.Moment(ctx, in)))
	})
}

// signerIn is a signer of a lease, or fault.NotFound.
func (s *Service) signerIn(ctx context.Context, in access.Portfolio, leaseID, signerID string) (*SignerState, error) {
	all, _, err := s.store.Signers(ctx, in, leaseID)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(all, func(g SignerState) bool { return g.ID == signerID })
	if i < 0 {
		return nil, fault.NotFound("signer")
	}
	return &all[i], nil
}

// Readdress implements portfolio.Documents.
func (s *Service) Readdress(
	ctx context.Context, by access.Actor, tenantID string, from, to *string, leaseIDs ...string,
) error {
	for _, leaseID := range leaseIDs {
		if err := s.readdress(ctx, by, tenantID, or(from, ""), or(to, ""), leaseID); err != nil {
			return err
		}
	}
	return nil
}

func (s *Service) readdress(ctx context.Context, by access.Actor, tenantID, from, to, leaseID string) error {
	in := by.Portfolio
	l, err := s.store.Lease(ctx, in, leaseID)
	if err != nil || l.DocumentID == nil {
		return err
	}
	all, _, err := s.store.Signers(ctx, in, leaseID)
	i := slices.IndexFunc(all, func(g SignerState) bool { return g.TenantID != nil && *g.TenantID == tenantID })
	if err != nil || i < 0 { // a draft of an earlier release has no signers yet
		return err
	}
	_, d, err := s.store.Document(ctx, *l.DocumentID)
	if err != nil || d.Number == 0 { // a document of an earlier release has no log
		return err
	}
	all[i].EndedLinks++
	if err := s.store.SaveEndedLinks(ctx, in, &all[i]); err != nil {
		return err
	}
	err = s.Note(ctx, in, &d, evidence.Entry{
		At:       s.Moment(ctx, in),
		Kind:     evidence.AddressChanged,
		Party:    all[i].ID,
		Name:     all[i].Name,
		Document: or(l.DocumentSHA256, d.SHA256),
		Note:     evidence.Readdressed{From: from, To: to, By: who(by)}.Note(),
	})
	if err != nil || s.Offers == nil {
		return err
	}
	sending, err := s.store.Sending(ctx, in, d.ID)
	if err != nil {
		return err
	}
	return s.Offers.Readdress(ctx, all[i].ID, from, sending.SentAt != nil)
}
