package pagetest

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"

	"portal/web/webtest"
)

// Browser is a real one, where the tests were told of one.
func Browser(t *testing.T) *webtest.Browser {
	t.Helper()
	return webtest.Open(t, webtest.Config{
		Program: os.Getenv("PORTAL_TEST_CHROMIUM"),
		Modules: os.Getenv("PORTAL_TEST_NODE_MODULES"),
		Shots:   os.Getenv("PORTAL_TEST_SHOTS"),
	})
}

// Start is pages at an address that a browser can open.
func Start(t *testing.T, c Config) string {
	t.Helper()
	s := httptest.NewUnstartedServer(nil)
	c.BaseURL = "http://" + s.Listener.Addr().String()
	s.Config.Handler = during(t, Serve(c))
	s.Start()
	t.Cleanup(s.Close)
	return c.BaseURL
}

// Opened serves the pages at an address, to a browser that is signed in as a reader.
func (h *Site) Opened(as *Reader) string {
	h.Helper()
	s := httptest.NewServer(during(h.T, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.AddCookie(as.Cookies["session"])
		h.ServeHTTP(w, r)
	})))
	h.Cleanup(s.Close)
	return s.URL
}

// during ends what is still answered at the end of a test, such as a stream.
func during(t *testing.T, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithCancel(r.Context())
		defer cancel()
		defer context.AfterFunc(t.Context(), cancel)()
		next.ServeHTTP(w, r.WithContext(ctx))
	})
}

// Quiet checks that nothing went wrong in the console.
func Quiet(t *testing.T, w *webtest.Window) {
	t.Helper()
	for _, s := range w.Said() {
		t.Error("the console says ", s)
	}
}
