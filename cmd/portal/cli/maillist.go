package cli

import (
	"context"
	"fmt"

	"portal/api/mail"
	"portal/api/texts"
)

// MailList lists emails that were stored instead of sent.
func MailList(f *Flags) Action {
	const limit = 200
	all := f.Bool("all", false, "also list emails that were sent, failed, or are queued")
	before := f.String("before", "", "list emails older than the one with this ID")
	return Opening(func(ctx context.Context, c *Call) error {
		filter := mail.Filter{Status: mail.Kept, Before: *before, Limit: limit}
		if *all {
			filter.Status = ""
		}
		mails, err := c.Mail.Mails(ctx, filter)
		return printList(c, mails, err, limit, "ID\tMODE\tSTATUS\tCREATED\tTO\tSUBJECT\tLAST ERROR",
			func(m *mail.Entry) []any {
				return []any{m.ID, m.Mode, m.Status, m.CreatedAt, m.To, m.Subject, orNone(m.LastError)}
			})
	})
}

// MailShow shows an email as text.
func MailShow(f *Flags) Action {
	f.JSON = "print JSON, with the HTML part"
	return Opening(func(ctx context.Context, c *Call) error {
		m, err := c.Mail.Mail(ctx, c.Args[0])
		if m == nil {
			return err
		}
		if c.JSON && err == nil {
			s := shownMail{Entry: m.Entry}
			if m.Content != nil {
				s.Unsubscribe, s.Text, s.HTML = optionalText(m.Content.Unsubscribe), &m.Content.Text, &m.Content.HTML
			}
			return c.printJSON(s)
		}
		c.printMail(m, err)
		return err
	})
}

// shownMail is a mail with its content; text and html are null where they have been
// forgotten.
type shownMail struct {
	mail.Entry
	Unsubscribe *string `json:"unsubscribe_url"`
	Text        *string `json:"text"`
	HTML        *string `json:"html"`
}

// printMail shows what is stored of a mail, and its content unless that cannot be opened.
func (a *App) printMail(m *mail.StoredMail, unreadable error) {
	fmt.Fprintf(a.Out, "Id: %s\nStatus: %s (%s mode, %s)\n", m.ID, m.Status, m.Mode,
		texts.Counted(m.Attempts, "attempt"))
	if m.LastError != nil {
		fmt.Fprintf(a.Out, "Last error: %s\n", *m.LastError)
	}
	fmt.Fprintf(a.Out, "Date: %s\nTo: %s\nSubject: %s\n", m.CreatedAt, m.To, m.Subject)
	switch {
	case unreadable != nil:
		return
	case m.Content == nil:
		fmt.Fprint(a.Out, "\nThe content was deleted: emails are kept for 90 days.\n")
		return
	case m.Content.Unsubscribe != "":
		fmt.Fprintf(a.Out, "List-Unsubscribe: <%s>\n", m.Content.Unsubscribe)
	}
	fmt.Fprintf(a.Out, "\n%s", m.Content.Text)
}
