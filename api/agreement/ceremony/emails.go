package ceremony

import (
	"context"
	"embed"

	"portal/api/mail"
)

//go:embed emails
var templateFiles embed.FS

var templates = mail.ReadTemplates(templateFiles, nil)

// sendCode sends a code to the address of a signer.
func (s *Service) sendCode(ctx context.Context, o *signing, code string) error {
	m, err := templates.Fill("code", &mail.Message{
		AccountID: o.landlord.AccountID,
		Portfolio: o.in,
		About:     o.signer.ID,
		To:        o.email,
		Subject:   "Your code to sign the lease for " + o.lease.RentalAddress,
	}, struct{ Code, Name, Landlord, Address string }{code, o.signer.Name, o.landlord.Name, o.lease.RentalAddress})
	if err != nil {
		return err
	}
	return s.Send(ctx, m)
}
