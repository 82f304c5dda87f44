package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"portal/api/access"
	"portal/api/account"
	"portal/api/audit"
	"portal/api/developer"
	"portal/api/mail"
	"portal/api/password"
	"portal/api/portfolio"
	"portal/api/portfolio/demo"
	"portal/api/portfolio/intake"
	"portal/api/portfolio/stage"
	"portal/api/vault"
	"portal/api/webhook"
	"portal/db"
	"portal/jobs"
)

// product is the store and the services over it, for the server and for the
// sub-commands alike.
type product struct {
	config    *config
	db        *db.DB
	vault     *vault.Box
	portfolio *portfolio.Service
	developer *developer.Service
	account   *account.Service
	webhook   *webhook.Service
	mail      *mail.Service
	queue     *jobs.Queue
	intake    *intake.Service
}

// open opens what the configuration names and brings the schema up to date.
func (a *app) open(ctx context.Context) (*product, error) {
	c, err := configure(a.getenv)
	if err != nil {
		return nil, err
	}
	return openProduct(ctx, c)
}

func openProduct(ctx context.Context, c *config) (*product, error) {
	p := &product{config: c}
	var err error
	if c.databaseURL != "" {
		p.db, err = db.OpenPostgres(ctx, c.databaseURL)
	} else if err = os.MkdirAll(c.data, 0o700); err == nil {
		p.db, err = db.OpenSQLite(ctx, c.data)
	}
	if err != nil {
		return nil, fmt.Errorf("open the database: %w", err)
	}
	if err := p.start(ctx); err != nil {
		_ = p.db.Close() // the first error tells
		return nil, err
	}
	return p, nil
}

func (p *product) start(ctx context.Context) error {
	if err := p.db.Migrate(ctx, func(ctx context.Context) error { return jobs.Migrate(ctx, p.db) }); err != nil {
		return err
	}
	key := p.config.secretKey
	if key == nil {
		var err error
		if key, err = vault.KeyFile(p.config.file("secret.key")); err != nil {
			return fmt.Errorf("the key of %s: %w", p.config.file("secret.key"), err)
		}
	}
	var err error
	if p.vault, err = vault.New(key); err != nil {
		return err
	}
	if p.queue, err = jobs.NewQueue(p.db); err != nil {
		return err
	}
	p.portfolio = portfolio.New(p.db, time.Now)
	p.intake = &intake.Service{Store: p.db, Box: p.vault, Queue: p.queue, Now: time.Now, Trail: audit.Log{Store: p.db, Now: time.Now}}
	p.webhook = webhook.New(p.db, p.vault, time.Now, p.config.insecureWebhooks)
	p.startMail()
	p.developer = developer.New(p.db, time.Now, p.fillDemo)
	p.developer.Post, p.developer.BaseURL = p.mail, p.config.baseURL
	p.account = account.New(account.Config{Store: p.db, Developer: p.developer, Portfolio: p.portfolio, Webhook: p.webhook, Box: p.vault, Post: p.mail,
		Hasher: password.New(password.Standard), Now: time.Now, BaseURL: p.config.baseURL, Pace: pace})
	return nil
}

// stage is where demo portfolios play.
func (p *product) stage() *stage.Stage {
	return &stage.Stage{Store: p.db, Portfolio: p.portfolio, Now: time.Now, Trail: audit.Log{Store: p.db, Now: time.Now}}
}

// pace is more than a commit and a letter take on a slow disk.
const pace = 300 * time.Millisecond

// fillDemo puts the demo's records into a demo portfolio.
func (p *product) fillDemo(ctx context.Context, in access.Portfolio, zone *time.Location) error {
	book := demo.Book(time.Now(), zone)
	if err := p.db.Add(ctx, in, &book); err != nil {
		return err
	}
	for _, e := range webhook.Samples(time.Now()) {
		secret, prefix := webhook.NewSecret()
		e.SecretPrefix = prefix
		if err := p.db.AddEndpoint(ctx, in, e, p.vault.Seal(webhook.SecretPurpose, secret)); err != nil {
			return err
		}
	}
	return nil
}

func (p *product) close() error { return p.db.Close() }

// with runs a sub-command over the product.
func (a *app) with(ctx context.Context, do func(*product) error) error {
	p, err := a.open(ctx)
	if err != nil {
		return err
	}
	err = do(p)
	if closed := p.close(); err == nil {
		err = closed
	}
	return err
}
