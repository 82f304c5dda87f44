package developer

import (
	"portal/api/access"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/list"
	"portal/api/mail"
	views "portal/views/developer"
	"portal/views/kit"
	"portal/web/listing"
	"portal/web/page"
)

var mailStatuses = map[mail.Status]kit.Status{
	mail.Kept:   {Tone: kit.Idle, Text: "Not sent"},
	mail.Queued: {Tone: kit.Waiting, Text: "On its way"},
	mail.Sent:   {Tone: kit.Done, Text: "Sent"},
	mail.Failed: {Tone: kit.Failed, Text: "Failed"},
}

// mailFilter is what the address asks for of the list.
func mailFilter(v *page.Request) mail.Filter {
	f := v.Form()
	return mail.Filter{
		Status:    mail.Status(f.Among("status", mail.Status("").Values())),
		Before:    v.Cursor().Position(id.Mail),
		Ascending: f.Among("sort", byTime) == "oldest",
		Limit:     page.ListSize + 1,
	}
}

func (p *Section) mails(v *page.Request) error {
	found, err := p.Mails.MailsIn(v.Ctx(), v.Actor().Portfolio, mailFilter(v))
	if err != nil {
		return err
	}
	listed := list.Of(found, page.ListSize, (*mail.Entry).Identity)
	statuses := []kit.Choice{{Label: "All"}}
	for _, s := range mail.Status("").Values() {
		statuses = append(statuses, kit.Choice{Value: s, Label: mailStatuses[mail.Status(s)].Text})
	}
	fields := []kit.Field{{Name: "status", Label: "Status", Kind: "select", Choices: statuses}}
	view := listing.List{
		Title: "Mail", About: p.leaving(v), Path: "/mail", Ask: "Filter the mail", Fields: fields, Orders: byTime,
	}.View(v)
	view.Grid = mailGrid(v, listed.Data)
	view.Grid.Pages = v.Cursor().Pages(page.OrEmpty(listed.NextCursor))
	view.Grid.Empty = listing.Empty(view.Filters, "emails", view.Grid.Empty)
	return v.Show(kit.ListingPage(view))
}

// leaving says what becomes of mail.
func (p *Section) leaving(v *page.Request) string {
	switch {
	case v.Mode() == access.Test:
		return "Emails from the last 90 days. In test mode they aren’t sent: you can read them here."
	case !p.Mails.Sends():
		return "Emails from the last 90 days. They aren’t sent because no mail server is set up: you can read them here."
	}
	return "Emails about the portfolio from the last 90 days."
}

// mailGrid is a table of emails, a line each.
func mailGrid(v *page.Request, all []mail.Entry) kit.Grid {
	return kit.GridOf(kit.Table{
		Caption: "Mail",
		Columns: []kit.Column{
			{Name: "Subject"},
			{Name: "To", Card: kit.CardDetail},
			{Name: "Status", Width: kit.Medium},
			{Name: "Written", Right: true, Width: kit.Short, Card: kit.CardAmount},
		},
		Empty: kit.Empty{
			Title: "No emails yet",
			Words: "Emails to applicants and tenants appear here, such as an invitation to apply.",
		},
	}, all, func(e *mail.Entry) []kit.Cell {
		return []kit.Cell{
			{Text: e.Subject, Path: v.In("/mail/" + e.ID)},
			{Text: e.To},
			{Status: mailStatuses[e.Status]},
			{Time: v.Time(e.CreatedAt)},
		}
	})
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
		Record: mailRecord(v, l),
		Absent: "It’s older than 90 days, so its content was deleted.",
	}
	if l.Content != nil {
		view.Text, view.Absent = l.Content.Text, ""
		view.Primary = kit.Action{
			Name: "Preview email",
			Path: v.In("/mail/" + l.ID + "/look"),
			Icon: "external-link",
			How:  kit.Opens,
		}
	}
	return v.Show(views.MailPage(view))
}

// mailRecord is what an email's page says of it.
func mailRecord(v *page.Request, l *mail.StoredMail) kit.Record {
	problem := ""
	if l.LastError != nil {
		problem, _ = page.Readable(*l.LastError)
	}
	return kit.Record{
		Frame:   v.Frame(l.Subject),
		Heading: kit.Heading{Title: l.Subject, Status: mailStatuses[l.Status]},
		Facts: []kit.Facts{
			{Title: "Delivery", Terms: []kit.Term{
				{Name: "To", Text: l.To},
				{Name: "Written", Time: v.Time(l.CreatedAt)},
				{Name: "Sent", Time: v.TimeOr(l.SentAt, "")},
				{Name: "Last error", Text: problem},
			}},
			{Title: "Details", Terms: []kit.Term{{Name: "ID", Text: l.ID, ID: true}}},
		},
	}
}

// letterPolicy lets an email draw itself, and do nothing else: it is not one of our pages.
const letterPolicy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; " +
	"frame-ancestors 'none'; sandbox allow-popups allow-popups-to-escape-sandbox"

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
