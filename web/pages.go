// Package web serves the pages for people: it reads a request, asks the rules and
// fills a view.
//
// It knows nothing of SQL, and of HTML only which view it fills.
package web

import (
	"log/slog"
	"net/http"

	"github.com/labstack/echo/v4"

	"portal/api/clock"
	"portal/api/intake"
	"portal/api/ratelimit"
	"portal/views"
	"portal/views/kit"
	"portal/web/account"
	"portal/web/developer"
	"portal/web/docs"
	"portal/web/lease"
	"portal/web/ledger"
	"portal/web/page"
	"portal/web/property"
	"portal/web/resident"
	"portal/web/staff"
	"portal/web/ticket"
)

// Config is what the pages need.
type Config struct {
	BaseURL      string // under which people and programs reach the service; https secures cookies
	Guests       resident.Guests
	Documents    resident.Documents
	Sessions     page.Sessions // nil: nobody can sign in
	Forms        page.Forms    // which forms were sent that create something
	People       page.People
	Account      *account.Rules // nil: there are no pages for signing in
	Now          clock.Clock
	Log          *slog.Logger // nil: nothing is logged
	Requests     developer.Requests
	Keys         developer.Keys
	Steps        developer.Steps
	Summaries    developer.Summaries
	Reviews      staff.Reviews
	Accounts     staff.Accounts
	Jobs         staff.Jobs
	Endpoints    developer.Endpoints
	Deliveries   developer.Deliveries
	Activity     developer.Activity
	RequestLog   developer.RequestLog
	Exchanges    page.Exchanges
	Verifying    staff.Verifications
	Property     property.Config
	Lease        lease.Config
	Ticket       ticket.Config
	Ledger       ledger.Config
	Demo         developer.Demo
	LeaseDetails account.LeaseDetails
	Usage        developer.Usage
	Mails        developer.Mails
	OpenAPI      func() []byte // the document of the API, nil: there is no reference
	API          http.Handler  // serves the API, for somebody who tries an operation
	Sealer       page.Sealer   // keeps the key of the documentation, and what was typed while a session ended
	Examples     docs.Examples
	// Programs answers a program that asks for what is not there (404), or in a way that
	// is not possible (405), and tells whether it did; nil: everybody gets a page.
	Programs func(c echo.Context, status int) bool
	Spool    *intake.Spool     // for files while they are uploaded, nil: the folder of the system
	Limiter  ratelimit.Limiter // of forms; nil: they are not limited
	Design   bool              // serves the pages of components, at /design
}

// Pages are all pages: the public ones, those that a link in an email opens, and
// those of the signed-in user.
type Pages struct {
	Config
	*page.Shell
	documentation *docs.Section
}

// New makes the pages. It panics on a base URL that is none.
func New(c Config) *Pages {
	shell := page.New(page.Config{
		BaseURL:  c.BaseURL,
		Sessions: c.Sessions,
		Forms:    c.Forms,
		People:   c.People,
		Sealer:   c.Sealer,
		Now:      c.Now,
		Log:      c.Log,
		Programs: c.Programs,
		Spool:    c.Spool,
		Limiter:  c.Limiter,
	})
	documentation := docs.New(shell, docs.Config{
		OpenAPI:        c.OpenAPI,
		API:            c.API,
		Sealer:         c.Sealer,
		Examples:       c.Examples,
		AccessRequests: c.Requests,
		Keys:           c.Keys,
		Endpoints:      c.Endpoints,
		Deliveries:     c.Deliveries,
	})
	p := &Pages{c, shell, documentation}
	sections := []section{
		resident.New(shell, resident.Config{Guests: c.Guests, Documents: c.Documents}),
		developer.New(shell, developer.Config{
			Requests:   c.Requests,
			Keys:       c.Keys,
			Steps:      c.Steps,
			Summaries:  c.Summaries,
			Endpoints:  c.Endpoints,
			Deliveries: c.Deliveries,
			Activity:   c.Activity,
			RequestLog: c.RequestLog,
			Exchanges:  c.Exchanges,
			Demo:       c.Demo,
			Usage:      c.Usage,
			Mails:      c.Mails,
		}),
		property.New(shell, c.Property),
		lease.New(shell, c.Lease),
		ticket.New(shell, c.Ticket),
		ledger.New(shell, c.Ledger),
		staff.New(shell, staff.Config{
			Reviews:       c.Reviews,
			Accounts:      c.Accounts,
			Jobs:          c.Jobs,
			Verifications: c.Verifying,
			Exchanges:     c.Exchanges,
		}),
		documentation,
	}
	if c.Account != nil {
		people := account.New(shell, account.Config{
			Account:      c.Account,
			Keys:         c.Keys,
			Mails:        c.Mails,
			LeaseDetails: c.LeaseDetails,
			SigningOut:   documentation.StopKey,
		})
		shell.Confirmation = people.Confirmation()
		sections = append(sections, people)
	}
	p.Use(p.routes(sections...), navigation)
	return p
}

func (p *Pages) home(v *page.Request) error {
	return v.Show(views.HomePage(views.Home{
		Frame: v.Open(
			"The API for rental portfolios",
			"An API, webhooks and tools for assistants over the properties, tenants, leases, repairs and rent of one landlord’s portfolio.",
		),
		API:     p.Base() + "/api/v1/external",
		MCP:     p.Base() + "/mcp",
		Actions: p.first(v),
	}))
}

// first is what who comes to the front page does next.
func (p *Pages) first(v *page.Request) []kit.Link {
	switch {
	case p.Account == nil:
		return nil
	case v.Person != nil && !v.Person.Pending:
		return []kit.Link{{Name: "Go to the overview", Path: "/overview"}}
	}
	return []kit.Link{{Name: "Sign up", Path: "/sign-up"}, {Name: "Sign in", Path: "/sign-in"}}
}
