package verification

import (
	"embed"

	"portal/api/clock"
	"portal/api/mail"
	"portal/api/money"
)

//go:embed emails
var verificationFiles embed.FS

var verificationEmails = mail.ReadTemplates(verificationFiles, map[string]any{
	"date":    clock.Date.Words,
	"dollars": money.Cents.Words,
})

// verificationEmail tells the owner who asked for the verification of a property what came of it.
func verificationEmail(c *Case, d Verdict, link string) (*mail.Message, error) {
	subject := "Property verified: "
	if !d.Verified {
		subject = "Property not verified: "
	}
	return verificationEmails.Fill("verification", &mail.Message{
		AccountID: c.AccountID,
		Portfolio: c.In,
		To:        c.Asker,
		Subject:   subject + c.Property.StreetAddress,
	}, struct {
		Verdict
		Address, Link string
	}{
		d, c.Property.StreetAddress + ", " + c.Property.City + ", " + string(c.Property.State),
		link,
	})
}
