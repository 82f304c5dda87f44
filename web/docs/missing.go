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
	return v.ShowAs(http.StatusNotFound, views.MissingPage(p.frame(v, "Page not found"), v.Request().URL.Path))
}

// frame is a page among those of the documentation that has none of its texts.
func (p *Section) frame(v *page.Request, title string) views.Doc {
	view := views.Doc{Frame: v.Frame(title), Title: title}
	view.Styles = append(view.Styles, static.URL("docs.css"))
	view.Contents = v.Mark(p.rendered().navigation())
	view.Links = p.links()
	return view
}
