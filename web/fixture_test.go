package web_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/alexedwards/scs/v2"
	"github.com/labstack/echo/v4"
	"golang.org/x/net/html"

	"portal/api/access"
	"portal/api/account"
	"portal/api/clock"
	"portal/api/developer"
	"portal/api/fault"
	"portal/web"
	webaccount "portal/web/account"
)

// memorySessions keeps sessions in memory, and fails where a test says so.
type memorySessions struct {
	mu    sync.Mutex
	data  map[string][]byte
	fails error
}

func (s *memorySessions) FindCtx(_ context.Context, token string) ([]byte, bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	b, found := s.data[token]
	return b, found, s.fails
}

func (s *memorySessions) CommitCtx(_ context.Context, token string, b []byte, _ time.Time) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.data[token] = b
	return s.fails
}

func (s *memorySessions) DeleteCtx(_ context.Context, token string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.data, token)
	return s.fails
}

func (s *memorySessions) Find(token string) ([]byte, bool, error) {
	return s.FindCtx(context.Background(), token)
}

func (s *memorySessions) Commit(token string, b []byte, at time.Time) error {
	return s.CommitCtx(context.Background(), token, b, at)
}

func (s *memorySessions) Delete(token string) error { return s.DeleteCtx(context.Background(), token) }

// sentForms remembers in memory which forms were sent, one at a time.
type sentForms struct {
	mu   sync.Mutex
	made map[string][2]string
}

func (s *sentForms) Atomically(ctx context.Context, do func(context.Context) error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return do(ctx)
}

func (s *sentForms) Exclusively(ctx context.Context, _ access.Portfolio, do func(context.Context) error) error {
	return s.Atomically(ctx, do)
}

func (s *sentForms) ClaimForm(_ context.Context, name []byte, _ clock.Time) (first bool, to, said string, err error) {
	made, found := s.made[string(name)]
	return !found, made[0], made[1], nil
}

func (s *sentForms) KeepForm(_ context.Context, name []byte, to, said string) error {
	s.made[string(name)] = [2]string{to, said}
	return nil
}

// visitors is the people that sessions stand for, by token.
type visitors map[string]*account.Visitor

func (c visitors) Visitor(_ context.Context, token string, from account.Client) (*account.Visitor, error) {
	if p := c[token]; p != nil && from.RequestID != "" {
		return p, nil
	}
	return nil, fault.Of(fault.NoRecord)
}

func (c visitors) Former(context.Context, string) (*account.Visitor, error) {
	return nil, fault.Of(fault.NoRecord)
}

// testPages is pages with people who are signed in.
type testPages struct {
	*testing.T
	*echo.Echo
	pages    *web.Pages
	sessions *memorySessions
	people   visitors
	log      *bytes.Buffer
}

func newTestPages(t *testing.T) *testPages { return newTestPagesAt(t, base) }

// accounts has another name than its method.
type accounts interface{ webaccount.Accounts }

// newAccountPagesOnly has the pages of the accounts, for tests that stay at their
// forms: nothing is behind them.
func newAccountPagesOnly(t *testing.T) *testPages {
	t.Helper()
	h := newTestPages(t)
	c := h.pages.Config
	c.Account = struct{ accounts }{}
	h.pages = web.New(c).Trial()
	h.Echo = wired(h.pages)
	return h
}

func newTestPagesAt(t *testing.T, address string) *testPages {
	t.Helper()
	return newTestPagesOf(t, web.Config{BaseURL: address, Now: time.Now})
}

// newTestPagesOf are pages with what a test brings.
func newTestPagesOf(t *testing.T, c web.Config) *testPages {
	t.Helper()
	h := &testPages{T: t, sessions: &memorySessions{data: map[string][]byte{}}, people: visitors{}, log: &bytes.Buffer{}}
	if c.Forms == nil {
		c.Forms = &sentForms{made: map[string][2]string{}}
	}
	c.Sessions, c.People, c.Log, c.Design = h.sessions, h.people, slog.New(slog.NewTextHandler(h.log, nil)), true
	h.pages = web.New(c).Trial()
	h.Echo = wired(h.pages)
	return h
}

// reader is a browser that keeps its cookies.
type reader struct {
	*testPages
	cookies map[string]*http.Cookie
}

func (h *testPages) guest() *reader { return &reader{h, map[string]*http.Cookie{}} }

// justNow is when somebody has signed in who is not asked again, however far a test moves
// its clock.
var justNow = clock.At(time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC))

// reader is a browser of who is signed in.
func (h *testPages) reader(p account.Visitor) *reader {
	h.Helper()
	m := scs.New()
	m.Store, m.HashTokenInStore = h.sessions, true
	ctx, err := m.Load(h.Context(), "")
	if err != nil {
		h.Fatal(err)
	}
	m.Put(ctx, "began", "by the test")
	if p.AuthenticatedAt == 0 {
		p.AuthenticatedAt = justNow
	}
	token, _, err := m.Commit(ctx)
	if err != nil {
		h.Fatal(err)
	}
	h.people[token] = &p
	r := h.guest()
	r.cookies["session"] = &http.Cookie{Name: "session", Value: token}
	return r
}

func maple(role access.Role) *account.Membership {
	return &account.Membership{AccountID: "acct_1", Name: "Maple & Oak", Role: role, TimeZone: "UTC",
		Live: access.Portfolio{ID: 1, Mode: access.Live}, Test: access.Portfolio{ID: 2, Mode: access.Test}}
}

func (h *testPages) owner() *reader {
	return h.reader(account.Visitor{UserID: "user_1", Email: "dana@example.com", Role: developer.Landlord, Account: maple(access.Owner)})
}

func (h *testPages) manager() *reader {
	return h.reader(account.Visitor{UserID: "user_2", Email: "max@example.com", Role: developer.Landlord, Account: maple(access.Manager)})
}

func (h *testPages) staff() *reader {
	return h.reader(account.Visitor{UserID: "user_3", Email: "sue@example.com", Role: developer.Staff})
}

// send sends a request as a browser does from a page of this site; change makes it
// another one.
func (r *reader) send(method, path string, form url.Values, change func(*http.Request)) *httptest.ResponseRecorder {
	var body io.Reader
	if form != nil {
		body = strings.NewReader(form.Encode())
	}
	req := httptest.NewRequestWithContext(r.Context(), method, base+path, body)
	req.Header.Set("Sec-Fetch-Site", "same-origin")
	if form != nil {
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	for _, c := range r.cookies {
		req.AddCookie(c)
	}
	if change != nil {
		change(req)
	}
	rec := httptest.NewRecorder()
	r.ServeHTTP(rec, req)
	for _, c := range rec.Result().Cookies() {
		r.cookies[c.Name] = c
		if c.MaxAge < 0 {
			delete(r.cookies, c.Name)
		}
	}
	return rec
}

func (r *reader) get(path string) *httptest.ResponseRecorder {
	return r.send(http.MethodGet, path, nil, nil)
}

// post sends a form with the token of a page's form, and as one that was not sent before
// unless it names itself.
func (r *reader) post(path, from string, form url.Values) *httptest.ResponseRecorder {
	form = maps.Clone(form)
	if form == nil {
		form = url.Values{}
	}
	form.Set("token", r.token(from))
	if len(form["once"]) == 0 {
		form.Set("once", rand.Text())
	}
	return r.send(http.MethodPost, path, form, nil)
}

// token is that of a form on a page.
func (r *reader) token(path string) string {
	r.Helper()
	for n := range parse(r.T, r.get(path).Body.String()).Descendants() {
		if n.Type == html.ElementNode && attr(n, "name") == "token" {
			return attr(n, "value")
		}
	}
	r.Fatalf("%s has no form", path)
	return ""
}

// says checks the status of an answer and a part of what its reader sees.
func (r *reader) says(rec *httptest.ResponseRecorder, status int, words string) {
	r.Helper()
	if seen := text(parse(r.T, rec.Body.String())); rec.Code != status || !strings.Contains(seen, words) {
		r.Errorf("%d, want %d with %q:\n%s", rec.Code, status, words, seen)
	}
}

// leads checks that an answer leads to a path.
func (r *reader) leads(rec *httptest.ResponseRecorder, to string) {
	r.Helper()
	if got := rec.Header().Get("Location"); rec.Code != http.StatusSeeOther || got != to {
		r.Errorf("%d to %q, want 303 to %q", rec.Code, got, to)
	}
}
