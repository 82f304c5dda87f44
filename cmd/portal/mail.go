package main

import (
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
		Store:  mailstore.New(p.DB),
		Box:    p.Box,
		Queue:  p.queue,
		Now:    time.Now,
		Wanted: p.applications.Emails.MailWanted,
		Follow: p.applications.Emails.MailFollowed,
	}
	if p.config.smtp != nil {
		config.Carrier = p.config.smtp
	}
	p.Mail = mail.New(config)
	trail := audit.Log{Store: auditstore.New(p.DB), Now: time.Now}
	parts := portfolio.Parts{
		BaseURL: p.config.baseURL,
		Post:    p.Mail,
		Events:  p.Webhook,
		Trail:   trail,
	}
	if p.config.llm != nil {
		parts.Refine = p.queue.Refine
	}
	p.agreements = agreement.New(p.Portfolio, portfoliostore.ForAgreements(p.DB), p.Box)
	parts.Documents = p.agreements
	p.Portfolio.Use(parts)
	p.Webhook.Mail, p.Webhook.Trail, p.Webhook.Backlog = p.Mail, trail, p.queue
}
