package docs

import (
	_ "embed"
	"encoding/csv"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"portal/static"
	views "portal/views/docs"
	"portal/views/kit"
	"portal/web/page"
)

// referenceAt is the page of all operations; those of each resource are below it.
const referenceAt = "/docs/api"

// docGroup is pages of the documentation that stand together.
type docGroup struct {
	title string
	about string      // what its pages are for
	pages []docSource // none for the reference, whose pages are made from the OpenAPI document
}

// docSource is a page of the documentation and where its text comes from.
type docSource struct {
	path  string
	name  string // in the navigation
	file  string // of docs, "" where the text is made
	from  string // heading that the page begins with, "" for the beginning
	to    string // heading before which it ends, "" for the end
	steps int    // how many sections, from the first, are steps
	about string // a sentence that says what the page is for, "" where the page begins with one
}

//go:embed pages.csv
var pagesTable string

// library is the documentation but for the reference, in the order of reading. A line of the table without a path
// begins a group.
var library = sync.OnceValue(func() (all []docGroup) {
	rows, err := csv.NewReader(strings.NewReader(pagesTable)).ReadAll()
	must(err)
	for _, r := range rows[1:] {
		if r[0] == "" {
			all = append(all, docGroup{title: r[1], about: r[6]})
			continue
		}
		steps, _ := strconv.Atoi(r[5]) // most have none
		g := &all[len(all)-1]
		g.pages = append(g.pages, docSource{r[0], r[1], r[2], r[3], r[4], steps, r[6]})
	}
	return all
})

// Routes are the pages of the documentation. Each is at the same address with .md
// behind it as Markdown too.
func (p *Section) Routes() []page.Route {
	all := []page.Route{
		page.Get("/docs/errors", page.Guest, p.errors),
		page.Get("/docs/errors.md", page.Public, p.errorsMarkdown),
		page.Get("/llms.txt", page.Public, p.llms),
		page.Get("/llms-full.txt", page.Public, p.llmsFull),
		page.Get("/openapi.json", page.Public, p.openAPI),
		page.Get("/docs/*", page.Guest, p.missing),
		page.Get(searchAt, page.Guest, p.search),
		page.Get(searchAt+".json", page.Public, p.searchJSON),
		page.Get(leaseRulesAt, page.Guest, p.leaseRules),
		page.Get(leaseRulesAt+".md", page.Guest, p.doc),
		page.Get(leaseRulesAt+"/:state", page.Guest, p.leaseRulesOf),
		page.Get(leaseRulesAt+"/:state/sample.pdf", page.Public, p.sampleLease),
		page.Get(changelogAt+"/:version", page.Guest, p.doc),
		page.Get("/docs/api", page.Guest, p.doc),
		page.Get("/docs/api.md", page.Guest, p.doc),
		page.Get("/docs/api/:resource", page.Guest, p.doc),
		page.Get("/docs/api/:resource/:operation", page.Guest, p.doc),
		page.Get("/docs/api/:resource/:operation/try", page.Member, p.askTry),
		page.Post("/docs/api/:resource/:operation/try", page.Member, p.try).ConfirmedWhen(p.triesForSecret),
		page.Get("/docs/key", page.Owner, p.askDocKey).Confirmed(),
		page.Post("/docs/key", page.Owner, p.makeDocKey).Confirmed().Once(),
		page.Get("/docs/key/forget", page.Owner, p.askForgetKey),
		page.Post("/docs/key/forget", page.Owner, p.forgetDocKey),
	}
	for _, g := range library() {
		for _, d := range g.pages {
			if d.path == errorsAt || d.path == leaseRulesAt {
				continue
			}
			show := p.doc
			if d.path == "/docs" {
				show = p.topics
			}
			all = append(all, page.Get(d.path, page.Guest, show), page.Get(d.path+".md", page.Guest, p.doc))
		}
	}
	return all
}

// doc answers with a page of the documentation, as a page or as Markdown.
func (p *Section) doc(v *page.Request) error {
	v.Response().Header().Add("Vary", "Accept")
	at, asText := strings.CutSuffix(v.Request().URL.Path, ".md")
	d, there := p.rendered().at[at]
	switch {
	case !there:
		return p.missing(v)
	case asText || prefersMarkdown(v.Request()):
		return v.Send.Document(kindMarkdown, d.Address+".md", func() []byte { return []byte(d.text) })
	}
	view := p.docView(v, d)
	if err := p.personal(v, &view, d); err != nil {
		return err
	}
	return v.Show(views.DocPage(view))
}

const kindMarkdown = "text/markdown; charset=utf-8"

// prefersMarkdown reports whether a program asks for Markdown. A browser never does.
func prefersMarkdown(r *http.Request) bool {
	return strings.Contains(r.Header.Get("Accept"), "text/markdown")
}

// docView is the view of a page of the documentation.
func (p *Section) docView(v *page.Request, d *bound) views.Doc {
	view := d.page
	view.Frame = v.Open(d.page.Title, d.About)
	view.Styles = append(view.Styles, static.URL("docs.css"))
	if view.Operation != nil || view.Steps > 0 || d.Address == catalogAt {
		view.Styles = append(view.Styles, static.URL("samples.css"))
	}
	if len(view.Facts) > 0 {
		view.Styles = append(view.Styles, static.URL("map.css"))
	}
	view.Markdown = d.Address + ".md"
	view.Contents = v.Mark(p.rendered().navigation())
	view.Operations = d.siblings()
	view.Links = p.links()
	if p.Served(searchAt) {
		view.Search = searchAt
	}
	if d.operation != nil && (v.Person == nil || v.Person.Account != nil) { // others have nothing to try it in
		view.Try = d.Address + "/try"
	}
	return view
}

// links are those of the bar above all pages of the documentation.
func (p *Section) links() []kit.NavItem {
	all := []kit.NavItem{{Name: "Changelog", Path: changelogAt}}
	if p.Served("/status") {
		all = append(all, kit.NavItem{Name: "Status", Path: "/status"})
	}
	return all
}

// openAPI answers with the OpenAPI document.
func (p *Section) openAPI(v *page.Request) error {
	if p.OpenAPI == nil {
		return page.NotFound
	}
	body := p.OpenAPI()
	name := fmt.Sprintf("/openapi.json %p", body) // another one once it is made anew, with the year
	return v.Send.Document("application/json", name, func() []byte { return body })
}

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

// forPrograms is the section of the first page about the same texts in other forms.
const forPrograms = "OpenAPI and llms.txt"

// topics answers with the first page: a card for each topic.
func (p *Section) topics(v *page.Request) error {
	if prefersMarkdown(v.Request()) {
		return p.doc(v)
	}
	v.Response().Header().Add("Vary", "Accept")
	d := p.rendered().at["/docs"]
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
		if !g.Listed() {
			continue
		}
		t := views.Topic{Title: g.Title, About: g.About}
		for _, b := range g.Pages {
			if b.Listed && b.Address != "/docs" && b.Address != errorsAt {
				t.Pages = append(t.Pages, kit.Link{Name: b.Name, Path: b.Address})
			}
		}
		all = append(all, t)
	}
	last := len(all) - 1
	return append(all[:last:last], views.Topic{
		Title: "Errors",
		About: "Every error code with its cause and how to fix it, by HTTP status.",
		Pages: []kit.Link{{Name: "Error dictionary", Path: errorsAt}},
	}, all[last])
}
