package web_test

import (
	"net/http/httptest"
	"os"
	"testing"
	"time"

	"portal/web"
	"portal/web/webtest"
)

func TestMain(m *testing.M) { os.Exit(webtest.Main(m)) }

// browser is a real one, where the tests were told of one.
func browser(t *testing.T) *webtest.Browser {
	t.Helper()
	return webtest.Open(t, webtest.Config{
		Program: os.Getenv("PORTAL_TEST_CHROMIUM"),
		Modules: os.Getenv("PORTAL_TEST_NODE_MODULES"),
		Shots:   os.Getenv("PORTAL_TEST_SHOTS"),
	})
}

// served is pages at an address that a browser can open.
func served(t *testing.T, c web.Config) string {
	t.Helper()
	s := httptest.NewUnstartedServer(nil)
	c.BaseURL = "http://" + s.Listener.Addr().String()
	s.Config.Handler = site(c)
	s.Start()
	t.Cleanup(s.Close)
	return c.BaseURL
}

func TestEverybodyCanUseThePagesForEverybody(t *testing.T) {
	t.Parallel()
	b, at := browser(t), served(t, web.Config{Now: time.Now, Design: true})
	for _, path := range []string{"/", "/docs/errors", "/nowhere", "/design", "/design/page", "/design/form", "/design/ask"} {
		t.Run(path, func(t *testing.T) { b.Look(t, at+path) })
	}
}

// looks visits pages as who is signed in.
func (r *reader) looks(b *webtest.Browser, paths ...string) {
	r.Helper()
	s := httptest.NewServer(r.testPages)
	r.Cleanup(s.Close)
	for _, path := range paths {
		r.Run(path, func(t *testing.T) {
			w := b.Window(t)
			w.Cookie(s.URL, "session", r.cookies["session"].Value)
			w.Look(s.URL + path)
		})
	}
}

func TestEverybodyCanUseThePagesOfWhoIsSignedIn(t *testing.T) {
	t.Parallel()
	b, h := browser(t), newTestPages(t)
	h.manager().looks(b, "/test/trials", "/trial/owner")
	h.staff().looks(b, "/trial/staff", "/trial/member", "/trial/fails/rate_limited")
}
