// Package page is what every page for people stands on: routes with their audience, sessions,
// forms, the frame with its navigation, and what is said when a page cannot be shown.
//
// It knows no page: sections give it theirs.
package page

import (
	"context"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"sync"

	"github.com/alexedwards/scs/v2"
	"github.com/labstack/echo/v4"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/intake"
	"portal/api/ratelimit"
	"portal/api/secret"
	"portal/views/kit"
)

// Config is what every page needs.
type Config struct {
	BaseURL      string   // under which people and programs reach the service; https secures cookies
	Sessions     Sessions // nil: nobody can sign in
	Forms        Forms    // which forms were sent that create something
	People       People
	Spool        *intake.Spool // for files while they are uploaded, nil: the folder of the system
	Box          *secret.Box   // seals what was typed while a session ended; nil: it is not kept
	Now          clock.Clock
	Clock        clock.Portfolios // of the records of a portfolio; nil: Now is that of all
	Log          *slog.Logger     // nil: nothing is logged
	Confirmation Confirmation
	Waiting      Waiting           // for the reader; nil: the navigation has no numbers
	Limiter      ratelimit.Limiter // of forms; nil: they are not limited
	// Programs answers a program that asks for what is not there (404), or in a way that
	// is not possible (405), and reports whether it did; nil: everybody gets a page.
	Programs func(c echo.Context, status int) bool
}

// Waiting is the numbers in the navigation, by its paths.
type Waiting interface {
	Counts(ctx context.Context, in access.Portfolio) (map[string]kit.NavCount, error)
	ForStaff(ctx context.Context) (map[string]kit.NavCount, error)
}

// Confirmation is how people who are signed in show again that it is them.
type Confirmation struct {
	// Ask answers with the form that asks for it. held is what was typed before, "" for nothing.
	Ask func(v *Request, f *Form, held string) error
	// Prove checks what was sent. The session goes on under a new token, and forms that were
	// opened before are still taken.
	Prove func(v *Request, f *Form) error
}

// Shell is what all pages stand on: who asks and whether they may, forms, sessions, the
// frame, and what is said when a page cannot be shown.
type Shell struct {
	Config
	sessions *scs.SessionManager // nil where nobody can sign in
	origins  *http.CrossOriginProtection
	// documents are compressed once; their number is that of files and pages of text.
	documents  sync.Map
	intakes    intakes
	openings   map[string]Opening // by the prefix of ids
	Routes     []Route
	Navigation []NavGroup // of the navigation, as far as they have pages
	// Surround adds to the frame of a page what its reader may do and where they may go; nil: nothing.
	Surround func(v *Request, f *kit.Frame)
}

// New makes a shell without pages. It panics on a base URL that is none.
func New(c Config) *Shell {
	s := &Shell{Config: c, origins: http.NewCrossOriginProtection(), intakes: newIntakes(c.Spool)}
	if err := s.origins.AddTrustedOrigin(origin(c.BaseURL)); err != nil {
		panic(err)
	}
	if c.Clock == nil {
		s.Clock = clock.ForAll(c.Now)
	}
	if c.Sessions != nil {
		s.sessions = s.manager(c.Sessions)
	}
	if s.Log == nil {
		s.Log = slog.New(slog.DiscardHandler)
	}
	return s
}

// Use gives the shell its pages, and the navigation that leads to them.
func (s *Shell) Use(table []Route, navigation []NavGroup) {
	s.Routes, s.Navigation = table, Reachable(navigation, table)
}

// Mount adds the routes of the pages.
func (s *Shell) Mount(e *echo.Echo) {
	for _, r := range s.Routes {
		for _, at := range r.Expand() {
			e.Match(at.methods(), at.Path, func(c echo.Context) error { return s.answer(s.request(c, at)) })
		}
	}
}

// origin is a base URL without its path.
func origin(base string) string {
	u, err := url.Parse(base)
	if err != nil {
		panic(err)
	}
	return u.Scheme + "://" + u.Host
}

// Base is the public address of the service, without a slash at its end.
func (s *Shell) Base() string { return strings.TrimRight(s.BaseURL, "/") }

func (s *Shell) secure() bool { return strings.HasPrefix(s.BaseURL, "https://") }

// Meanwhile begins something, and is what waits for it. A panic of it is one of the wait.
func Meanwhile[T any](do func() (T, error)) (wait func() (T, error)) {
	type outcome struct {
		value    T
		err      error
		panicked any
	}
	done := make(chan outcome, 1)
	go func() {
		var o outcome
		defer func() {
			o.panicked = recover()
			done <- o
		}()
		o.value, o.err = do()
	}()
	return func() (T, error) {
		o := <-done
		if o.panicked != nil {
			panic(o.panicked)
		}
		return o.value, o.err
	}
}

// Both does two things beside each other. The error is that of the first, where it has one.
func Both[A, B any](first func() (A, error), second func() (B, error)) (a A, b B, err error) {
	wait := Meanwhile(second)
	if a, err = first(); err == nil {
		b, err = wait()
	}
	return a, b, err
}

// keyPlace stands in a command where the reader's own test key goes.
const keyPlace = "sk_test_pm_YOUR_KEY"

// FirstRequestCommand asks the API who calls it.
func FirstRequestCommand(v *Request) kit.CommandText {
	return kit.CommandText{
		Caption: "First request",
		Text:    "curl " + v.Shell.Base() + "/api/v1/external/me \\\n  -H \"Authorization: Bearer " + keyPlace + "\"",
	}
}

// ListenCommand forwards test events to the reader’s machine.
func ListenCommand(v *Request) kit.CommandText {
	return kit.CommandText{
		Caption: "Forward test events",
		Text: "portal listen --key " + keyPlace + " \\\n  --url " + v.Shell.Base() +
			" \\\n  --forward http://localhost:3000/hooks",
	}
}
