package ceremony

import (
	"context"
	"embed"

	"portal/api/clock"
	"portal/api/mail"
)

//go:embed emails
var templateFiles embed.FS

var templates = mail.ReadTemplates(templateFiles, map[string]any{"date": clock.Date.Words})

// linkEmail asks a signer to sign, or reminds them.
func (s *Service) linkEmail(o *signing, template string) (*mail.Message, error) {
	subject := "Sign the lease for " + o.lease.RentalAddress
	if template == reminderMail {
		subject = "Reminder: sign the lease for " + o.lease.RentalAddress
	}
	until := clock.DateOf(o.lease.CreatedAt.Std(), o.landlord.Zone)
	if o.lease.ExpiresAt != nil {
		until = clock.DateOf(o.lease.ExpiresAt.Std(), o.landlord.Zone)
	}
	return templates.Fill(template, &mail.Message{
		AccountID: o.landlord.AccountID,
		Portfolio: o.in,
		About:     o.signer.ID,
		To:        o.email,
		Subject:   subject,
	}, struct {
		Name, Landlord, Address, Link string
		Until                         clock.Date
	}{o.signer.Name, o.landlord.Name, o.lease.RentalAddress, s.agreements.SigningLink(o.signer.ID), until})
}

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
