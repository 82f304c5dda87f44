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
			"A REST API, webhooks, and AI assistant tools for a landlord’s properties, tenants, leases, repairs, and rent.",
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
