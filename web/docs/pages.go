package docs

import (
	"fmt"
	"net/http"
	"path"
	"strings"

	"portal/static"
	views "portal/views/docs"
	"portal/views/kit"
	"portal/web/page"
)

// docGroup is pages of the documentation that stand together.
type docGroup struct {
	title string
	about string // what its pages are for
	pages []docSource
}

// docSource is a page of the documentation and where its text comes from.
type docSource struct {
	path string // below /docs, "" for the index
	name string // in the navigation
	// about is a sentence that says what the page is for, "" where the page begins with one.
	about string
	file  string // of docs, "" where the text is made
	from  string // heading that the page begins with, "" for the beginning
	to    string // heading before which it ends, "" for the end

	steps int // how many sections, from the first, are steps
}

// library is the documentation but for the reference, in the order of reading.
var library = []docGroup{
	{"Get started", "Make a first request with a test key, then send the same requests with a live one.", []docSource{
		{path: "", name: "Overview"},
		{path: "quickstart", name: "Quickstart", file: "site/quickstart.md", steps: 4},
		{path: "authentication", name: "Authentication", file: "site/authentication.md"},
	}},
	{
		"Core concepts",
		"What applies to every request: records, lists, errors, limits, and retries.",
		[]docSource{
			{path: "records", name: "Records and requests", file: "site/records.md"},
			{path: "pagination", name: "Pagination", file: "site/pagination.md"},
			{path: "errors", name: "Errors"},
			{path: "limits", name: "Limits", file: "site/limits.md"},
			{path: "idempotency", name: "Idempotency", file: "site/idempotency.md"},
			{path: "previews", name: "Previews", file: "site/previews.md"},
			{path: "test-clock", name: "Test clock", file: "site/test-clock.md"},
		},
	},
	{
		"Webhooks",
		"Signed requests to your server when a lease is signed, rent is paid, or a repair is reported.",
		[]docSource{
			{
				path: "webhooks",
				name: "Events and deliveries",
				file: "webhooks.md",
				to:   "Receive and verify",
			},
			{
				path:  "events",
				name:  "Event catalog",
				about: "Every type of event: when it is sent, its fields, a payload, and how to trigger it.",
			},
			{
				path: "webhooks/verify",
				name: "Receive and verify",
				file: "webhooks.md",
				from: "Receive and verify",
				to:   "Listen from your machine",
			},
			{
				path: "webhooks/listen",
				name: "Listen from your machine",
				file: "webhooks.md",
				from: "Listen from your machine",
			},
		},
	},
	{"AI assistants", "Connect Claude, ChatGPT, or your own agent to a portfolio over MCP.", []docSource{
		{
			path: "assistants",
			name: "Tools",
			file: "assistants.md",
			to:   "The protocol",
		},
		{
			path: "assistants/protocol",
			name: "The protocol",
			file: "assistants.md",
			from: "The protocol",
		},
		{
			path:  "assistants/claude",
			name:  "Claude",
			about: "Connect Claude Code, Claude Desktop, and the Claude API.",
			file:  "clients/claude.md",
		},
		{
			path:  "assistants/chatgpt",
			name:  "ChatGPT and OpenAI",
			about: "Connect the ChatGPT desktop app, Codex, and the Responses API.",
			file:  "clients/chatgpt.md",
		},
		{
			path:  "assistants/cursor",
			name:  "Cursor",
			about: "Connect Cursor, in one project or in all projects.",
			file:  "clients/cursor.md",
		},
		{
			path:  "assistants/vscode",
			name:  "Visual Studio Code",
			about: "Connect Visual Studio Code, in one workspace or in all workspaces.",
			file:  "clients/vscode.md",
		},
		{path: "assistants/inspector", name: "MCP inspector", file: "clients/inspector.md"},
		{path: "assistants/curl", name: "curl and programs", file: "clients/curl.md"},
	}},
	// Its pages are made from the OpenAPI document.
	{
		"API reference",
		"Every operation with its parameters, its errors, and samples in six languages.",
		nil,
	},
	{"Lease rules", "The lease law of each state, and what tenants and signers see.", []docSource{
		{path: "lease-rules", name: "Lease rules by state"},
		{path: "verify", name: "Check a signed lease", file: "site/verify.md"},
		{path: "tenant-page", name: "The tenant page", file: "site/tenant-page.md"},
	}},
	{"More", "What stays stable, what changed in each version, and how to report a vulnerability.", []docSource{
		{path: "compatibility", name: "Compatibility", file: "site/compatibility.md"},
		{path: "changelog", name: "Changelog", about: "What each version added, changed, and fixed."},
		{path: "security", name: "Security", about: "How to report a vulnerability, and what happens then."},
	}},
}

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
	for _, g := range library {
		for _, d := range g.pages {
			if d.path == "errors" || d.path == "lease-rules" {
				continue
			}
			show := p.doc
			if d.path == "" {
				show = p.topics
			}
			all = append(
				all,
				page.Get(docPath(d.path), page.Guest, show),
				page.Get(docPath(d.path)+".md", page.Guest, p.doc),
			)
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
		return v.Send.Document(kindMarkdown, d.address+".md", func() []byte { return []byte(d.text) })
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
	view.Frame = v.Open(d.page.Title, d.about)
	view.Styles = append(view.Styles, static.URL("docs.css"))
	if view.Operation != nil || view.Steps > 0 || d.address == catalogAt {
		view.Styles = append(view.Styles, static.URL("samples.css"))
	}
	if len(view.Facts) > 0 {
		view.Styles = append(view.Styles, static.URL("map.css"))
	}
	view.Markdown = d.address + ".md"
	view.Contents = v.Mark(p.rendered().navigation())
	view.Operations = d.siblings()
	view.Links = p.links()
	if p.Served(searchAt) {
		view.Search = searchAt
	}
	if d.operation != nil && (v.Person == nil || v.Person.Account != nil) { // others have nothing to try it in
		view.Try = d.address + "/try"
	}
	return view
}

// links are those of the bar above all pages of the documentation.
func (p *Section) links() []kit.NavItem {
	all := []kit.NavItem{{Name: "Changelog", Path: docPath("changelog")}}
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

// docPath is the address of a page.
func docPath(of string) string { return path.Join("/docs", of) }

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
