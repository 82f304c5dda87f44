package docs

import (
	views "portal/views/docs"
	"portal/views/kit"
	"portal/web/page"
)

// forPrograms is the section of the first page about the same texts in other forms.
const forPrograms = "OpenAPI and llms.txt"

// topics answers with the first page: a card for each topic.
func (p *Section) topics(v *page.Request) error {
	if prefersMarkdown(v.Request()) {
		return p.doc(v)
	}
	v.Response().Header().Add("Vary", "Accept")
	d := p.rendered().at[docPath("")]
	view := p.docView(v, d)
	view.Search = "" // the page has a larger one
	all := view.Rows
	view.Rows = nil
	for _, r := range all {
		if r.Title == forPrograms {
			view.Rows = append(view.Rows, r)
		}
	}
	return v.Show(views.TopicsPage(view, p.rendered().topics()))
}

// topics are the groups of pages. Errors, which are looked up more often than read, are one of
// their own.
func (s *renderedDocs) topics() (all []views.Topic) {
	for _, g := range s.groups {
		if !g.has() {
			continue
		}
		t := views.Topic{Title: g.title, About: g.about}
		for _, b := range g.pages {
			if b.listed && b.address != docPath("") && b.address != docPath("errors") {
				t.Pages = append(t.Pages, kit.Link{Name: b.name, Path: b.address})
			}
		}
		all = append(all, t)
	}
	last := len(all) - 1
	return append(all[:last:last], views.Topic{
		Title: "Errors",
		About: "Every error code with its cause and how to fix it, by HTTP status.",
		Pages: []kit.Link{{Name: "Error dictionary", Path: docPath("errors")}},
	}, all[last])
}
