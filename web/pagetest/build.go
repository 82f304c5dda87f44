package pagetest

import (
	"cmp"
	"context"
	"log/slog"
	"net/http"

	"github.com/labstack/echo/v4"

	accounts "portal/api/account"
	"portal/api/agreement"
	"portal/api/agreement/ceremony"
	"portal/api/attachment"
	"portal/api/clock"
	dev "portal/api/developer"
	"portal/api/intake"
	"portal/api/mail"
	"portal/api/payment"
	"portal/api/payment/simulated"
	"portal/api/portfolio/lease/application"
	"portal/api/portfolio/ledger/report"
	"portal/api/portfolio/property/verification"
	"portal/api/portfolio/records"
	"portal/api/portfolio/simulate"
	"portal/api/ratelimit"
	"portal/api/secret"
	"portal/api/status"
	"portal/api/tenantportal"
	"portal/api/webhook"
	"portal/web"
	"portal/web/access"
	"portal/web/account"
	"portal/web/csvexport"
	"portal/web/developer"
	"portal/web/docs"
	"portal/web/lease"
	"portal/web/ledger"
	"portal/web/live"
	"portal/web/overview"
	"portal/web/page"
	"portal/web/palette"
	"portal/web/property"
	"portal/web/resident"
	"portal/web/staff"
	statuspages "portal/web/status"
	"portal/web/ticket"
)

// Config is what the pages of a test stand on. What a test leaves out has no pages, or none that work.
type Config struct {
	BaseURL      string // under which people and programs reach the service; https secures cookies
	Guests       resident.Guests
	Emails       *application.Emails
	Documents    resident.Documents
	Signing      *ceremony.Service
	Proofs       *agreement.Service
	Tenants      *tenantportal.Service
	Payments     *simulated.Payments
	Photos       *attachment.Converter // of tenants
	Sessions     page.Sessions         // nil: nobody can sign in
	Forms        page.Forms            // which forms were sent that create something
	People       page.People
	Account      *accounts.Service // nil: there are no pages for signing in
	Now          clock.Clock
	Log          *slog.Logger // nil: nothing is logged
	Developer    *dev.Service
	Webhook      *webhook.Service
	Summaries    *report.Reports
	Jobs         staff.Jobs
	Exchanges    dev.Exchanges
	Trail        csvexport.Trail
	Verifying    *verification.Verifications
	Property     property.Config
	Lease        lease.Config
	Ticket       ticket.Config
	Ledger       ledger.Config
	Demo         *simulate.Simulator
	LeaseDetails *agreement.Service
	Mails        *mail.Service
	Streams      *live.Streams // nil: streams of their own
	OpenAPI      func() []byte // the document of the API, nil: there is no reference
	API          http.Handler  // serves the API, for somebody who tries an operation
	Box          *secret.Box   // keeps the key of the documentation, and what was typed while a session ended
	Examples     *records.Service
	// Programs answers a program that asks for what is not there (404), or in a way that
	// is not possible (405), and reports whether it did; nil: everybody gets a page.
	Programs func(c echo.Context, status int) bool
	Spool    *intake.Spool     // for files while they are uploaded, nil: the folder of the system
	Limiter  ratelimit.Limiter // of forms; nil: they are not limited
	Waiting  page.Waiting      // for the reader; nil: the navigation has no numbers
	Design   bool              // serves the pages of components, at /design
	Status   *status.Monitor   // nil: the service is well, and nothing waits
}

// Build makes the pages of a configuration, section by section as the service does.
func Build(c Config) *web.Pages {
	c.Streams = cmp.Or(c.Streams, live.New())
	none := &records.Service{}
	c.Lease.Portfolio = cmp.Or(c.Lease.Portfolio, none)
	c.Lease.Applications = cmp.Or(c.Lease.Applications, &application.Services{})
	c.Property.Portfolio = cmp.Or(c.Property.Portfolio, none)
	c.Ticket.Portfolio = cmp.Or(c.Ticket.Portfolio, none)
	c.Ledger.Portfolio = cmp.Or(c.Ledger.Portfolio, none)
	c.Ledger.Payments = cmp.Or(c.Ledger.Payments, c.Payments)
	c.Lease.Payments = cmp.Or(c.Lease.Payments, c.Payments)
	c.Lease.Photos = cmp.Or(c.Lease.Photos, c.Photos)
	shell := page.New(page.Config{
		BaseURL:  c.BaseURL,
		Sessions: c.Sessions,
		Forms:    c.Forms,
		People:   c.People,
		Box:      c.Box,
		Now:      c.Now,
		Log:      c.Log,
		Programs: c.Programs,
		Spool:    c.Spool,
		Limiter:  c.Limiter,
		Waiting:  c.Waiting,
	})
	documentation := docs.New(shell, docs.Config{
		OpenAPI:   c.OpenAPI,
		API:       c.API,
		Box:       c.Box,
		Examples:  c.Examples,
		Developer: c.Developer,
		Webhook:   c.Webhook,
	})
	sections := []web.Section{
		c.resident(shell),
		c.overview(shell),
		access.New(shell, access.Config{Requests: c.Developer}),
		c.developer(shell),
		property.New(shell, c.Property),
		palette.New(shell, palette.Config{Portfolio: c.Property.Portfolio, Places: documentation.Places}),
		lease.New(shell, c.Lease),
		ticket.New(shell, c.Ticket),
		ledger.New(shell, c.Ledger),
		c.staff(shell),
		documentation,
		statuspages.New(shell, statuspages.Config{Monitor: c.monitor(), Jobs: c.Jobs}),
	}
	if c.Account != nil {
		sections = append(sections, account.New(shell, account.Config{
			Account:      c.Account,
			Keys:         c.Developer,
			Mails:        c.Mails,
			LeaseDetails: c.LeaseDetails,
			Ledger:       c.Property.Portfolio.Ledger,
			Payments:     c.paid(),
			Trail:        c.Trail,
			SigningOut:   documentation.StopKey,
		}))
	}
	if c.Design {
		sections = append(sections, web.Components{Shell: shell})
	}
	return web.New(shell, sections...)
}

// paid are online payments, nil for none.
func (c *Config) paid() *payment.Service {
	if c.Ledger.Payments == nil {
		return nil
	}
	return c.Ledger.Payments.Service
}

func (c *Config) staff(shell *page.Shell) web.Section {
	return staff.New(shell, staff.Config{
		Developer:     c.Developer,
		Jobs:          c.Jobs,
		Verifications: c.Verifying,
		Exchanges:     c.Exchanges,
		Trail:         c.Trail,
	})
}

// monitor is that of the configuration, or of a service that is well.
func (c *Config) monitor() *status.Monitor {
	if c.Status != nil {
		return c.Status
	}
	return &status.Monitor{
		Check: func(context.Context) status.Checks {
			return status.Checks{Database: true, Migrated: true, Writes: true, Jobs: true, Kind: "SQLite"}
		},
		Store: nothingWaits{},
		Now:   c.Now,
	}
}

// nothingWaits is a service that has done all of its work.
type nothingWaits struct{}

// Outbox is empty.
func (nothingWaits) Outbox(context.Context) (o status.Outbox, err error) { return o, nil }

// Deliveries are none.
func (nothingWaits) Deliveries(context.Context, clock.Time) (d status.Deliveries, err error) {
	return d, nil
}

func (c *Config) resident(shell *page.Shell) web.Section {
	return resident.New(shell, resident.Config{
		Guests:    c.Guests,
		Emails:    c.Emails,
		Documents: c.Documents,
		Signing:   c.Signing,
		Proofs:    c.Proofs,
		Tenants:   c.Tenants,
		Payments:  c.Payments,
		Photos:    c.Photos,
	})
}

func (c *Config) overview(shell *page.Shell) web.Section {
	return overview.New(shell, overview.Config{
		Developer: c.Developer,
		Summaries: c.Summaries,
		Webhook:   c.Webhook,
		Streams:   c.Streams,
	})
}

func (c *Config) developer(shell *page.Shell) web.Section {
	return developer.New(shell, developer.Config{
		Developer: c.Developer,
		Webhook:   c.Webhook,
		Summaries: c.Summaries,
		Exchanges: c.Exchanges,
		Demo:      c.Demo,
		Mails:     c.Mails,
		Streams:   c.Streams,
		Trail:     c.Trail,
	})
}
