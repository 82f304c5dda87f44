package web_test

import (
	"net/http"
	"strings"
	"testing"

	"portal/static"
	"portal/web/pagetest"
)

func TestStaticFilesAreCachedForever(t *testing.T) {
	for name, kind := range map[string]string{
		"style.css": "text/css; charset=utf-8",
		"icon.svg":  "image/svg+xml",
	} {
		rec := pagetest.Ask(http.MethodGet, static.URL(name))
		if rec.Code != http.StatusOK || rec.Body.Len() == 0 {
			t.Errorf("%s: %d with %d bytes", name, rec.Code, rec.Body.Len())
		}
		if got := rec.Header().Get("Content-Type"); got != kind {
			t.Errorf("%s: Content-Type is %q", name, got)
		}
		if got := rec.Header().Get("Cache-Control"); got != "public, max-age=31536000, immutable" {
			t.Errorf("%s: Cache-Control is %q", name, got)
		}
	}
}

func TestEveryPageLoadsHashedStylesheet(t *testing.T) {
	for _, path := range pages {
		page := pagetest.Ask(http.MethodGet, path).Body.String()
		if !strings.Contains(page, `rel="stylesheet" href="`+static.URL("style.css")+`"`) {
			t.Errorf("%s does not load the style sheet", path)
		}
	}
}

func TestStaticFileWithoutHashIsNotServed(t *testing.T) {
	for _, path := range []string{"/static/style.css", "/static/style.000000000000.css", "/static/../static.go"} {
		if rec := pagetest.Ask(http.MethodGet, path); rec.Code != http.StatusNotFound {
			t.Errorf("%s: %d", path, rec.Code)
		}
	}
}
