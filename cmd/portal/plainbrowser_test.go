package main

import (
	"crypto/rand"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
)

func orFail(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// inProcess is the demo with everything that the service does, but without an address.
func inProcess(t testing.TB, env ...string) (*product, demoSecrets, http.Handler) {
	t.Helper()
	s, demo, _ := inProcessServer(t, env...)
	return s.product, demo, s.http.Handler
}

// inProcessServer is that of inProcess, and its log.
func inProcessServer(t testing.TB, env ...string) (*server, demoSecrets, *words) {
	t.Helper()
	h := home{data: filepath.Join(t.TempDir(), "data")}
	h.env = append([]string{
		"PORTAL_DATA=" + h.data, "PORTAL_BASE_URL=http://portal.test", "PORTAL_ALLOW_INSECURE_WEBHOOKS=true",
	}, env...)
	if t, is := t.(*testing.T); is {
		h.withDemo(t)
	}
	c, err := configure(h.getenv)
	orFail(t, err)
	c.demo = true
	p, err := openProduct(t.Context(), c)
	orFail(t, err)
	demo, err := p.demo(t.Context())
	orFail(t, err)
	log := &words{}
	s, err := newServer(t.Context(), p, newLog(io.MultiWriter(t.Output(), log)))
	orFail(t, err)
	t.Cleanup(func() { _ = s.stop(t.Context()) })
	return s, demo, log
}

// plainBrowser is a browser without script and without a wire.
type plainBrowser struct {
	testing.TB
	handler http.Handler
	cookies map[string]*http.Cookie
}

// newPlainBrowser is the browser of somebody who signs in.
func newPlainBrowser(t testing.TB, handler http.Handler, email, password string) *plainBrowser {
	t.Helper()
	s := &plainBrowser{t, handler, map[string]*http.Cookie{}}
	if w := s.send("/sign-in", s.token("/sign-in"), url.Values{
		"email":    {email},
		"password": {password},
	}); w.Code != http.StatusSeeOther {
		t.Fatalf("signing in as %s: %d", email, w.Code)
	}
	return s
}

func (s *plainBrowser) ask(method, path string, form url.Values) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, "http://portal.test"+path, strings.NewReader(form.Encode()))
	if form != nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	for _, c := range s.cookies {
		r.AddCookie(c)
	}
	w := httptest.NewRecorder()
	s.handler.ServeHTTP(w, r)
	for _, c := range w.Result().Cookies() {
		s.cookies[c.Name] = c
	}
	return w
}

// get is a page that must be there.
func (s *plainBrowser) get(path string) string {
	s.Helper()
	w := s.ask(http.MethodGet, path, nil)
	if w.Code != http.StatusOK {
		s.Fatalf("%s: %d %s", path, w.Code, w.Body)
	}
	return w.Body.String()
}

// token is that of the forms of a page, which are those of the session.
func (s *plainBrowser) token(path string) string {
	s.Helper()
	found := formToken.FindStringSubmatch(s.get(path))
	if found == nil {
		s.Fatalf("%s has no form", path)
	}
	return found[1]
}

func (s *plainBrowser) send(path, token string, form url.Values) *httptest.ResponseRecorder {
	s.Helper()
	form.Set("token", token)
	if !form.Has("once") {
		form.Set("once", rand.Text())
	}
	return s.ask(http.MethodPost, path, form)
}

// posts sends JSON to the API with a key and tells the status.
func (s *plainBrowser) posts(path, key, body string) int {
	r := httptest.NewRequest(http.MethodPost, "http://portal.test"+path, strings.NewReader(body))
	r.Header.Set("Authorization", "Bearer "+key)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	w := httptest.NewRecorder()
	s.handler.ServeHTTP(w, r)
	return w.Code
}
