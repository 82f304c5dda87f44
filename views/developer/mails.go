package developer

import "portal/views/kit"

// Mails are the emails about a portfolio.
type Mails struct {
	kit.Frame
	About   string // what becomes of mail here
	Filters kit.Filters
	Mails   []MailLine
	Pages   kit.Pages
}

// MailLine is an email in a list.
type MailLine struct {
	Path, Subject, To string
	Status            kit.Status
	Created           kit.Time
}

// Mail is one email.
type Mail struct {
	kit.Frame
	MailLine
	Back   kit.Link
	ID     string
	Sent   kit.Time
	Error  string // of the last attempt, "" for none
	Text   string // its plain text
	Look   string // address of its look, "" for none
	Absent string // why there is no text, "" where there is
}

func mailTable(m Mails) kit.Table {
	t := kit.Table{
		Caption: "Mail",
		Columns: kit.Columns("Subject", "To", "Status", "Written"),
		Rows:    len(m.Mails),
		Pages:   m.Pages,
		Empty: kit.Empty{
			Title: "No mail was written yet",
			Words: "An invitation to apply is one: POST /api/v1/external/tenants/invite writes to the applicant, and the email is here.",
		},
	}
	if m.Filters.Clear != "" {
		t.Empty = kit.Empty{
			Title:  "No mail matches this filter",
			Words:  "Clear the filter to see more.",
			Action: kit.Link{Name: "Show all mail", Path: m.Filters.Clear},
		}
	}
	return t
}
