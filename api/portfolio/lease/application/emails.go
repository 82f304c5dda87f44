package application

import (
	"embed"

	"portal/api/clock"
	"portal/api/mail"
	"portal/api/money"
	"portal/api/portfolio"
)

// Emails is what becomes of the mail to those who were invited, and how they end it.
type Emails struct {
	*portfolio.Common
	store Store
}

//go:embed emails
var templateFiles embed.FS

var templates = mail.ReadTemplates(templateFiles, map[string]any{
	"date":    clock.Date.Words,
	"dollars": money.Cents.Words,
})

// invitationEmail asks an applicant to apply.
func invitationEmail(l *Lead, unsubscribe string) (*mail.Message, error) {
	return templates.Fill("invitation", &mail.Message{
		AccountID:   l.Landlord.AccountID,
		Portfolio:   l.in,
		About:       l.Invitation.ID,
		To:          l.Invitation.Email,
		Subject:     "Apply now: " + l.Street(),
		Unsubscribe: unsubscribe,
	}, struct {
		*Lead
		Unsubscribe string
	}{l, unsubscribe})
}

// applicationEmail tells an owner what an applicant has sent; To is left open.
func applicationEmail(l *Lead, a *Application) (*mail.Message, error) {
	return templates.Fill("application", &mail.Message{
		AccountID: l.Landlord.AccountID, Portfolio: l.in,
		Subject: "Application from " + a.FirstName + " " + a.LastName + " for " + l.Street(),
	}, struct {
		*Lead
		Application *Application
	}{l, a})
}

// declinedEmail tells an applicant that they were declined, with words of the landlord's
// own, nil for none.
func declinedEmail(a *Applicant, words *string) (*mail.Message, error) {
	return templates.Fill("declined", &mail.Message{
		AccountID: a.Landlord.AccountID,
		Portfolio: a.in,
		To:        a.Application.Email,
		Subject:   "Your application for " + a.Street(),
	}, struct {
		*Applicant
		Words *string
	}{a, words})
}
