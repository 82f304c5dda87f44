package developer

import (
	"context"

	"portal/api/access"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/mail"
	views "portal/views/developer"
	"portal/views/kit"
	"portal/web/page"
)

// Mails are the emails about a portfolio.
type Mails interface {
	// Sends reports whether mail leaves this server at all.
	Sends() bool
	// MailsIn come the newest first, one more than the limit where there are more.
	MailsIn(ctx context.Context, in access.Portfolio, f mail.Filter) ([]mail.Entry, error)
	MailIn(ctx context.Context, in access.Portfolio, id string) (*mail.StoredMail, error)
}

var mailStatuses = map[mail.Status]kit.Status{
	mail.Kept:   {Tone: kit.Idle, Text: "Kept here"},
	mail.Queued: {Tone: kit.Waiting, Text: "On its way"},
	mail.Sent:   {Tone: kit.Done, Text: "Sent"},
	mail.Failed: {Tone: kit.Failed, Text: "Failed"},
}

func (p *Section) mails(v *page.Request) error {
	t, f := v.Cursor(), v.Form()
	found, err := p.Mails.MailsIn(v.Ctx(), v.Actor().Portfolio, mail.Filter{
		Status: mail.Status(f.Among("status", mail.Status("").Values())),
		Before: t.Position(id.Mail),
		Limit:  page.ListSize + 1,
	})
	if err != nil {
		return err
	}
	found, next := cut(found, func(e *mail.Entry) string { return e.ID })
	statuses := []kit.Choice{{Label: "All"}}
	for _, s := range mail.Status("").Values() {
		statuses = append(statuses, kit.Choice{Value: s, Label: mailStatuses[mail.Status(s)].Text})
	}
	fields := []kit.Field{{
		Name:    "status",
		Label:   "Status",
		Kind:    "select",
		Choices: statuses,
	}}
	view := views.Mails{
		Frame:   v.Frame("Mail"),
		Filters: v.Filters("Filter the mail", "/mail", fields),
		Pages:   t.Pages(next),
		About:   p.leaving(v),
	}
	for i := range found {
		view.Mails = append(view.Mails, mailLine(v, &found[i]))
	}
	return v.Show(views.MailsPage(view))
}

// leaving says what becomes of mail.
func (p *Section) leaving(v *page.Request) string {
	switch {
	case v.Mode() == access.Test:
		return "What would have been sent. In test mode no mail leaves: it is kept here for 90 days."
	case !p.Mails.Sends():
		return "This server has no mail server, so mail is kept here for 90 days instead of being sent."
	}
	return "Emails to applicants, and about the portfolio, of the last 90 days."
}

func mailLine(v *page.Request, e *mail.Entry) views.MailLine {
	return views.MailLine{
		Path:    v.In("/mail/" + e.ID),
		Subject: e.Subject,
		To:      e.To,
		Status:  mailStatuses[e.Status],
		Created: v.Time(e.CreatedAt),
	}
}

// email is the mail in the address.
func (p *Section) email(v *page.Request) (*mail.StoredMail, error) {
	name, err := v.PathID(id.Mail)
	if err != nil {
		return nil, err
	}
	return p.Mails.MailIn(v.Ctx(), v.Actor().Portfolio, name)
}

func (p *Section) mail(v *page.Request) error {
	l, err := p.email(v)
	if err != nil {
		return err
	}
	view := views.Mail{
		Frame:    v.Frame("Mail"),
		MailLine: mailLine(v, &l.Entry),
		Back:     kit.Link{Name: "Mail", Path: v.In("/mail")},
		ID:       l.ID,
		Sent:     v.TimeOr(l.SentAt, "not sent"),
		Absent:   "It is older than 90 days, and its content has been forgotten.",
	}
	if l.LastError != nil {
		view.Error, _ = page.Readable(*l.LastError)
	}
	if l.Content != nil {
		view.Text, view.Absent, view.Look = l.Content.Text, "", v.In("/mail/"+l.ID+"/look")
	}
	return v.Show(views.MailPage(view))
}

// letterPolicy lets an email draw itself, and do nothing else: it is not one of our pages.
const letterPolicy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox allow-popups allow-popups-to-escape-sandbox"

// look is an email as its reader would see it.
func (p *Section) look(v *page.Request) error {
	l, err := p.email(v)
	if err != nil {
		return err
	}
	if l.Content == nil {
		return fault.Of(fault.NoRecord)
	}
	v.Response().Header().Set("Content-Security-Policy", letterPolicy)
	return v.Send.Body(page.KindHTML, []byte(l.Content.HTML))
}
