package views

// Mails are the letters about a portfolio.
type Mails struct {
	Frame
	About   string // what becomes of mail here
	Filters Filters
	Mails   []MailLine
	Pages   Pages
}

// MailLine is a letter in a list.
type MailLine struct {
	Path, Subject, To string
	Status            Status
	Created           Time
}

// Mail is one letter.
type Mail struct {
	Frame
	MailLine
	Back   Link
	ID     string
	Sent   Time
	Error  string // of the last attempt, "" for none
	Text   string // its plain text
	Look   string // address of its look, "" for none
	Absent string // why there is no text, "" where there is
}

func mailTable(m Mails) Table {
	t := Table{Caption: "Mail", Columns: Columns("Subject", "To", "State", "Written"), Rows: len(m.Mails), Pages: m.Pages,
		Empty: Empty{Title: "No mail was written yet", Words: "An invitation to apply is one: POST /api/v1/external/tenants/invite writes to the applicant, and the letter is here."}}
	if m.Filters.Clear != "" {
		t.Empty = Empty{"No mail matches this filter", "Clear the filter to see more.", Link{"Show all mail", m.Filters.Clear}}
	}
	return t
}
