package cli

import (
	"context"
	"flag"
	"fmt"
	"text/tabwriter"

	"portal/api/mail"
)

// mostListed is how many mails a list shows.
const mostListed = 200

// MailList is the sub-command "mail list" of portal.
var MailList = Command{
	Name:  "mail list",
	Args:  "[--all] [--before ID]",
	Short: "List emails that were stored instead of sent, newest first",
	Bind: func(f *flag.FlagSet) Action {
		all := f.Bool("all", false, "also list emails that were sent, failed, or are queued")
		asJSON := f.Bool("json", false, "print JSON")
		before := f.String("before", "", "list emails older than the one with this ID")
		return func(ctx context.Context, a *App, _ []string) error {
			filter := mail.Filter{Status: mail.Kept, Before: *before, Limit: mostListed}
			if *all {
				filter.Status = ""
			}
			return a.with(ctx, func(p *Product) error {
				mails, err := p.Mail.Mails(ctx, filter)
				if err != nil {
					return err
				}
				if *asJSON {
					return a.Print(true, mails, "")
				}
				w := tabwriter.NewWriter(a.Out, 0, 0, 2, ' ', 0)
				fmt.Fprintln(w, "ID\tMODE\tSTATUS\tCREATED\tTO\tSUBJECT\tLAST ERROR")
				for _, m := range mails {
					fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", m.ID, m.Mode, m.Status, m.CreatedAt, m.To,
						m.Subject, orNone(m.LastError))
				}
				if len(mails) == mostListed {
					fmt.Fprintf(w, "There may be more. To list them, add --before %s\n", mails[mostListed-1].ID)
				}
				return w.Flush()
			})
		}
	},
}

// MailShow is the sub-command "mail show" of portal.
var MailShow = Command{
	Name:  "mail show",
	Args:  "ID",
	Short: "Show an email as text",
	Bind: func(f *flag.FlagSet) Action {
		asJSON := f.Bool("json", false, "print JSON, with the HTML part")
		return func(ctx context.Context, a *App, args []string) error {
			return a.with(ctx, func(p *Product) error {
				m, err := p.Mail.Mail(ctx, args[0])
				if m == nil {
					return err
				}
				if *asJSON && err == nil {
					return a.Print(true, showMail(m), "")
				}
				a.printMail(m, err)
				return err
			})
		}
	},
}

// shownMail is a mail with its content; text and html are null where they have been
// forgotten.
type shownMail struct {
	mail.Entry
	Unsubscribe *string `json:"unsubscribe_url"`
	Text        *string `json:"text"`
	HTML        *string `json:"html"`
}

func showMail(m *mail.StoredMail) shownMail {
	s := shownMail{Entry: m.Entry}
	if m.Content != nil {
		s.Unsubscribe, s.Text, s.HTML = optionalText(m.Content.Unsubscribe), &m.Content.Text, &m.Content.HTML
	}
	return s
}

// printMail shows what is stored of a mail, and its content unless that cannot be opened.
func (a *App) printMail(m *mail.StoredMail, unreadable error) {
	fmt.Fprintf(a.Out, "Id: %s\nStatus: %s (%s mode, %d attempts)\n", m.ID, m.Status, m.Mode, m.Attempts)
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
