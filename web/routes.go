// Package web serves the pages for people: it reads a request, asks the rules and
// fills a view.
//
// It knows nothing of SQL, and of HTML only which view it fills.
package web

import (
	"portal/views"
	"portal/views/kit"
	"portal/web/frame"
	"portal/web/page"
)

// routes are all pages: those of everybody and those of the sections.
func (p *Pages) routes(all ...Section) []page.Route {
	table := []page.Route{
		page.Get("/", page.Guest, p.home),
		page.Get("/static/*", page.Public, p.File),
		// Browsers, crawlers and researchers ask for these without a link.
		page.Get("/favicon.ico", page.Public, p.favicon),
		page.Get("/robots.txt", page.Public, p.robots),
		page.Get("/sitemap.xml", page.Public, p.sitemap),
		page.Get("/.well-known/security.txt", page.Public, p.securityContact),
	}
	for _, s := range all {
		table = append(table, s.Routes()...)
	}
	return table
}

// navigation is all places, in the order in which they are needed. Those of guests are
// for somebody who is not signed in.
var navigation = []page.NavGroup{
	{Title: "", Audience: page.Member, Items: []page.NavItem{
		{Path: "/{mode}/overview", Icon: "layout-dashboard", Name: "Overview"},
	}},
	{Title: "Build", Audience: page.Member, Items: []page.NavItem{
		{Path: "/access", Icon: "shield-check", Name: "API access"},
		{Path: "/keys", Icon: "key-round", Name: "API keys"},
		{Path: "/{mode}/webhooks", Icon: "webhook", Name: "Webhooks"},
		{Path: "/{mode}/events", Icon: "zap", Name: "Events"},
		{Path: "/{mode}/logs", Icon: "scroll-text", Name: "Logs"},
		{Path: "/usage", Icon: "chart-column", Name: "Usage"},
		{Path: "/{mode}/activity", Icon: "bot", Name: "Activity"},
		{Path: "/{mode}/mail", Icon: "mail", Name: "Mail"},
	}},
	{Title: "Portfolio", Audience: page.Member, Items: []page.NavItem{
		{Path: "/{mode}/properties", Icon: "building-2", Name: "Properties"},
		{Path: "/{mode}/leases", Icon: "file-text", Name: "Leases"},
		{Path: "/{mode}/tenants", Icon: "users", Name: "Tenants"},
		{Path: "/{mode}/tickets", Icon: "wrench", Name: "Tickets"},
		{Path: "/{mode}/ledger", Icon: "receipt", Name: "Ledger"},
		{Path: "/{mode}/applications", Icon: "user-plus", Name: "Applications"},
		{Path: "/{mode}/import", Icon: "upload", Name: "Import"},
		{Path: "/test/demo", Icon: "flask-conical", Name: "Test data"},
	}},
	{Title: "Staff", Audience: page.Staff, Items: []page.NavItem{
		{Path: "/staff/requests", Icon: "shield-check", Name: "Requests"},
		{Path: "/staff/properties", Icon: "building-2", Name: "Properties"},
		{Path: "/staff/accounts", Icon: "landmark", Name: "Accounts"},
		{Path: "/staff/jobs", Icon: "activity", Name: "Jobs"},
		{Path: "/staff/status", Icon: "circle-check", Name: "Status"},
		{Path: "/staff/look-up", Icon: "search", Name: "Look-up"},
	}},
	{Title: "Account", Audience: page.SignedIn, Items: []page.NavItem{
		{Path: "/team", Icon: "users-round", Name: "Team"},
		{Path: "/settings", Icon: "settings", Name: "Settings"},
	}},
	{Title: "", Audience: page.SignedIn, Items: []page.NavItem{
		{Path: "/docs", Icon: "book-open", Name: "Docs"},
	}},
	{Title: "", Audience: page.Guest, Items: []page.NavItem{
		{Path: "/docs", Name: "Docs"},
		{Path: "/docs/api", Name: "API reference"},
		{Path: "/docs/errors", Name: "Errors"},
		{Path: "/docs/changelog", Name: "Changelog"},
		{Path: "/sign-in", Name: "Sign in"},
		{Path: "/sign-up", Name: "Sign up"},
	}},
}

// Section is pages that stand together in a package of their own. One with pages for signing in also
// knows how people confirm who they are (page.Confirmation), and one with public pages which addresses
// they have.
type Section interface{ Routes() []page.Route }

// Pages are all pages: the public ones, those that a link in an email opens, and
// those of the signed-in user.
type Pages struct {
	*page.Shell
	signIn bool        // there are pages for signing in
	public []addressed // the sections that search engines may know
}

// addressed is a section with public pages.
type addressed interface{ Addresses() []string }

// New makes the pages of a shell and its sections, beside those that belong to none.
func New(shell *page.Shell, sections ...Section) *Pages {
	p := &Pages{Shell: shell}
	for _, s := range sections {
		if known, is := s.(interface{ Confirmation() page.Confirmation }); is {
			shell.Confirmation, p.signIn = known.Confirmation(), true
		}
		if open, is := s.(addressed); is {
			p.public = append(p.public, open)
		}
	}
	p.Use(p.routes(sections...), navigation)
	p.Surround = frame.Fill
	return p
}

func (p *Pages) home(v *page.Request) error {
	return v.Show(views.HomePage(views.Home{
		Frame: v.Open(
			"The API for rental portfolios",
			"A REST API, webhooks, and AI assistant tools for a landlord’s properties, tenants, leases, repairs, "+
				"and rent.",
		),
		API:     p.Base() + "/api/v1/external",
		MCP:     p.Base() + "/mcp",
		Actions: p.first(v),
	}))
}

// first is what a reader of the front page does next.
func (p *Pages) first(v *page.Request) []kit.Link {
	quickstart := kit.Link{Name: "Read the quickstart", Path: "/docs/quickstart"}
	switch {
	case !p.signIn:
		return []kit.Link{quickstart}
	case v.Person != nil && !v.Person.Pending:
		return []kit.Link{{Name: "Go to overview", Path: "/overview"}, quickstart}
	}
	return []kit.Link{{Name: "Get a test key", Path: "/sign-up"}, quickstart}
}
