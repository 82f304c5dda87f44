package main

import (
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"portal/api/access"
	"portal/web/webtest"
)

// TestEverybodyCanUseEveryKindOfPage looks at a page of each kind that a landlord and a
// reviewer can reach, with the records of the demo in them: on a phone, and on a desktop in the
// dark. Those of the documentation are looked at beside their texts. Not parallel: a browser
// leaves those little of the machine that are about time.
func TestEverybodyCanUseEveryKindOfPage(t *testing.T) {
	b := webtest.Open(t, webtest.Config{
		Program: os.Getenv("PORTAL_TEST_CHROMIUM"),
		Modules: os.Getenv("PORTAL_TEST_NODE_MODULES"),
		Shots:   os.Getenv("PORTAL_TEST_SHOTS"),
	})
	p, demo, handler := inProcess(t)
	_, err := p.inviteSomebody(t.Context(), access.Test)
	orFail(t, err)
	dana := newPlainBrowser(t, handler, demoLandlord, demo.Password)
	sue := newPlainBrowser(t, handler, demoStaff, demo.Password)
	lived(t, dana, demo.TestKey)
	site := httptest.NewServer(handler)
	t.Cleanup(site.Close)
	looked := map[string]bool{}
	for _, who := range []struct {
		*plainBrowser
		from string
	}{{dana, "/overview"}, {sue, "/staff/requests"}} {
		w := b.Window(t)
		w.Cookie(site.URL, "session", who.cookies["session"].Value)
		for _, path := range who.crawls(who.from, func(string, string) {}).pages {
			if kind := kindOf(path); !looked[kind] && !unlooked(path) {
				looked[kind] = true
				sees(w, site.URL, path)
			}
		}
	}
	if len(looked) < 80 {
		t.Errorf("only %d kinds of page were found", len(looked))
	}
}

// kindOf is a path without ids, filters and mode: a page is alike with others.
func kindOf(path string) string {
	at, _, _ := strings.Cut(identifier.ReplaceAllString(path, "ID"), "?")
	return strings.Replace(at, "/live/", "/test/", 1)
}

// unlooked tells what is no page of the dashboard.
func unlooked(path string) bool {
	for _, begin := range []string{
		"/docs", "/design", "/llms", "/openapi", "/static/", "/settings/export",
		"/live/import/sample", "/test/import/sample",
	} {
		if strings.HasPrefix(path, begin) {
			return true
		}
	}
	at, _, _ := strings.Cut(path, "?")
	return strings.HasSuffix(at, "/look") || strings.HasSuffix(at, ".csv")
}

func sees(w *webtest.Window, at, path string) {
	w.Helper()
	shot := "sweep-" + strings.Trim(strings.ReplaceAll(kindOf(path), "/", "-"), "-") + "-"
	w.Visit(webtest.Phone, at+path)
	w.Check(webtest.Phone.String() + " " + path)
	w.Keep(shot + webtest.Phone.String())
	w.Show(webtest.DesktopDark)
	w.Check(webtest.DesktopDark.String() + " " + path)
	w.Keep(shot + webtest.DesktopDark.String())
}
