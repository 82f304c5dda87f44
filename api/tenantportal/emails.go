package tenantportal

import (
	"context"
	"embed"

	"portal/api/clock"
	"portal/api/mail"
)

//go:embed emails
var templateFiles embed.FS

var templates = mail.ReadTemplates(templateFiles, nil)

// mailLink emails a tenant another address that opens their page.
func (s *Service) mailLink(ctx context.Context, v *Visit) error {
	address, err := s.address(ctx, v)
	if err != nil {
		return err
	}
	now := clock.At(s.Now(v.By.Portfolio))
	if err := s.store.SaveLinkSent(ctx, v.By.Portfolio, v.Link.ID, &now, string(mail.Queued)); err != nil {
		return err
	}
	return s.mail(ctx, v, "link", "Your page for "+v.Home().RentalAddress, struct {
		Name, Landlord, Address, Link string
	}{v.Tenant.FirstName, v.Landlord.Name, v.Home().RentalAddress, address})
}

// mailCode emails a tenant the code that shows money and documents.
func (s *Service) mailCode(ctx context.Context, v *Visit, code string) error {
	return s.mail(ctx, v, "code", "Your code for your page at "+v.Home().RentalAddress, struct {
		Name, Landlord, Address, Code string
	}{v.Tenant.FirstName, v.Landlord.Name, v.Home().RentalAddress, code})
}

// mail sends a tenant an email about their link.
func (s *Service) mail(ctx context.Context, v *Visit, template, subject string, values any) error {
	m, err := templates.Fill(template, &mail.Message{
		AccountID: v.Landlord.AccountID,
		Portfolio: v.By.Portfolio,
		About:     v.Link.ID,
		To:        v.email(),
		Subject:   subject,
	}, values)
	if err != nil {
		return err
	}
	return s.Send(ctx, m)
}
