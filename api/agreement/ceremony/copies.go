package ceremony

import (
	"context"

	"portal/api/clock"
	"portal/api/mail"
	"portal/api/portfolio"
)

// sendCopies sends everybody who has signed a lease, and every owner, the link of the signed document. It does
// not end.
func (s *Service) sendCopies(ctx context.Context, o *signing, l *portfolio.Lease) error {
	if l.DocumentSHA256 == nil {
		return nil // a document of an earlier release
	}
	subject := "Signed by all: the lease for " + l.RentalAddress
	copied := copyMail{
		Address: l.RentalAddress,
		Link:    s.agreements.Link(*l.DocumentID),
		SHA256:  *l.DocumentSHA256,
		Starts:  l.StartDate,
	}
	for _, party := range l.Tenants {
		t, err := s.store.Tenant(ctx, o.in, party.ID)
		if err != nil {
			return err
		}
		if t.Email == nil {
			continue
		}
		copied.Name = party.Name
		if s.TenantPages != nil {
			if copied.Page, err = s.TenantPages.LinkFor(ctx, o.by, party.ID); err != nil {
				return err
			}
		}
		m, err := templates.Fill("executed", &mail.Message{
			AccountID: o.landlord.AccountID,
			Portfolio: o.in,
			To:        *t.Email,
			Subject:   subject,
		}, copied)
		if err != nil {
			return err
		}
		if err := s.Send(ctx, m); err != nil {
			return err
		}
	}
	copied.Page = ""
	copied.Name, copied.Lease = o.landlord.Name, s.BaseURL+"/"+string(o.in.Mode)+"/leases/"+l.ID
	return s.tellOwners(ctx, o, "executed", subject, copied)
}

// copyMail is what the email with the signed document says.
type copyMail struct {
	Name, Address, Link, SHA256 string
	Lease                       string // address of its page in the dashboard, "" for who has no account
	Page                        string // address of the tenant's page, "" for who has none
	Starts                      clock.Date
}
