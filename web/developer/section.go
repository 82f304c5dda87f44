// Package developer is the pages on which people look after what they build: keys, webhooks, logs,
// usage and the demo portfolio.
//
// It knows no other section and no SQL.
package developer

import (
	"slices"

	"portal/api/developer"
	"portal/api/id"
	"portal/api/mail"
	"portal/api/portfolio/ledger/report"
	"portal/api/portfolio/simulate"
	"portal/api/webhook"
	"portal/web/csvexport"
	"portal/web/live"
	"portal/web/page"
)

// Config is what the pages for developers need.
type Config struct {
	Developer *developer.Service
	Webhook   *webhook.Service
	Summaries *report.Reports
	Exchanges developer.Exchanges
	Demo      *simulate.Simulator
	Mails     *mail.Service
	Streams   *live.Streams // tell open pages what happens
	Trail     csvexport.Trail
}

// Section is the pages on which people look after what they build: keys, webhooks, logs, usage,
// and the demo portfolio.
type Section struct {
	*page.Shell
	Config
}

// New makes the section on the shell of all pages.
func New(shell *page.Shell, c Config) *Section {
	p := &Section{shell, c}
	p.opens()
	return p
}

// opens notes how what the section shows is opened by its id.
func (p *Section) opens() {
	for prefix, o := range map[string]page.Opening{
		id.Event: {
			Path: "/{mode}/events/", Icon: "zap", Name: "Event", There: page.OpenedBy(p.Webhook.Event),
		},
		id.Endpoint: {
			Path: "/{mode}/webhooks/", Icon: "webhook", Name: "Endpoint", There: page.OpenedBy(p.Webhook.Endpoint),
		},
		id.Delivery: {
			Path: "/{mode}/webhooks/deliveries/", Icon: "webhook", Name: "Delivery",
			There: page.OpenedBy(p.Webhook.Delivery),
		},
		id.Request: {
			Path: "/{mode}/logs/", Icon: "scroll-text", Name: "Request", There: page.OpenedBy(p.Developer.Request),
		},
		id.Call: {
			Path: "/{mode}/activity/", Icon: "bot", Name: "Tool call", There: page.OpenedBy(p.Developer.ToolCall),
		},
		id.Key: {Path: "/keys/", Icon: "key-round", Name: "API key", There: func(v *page.Request, id string) error {
			_, err := p.Developer.KeyOf(v.Ctx(), v.Member(), id)
			return err
		}},
		id.Mail: {Path: "/{mode}/mail/", Icon: "mail", Name: "Mail", There: func(v *page.Request, id string) error {
			_, err := p.Mails.MailIn(v.Ctx(), v.Actor().Portfolio, id)
			return err
		}},
	} {
		p.Opens(prefix, o)
	}
}

// Routes are the pages of the section.
func (p *Section) Routes() []page.Route {
	return slices.Concat(
		p.routes(),
		(&webhookPages{p}).routes(),
		(&keyPages{p}).routes(),
	)
}

func (p *Section) routes() []page.Route {
	return []page.Route{
		page.Get("/test/demo", page.Member, p.demo).Test(),
		page.Post("/test/demo", page.Member, p.setOff).Test().Once(),
		page.Get("/test/demo/clock", page.Member, p.demo).Test(),
		page.Post("/test/demo/clock", page.Member, p.turnClock).Test().Once(),
		page.Get("/test/demo/reset", page.Owner, p.resetDemo).Test(),
		page.Post("/test/demo/reset", page.Owner, p.resetDemo).Test().Once(),
		page.Get("/{mode}/activity", page.Member, p.activity),
		page.Get("/{mode}/activity.csv", page.Member, p.exportCalls),
		page.Get("/{mode}/activity/:id", page.Member, p.call),
		page.Get("/{mode}/logs", page.Member, p.logs),
		page.Get("/{mode}/logs.csv", page.Member, p.exportLogs),
		page.Get("/{mode}/logs/stream", page.Member, p.streamLogs),
		page.Get("/{mode}/logs/:id", page.Member, p.logged),
		page.Get("/usage", page.Member, p.usage),
		page.Get("/usage/units", page.Member, p.units),
		page.Post("/usage/units", page.Member, p.units),
		page.Get("/{mode}/mail", page.Member, p.mails),
		page.Get("/{mode}/mail.csv", page.Member, p.exportMails),
		page.Get("/{mode}/mail/:id", page.Member, p.mail),
		page.Get("/{mode}/mail/:id/look", page.Member, p.look),
	}
}
