package web

import (
	"net/http"
	"path"
	"strings"

	"portal/static"
	"portal/views"
)

// docGroup is pages of the documentation that stand together.
type docGroup struct {
	title string
	pages []docSource
}

// docSource is a page of the documentation and where its text comes from.
type docSource struct {
	path string // below /docs, "" for the index
	name string // in the navigation
	file string // of docs, "" where the text is made
	from string // heading that the page begins with, "" for the beginning
	to   string // heading before which it ends, "" for the end
}

// library is the documentation but for the reference, in the order of reading.
var library = []docGroup{
	{"Begin", []docSource{
		{path: "", name: "Overview"},
		{path: "quickstart", name: "Quickstart", file: "site/quickstart.md"},
		{path: "authentication", name: "Authentication", file: "site/authentication.md"},
	}},
	{"Use the API", []docSource{
		{path: "records", name: "Records and requests", file: "site/records.md"},
		{path: "pagination", name: "Pagination", file: "site/pagination.md"},
		{path: "errors", name: "Errors"},
		{path: "limits", name: "Limits", file: "site/limits.md"},
		{path: "idempotency", name: "Idempotency", file: "site/idempotency.md"},
		{path: "previews", name: "Previews", file: "site/previews.md"},
	}},
	{"Reference", nil}, // made from the OpenAPI document
	{"Webhooks", []docSource{
		{path: "webhooks", name: "Events and deliveries", file: "webhooks.md", to: "Receive and verify"},
		{path: "webhooks/verify", name: "Receive and verify", file: "webhooks.md", from: "Receive and verify", to: "Listen from your machine"},
		{path: "webhooks/listen", name: "Listen from your machine", file: "webhooks.md", from: "Listen from your machine"},
	}},
	{"Assistants", []docSource{
		{path: "assistants", name: "Tools", file: "assistants.md", to: "The protocol"},
		{path: "assistants/protocol", name: "The protocol", file: "assistants.md", from: "The protocol"},
		{path: "assistants/claude", name: "Claude", file: "clients/claude.md"},
		{path: "assistants/chatgpt", name: "ChatGPT and OpenAI", file: "clients/chatgpt.md"},
		{path: "assistants/cursor", name: "Cursor", file: "clients/cursor.md"},
		{path: "assistants/vscode", name: "Visual Studio Code", file: "clients/vscode.md"},
		{path: "assistants/inspector", name: "MCP inspector", file: "clients/inspector.md"},
		{path: "assistants/curl", name: "curl and programs", file: "clients/curl.md"},
	}},
	{"More", []docSource{
		{path: "compatibility", name: "Compatibility", file: "site/compatibility.md"},
		{path: "changelog", name: "Changelog"},
	}},
}

// docRoutes are the pages of the documentation. Each is at the same address with .md
// behind it as Markdown too.
func (p *Pages) docRoutes() []route {
	all := []route{
		get("/docs/errors", guest, p.errors),
		get("/docs/errors.md", public, p.errorsMarkdown),
		get("/llms.txt", public, p.llms),
		get("/llms-full.txt", public, p.llmsFull),
		get("/openapi.json", public, p.openAPI),
		get("/docs/api", guest, p.doc),
		get("/docs/api.md", guest, p.doc),
		get("/docs/api/:resource", guest, p.doc),
		get("/docs/api/:resource/:operation", guest, p.doc),
		get("/docs/api/:resource/:operation/try", member, p.askTry),
		post("/docs/api/:resource/:operation/try", member, p.try),
		get("/docs/key", owner, p.askDocKey).confirmed(),
		post("/docs/key", owner, p.makeDocKey).confirmed().once(),
		get("/docs/key/forget", owner, p.askForgetKey),
		post("/docs/key/forget", owner, p.forgetDocKey),
	}
	for _, g := range library {
		for _, d := range g.pages {
			if d.path != "errors" {
				all = append(all, get(docPath(d.path), guest, p.doc), get(docPath(d.path)+".md", guest, p.doc))
			}
		}
	}
	return all
}

// doc answers with a page of the documentation, as a page or as Markdown.
func (p *Pages) doc(v *visit) error {
	v.Response().Header().Add("Vary", "Accept")
	at, asText := strings.CutSuffix(v.Request().URL.Path, ".md")
	d, there := p.shelf().at[at]
	switch {
	case !there:
		return noPage
	case asText || prefersMarkdown(v.Request()):
		return v.sendDocument(kindMarkdown, d.address+".md", func() []byte { return []byte(d.text) })
	}
	return p.showDoc(v, d)
}

const kindMarkdown = "text/markdown; charset=utf-8"

// prefersMarkdown tells whether a program asks for Markdown. A browser never does.
func prefersMarkdown(r *http.Request) bool {
	return strings.Contains(r.Header.Get("Accept"), "text/markdown")
}

// showDoc shows a page, with the reader's own key and records in its samples.
func (p *Pages) showDoc(v *visit, d *bound) error {
	page := p.docView(v, d)
	if err := p.personal(v, &page, d); err != nil {
		return err
	}
	return v.show(views.DocPage(page))
}

// docView is the view of a page of the documentation.
func (p *Pages) docView(v *visit, d *bound) views.Doc {
	page := d.page
	page.Frame = v.open(d.page.Title, d.about)
	page.Styles = append(page.Styles, static.URL("docs.css"))
	page.Markdown = d.address + ".md"
	page.Shelf = v.mark(p.shelf().places())
	if d.operation != nil {
		page.Try = triesAt(v, d.address)
	}
	return page
}

// openAPI answers with the OpenAPI document.
func (p *Pages) openAPI(v *visit) error {
	if p.OpenAPI == nil {
		return noPage
	}
	return v.sendDocument("application/json", "/openapi.json", p.OpenAPI)
}

// docPath is the address of a page.
func docPath(of string) string { return path.Join("/docs", of) }

// triesAt is where the reader tries an operation, "" for who has no portfolio to try it in.
func triesAt(v *visit, address string) string {
	if v.person != nil && v.person.Account == nil {
		return ""
	}
	return address + "/try"
}
