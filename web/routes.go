package web

import "portal/web/page"

// section is pages that stand together in a package of their own.
type section interface{ Routes() []page.Route }

// routes are all pages: those of everybody and those of the sections.
func (p *Pages) routes(all ...section) []page.Route {
	table := []page.Route{
		page.Get("/", page.Guest, p.home),
		page.Get("/static/*", page.Public, p.File),
	}
	table = append(table, p.siteRoutes()...)
	for _, s := range all {
		table = append(table, s.Routes()...)
	}
	if p.Design {
		table = append(table, p.designRoutes()...)
	}
	return table
}
