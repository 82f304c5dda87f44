package main

import (
	"context"
	"time"

	"portal/api/access"
	"portal/api/agreement"
	"portal/api/agreement/ceremony"
	"portal/api/audit"
	"portal/api/id"
	"portal/api/mail"
	"portal/api/portfolio"
	"portal/api/tenantportal"
	"portal/db/mailstore"
	"portal/db/portfoliostore"
	"portal/db/servicestore"
)

// startMail ties the portfolio's rules to the mail and the jobs that go along with their
// transactions; they hear what became of a mail.
func (p *product) startMail() {
	config := mail.Config{
		Store:  mailstore.New(p.DB),
		Box:    p.Box,
		Queue:  p.queue,
		Now:    time.Now,
		Wanted: p.mailWanted,
		Follow: p.mailFollowed,
	}
	if p.config.smtp != nil {
		config.Carrier = p.config.smtp
	}
	p.Mail = mail.New(config)
	trail := audit.Log{Store: servicestore.NewTrail(p.DB), Now: time.Now}
	parts := portfolio.Parts{
		BaseURL: p.config.baseURL,
		Post:    p.Mail,
		Events:  p.Webhook,
		Trail:   trail,
	}
	if p.config.llm != nil {
		parts.Refine = p.queue.Refine
	}
	p.Agreements = agreement.New(p.Portfolio, portfoliostore.New(p.DB), p.Box)
	p.Signings = ceremony.New(p.Portfolio, p.Agreements, portfoliostore.New(p.DB), p.Box)
	p.Agreements.Offers, p.Agreements.Sealer = p.Signings, p.seal
	p.TenantPortal = tenantportal.New(p.Portfolio, p.Agreements, portfoliostore.New(p.DB), p.Box)
	p.Signings.TenantPages = p.TenantPortal
	parts.Documents, parts.Photos, parts.Notices = p.Agreements, p.TenantPortal, p.TenantPortal
	p.Portfolio.Use(parts)
	p.Webhook.Mail, p.Webhook.Trail, p.Webhook.Backlog = p.Mail, trail, p.queue
}

// mailWanted reports whether a mail about an invitation, a signer, the page of a tenant or a ticket should still leave.
func (p *product) mailWanted(ctx context.Context, in access.Portfolio, about, to string) (bool, error) {
	if id.Valid(id.Signer, about) {
		return p.Signings.MailWanted(ctx, about)
	}
	if id.Valid(id.TenantLink, about) {
		return p.TenantPortal.MailWanted(ctx, in, about, to)
	}
	if id.Valid(id.Ticket, about) {
		return p.TenantPortal.NoticeWanted(ctx, in, about, to)
	}
	return p.applications.Emails.MailWanted(ctx, in, about, to)
}

// mailFollowed writes down what became of a mail about an invitation, a signer or the page of a tenant.
func (p *product) mailFollowed(ctx context.Context, in access.Portfolio, about string, status mail.Status) error {
	if id.Valid(id.Signer, about) {
		return p.Signings.MailFollowed(ctx, in, about, status)
	}
	if id.Valid(id.TenantLink, about) {
		return p.TenantPortal.MailFollowed(ctx, in, about, status)
	}
	return p.applications.Emails.MailFollowed(ctx, in, about, status)
}
