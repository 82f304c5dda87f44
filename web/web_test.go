package web_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/labstack/echo/v4"
	"golang.org/x/net/html"

	"portal/static"
	"portal/web"
)

const base = "http://portal.test"

// What is served, one address of each kind.
var (
	pages = []string{"/", "/docs/errors", "/nowhere"}
	rest  = []string{"/docs/errors.md", static.URL("style.css"), static.URL("page.js"), static.URL("icon.svg")}
)

// site is the pages on an Echo of their own, wired as the service wires them.
func site(c web.Config) *echo.Echo { return wired(web.New(c)) }

func wired(p *web.Pages) *echo.Echo {
	e := echo.New()
	p.Mount(e)
	e.HTTPErrorHandler = func(err error, c echo.Context) {
		if err := p.Fail(c, err); err != nil {
			e.DefaultHTTPErrorHandler(err, c)
		}
	}
	return e
}

func ask(method, path string) *httptest.ResponseRecorder {
	rec := httptest.NewRecorder()
	site(web.Config{BaseURL: base, Now: time.Now}).ServeHTTP(rec, httptest.NewRequest(method, path, nil))
	return rec
}

// read answers with the document at a path, which has to be there.
func read(t *testing.T, path string) string {
	t.Helper()
	rec := ask(http.MethodGet, path)
	if rec.Code != http.StatusOK {
		t.Fatalf("GET %s: %d", path, rec.Code)
	}
	return rec.Body.String()
}

func parse(t *testing.T, page string) *html.Node {
	t.Helper()
	doc, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

func attr(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

// byID finds an element, nil where none has the id.
func byID(doc *html.Node, id string) *html.Node {
	for n := range doc.Descendants() {
		if n.Type == html.ElementNode && attr(n, "id") == id {
			return n
		}
	}
	return nil
}

// text is what a reader sees of an element, with single spaces.
func text(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}
