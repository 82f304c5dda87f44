package main

import (
	"cmp"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/labstack/echo/v4"

	"portal/api/middleware"
	"portal/api/rest"
)

// sight is a page of a kind, as somebody sees it.
type sight struct {
	name   string // of the kind, and of pictures of it
	path   string
	who    *plainBrowser
	status int
}

// everyPage finds a page of every kind, in a service in which there is something of everything
// that has a page.
type everyPage struct {
	testing.TB
	product *product
	handler http.Handler
	log     *words
	dana    *plainBrowser // the demo's landlord
	sue     *plainBrowser // the demo's reviewer
	robin   *plainBrowser // a new landlord, who has a second factor and a passkey
	routes  *echo.Echo    // answers nothing: it tells which route has an address
	kinds   map[string]bool
	all     []sight
}

// noPages are routes that are no pages, each with what it answers.
var noPages = map[string]string{
	"/static/*":                           "files",
	"/favicon.ico":                        "a picture",
	"/robots.txt":                         "text",
	"/sitemap.xml":                        "XML",
	"/.well-known/security.txt":           "text",
	"/llms.txt":                           "text",
	"/llms-full.txt":                      "text",
	"/openapi.json":                       "JSON",
	"/docs/lease-rules/:state/sample.pdf": "a PDF",
	"/photos/:token":                      "a photo",
	"/settings/export":                    "JSON",
	"/docs/*":                             "what is not there, of the documentation",
	"/status.json":                        "JSON",
	"/docs/search.json":                   "JSON",
	"/test/palette":                       "a part of a page",
	"/test/units":                         "the properties, by another address",
	"/test/tickets/:id/comments":          "the ticket, for who comes back to a form of it",
	"/test/tickets/:id/visit":             "the ticket, for who comes back to a form of it",
	"/documents/:token":                   "a PDF",
	"/sign/:token/lease.pdf":              "a PDF",
	"/test/settings/payments/returned":    "the settings, for who comes back from the processor",
	"/tenant/:token/autopay/:id":          "autopay, for who comes back from the processor",
}

// isPage reports whether a route is a page.
func isPage(route string) bool {
	for _, end := range []string{
		".md", ".csv", ".xlsx", ".pdf", "/stream", "/photos/:photo", "/thumbnail", "/scan", "/:attachment",
	} {
		if strings.HasSuffix(route, end) {
			return false
		}
	}
	return noPages[both(route)] == ""
}

// everySight is a page of every kind. The pages of each who asks are those that links lead to.
func everySight(t testing.TB) *everyPage {
	t.Helper()
	s, demo, log := inProcessServer(t)
	e := &everyPage{
		TB:      t,
		product: s.product,
		handler: s.http.Handler,
		log:     log,
		routes:  routesOf(s),
		kinds:   map[string]bool{},
	}
	e.dana = newPlainBrowser(t, e.handler, demoLandlord, demo.Password)
	e.sue = newPlainBrowser(t, e.handler, demoStaff, demo.Password)
	guest := e.guest()
	e.prepares(e.dana, demo.TestKey)
	e.applies()
	e.lives(demo.TestKey)
	e.signs(demo.TestKey)
	e.arrives()
	e.begins()
	for _, path := range []string{
		"/design", "/design/page", "/design/form", "/design/ask", "/verify", "/docs/search?q=rent",
	} {
		e.add(nameOf(e.kind(path)), guest, path)
	}
	e.crawl(guest, "/")
	newPlainBrowser(t, e.handler, demoLandlord, demo.Password) // the session of another device
	e.add("docs-key", e.dana, "/docs/key")
	e.add("docs-key-forget", e.dana, "/docs/key/forget")
	e.add("overview-test", e.dana, "/test/overview")
	e.add("overview-live", e.dana, "/live/overview")
	e.crawl(e.dana, "/overview")
	e.add("logs-open", e.dana, regexp.MustCompile(`/test/logs\?request=req_\w+`).FindString(e.dana.get("/test/logs")))
	job := e.one("SELECT CAST(id AS TEXT) FROM river_job ORDER BY id")
	e.add("staff-jobs-id-retry", e.sue, "/staff/jobs/"+job+"/retry")
	e.crawl(e.sue, "/staff/requests?status=all", "/staff/accounts?email=landlord", "/staff/properties?status=all")
	e.crawl(e.robin, "/settings/security")
	e.refused("not-found", guest, "/nowhere", http.StatusNotFound)
	e.refused("docs-not-found", guest, "/docs/nowhere", http.StatusNotFound)
	e.refused("record-not-found", e.dana, "/test/leases/lea_01KA5R2M7Q8D4E6F9G1H3J5K7M", http.StatusNotFound)
	e.refused("link-not-found", guest, "/tenant/x", http.StatusNotFound)
	e.refused("forbidden", e.stale("kim@example.com"), "/team/invite", http.StatusForbidden)
	e.add("confirm", e.stale("kim@example.com"), "/confirm?next=/keys")
	return e
}

func (e *everyPage) guest() *plainBrowser {
	return &plainBrowser{e.TB, e.handler, map[string]*http.Cookie{}}
}

// routesOf is the table of the pages of a server.
func routesOf(s *server) *echo.Echo {
	api := rest.New(rest.Config{Middleware: middleware.New(middleware.Config{Now: time.Now})})
	e := echo.New()
	s.pages(api, http.NotFoundHandler(), nil, nil).Mount(e)
	return e
}

// kind is the route of a path, for both modes the same.
func (e *everyPage) kind(path string) string {
	at, _, _ := strings.Cut(path, "?")
	c := e.routes.NewContext(nil, nil)
	e.routes.Router().Find(http.MethodGet, at, c)
	return both(c.Path())
}

// both is the route of both modes.
func both(route string) string { return strings.Replace(route, "/live/", "/test/", 1) }

// crawl adds of each kind that was not there by its own name the largest page that links lead to from a path, and
// those without a filter first.
func (e *everyPage) crawl(who *plainBrowser, from ...string) {
	e.Helper()
	size := map[string]int{}
	for _, path := range from {
		who.crawls(path, func(path, page string) { size[path] = len(page) })
	}
	best := map[string]string{}
	for path, n := range size {
		kind := e.kind(path)
		rank := func(path string, n int) int {
			if strings.Contains(path, "?") {
				n -= 1 << 30
			}
			return n
		}
		if old, found := best[kind]; !found || rank(path, n) > rank(old, size[old]) ||
			rank(path, n) == rank(old, size[old]) && path < old {
			best[kind] = path
		}
	}
	for _, kind := range slices.Sorted(maps.Keys(best)) {
		if !slices.ContainsFunc(e.all, func(s sight) bool { return s.name == nameOf(kind) }) && isPage(kind) {
			e.add(nameOf(kind), who, best[kind])
		}
	}
}

// add adds a page that is there.
func (e *everyPage) add(name string, who *plainBrowser, path string) {
	e.kinds[e.kind(path)] = true
	e.refused(name, who, path, http.StatusOK)
}

// refused adds a page that is answered with a status.
func (e *everyPage) refused(name string, who *plainBrowser, path string, status int) {
	e.all = append(e.all, sight{name, path, who, status})
}

// nameOf is the name of a kind.
func nameOf(route string) string {
	name := strings.TrimPrefix(strings.TrimPrefix(route, "/test"), "/")
	return cmp.Or(strings.Trim(regexp.MustCompile(`[^A-Za-z0-9]+`).ReplaceAllString(name, "-"), "-"), "home")
}

// TestEveryPageType makes a page of every kind once, and holds them to all that pages promise. Not parallel: a
// browser leaves those little of the machine that are about time. The last two change every record.
func TestEveryPageType(t *testing.T) {
	e := everySight(t)
	t.Run("routes", e.haveAllRoutes)
	t.Run("HTML", e.areValidHTML)
	t.Run("everybody", e.canBeUsedByEverybody)
	t.Run("pictures", e.haveTheirPictures)
	t.Run("longest names", e.fitTheLongestNames)
	t.Run("stored secrets", e.storeNoSecret)
}

// haveAllRoutes holds every route of a page to be among the kinds.
func (e *everyPage) haveAllRoutes(t *testing.T) {
	for _, r := range e.routes.Routes() {
		if r.Method == http.MethodGet && isPage(r.Path) && !e.kinds[both(r.Path)] {
			t.Errorf("no page of the route %s was found", r.Path)
		}
	}
	names := map[string]bool{}
	for _, s := range e.all {
		if names[s.name] {
			t.Errorf("two pages are called %s", s.name)
		}
		names[s.name] = true
		if w := s.who.ask(http.MethodGet, s.path, nil); w.Code != s.status ||
			!strings.HasPrefix(w.Header().Get("Content-Type"), "text/html") {
			t.Errorf("%s: %s is answered with %d and %s", s.name, s.path, w.Code, w.Header().Get("Content-Type"))
		}
	}
}
