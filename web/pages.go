// Package web serves the pages for people: it reads a request, asks the rules and
// fills a view.
//
// It knows nothing of SQL, and of HTML only which view it fills.
package web

import (
	"log/slog"
	"net/http"
	"sync"

	"github.com/labstack/echo/v4"

	"portal/api/clock"
	"portal/views"
	"portal/web/page"
)

// Config is what the pages need.
type Config struct {
	BaseURL    string // under which people and programs reach the service; https secures cookies
	Guests     Guests
	Sessions   page.Sessions // nil: nobody can sign in
	Forms      page.Forms    // which forms were sent that create something
	People     page.People
	Account    Accounts // nil: there are no pages for signing in
	Now        clock.Clock
	Log        *slog.Logger // nil: nothing is logged
	Requests   Requests
	Keys       Keys
	Journey    Journey
	Summaries  Summaries
	Reviews    Reviews
	Holdings   Holdings
	Jobs       Jobs
	Endpoints  Endpoints
	Deliveries Deliveries
	Activity   Activity
	RequestLog RequestLog
	Exchanges  page.Exchanges
	Properties Properties
	Units      Units
	Tenants    Tenants
	Verifying  Verifying
	Searching  Searching
	Leases     Leases
	Tickets    Tickets
	Ledger     Ledger
	Demo       Demo
	Applicants Applicants
	Homes      Homes
	Imports    Imports
	Usage      Usage
	Mails      Mails
	OpenAPI    func() []byte // the document of the API, nil: there is no reference
	API        http.Handler  // serves the API, for who tries an operation
	Vault      Vault         // keeps the key of the documentation
	Specimens  Specimens
	// Programs answers a program that asks for what is not there (404), or in a way that
	// is not possible (405), and tells whether it did; nil: everybody gets a page.
	Programs func(c echo.Context, status int) bool
	Design   bool // serves the gallery of components, at /design
}

// Pages are all pages: the public ones, those that a link in an e-mail opens, and
// those of who is signed in.
type Pages struct {
	Config
	*page.Shell
	shelf func() *shelf // the documentation, drawn when it is first asked for
}

// New makes the pages. It panics on a base URL that is none.
func New(c Config) *Pages {
	p := &Pages{Config: c}
	p.Shell = page.New(page.Config{
		BaseURL: c.BaseURL, Sessions: c.Sessions, Forms: c.Forms, People: c.People, Now: c.Now, Log: c.Log, Programs: c.Programs,
		Confirmation: page.Confirmation{Ask: p.confirmForm, Prove: p.proveAgain},
	})
	p.shelf = sync.OnceValue(p.bind)
	p.Use(p.routes(), navigation)
	if c.OpenAPI != nil {
		p.shelf() // what is wrong with a text is known at once
	}
	return p
}

func (p *Pages) home(v *page.Request) error {
	return v.Show(views.HomePage(views.Home{
		Frame: v.Open("Build on a landlord’s portfolio",
			"An API, webhooks and tools for assistants over the properties, tenants, leases, repairs and rent of one landlord’s portfolio."),
		API:     p.Base() + "/api/v1/external",
		MCP:     p.Base() + "/mcp",
		Actions: p.first(v),
	}))
}

// first is what who comes to the front page does next.
func (p *Pages) first(v *page.Request) []views.Link {
	switch {
	case p.Account == nil:
		return nil
	case v.Person != nil && !v.Person.Pending:
		return []views.Link{{Name: "Go to the overview", Path: "/overview"}}
	}
	return []views.Link{{Name: "Sign up", Path: "/sign-up"}, {Name: "Sign in", Path: "/sign-in"}}
}
