// Package pagetest serves the pages to tests. A Site is the pages, with people who are signed in
// and what a test puts behind them; a Reader is somebody's browser, which keeps cookies, fills in
// forms and sends them. AccountPages, DemoPages, StaffPages and WebhookPages stand on a real
// database, each with the services that its tests need.
package pagetest

import (
	"bytes"
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"sync"
	"testing"
	"time"

	"github.com/alexedwards/scs/v2"
	"github.com/labstack/echo/v4"

	"portal/api/access"
	"portal/api/account"
	"portal/api/clock"
	"portal/api/developer"
	"portal/api/fault"
	"portal/api/middleware"
	api "portal/api/rest"
	"portal/web"
)

// Document is the OpenAPI document of a service at an address.
func Document(address string) func() []byte {
	return api.New(api.Config{Middleware: middleware.New(middleware.Config{BaseURL: address, Now: time.Now})}).Document
}

// Addresses are those of all pages of the documentation, as llms.txt names them.
func (h *Site) Addresses() []string {
	h.Helper()
	var all []string
	for _, m := range regexp.MustCompile(`\(`+BaseURL+`(/docs[^)]*)\.md\)`).FindAllStringSubmatch(
		h.Guest().Get("/llms.txt").Body.String(),
		-1,
	) {
		all = append(all, m[1])
	}
	if len(all) < 40 {
		h.Fatalf("only %d pages: %v", len(all), all)
	}
	return all
}

// MemorySessions keeps sessions in memory, and fails where a test says so.
type MemorySessions struct {
	mu    sync.Mutex
	Data  map[string][]byte
	Fails error
}

// FindCtx implements scs.CtxStore.
func (s *MemorySessions) FindCtx(_ context.Context, token string) ([]byte, bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	b, found := s.Data[token]
	return b, found, s.Fails
}

// CommitCtx implements scs.CtxStore.
func (s *MemorySessions) CommitCtx(_ context.Context, token string, b []byte, _ time.Time) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.Data[token] = b
	return s.Fails
}

// DeleteCtx implements scs.CtxStore.
func (s *MemorySessions) DeleteCtx(_ context.Context, token string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.Data, token)
	return s.Fails
}

// Find implements scs.Store.
func (s *MemorySessions) Find(token string) ([]byte, bool, error) {
	return s.FindCtx(context.Background(), token)
}

// Commit implements scs.Store.
func (s *MemorySessions) Commit(token string, b []byte, at time.Time) error {
	return s.CommitCtx(context.Background(), token, b, at)
}

// Delete implements scs.Store.
func (s *MemorySessions) Delete(token string) error { return s.DeleteCtx(context.Background(), token) }

// SentForms remembers in memory which forms were sent, one at a time.
type SentForms struct {
	mu   sync.Mutex
	Made map[string][2]string
}

// Atomically implements page.Forms.
func (s *SentForms) Atomically(ctx context.Context, do func(context.Context) error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return do(ctx)
}

// Exclusively implements page.Forms.
func (s *SentForms) Exclusively(ctx context.Context, _ access.Portfolio, do func(context.Context) error) error {
	return s.Atomically(ctx, do)
}

// ClaimForm implements page.Forms.
func (s *SentForms) ClaimForm(_ context.Context, name []byte, _ clock.Time) (first bool, to, said string, err error) {
	made, found := s.Made[string(name)]
	return !found, made[0], made[1], nil
}

// KeepForm implements page.Forms.
func (s *SentForms) KeepForm(_ context.Context, name []byte, to, said string) error {
	s.Made[string(name)] = [2]string{to, said}
	return nil
}

// Visitors is the people that sessions stand for, by token.
type Visitors map[string]*account.Visitor

// Visitor implements page.People.
func (c Visitors) Visitor(_ context.Context, token string, from account.Client) (*account.Visitor, error) {
	if p := c[token]; p != nil && from.RequestID != "" {
		return p, nil
	}
	return nil, fault.Of(fault.NoRecord)
}

// Former implements page.People: nobody is known whose session has ended.
func (c Visitors) Former(context.Context, string) (*account.Visitor, error) {
	return nil, fault.Of(fault.NoRecord)
}

// AdmitTyped implements page.People: nothing is kept.
func (c Visitors) AdmitTyped(context.Context, string, string, account.Client) (bool, error) {
	return false, nil
}

// Site is pages with people who are signed in.
type Site struct {
	*testing.T
	*echo.Echo
	Config   Config
	Pages    *web.Pages
	Sessions *MemorySessions
	People   Visitors
	Logged   *bytes.Buffer
}

// New are pages with what a test brings.
func New(t *testing.T, c Config) *Site {
	t.Helper()
	h := &Site{
		T:        t,
		Sessions: &MemorySessions{Data: map[string][]byte{}},
		People:   Visitors{},
		Logged:   &bytes.Buffer{},
	}
	if c.Forms == nil {
		c.Forms = &SentForms{Made: map[string][2]string{}}
	}
	c.Sessions, c.People, c.Log, c.Design = h.Sessions, h.People, slog.New(slog.NewTextHandler(h.Logged, nil)), true
	h.Config, h.Pages = c, AddTrialPages(Build(c))
	h.Echo = Wired(h.Pages)
	return h
}

// Guest is a browser of somebody who is not signed in.
func (h *Site) Guest() *Reader { return &Reader{h, map[string]*http.Cookie{}} }

// justNow is when somebody has signed in who is not asked again, however far a test moves
// its clock.
var justNow = clock.At(time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC))

// Reader is a browser of a signed-in user.
func (h *Site) Reader(p account.Visitor) *Reader {
	h.Helper()
	m := scs.New()
	m.Store, m.HashTokenInStore = h.Sessions, true
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
	h.People[token] = &p
	r := h.Guest()
	r.Cookies["session"] = &http.Cookie{Name: "session", Value: token}
	return r
}

// Maple is somebody's membership in the account Maple & Oak.
func Maple(role access.Role) *account.Membership {
	return &account.Membership{
		AccountID: "acct_1",
		Name:      "Maple & Oak",
		Role:      role,
		TimeZone:  "UTC",
		Live:      access.Portfolio{ID: 1, Mode: access.Live},
		Test:      access.Portfolio{ID: 2, Mode: access.Test},
	}
}

// Owner is a browser of the owner of Maple & Oak.
func (h *Site) Owner() *Reader {
	return h.Reader(account.Visitor{
		UserID:  "user_1",
		Email:   "dana@example.com",
		Role:    developer.Landlord,
		Account: Maple(access.Owner),
	})
}

// Manager is a browser of a manager of Maple & Oak.
func (h *Site) Manager() *Reader {
	return h.Reader(account.Visitor{
		UserID:  "user_2",
		Email:   "max@example.com",
		Role:    developer.Landlord,
		Account: Maple(access.Manager),
	})
}

// Staff is a browser of a reviewer.
func (h *Site) Staff() *Reader {
	return h.Reader(account.Visitor{UserID: "user_3", Email: "sue@example.com", Role: developer.Staff})
}

// AllRoutes are all routes, with something in the place of every parameter.
func (h *Site) AllRoutes() []Route {
	all := TableOf(h.Pages)
	for i := range all {
		all[i].Path = regexp.MustCompile(`:[a-z_]+|\*`).ReplaceAllString(all[i].Path, "x")
	}
	return all
}

// Must ends the test where there is an error.
func Must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// BaseURL is the address of the pages.
const BaseURL = "http://portal.test"

// Serve is the pages on an Echo of their own, wired as the service wires them.
func Serve(c Config) *echo.Echo { return Wired(Build(c)) }

// Wired is an Echo that serves pages and shows their errors, as the service does.
func Wired(p *web.Pages) *echo.Echo {
	e := echo.New()
	p.Mount(e)
	e.HTTPErrorHandler = func(err error, c echo.Context) {
		if err := p.Fail(c, err); err != nil {
			e.DefaultHTTPErrorHandler(err, c)
		}
	}
	return e
}

// withoutRecords are pages that keep nothing, and draw their documentation once.
var withoutRecords = sync.OnceValue(func() *echo.Echo { return Serve(Config{BaseURL: BaseURL, Now: time.Now}) })

// Ask sends a request without a body to pages that have no records.
func Ask(method, path string) *httptest.ResponseRecorder {
	rec := httptest.NewRecorder()
	withoutRecords().ServeHTTP(rec, httptest.NewRequest(method, path, nil))
	return rec
}

// Read answers with the document at a path, which has to be there.
func Read(t *testing.T, path string) string {
	t.Helper()
	rec := Ask(http.MethodGet, path)
	if rec.Code != http.StatusOK {
		t.Fatalf("GET %s: %d", path, rec.Code)
	}
	return rec.Body.String()
}
