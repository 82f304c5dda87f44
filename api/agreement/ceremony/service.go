// Package ceremony is how people sign a lease that was generated here: each signer opens it by a link of
// their own, looks at it, agrees to electronic records, proves the address that the link went to with a
// code, and signs or declines. What happens is written into the log of the document.
//
// It knows nothing of HTTP or SQL.
package ceremony

import (
	"context"

	"portal/api/access"
	"portal/api/agreement"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/language"
	"portal/api/onetimecode"
	"portal/api/portfolio"
	"portal/api/portfolio/lease"
	"portal/api/portfolio/records"
	"portal/api/secret"
	"portal/api/tenantportal"
)

// Store keeps how far signers are, their codes, and what was sent to them.
type Store interface {
	portfolio.Store
	onetimecode.Store
	// Signer finds a signer, the lease and the portfolio, or fault.NotFound.
	Signer(ctx context.Context, id string) (access.Portfolio, string, agreement.SignerState, error)
	// SaveView notes when a signer first looked at a lease, and at which version last. The version is
	// kept from then on.
	SaveView(ctx context.Context, in access.Portfolio, documentID string, s *agreement.SignerState) error
	SaveConsent(ctx context.Context, in access.Portfolio, s *agreement.SignerState) error
	// SaveLanguage notes the language in which a signer reads.
	SaveLanguage(ctx context.Context, in access.Portfolio, s *agreement.SignerState) error
	// TenantLanguage is the language that a tenant has chosen on their page, or else as a signer.
	TenantLanguage(ctx context.Context, in access.Portfolio, tenantID string) (language.Language, error)
	// AddScan keeps the scan of a signature on paper, and notes the day of the signature.
	AddScan(ctx context.Context, in access.Portfolio, leaseID string, k *agreement.Scan) error
	// Scan finds the scan of a signature on paper, or fault.NotFound.
	Scan(ctx context.Context, in access.Portfolio, leaseID, signerID string) (agreement.Scan, error)
	// AddEnding adds a request to agree to the end of a lease, and gives it its number within the lease.
	AddEnding(ctx context.Context, in access.Portfolio, e *EndingRequest) error
	// Ending finds the latest such request of a lease with its answers, or fault.NotFound.
	Ending(ctx context.Context, in access.Portfolio, leaseID string) (EndingRequest, error)
	// CloseEnding gives a request its last status.
	CloseEnding(ctx context.Context, in access.Portfolio, e *EndingRequest) error
	AddEndingAnswer(ctx context.Context, in access.Portfolio, e *EndingRequest, a *EndingAnswer) error
	SaveDecline(ctx context.Context, in access.Portfolio, s *agreement.SignerState) error
	// SaveSent notes that the link was sent to a signer.
	SaveSent(ctx context.Context, in access.Portfolio, s *agreement.SignerState) error
	// SaveEmailStatus notes what became of the latest email.
	SaveEmailStatus(ctx context.Context, in access.Portfolio, signerID, status string) error
	// SaveReminded notes how many reminders were sent. The next one counts from the first email on.
	SaveReminded(ctx context.Context, in access.Portfolio, signerID string, n int, sent *clock.Time) error
	// ToRemind finds signers of leases of open accounts that can be signed who were reminded so often, and
	// whose link was sent at a moment or before it: at most so many.
	ToRemind(ctx context.Context, reminded int, sent clock.Time, most int) ([]Due, error)
}

// Service is the ceremony.
type Service struct {
	*portfolio.Common
	agreements *agreement.Service
	leases     *lease.Leases
	store      Store
	box        *secret.Box        // makes the MACs of codes
	codes      *onetimecode.Codes // with which leases are signed

	TenantPages *tenantportal.Service // may be nil: tenants have no pages
}

// New makes the service beside the rules of a portfolio, whose parts it shares.
func New(p *records.Service, agreements *agreement.Service, store Store, box *secret.Box) *Service {
	return &Service{
		Common:     p.Common,
		agreements: agreements,
		leases:     p.Leases,
		store:      store,
		box:        box,
		codes:      onetimecode.New(store, box, "code of a signer"),
	}
}

// Client is where a request of a signer came from.
type Client struct {
	Address string // IP address
	Browser string // User-Agent
	// Language is that of the page that was sent, language.Unchosen where there is none.
	Language language.Language
}

// signing is what the link of a signer opens.
type signing struct {
	in       access.Portfolio
	by       access.Actor // who acts for the signer within the portfolio
	signer   agreement.SignerState
	lease    portfolio.Lease
	sending  agreement.Sending
	landlord portfolio.Landlord
	document agreement.Document
	email    string // of the signer, "" where there is none
	language language.Language
}

// open finds what a link opens, fault.NotFound where nobody of ours has made the link.
func (s *Service) open(ctx context.Context, token string) (*signing, error) {
	signerID := s.agreements.SignerOf(token)
	if signerID == "" {
		return nil, fault.NotFound("signing page")
	}
	o, err := s.opened(ctx, signerID)
	if err == nil && (!s.agreements.Opens(token, &o.signer) || o.sending.RequestedAt == nil) {
		return nil, fault.NotFound("signing page")
	}
	return o, err
}

// opened is what the link of a signer opens.
func (s *Service) opened(ctx context.Context, signerID string) (*signing, error) {
	in, leaseID, signer, err := s.store.Signer(ctx, signerID)
	if err != nil {
		return nil, err
	}
	o := &signing{in: in, signer: signer}
	if o.lease, err = s.store.Lease(ctx, in, leaseID); err != nil {
		return nil, err
	}
	if o.lease.DocumentID == nil {
		return nil, fault.NotFound("signing page")
	}
	if o.sending, err = s.agreements.SendingOf(ctx, in, *o.lease.DocumentID); err != nil {
		return nil, err
	}
	if o.landlord, err = s.store.Landlord(ctx, in); err != nil {
		return nil, err
	}
	if _, o.document, err = s.agreements.Stored(ctx, *o.lease.DocumentID); err != nil {
		return nil, err
	}
	o.by = access.Actor{
		Portfolio: in,
		AccountID: o.landlord.AccountID,
		Scopes:    access.Scopes{access.Read, access.Write},
		Zone:      o.landlord.Zone,
	}
	if o.email, err = s.emailOf(ctx, o); err != nil {
		return nil, err
	}
	o.language, err = s.languageOf(ctx, in, &o.signer)
	return o, err
}

// languageOf is the language that a signer has chosen: as a signer of this lease, or else as a tenant before.
func (s *Service) languageOf(
	ctx context.Context, in access.Portfolio, signer *agreement.SignerState,
) (language.Language, error) {
	if signer.Language != language.Unchosen || signer.TenantID == nil {
		return signer.Language, nil
	}
	return s.store.TenantLanguage(ctx, in, *signer.TenantID)
}

// emailOf is where the mail of a signer goes.
func (s *Service) emailOf(ctx context.Context, o *signing) (string, error) {
	if n := o.signer.CoOwner(&o.lease); n > 0 {
		return o.lease.Terms.CoOwners[n-1].Email, nil
	}
	if o.signer.TenantID == nil {
		return o.landlord.Signs(), nil
	}
	t, err := s.store.Tenant(ctx, o.in, *o.signer.TenantID)
	if err != nil || t.Email == nil {
		return "", err
	}
	return *t.Email, nil
}
