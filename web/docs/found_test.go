package docs_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"portal/api/event"
	"portal/api/fault"
	"portal/api/portfolio/lease/law"
	"portal/web/pagetest"
)

// find is what a search of the documentation answers programs.
type find struct{ Title, Page, Kind, Path, Snippet string }

func finds(t *testing.T, h *pagetest.Site, query string) []find {
	t.Helper()
	rec := h.Guest().Get("/docs/search.json?q=" + url.QueryEscape(query))
	var body struct{ Results []find }
	if err := json.Unmarshal(rec.Body.Bytes(), &body); err != nil || rec.Code != http.StatusOK || body.Results == nil {
		t.Fatalf("%q: %d, %v", query, rec.Code, err)
	}
	return body.Results
}

// asked are queries of people and what each should find first.
var asked = map[string]string{
	"idempotency":                   "/docs/idempotency",
	"idempotncy":                    "/docs/idempotency",
	"Idempotency-Key":               "/docs/idempotency",
	"webhok signature":              "/docs/webhooks/verify",
	"verify webhook":                "/docs/webhooks/verify",
	"429":                           "/docs/limits",
	"rate limit":                    "/docs/limits#rate-limits",
	"rate_limited":                  "/docs/errors#rate_limited",
	"invalid_field":                 "/docs/errors#invalid_field",
	"idempotency_key_reused":        "/docs/errors#idempotency_key_reused",
	"create ticket":                 "/docs/api/maintenance/create_maintenance_ticket",
	"create_maintenance_ticket":     "/docs/api/maintenance/create_maintenance_ticket",
	"list properties":               "/docs/api/properties/list_properties",
	"create a lease":                "/docs/api/leases/generate_lease",
	"rotate secret":                 "/docs/api/webhooks/rotate_webhook_secret",
	"late fee texas":                "/docs/lease-rules/tx#late-fee",
	"security deposit california":   "/docs/lease-rules/ca#deposit",
	"lease rules":                   "/docs/lease-rules",
	"entry notice":                  "/docs/lease-rules",
	"pagination":                    "/docs/pagination",
	"paginate":                      "/docs/pagination",
	"dry run":                       "/docs/previews",
	"quickstart":                    "/docs/quickstart",
	"authenticaton":                 "/docs/authentication",
	"unauthorized":                  "/docs/authentication",
	"how do I listen on my machine": "/docs/webhooks/listen",
	"localhost":                     "/docs/webhooks/listen",
	"claude":                        "/docs/assistants/claude",
	"versioning":                    "/docs/compatibility",
	"tenant page":                   "/docs/tenant-page",
	"changelog":                     "/docs/changelog",
	"payments":                      "/docs/api/payments",
	"openapi":                       "/docs/api",
}

func TestCommonSearchesRankExpectedPageFirst(t *testing.T) {
	t.Parallel()
	h := newDocPages(t)
	for query, want := range asked {
		if found := finds(t, h, query); len(found) == 0 || found[0].Path != want {
			t.Errorf("%q finds %+v, want %s", query, found, want)
		}
	}
}

func TestEveryDocEntryIsSearchableAndResolves(t *testing.T) {
	t.Parallel()
	h := newDocPages(t)
	pages := map[string]*html.Node{}
	check := func(query string, want string) {
		found := finds(t, h, query)
		there := false
		for _, f := range found {
			there = there || f.Path == want || f.Title == want
			path, fragment, _ := strings.Cut(f.Path, "#")
			if pages[path] == nil {
				pages[path] = pagetest.Parse(t, h.Guest().Get(path).Body.String())
			}
			if fragment != "" && pagetest.ByID(pages[path], fragment) == nil {
				t.Errorf("%q leads to %s, which is not there", query, f.Path)
			}
		}
		if !there || len(found) > 8 {
			t.Errorf("%q finds %+v, not %s", query, found, want)
		}
	}
	for _, code := range fault.Code("").Values() {
		check(code, "/docs/errors#"+code)
	}
	for _, kind := range event.Types() {
		check(kind, kind)
	}
	for _, r := range law.All() {
		check("lease rules of "+r.Name, "/docs/lease-rules/"+strings.ToLower(string(r.State)))
	}
	for _, at := range h.Addresses() {
		if at == "/docs" || at == "/docs/errors" {
			continue
		}
		title, _, _ := strings.Cut(h.Guest().Get(at+".md").Body.String(), "\n")
		check(strings.TrimPrefix(title, "# "), strings.TrimPrefix(title, "# "))
	}
}

func TestSearchPageWorksWithoutScripts(t *testing.T) {
	t.Parallel()
	h := newDocPages(t)
	shown := func(query string) string {
		return pagetest.Text(pagetest.Parse(t, h.Guest().Get("/docs/search?q="+url.QueryEscape(query)).Body.String()))
	}
	if said := shown(
		"idempotency",
	); !strings.Contains(said, "for “idempotency”") ||
		!strings.Contains(said, "The header") {
		t.Error(said)
	}
	if said := strings.Join(strings.Fields(shown("qzxv")), " "); !strings.Contains(said, "No results for “qzxv”") ||
		!strings.Contains(said, "Check the spelling, or browse the reference.") {
		t.Error(said)
	}
	if said := shown(" "); strings.Contains(said, "No results") || !strings.Contains(said, "Search the guides") {
		t.Error(said)
	}
	page := h.Guest().Get("/docs/search?q=" + url.QueryEscape(`"><script>alert(1)</script> lease`)).Body.String()
	if strings.Contains(page, "<script>alert") || !strings.Contains(page, "noindex") {
		t.Error("what is looked for is HTML, or search engines may keep the page")
	}
	if marks := h.Guest().Get("/docs/search?q=webhok").Body.String(); !strings.Contains(marks, "<mark>webhook</mark>") {
		t.Error("the words that were found are not marked")
	}
}

func TestJSONSearchIsCompressed(t *testing.T) {
	t.Parallel()
	rec := newDocPages(t).Guest().Send(http.MethodGet, "/docs/search.json?q=lease", nil,
		func(r *http.Request) { r.Header.Set("Accept-Encoding", "gzip") })
	h := rec.Header()
	if h.Get("Content-Encoding") != "gzip" || h.Get("Content-Type") != "application/json" ||
		h.Get("Cache-Control") != "public, max-age=60" || len(h.Values("Set-Cookie")) > 0 {
		t.Errorf("%v", h)
	}
}

// hostile are queries that somebody sends to make the search slow.
var hostile = map[string]string{
	"10 KB":      strings.Repeat("idempotncy", 1000),
	"words":      strings.Repeat("leese propurty ", 500),
	"typos":      "leasse propertty maintenence webhokk signatture idempotncy paginaton authenticaton assistents ",
	"letters":    "a b c d e f g h i j k l m n o p q r s t u v w x y z",
	"controls":   strings.Repeat("\x01\x02\x7f", 500),
	"emoji":      strings.Repeat("🏠🔑", 500),
	"combining":  "a" + strings.Repeat("\u0301", 2000),
	"no UTF-8":   strings.Repeat("\xff\xfe", 1000),
	"one letter": "s",
	"usual":      "late fee texas",
}

// slowest is what a search may take.
const slowest = 30 * time.Millisecond

// BenchmarkSearchOfTheDocumentation searches over HTTP. It fails where a query is too slow.
func BenchmarkSearchOfTheDocumentation(b *testing.B) {
	server := httptest.NewServer(pagetest.Serve(pagetest.Config{
		BaseURL: pagetest.BaseURL,
		Now:     time.Now,
		OpenAPI: pagetest.Document(pagetest.BaseURL),
	}))
	b.Cleanup(server.Close)
	ask := func(path, query string) {
		req, err := http.NewRequestWithContext(
			b.Context(),
			http.MethodGet,
			server.URL+path+"?q="+url.QueryEscape(query),
			nil,
		)
		if err != nil {
			b.Fatal(err)
		}
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			b.Fatal(err)
		}
		defer res.Body.Close()
		if _, err = io.Copy(io.Discard, res.Body); err != nil || res.StatusCode != http.StatusOK {
			b.Fatalf("%s: %d, %v", path, res.StatusCode, err)
		}
	}
	ask("/docs/search", "lease") // makes the index
	for name, query := range hostile {
		for _, path := range []string{"/docs/search", "/docs/search.json"} {
			b.Run(name+path, func(b *testing.B) {
				least := time.Hour
				for b.Loop() {
					began := time.Now()
					ask(path, query)
					least = min(least, time.Since(began))
				}
				if least > slowest {
					b.Errorf("%s takes %s", name, least)
				}
			})
		}
	}
}

func TestPaletteFindsDocPages(t *testing.T) {
	t.Parallel()
	owner := newStudy(t).Approved("dana@example.com")
	docs := func(query string) (all []string) {
		list := pagetest.Parse(t, owner.Get("/test/palette?q="+url.QueryEscape(query)).Body.String())
		for n := range list.Descendants() {
			if pagetest.Attr(n, "aria-label") == "Docs" {
				all = append(all, pagetest.Hrefs(n)...)
			}
		}
		return all
	}
	for query, want := range map[string]string{
		"idempotency":   "/docs/idempotency",
		"create ticket": "/docs/api/maintenance/create_maintenance_ticket",
		"rate_limited":  "/docs/errors#rate_limited",
	} {
		if found := docs(query); len(found) == 0 || found[0] != want {
			t.Errorf("%q finds %v, want %s first", query, found, want)
		}
	}
	all, pages := docs("lease"), map[string]bool{}
	for _, path := range all {
		at, _, _ := strings.Cut(path, "#")
		pages[at] = true
	}
	if len(all) != 5 || len(pages) != 5 {
		t.Errorf("a word of many pages finds %v, want five pages", all)
	}
	if found := docs("zzzzzzzz"); len(found) > 0 {
		t.Errorf("what nothing has finds %v", found)
	}
	owner.Says(owner.Get("/test/palette?q=list+tickets"), http.StatusOK, "GET /maintenance")
}
