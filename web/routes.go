package web

import "portal/web/page"

// routes are all pages: those of everybody and those of the sections.
func (p *Pages) routes(all ...Section) []page.Route {
	table := []page.Route{
		page.Get("/", page.Guest, p.home),
		page.Get("/static/*", page.Public, p.File),
	}
	table = append(table, p.siteRoutes()...)
	for _, s := range all {
		table = append(table, s.Routes()...)
	}
	return table
}
