package docs_test

import (
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unicode"

	"golang.org/x/net/html"

	"portal/api/middleware"
	api "portal/api/rest"
	"portal/static"
	"portal/web/pagetest"
)

// docPages are drawn once: that takes longer than most of what is asked of them.
var docPages struct {
	sync.Once
	*pagetest.Site
}

// newDocPages has the whole documentation, for guests: tests share it.
func newDocPages(t *testing.T) *pagetest.Site {
	t.Helper()
	docPages.Do(func() {
		docPages.Site = pagetest.New(t, pagetest.Config{
			BaseURL: pagetest.BaseURL,
			Now:     time.Now,
			OpenAPI: pagetest.Document(pagetest.BaseURL),
		})
	})
	own := *docPages.Site
	own.T = t
	return &own
}

func TestEveryDocPageIsServedAsHTMLAndMarkdown(t *testing.T) {
	t.Parallel()
	h := newDocPages(t)
	for _, at := range h.Addresses() {
		page, md := h.Guest().Get(at), h.Guest().Get(at+".md")
		title, _, _ := strings.Cut(strings.TrimPrefix(md.Body.String(), "# "), "\n")
		doc := pagetest.Parse(t, page.Body.String())
		if page.Code != http.StatusOK || md.Code != http.StatusOK || !strings.Contains(pagetest.Text(doc), title) {
			t.Errorf("%s: %d and %d, title %q", at, page.Code, md.Code, title)
		}
		if kind := md.Header().Get("Content-Type"); kind != "text/markdown; charset=utf-8" {
			t.Errorf("%s.md is %s", at, kind)
		}
		if strings.Contains(md.Body.String(), "{{") && !strings.Contains(at, "verify") ||
			strings.Contains(md.Body.String(), "%!") {
			t.Errorf("%s: something is not filled in", at)
		}
		if page.Header().Get("ETag") == "" || md.Header().Get("ETag") == "" {
			t.Errorf("%s has no ETag", at)
		}
		asked := h.Guest().Send(
			http.MethodGet,
			at,
			nil,
			func(r *http.Request) { r.Header.Set("Accept", "text/markdown, text/html;q=0.5") },
		)
		if asked.Body.String() != md.Body.String() {
			t.Errorf("%s: asked for Markdown, answered %s", at, asked.Header().Get("Content-Type"))
		}
	}
}

func TestDocLinksAreNotBroken(t *testing.T) {
	t.Parallel()
	h := newDocPages(t)
	pages := map[string]*html.Node{}
	page := func(path string) *html.Node {
		if pages[path] == nil {
			rec := h.Guest().Get(path)
			if rec.Code != http.StatusOK && rec.Code != http.StatusSeeOther {
				return nil
			}
			pages[path] = pagetest.Parse(t, rec.Body.String())
		}
		return pages[path]
	}
	for _, from := range append(h.Addresses(), "/", "/docs/errors") {
		for _, to := range pagetest.Hrefs(page(from)) {
			u, err := url.Parse(strings.TrimPrefix(to, pagetest.BaseURL))
			if err != nil {
				t.Errorf("%s: %v", from, err)
				continue
			}
			if u.Host != "" || u.Path == "/sign-up" || u.Path == "/access" || u.Path == "/settings" ||
				u.Path == "/api/v1/external/openapi.json" {
				continue
			}
			if u.Path == "" {
				u.Path = from
			}
			doc := page(u.Path)
			if doc == nil {
				t.Errorf("%s leads to %s, where nothing is", from, to)
				continue
			}
			if u.Fragment != "" && pagetest.ByID(doc, u.Fragment) == nil {
				t.Errorf("%s leads to %s, which has no such part", from, to)
			}
		}
	}
	for _, at := range h.Addresses() {
		if strings.Contains(h.Guest().Get(at+".md").Body.String(), ".md)") {
			t.Errorf("%s.md has a link of the repository", at)
		}
	}
}

func TestDocPageIDsAreUniqueAndStartWithLetter(t *testing.T) {
	t.Parallel()
	h := newDocPages(t)
	for _, at := range h.Addresses() {
		seen := map[string]bool{}
		for n := range pagetest.Parse(t, h.Guest().Get(at).Body.String()).Descendants() {
			if id := pagetest.Attr(n, "id"); id != "" {
				if seen[id] {
					t.Errorf("%s has %s twice", at, id)
				}
				if !unicode.IsLetter(rune(id[0])) {
					t.Errorf("%s has %s, which begins with no letter", at, id)
				}
				seen[id] = true
			}
		}
	}
}

func TestDocTablesHaveUniqueNames(t *testing.T) {
	t.Parallel()
	h := newDocPages(t)
	for _, at := range h.Addresses() {
		seen := map[string]bool{}
		for n := range pagetest.Parse(t, h.Guest().Get(at).Body.String()).Descendants() {
			if n.Data == "th" && pagetest.Text(n) == "" {
				t.Errorf("%s has a column without a name", at)
			}
			if pagetest.Attr(n, "class") != "scroll" || pagetest.Attr(n, "role") == "" {
				continue
			}
			if name := pagetest.Attr(n, "aria-label"); name == "" || name == "Table" || seen[name] {
				t.Errorf("%s has a table named %q", at, name)
			} else {
				seen[name] = true
			}
		}
	}
	rules := h.Guest().Get("/docs/lease-rules/tx").Body.String()
	if !strings.Contains(rules, `role="group" aria-label="Disclosures"><table>`) {
		t.Error("the table of disclosures is not named by its heading")
	}
}

func TestEveryOperationPageCoversItsSpec(t *testing.T) {
	t.Parallel()
	h := newDocPages(t)
	surface := api.New(api.Config{
		Middleware: middleware.New(middleware.Config{BaseURL: pagetest.BaseURL, Now: time.Now}),
	})
	for _, op := range surface.Operations() {
		md := h.Guest().Get("/docs/api/" + strings.ToLower(op.Tag) + "/" + op.Name + ".md").Body.String()
		want := []string{"# " + op.Summary, op.Method + " " + api.Base + op.Path, "`" + string(op.Scope) + "`"}
		for _, p := range op.Parameters() {
			want = append(want, "**`"+p.Name+"`**", p.Doc)
		}
		for _, tag := range []string{"sh", "js", "python", "go", "ruby", "php"} {
			want = append(want, "```"+tag+"\n")
		}
		plain := strings.NewReplacer("`", "", `\`, "")
		for _, w := range want {
			if !strings.Contains(plain.Replace(md), plain.Replace(w)) {
				t.Errorf("%s does not say %q", op.Name, w)
			}
		}
	}
}

func TestOperationPageShowsResponseSamples(t *testing.T) {
	t.Parallel()
	h := newDocPages(t)
	at := "/docs/api/leases/update_lease"
	doc := pagetest.Parse(t, h.Guest().Get(at).Body.String())
	for _, status := range []string{"200", "400", "409"} {
		if pagetest.ByID(doc, "response-sample-"+status) == nil {
			t.Errorf("%s has no sample of %s", at, status)
		}
	}
	at = "/docs/api/leases/generate_lease"
	page := h.Guest().Get(at).Body.String()
	if !strings.Contains(page, "<code>GET /lease_rules/{state}</code>") {
		t.Errorf("%s shows backticks", at)
	}
	if strings.Contains(page, "Uses your test key") {
		t.Errorf("%s tells a guest of a test key", at)
	}
	if n := strings.Count(page, `<i>"jurisdiction"</i>`); n != 1 {
		t.Errorf("%s shows the record that the write and its preview answer %d times", at, n)
	}
	for at, usual := range map[string]string{at: "14", "/docs/api/testing/create_test_payment": "succeeded"} {
		words := "<span>Default: <code>" + usual + "</code></span>"
		if !strings.Contains(h.Guest().Get(at).Body.String(), words) {
			t.Errorf("%s does not show %s beside its field", at, words)
		}
	}
}

func TestOperationPageShowsBodyOfEveryError(t *testing.T) {
	t.Parallel()
	h := newDocPages(t)
	for _, at := range h.Addresses() {
		if strings.Count(at, "/") != 4 || !strings.HasPrefix(at, "/docs/api/") {
			continue
		}
		page, lacking := h.Guest().Get(at).Body.String(), 0
		doc := pagetest.Parse(t, page)
		text := pagetest.Text(doc)
		for _, to := range pagetest.Hrefs(doc) {
			code, is := strings.CutPrefix(to, "/docs/errors#")
			if is && !strings.Contains(text, `"code": "`+code+`"`) {
				lacking++
			}
		}
		if lacking > 0 || len(page) > 60_000 {
			t.Errorf("%s has no body of %d errors, with %d bytes", at, lacking, len(page))
		}
	}
}

// The document is made anew when the year changes, which bounds years of construction.
func TestRegeneratedOpenAPIDocumentIsServed(t *testing.T) {
	t.Parallel()
	var year atomic.Int64
	year.Store(2026)
	now := func() time.Time { return time.Date(int(year.Load()), time.December, 31, 12, 0, 0, 0, time.UTC) }
	made := api.New(api.Config{Middleware: middleware.New(middleware.Config{BaseURL: pagetest.BaseURL, Now: now})})
	h := pagetest.New(t, pagetest.Config{BaseURL: pagetest.BaseURL, Now: now, OpenAPI: made.Document})
	before := h.Guest().Get("/openapi.json")
	year.Add(1)
	after := h.Guest().Get("/openapi.json")
	if after.Body.String() != string(made.Document()) || after.Header().Get("ETag") == before.Header().Get("ETag") {
		t.Errorf("the document of %d is served in %d", year.Load()-1, year.Load())
	}
}

func TestOpenAPIDocumentIsServedUnchanged(t *testing.T) {
	t.Parallel()
	rec := newDocPages(t).Guest().Get("/openapi.json")
	if rec.Body.String() != string(pagetest.Document(pagetest.BaseURL)()) ||
		rec.Header().Get("Content-Type") != "application/json" {
		t.Errorf("%d bytes of %s", rec.Body.Len(), rec.Header().Get("Content-Type"))
	}
}

func TestFullTextHasEveryPage(t *testing.T) {
	t.Parallel()
	h := newDocPages(t)
	full := h.Guest().Get("/llms-full.txt").Body.String()
	for _, at := range h.Addresses() {
		if md := h.Guest().Get(at + ".md").Body.String(); !strings.Contains(full, strings.TrimSpace(md)) {
			t.Errorf("%s is missing", at)
		}
	}
}

func TestReferenceIsNotFoundWithoutOpenAPIDocument(t *testing.T) {
	t.Parallel()
	for _, at := range []string{
		"/docs/api", "/docs/api/leases", "/openapi.json", "/docs/nothing", "/docs/a/b",
		"/docs/quickstart.html",
	} {
		if rec := pagetest.Ask(http.MethodGet, at); rec.Code != http.StatusNotFound {
			t.Errorf("%s: %d", at, rec.Code)
		}
	}
}

func TestDocPagesAreAccessible(t *testing.T) {
	t.Parallel()
	b := pagetest.Browser(t)
	at := pagetest.Start(t, pagetest.Config{Now: time.Now, OpenAPI: pagetest.Document(pagetest.BaseURL)})
	b.Looks(t, at,
		"/docs", "/docs/quickstart", "/docs/limits", "/docs/webhooks/verify",
		"/docs/webhooks/listen", "/docs/assistants", "/docs/changelog", "/docs/api/leases",
		"/docs/api/maintenance/create_maintenance_ticket",
	)
}

func TestDocPagesStayUnderSizeLimit(t *testing.T) {
	t.Parallel()
	h := newDocPages(t)
	style := 0
	for _, name := range []string{"style.css", "docs.css", "map.css"} {
		style += h.Guest().Get(static.URL(name)).Body.Len()
	}
	if script := h.Guest().Get(static.URL("page.js")).Body.Len(); style > 40_000 || script > 15_000 {
		t.Errorf("a page loads %d bytes of style and %d of script", style, script)
	}
	const with = 2 << 10 // what a reader who is signed in sees besides
	for _, at := range h.Addresses() {
		if n := h.Guest().Get(at).Body.Len() + with; n > 60_000 {
			t.Errorf("%s weighs %d bytes", at, n)
		}
	}
}
