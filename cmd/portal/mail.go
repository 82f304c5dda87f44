package main

import (
	"context"
	"flag"
	"fmt"
	"text/tabwriter"
	"time"

	"portal/api/agreement"
	"portal/api/audit"
	"portal/api/mail"
	"portal/api/portfolio"
	"portal/db/auditstore"
	"portal/db/mailstore"
	"portal/db/portfoliostore"
)

// startMail ties the portfolio's rules to the mail and the jobs that go along with their
// transactions; they hear what became of a mail.
func (p *product) startMail() {
	config := mail.Config{
		Store:  mailstore.New(p.db),
		Box:    p.box,
		Queue:  p.queue,
		Now:    time.Now,
		Wanted: p.applications.Emails.MailWanted,
		Follow: p.applications.Emails.MailFollowed,
	}
	if p.config.smtp != nil {
		config.Carrier = p.config.smtp
	}
	p.mail = mail.New(config)
	trail := audit.Log{Store: auditstore.New(p.db), Now: time.Now}
	parts := portfolio.Parts{
		BaseURL: p.config.baseURL,
		Post:    p.mail,
		Events:  p.webhook,
		Trail:   trail,
	}
	if p.config.llm != nil {
		parts.Refine = p.queue.Refine
	}
	p.portfolio.Use(parts)
	p.agreements = agreement.New(p.portfolio, portfoliostore.ForAgreements(p.db), p.box)
	p.webhook.Mail, p.webhook.Trail, p.webhook.Backlog = p.mail, trail, p.queue
}

// mostListed is how many mails a list shows.
const mostListed = 200

var mailListCommand = command{
	name:  "mail list",
	args:  "[--all] [--before ID]",
	short: "List the email that was kept instead of sent, the newest first",
	bind: func(f *flag.FlagSet) action {
		all := f.Bool("all", false, "list what was sent, failed or waits too")
		asJSON := f.Bool("json", false, "answer in JSON")
		before := f.String("before", "", "list those that are older than the mail of this id")
		return func(ctx context.Context, a *app, _ []string) error {
			filter := mail.Filter{Status: mail.Kept, Before: *before, Limit: mostListed}
			if *all {
				filter.Status = ""
			}
			return a.with(ctx, func(p *product) error {
				mails, err := p.mail.Mails(ctx, filter)
				if err != nil {
					return err
				}
				if *asJSON {
					return a.print(true, mails, "")
				}
				w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
				fmt.Fprintln(w, "ID\tMODE\tSTATUS\tCREATED\tTO\tSUBJECT\tLAST ERROR")
				for _, m := range mails {
					fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", m.ID, m.Mode, m.Status, m.CreatedAt, m.To,
						m.Subject, orNone(m.LastError))
				}
				if len(mails) == mostListed {
					fmt.Fprintf(w, "There may be more: list those before %s with --before.\n", mails[mostListed-1].ID)
				}
				return w.Flush()
			})
		}
	},
}

var mailShowCommand = command{
	name:  "mail show",
	args:  "ID",
	short: "Show an email as its reader would see it",
	bind: func(f *flag.FlagSet) action {
		asJSON := f.Bool("json", false, "answer in JSON, with the HTML part")
		return func(ctx context.Context, a *app, args []string) error {
			return a.with(ctx, func(p *product) error {
				m, err := p.mail.Mail(ctx, args[0])
				if m == nil {
					return err
				}
				if *asJSON && err == nil {
					return a.print(true, showMail(m), "")
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
		s.Unsubscribe, s.Text, s.HTML = text(m.Content.Unsubscribe), &m.Content.Text, &m.Content.HTML
	}
	return s
}

// printMail shows what is stored of a mail, and its content unless that cannot be opened.
func (a *app) printMail(m *mail.StoredMail, unreadable error) {
	fmt.Fprintf(a.out, "Id: %s\nStatus: %s (%s mode, %d attempts)\n", m.ID, m.Status, m.Mode, m.Attempts)
	if m.LastError != nil {
		fmt.Fprintf(a.out, "Last error: %s\n", *m.LastError)
	}
	fmt.Fprintf(a.out, "Date: %s\nTo: %s\nSubject: %s\n", m.CreatedAt, m.To, m.Subject)
	switch {
	case unreadable != nil:
		return
	case m.Content == nil:
		fmt.Fprint(a.out, "\nIts content has been forgotten: mails are readable for 90 days.\n")
		return
	case m.Content.Unsubscribe != "":
		fmt.Fprintf(a.out, "List-Unsubscribe: <%s>\n", m.Content.Unsubscribe)
	}
	fmt.Fprintf(a.out, "\n%s", m.Content.Text)
}
