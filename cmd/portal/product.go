package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"portal/api/access"
	"portal/api/account"
	"portal/api/agreement"
	"portal/api/agreement/amendment"
	"portal/api/agreement/ceremony"
	"portal/api/agreement/notice"
	"portal/api/agreement/sealing"
	"portal/api/audit"
	"portal/api/clock"
	"portal/api/developer"
	"portal/api/id"
	"portal/api/mail"
	"portal/api/payment"
	"portal/api/payment/simulated"
	"portal/api/payment/stripe"
	"portal/api/portfolio"
	"portal/api/portfolio/demo"
	"portal/api/portfolio/lease/application"
	"portal/api/portfolio/property/verification"
	"portal/api/portfolio/records"
	"portal/api/portfolio/upload"
	"portal/api/secret"
	"portal/api/tenantportal"
	"portal/api/webhook"
	"portal/api/webhook/signature"
	"portal/cmd/portal/cli"
	"portal/db"
	"portal/db/accountstore"
	"portal/db/developerstore"
	"portal/db/mailstore"
	"portal/db/portfoliostore"
	"portal/db/servicestore"
	"portal/db/webhookstore"
	"portal/jobs"
)

// product is the store and the services over it, for the server and for the
// sub-commands alike.
type product struct {
	cli.Product
	config        *config
	applications  *application.Services
	verifications *verification.Verifications
	account       *account.Service
	notices       *notice.Service
	amendments    *amendment.Service
	queue         *jobs.Queue
	uploads       *upload.Service
	seal          *sealing.Key // of executed leases
}

// openProduct opens what the configuration names, makes it where there is nothing, and
// brings the schema up to date.
func openProduct(ctx context.Context, c *config) (*product, error) {
	return startProduct(ctx, c, openStore)
}

// openExisting is openProduct where there is something already. A command that is run in
// the wrong folder must not leave an empty database there.
func openExisting(ctx context.Context, c *config) (*product, error) {
	return startProduct(ctx, c, openExistingStore)
}

func openStore(ctx context.Context, c *config) (d *db.DB, err error) {
	if c.databaseURL != "" {
		d, err = db.OpenPostgres(ctx, c.databaseURL)
	} else if err = os.MkdirAll(c.data, 0o700); err == nil {
		d, err = db.OpenSQLite(ctx, c.data)
	}
	if err != nil {
		return nil, fmt.Errorf("open the database: %w", err)
	}
	return d, nil
}

func openExistingStore(ctx context.Context, c *config) (*db.DB, error) {
	if c.databaseURL == "" {
		if _, err := os.Stat(c.file(db.SQLiteFile)); errors.Is(err, fs.ErrNotExist) {
			return nil, c.noDatabase()
		}
	}
	d, err := openStore(ctx, c)
	if err != nil {
		return nil, err
	}
	blank, err := d.Blank(ctx)
	if err == nil && blank {
		err = c.noDatabase()
	}
	if err != nil {
		return nil, errors.Join(err, d.Close())
	}
	return d, nil
}

// noDatabase says that there is nothing to work on.
func (c *config) noDatabase() error {
	where, variable := c.data, "PORTAL_DATA to the data folder of the service"
	if c.databaseURL != "" {
		where, variable = "DATABASE_URL", "it to the database of the service"
	}
	return fmt.Errorf("there is no database in %s. Set %s, or create one with: portal migrate", where, variable)
}

func startProduct(
	ctx context.Context, c *config, open func(context.Context, *config) (*db.DB, error),
) (*product, error) {
	d, err := open(ctx, c)
	if err != nil {
		return nil, err
	}
	p := &product{config: c, Product: cli.Product{DB: d}}
	if err := p.start(ctx); err != nil {
		_ = d.Close() // the first error tells
		return nil, err
	}
	return p, nil
}

func (p *product) start(ctx context.Context) error {
	if err := p.config.verifyKey(ctx, p.DB); err != nil { // before the schema is touched
		return err
	}
	err := p.DB.Migrate(ctx, portfoliostore.FillSearch, jobs.Migrate)
	if newer, is := errors.AsType[*db.NewerSchemaError](err); is {
		return cli.Settings{newer.Error()}
	}
	if err != nil {
		return err
	}
	if p.Box, err = p.config.establishKey(ctx, p.DB); err != nil {
		return err
	}
	if p.seal, err = sealing.Open(ctx, sealing.Config{
		Store:      servicestore.NewSealKeys(p.DB),
		Box:        p.Box,
		Now:        time.Now,
		Configured: p.config.seal,
		Name:       p.config.sealName(),
	}); err != nil {
		return err
	}
	if p.queue, err = jobs.NewQueue(p.DB); err != nil {
		return err
	}
	p.Clocks = p.queue
	p.Portfolio = records.New(portfoliostore.New(p.DB), time.Now)
	p.applications = application.New(p.Portfolio, portfoliostore.New(p.DB))
	p.verifications = verification.New(p.Portfolio, portfoliostore.New(p.DB))
	p.uploads = &upload.Service{
		Store: portfoliostore.New(p.DB),
		Box:   p.Box,
		Queue: p.queue,
		Clock: clock.ForAll(time.Now),
		Trail: audit.Log{Store: servicestore.NewTrail(p.DB), Now: time.Now},
		Rules: &upload.Rules{Units: p.Portfolio.Units, Leases: p.Portfolio.Leases, Tenants: p.Portfolio.Tenants},
	}
	p.Webhook = webhook.New(webhookstore.New(p.DB), p.Box, time.Now, p.config.insecureWebhooks)
	p.startMail()
	p.Developer = developer.New(developerstore.New(p.DB), time.Now, p.fillDemo)
	p.Developer.Post, p.Developer.BaseURL = p.Mail, p.config.baseURL
	p.account = account.New(account.Config{
		Store:      accountstore.New(p.DB),
		Developer:  p.Developer,
		Portfolio:  p.Portfolio,
		Applicants: p.applications.Applicants,
		Agreements: p.Agreements,
		Notices:    p.notices,
		Amendments: p.amendments,
		Webhook:    p.Webhook,
		Box:        p.Box,
		Post:       p.Mail,
		Hasher:     secret.NewHasher(secret.StandardCost),
		Now:        time.Now,
		BaseURL:    p.config.baseURL,
		Pace:       pace,
	})
	return nil
}

// pace is more than a commit and an email take on a slow disk.
const pace = 300 * time.Millisecond

// fillDemo puts the demo's records into a demo portfolio.
func (p *product) fillDemo(ctx context.Context, in access.Portfolio, zone *time.Location) error {
	book := demo.Book(time.Now(), zone)
	if err := portfoliostore.New(p.DB).Add(ctx, in, &book); err != nil {
		return err
	}
	if err := portfoliostore.New(p.DB).AddTemplate(ctx, in, agreement.DemoTemplate(in, time.Now())); err != nil {
		return err
	}
	for _, e := range webhook.Samples(time.Now()) {
		secret, prefix := signature.NewSecret()
		e.SecretPrefix = prefix
		sealed := p.Box.Seal(webhook.SecretPurpose, secret)
		if err := webhookstore.New(p.DB).AddEndpoint(ctx, in, e, sealed); err != nil {
			return err
		}
	}
	return nil
}

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
	p.notices = notice.New(p.Portfolio, p.Agreements, portfoliostore.New(p.DB))
	p.notices.Mailer = p.TenantPortal
	p.amendments = amendment.New(p.Portfolio, p.Agreements, portfoliostore.New(p.DB))
	parts.Amendments = p.amendments
	parts.Documents, parts.Photos, parts.Notices = p.Agreements, p.TenantPortal, p.TenantPortal
	parts.Deposits = p.TenantPortal
	p.Portfolio.Use(parts)
	p.Portfolio.Conditions.Notices = p.TenantPortal
	var live payment.Processor
	if keys := p.config.stripe; keys != nil {
		live = stripe.New(stripe.Config{SecretKey: keys.secret, APIBase: keys.base})
	}
	p.Payments = simulated.Open(p.Portfolio.Common, p.Portfolio.Ledger, portfoliostore.New(p.DB), live)
	p.Payments.Notices = p.TenantPortal
	p.Webhook.Mail, p.Webhook.Trail, p.Webhook.Backlog = p.Mail, trail, p.queue
}

// mailWanted reports whether a mail about an invitation, a signer, the page of a tenant, a ticket or a tenant's rent
// should still leave.
func (p *product) mailWanted(ctx context.Context, in access.Portfolio, m *mail.Message) (bool, error) {
	about, to := m.About, m.To
	if id.Valid(id.Signer, about) {
		return p.Signings.MailWanted(ctx, m)
	}
	if id.Valid(id.TenantLink, about) {
		return p.TenantPortal.MailWanted(ctx, in, about, to)
	}
	if id.Valid(id.Ticket, about) {
		return p.TenantPortal.NoticeWanted(ctx, in, about, to)
	}
	if id.Valid(id.Tenant, about) {
		return p.TenantPortal.RentNoticeWanted(ctx, in, about, to)
	}
	return p.applications.Emails.MailWanted(ctx, in, about, to)
}

// mailFollowed writes down what became of a mail about an invitation, a signer or the page of a tenant.
func (p *product) mailFollowed(ctx context.Context, in access.Portfolio, about string, f mail.Followed) error {
	if id.Valid(id.Signer, about) {
		return p.Signings.MailFollowed(ctx, in, about, f)
	}
	if id.Valid(id.TenantLink, about) {
		return p.TenantPortal.MailFollowed(ctx, in, about, f)
	}
	return p.applications.Emails.MailFollowed(ctx, in, about, f)
}
