// Package developer is the pages on which people get access to the API and look after what they
// build: keys, webhooks, logs, usage and the demo portfolio.
package developer

import "portal/web/page"

// Config is what the pages for developers need.
type Config struct {
	Requests   Requests
	Keys       Keys
	Steps      Steps
	Summaries  Summaries
	Endpoints  Endpoints
	Deliveries Deliveries
	Activity   Activity
	RequestLog RequestLog
	Exchanges  page.Exchanges
	Demo       Demo
	Usage      Usage
	Mails      Mails
}

// Section is the pages on which people get access to the API and look after what they build:
// keys, webhooks, logs, usage, and the demo portfolio.
type Section struct {
	*page.Shell
	Config
}

// New makes the section on the shell of all pages.
func New(shell *page.Shell, c Config) *Section { return &Section{shell, c} }

// Routes are the pages for developers.
func (p *Section) Routes() []page.Route {
	all := []page.Route{
		page.Get("/overview", page.SignedIn, p.overview),
		page.Get("/access", page.Member, p.access),
		page.Post("/access", page.Owner, p.applyForAccess).Once(),
		page.Get("/access/:id/withdraw", page.Owner, p.askWithdraw),
		page.Post("/access/:id/withdraw", page.Owner, p.withdraw),
		page.Get("/keys", page.Member, p.keys),
		page.Post("/keys", page.Owner, p.addKey).Confirmed().Once(),
		page.Get("/keys/new", page.Owner, p.newKey).Confirmed(),
		page.Get("/keys/:id", page.Member, p.key),
		page.Get("/keys/:id/revoke", page.Owner, p.askRevoke),
		page.Post("/keys/:id/revoke", page.Owner, p.revokeKey),
		page.Get("/keys/:id/roll", page.Owner, p.askRoll).Confirmed(),
		page.Post("/keys/:id/roll", page.Owner, p.rollKey).Confirmed().Once(),
		page.Get("/{mode}/activity", page.Member, p.activity),
		page.Get("/{mode}/activity/:id", page.Member, p.call),
		page.Get("/{mode}/logs", page.Member, p.logs),
		page.Get("/{mode}/logs/:id", page.Member, p.logged),
		page.Get("/usage", page.Member, p.usage),
		page.Get("/{mode}/mail", page.Member, p.mails),
		page.Get("/{mode}/mail/:id", page.Member, p.mail),
		page.Get("/{mode}/mail/:id/look", page.Member, p.look),
	}
	all = append(all, p.webhookRoutes()...)
	return append(all, p.demoRoutes()...)
}
