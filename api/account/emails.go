package account

import (
	"context"
	"embed"
	"fmt"

	"portal/api/clock"
	"portal/api/mail"
)

//go:embed emails
var templateFiles embed.FS

var templates = mail.ReadTemplates(templateFiles, nil)

// emailData is what the templates tell of. None is kept with an account: its members may
// read that mail, and a link is for its recipient alone.
type emailData struct {
	To      string
	Subject string

	Link, Do string // where it leads, and what that does
	Name     string // of the account, or an address
	By, Role string // of an invitation
	What     string // has happened
	Until    string
	At       string
	Address  string
	Agent    string
}

// write fills a template and sends the email along with the transaction of the context.
func (s *common) write(ctx context.Context, template string, from Client, l emailData) error {
	l.At, l.Address, l.Agent = words(s.moment()), from.IP(), Browser(from.UserAgent)
	m, err := templates.Fill(template, &mail.Message{To: l.To, Subject: l.Subject}, l)
	if err != nil {
		return fmt.Errorf("write the email %s: %w", template, err)
	}
	return s.Post.Send(ctx, m)
}

// notify tells a person what has happened to their account.
func (s *common) notify(ctx context.Context, to string, from Client, subject, format string, args ...any) error {
	return s.write(ctx, "notice", from, emailData{
		To:      to,
		Subject: subject,
		What:    fmt.Sprintf(format, args...),
		Link:    s.BaseURL + "/reset",
	})
}

// words is a moment as people read it.
func words(t clock.Time) string { return t.Std().Format("January 2, 2006, 15:04 UTC") }
