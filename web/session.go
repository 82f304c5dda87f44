package web

import (
	"net/http"
	"time"

	"github.com/alexedwards/scs/v2"

	"portal/api/account"
	"portal/views"
)

// Sessions is where sessions are kept. It sees hashes of their tokens alone.
type Sessions interface{ scs.CtxStore }

// manager ties the sessions to a cookie that no script reads and no other site sends.
// Under https its name ties it to this very host. How long one lasts is decided where it
// is kept.
func (s *Shell) manager(store Sessions) *scs.SessionManager {
	m := scs.New()
	m.Store, m.HashTokenInStore, m.Lifetime = store, true, account.Absolute
	m.Cookie.Name, m.Cookie.Secure = s.cookie("session"), s.secure()
	m.Cookie.SameSite = http.SameSiteLaxMode
	return m
}

// cookie is the name under which a cookie goes.
func (s *Shell) cookie(name string) string {
	if s.secure() {
		return "__Host-" + name
	}
	return name
}

// biscuit is a cookie for this site alone, for a number of seconds, or with 0 for as
// long as the browser runs.
func (s *Shell) biscuit(name, value string, seconds int) *http.Cookie {
	//nolint:gosec // G124: without https there is no secure cookie
	return &http.Cookie{Name: s.cookie(name), Value: value, Path: "/", MaxAge: seconds, HttpOnly: true, Secure: s.secure(), SameSite: http.SameSiteLaxMode}
}

// load opens the session that the request's cookie names, or an empty one.
func (v *visit) load() error {
	if v.shell.sessions == nil {
		return nil
	}
	var token string
	if c, err := v.Cookie(v.shell.sessions.Cookie.Name); err == nil {
		token = c.Value
	}
	ctx, err := v.shell.sessions.Load(v.ctx(), token)
	if err != nil {
		return err
	}
	v.SetRequest(v.Request().WithContext(ctx))
	v.loaded = true
	return nil
}

// commit keeps what the visit has changed in the session, before the answer leaves.
func (v *visit) commit() error {
	if !v.loaded {
		return nil
	}
	m, ctx := v.shell.sessions, v.ctx()
	switch m.Status(ctx) {
	case scs.Modified:
		token, expiry, err := m.Commit(ctx)
		if err != nil {
			return err
		}
		m.WriteSessionCookie(ctx, v.Response(), token, expiry)
	case scs.Destroyed:
		m.WriteSessionCookie(ctx, v.Response(), "", time.Time{})
	case scs.Unmodified:
	}
	return nil
}

// keep puts a value into the session, for a later visit.
func (v *visit) keep(key, value string) {
	if v.loaded {
		v.shell.sessions.Put(v.ctx(), key, value)
	}
}

// kept is a value of the session, "" where there is none.
func (v *visit) kept(key string) string {
	if !v.loaded {
		return ""
	}
	return v.shell.sessions.GetString(v.ctx(), key)
}

// take is a value of the session that is kept no longer.
func (v *visit) take(key string) string {
	if !v.loaded || v.kept(key) == "" {
		return ""
	}
	v.own = true
	return v.shell.sessions.PopString(v.ctx(), key)
}

// renew gives the session a new token, which every change of privilege needs, and is
// that token.
func (v *visit) renew() (token string, err error) {
	if err := v.shell.sessions.RenewToken(v.ctx()); err != nil {
		return "", err
	}
	return v.shell.sessions.Token(v.ctx()), nil
}

// leave ends the session.
func (v *visit) leave() error {
	v.person = nil
	return v.shell.sessions.Destroy(v.ctx())
}

const saidKey = "said"

// say has the next page of this reader say something, once.
func (v *visit) say(tone views.Tone, what string) { v.keep(saidKey, string(tone)+"\n"+what) }
