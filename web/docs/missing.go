package docs

import (
	"net/http"

	"portal/static"
	views "portal/views/docs"
	"portal/web/page"
)

// missing answers for an address of the documentation where nothing is. What programs get is not
// for the documentation to say.
func (p *Section) missing(v *page.Request) error {
	if p.Programs != nil && p.Programs(v.Context, http.StatusNotFound) {
		return nil
	}
	view := views.Doc{Frame: v.Frame("Page not found"), Title: "Page not found"}
	view.Styles = append(view.Styles, static.URL("docs.css"))
	view.Contents = v.Mark(p.rendered().navigation())
	view.Links = p.links()
	return v.ShowAs(http.StatusNotFound, views.MissingPage(view, v.Request().URL.Path))
}
