package page

import (
	"net/http"
	"time"

	"github.com/alexedwards/scs/v2"

	"portal/api/account"
	"portal/views/kit"
)

// Sessions is where sessions are kept. It sees hashes of their tokens alone.
type Sessions interface{ scs.CtxStore }

// manager ties the sessions to a cookie that no script reads and no other site sends.
// Under https its name ties it to this very host. How long one lasts is decided where it
// is kept; the cookie ends with the browser unless its reader wants to stay signed in.
func (s *Shell) manager(store Sessions) *scs.SessionManager {
	m := scs.New()
	m.Store, m.HashTokenInStore, m.Lifetime = store, true, account.Absolute
	m.Cookie.Name, m.Cookie.Secure = s.cookie("session"), s.secure()
	m.Cookie.SameSite, m.Cookie.Persist = http.SameSiteLaxMode, false
	return m
}

// cookie is the name under which a cookie goes.
func (s *Shell) cookie(name string) string {
	if s.secure() {
		return "__Host-" + name
	}
	return name
}

// newCookie is a cookie for this site alone, for a number of seconds, or with 0 for as
// long as the browser runs.
func (s *Shell) newCookie(name, value string, seconds int) *http.Cookie {
	//nolint:gosec // G124: without https there is no secure cookie
	return &http.Cookie{
		Name:     s.cookie(name),
		Value:    value,
		Path:     "/",
		MaxAge:   seconds,
		HttpOnly: true,
		Secure:   s.secure(),
		SameSite: http.SameSiteLaxMode,
	}
}

// Session is the part of a request that is kept from one to the next of the same reader.
type Session struct{ v *Request }

// load opens the session that the request's cookie names, or an empty one.
func (s Session) load() error {
	if s.v.Shell.sessions == nil {
		return nil
	}
	var token string
	if c, err := s.v.Cookie(s.v.Shell.sessions.Cookie.Name); err == nil {
		token = c.Value
	}
	ctx, err := s.v.Shell.sessions.Load(s.v.Ctx(), token)
	if err != nil {
		return err
	}
	s.v.SetRequest(s.v.Request().WithContext(ctx))
	s.v.loaded = true
	return nil
}

// Commit keeps what the request has changed in the session, before the answer leaves.
func (s Session) Commit() error {
	if !s.v.loaded {
		return nil
	}
	m, ctx := s.v.Shell.sessions, s.v.Ctx()
	switch m.Status(ctx) {
	case scs.Modified:
		token, expiry, err := m.Commit(ctx)
		if err != nil {
			return err
		}
		m.WriteSessionCookie(ctx, s.v.Response(), token, expiry)
	case scs.Destroyed:
		m.WriteSessionCookie(ctx, s.v.Response(), "", time.Time{})
	case scs.Unmodified:
	}
	return nil
}

// Keep puts a value into the session, for a later request.
func (s Session) Keep(key, value string) {
	if s.v.loaded {
		s.v.Shell.sessions.Put(s.v.Ctx(), key, value)
	}
}

// Kept is a value of the session, "" where there is none.
func (s Session) Kept(key string) string {
	if !s.v.loaded {
		return ""
	}
	return s.v.Shell.sessions.GetString(s.v.Ctx(), key)
}

// Take is a value of the session that is kept no longer.
func (s Session) Take(key string) string {
	if !s.v.loaded || s.Kept(key) == "" {
		return ""
	}
	s.v.own = true
	return s.v.Shell.sessions.PopString(s.v.Ctx(), key)
}

// Renew gives the session a new token, which every change of privilege needs, and is
// that token.
func (s Session) Renew() (token string, err error) {
	if err := s.v.Shell.sessions.RenewToken(s.v.Ctx()); err != nil {
		return "", err
	}
	return s.v.Shell.sessions.Token(s.v.Ctx()), nil
}

// Outlast decides whether the session's cookie outlasts the browser.
func (s Session) Outlast(browser bool) { s.v.Shell.sessions.RememberMe(s.v.Ctx(), browser) }

// Leave ends the session.
func (s Session) Leave() error {
	s.v.Person = nil
	return s.v.Shell.sessions.Destroy(s.v.Ctx())
}

const saidKey = "said"

// Say has the next page of this reader say something, once.
func (v *Request) Say(tone kit.Tone, what string) { v.Session.Keep(saidKey, string(tone)+"\n"+what) }
