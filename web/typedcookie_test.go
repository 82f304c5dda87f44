package web_test

import (
	"encoding/base64"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"portal/api/secret"
	"portal/web/page"
	"portal/web/pagetest"
)

// typedText are the sessions in which something waits that was typed, and waiting counts them.
const (
	typedText = " FROM sessions WHERE hex(data) LIKE '%' || hex('typed') || '%'"
	waiting   = "SELECT COUNT(*)" + typedText
)

// filledIn is the form of a page as its reader has filled it in, ready to be sent.
func filledIn(r *pagetest.Reader, at string, change url.Values) (form, shown url.Values) {
	r.Helper()
	shown = r.Shown(at)
	maps.Copy(shown, change)
	form = maps.Clone(shown)
	form.Set("token", r.Token(at))
	form.Set("once", "the form of before")
	return form, shown
}

// sendsWithoutCookie sends a form from its page, with no cookie of a session.
func sendsWithoutCookie(r *pagetest.Reader, at string, form url.Values) {
	r.Helper()
	delete(r.Cookies, "session")
	fromPage := func(q *http.Request) { q.Header.Set("Referer", pagetest.BaseURL+at) }
	sent := r.Send(http.MethodPost, at, form, fromPage)
	r.Leads(sent, "/sign-in?next="+url.QueryEscape(at))
}

func TestSavedFormSurvivesMissingSessionCookie(t *testing.T) {
	t.Parallel()
	for at, change := range map[string]url.Values{
		"/live/properties/new": {"street_address": {"7 “Fir” <Ct>"}, "city": {"Austin"}, "unit.bedrooms": {"3"}},
		"/test/properties/new": {"street_address": {"7 Fir Ct"}, "year_built": {"about 1990"}},
		"/test/webhooks/new":   {"url": {"https://hooks.example.com/a?b=c"}, "events": {"lease.signed"}},
		"/team/invite":         {"email": {"max@example.com"}, "role": {"owner"}},
		"/settings":            {"name": {"Maple & Pine"}, "time_zone": {"America/Denver"}},
	} {
		t.Run(at, func(t *testing.T) {
			t.Parallel()
			n := pagetest.NewAccountPages(t)
			r := n.SignUp("dana@example.com")
			form, shown := filledIn(r, at, change)
			n.Wait(23 * time.Hour)
			sendsWithoutCookie(r, at, form)
			r.Leads(r.SignsIn("dana@example.com", at), at)
			page := r.Get(at)
			r.Says(page, http.StatusOK, pagetest.SessionOver)
			if got := pagetest.FieldsOf(pagetest.Parse(t, page.Body.String())); got.Encode() != shown.Encode() {
				t.Errorf("it shows\n%s\nwhat was typed is\n%s", got.Encode(), shown.Encode())
			}
			if again := r.Get(at); strings.Contains(again.Body.String(), pagetest.SessionOver) {
				t.Error("it is shown twice")
			}
			if made := n.Value("SELECT COUNT(*) FROM properties"); made != "0" {
				t.Errorf("%s properties were made of a form that nobody has sent again", made)
			}
		})
	}
}

// A form that is kept where its session has ended is kept as well where the browser names no session.
func TestSavedFormsSurviveLostSessionCookie(t *testing.T) {
	t.Parallel()
	n := pagetest.NewAccountPages(t)
	n.SignUp("dana@example.com")
	kept := 0
	for _, route := range n.AllRoutes() {
		if route.Method != http.MethodPost || route.For <= page.Guest {
			continue
		}
		r := n.SignIn("dana@example.com")
		form := url.Values{"note": {"What was typed"}, "token": {r.Token("/settings")}}
		session := r.Cookies["session"]
		const end = "UPDATE sessions SET ended = 'revoked', data = NULL WHERE user_id IS NOT NULL"
		_, err := n.DB.Exec(t.Context(), end)
		pagetest.Must(t, err)
		outlasts := func(cookie *http.Cookie) string {
			before := n.Value(waiting)
			r.Cookies["session"] = cookie
			if cookie == nil {
				delete(r.Cookies, "session")
			}
			sent := r.Send(http.MethodPost, route.Path, form, nil)
			r.Leads(sent, "/sign-in?next="+url.QueryEscape(route.Path))
			if n.Value(waiting) == before {
				return "it is not kept"
			}
			return "it is kept"
		}
		with, without := outlasts(session), outlasts(nil)
		if with != without {
			t.Errorf("%s: %s with the cookie of its session, and without %s", route.Path, with, without)
		}
		if with == "it is kept" {
			kept++
		}
		n.Wait(10 * time.Minute)
	}
	if kept < 80 {
		t.Errorf("only %d forms are kept", kept)
	}
}

func TestCookielessSavedFormIsShownOnlyToItsUser(t *testing.T) {
	t.Parallel()
	n := pagetest.NewAccountPages(t)
	r := n.SignUp("dana@example.com")
	n.Join(r, "max@example.com", "owner")
	const at = "/settings"
	form, _ := filledIn(r, at, url.Values{"name": {"Danas secret plan"}})
	sendsWithoutCookie(r, at, form)
	if n.Value(waiting) != "1" {
		t.Error("it is not kept")
	}
	data := n.Value("SELECT CAST(data AS TEXT)" + typedText)
	if strings.Contains(data, "Danas") {
		t.Error("it lies about in clear")
	}
	r.Leads(r.SignsIn("max@example.com", at), at)
	body := r.Get(at).Body.String()
	if strings.Contains(body, "Danas secret plan") || strings.Contains(body, pagetest.SessionOver) {
		t.Error("somebody else sees it")
	}
	if n.Value(waiting) != "0" {
		t.Error("it still waits in the session of somebody else")
	}
	r.Leads(r.Post("/sign-out", at, nil), "/sign-in")
	r.Leads(r.SignsIn("dana@example.com", at), at)
	if strings.Contains(r.Get(at).Body.String(), "Danas secret plan") {
		t.Error("it is there after somebody else was")
	}
}

func TestCookielessSavedFormOmitsPassword(t *testing.T) {
	t.Parallel()
	n := pagetest.NewAccountPages(t)
	r := n.SignUp("dana@example.com")
	const at = "/settings/password"
	typed := url.Values{"old_password": {pagetest.Password}, "password": {"another horse battery"}}
	form, _ := filledIn(r, at, typed)
	sendsWithoutCookie(r, at, form)
	r.Leads(r.SignsIn("dana@example.com", at), at)
	body := r.Get(at).Body.String()
	if strings.Contains(body, "another horse") || strings.Contains(body, pagetest.Password) {
		t.Error("a password is shown")
	}
}

// changedAt is a text with another character at a place.
func changedAt(s string, i int) string {
	return s[:i] + map[bool]string{true: "B", false: "A"}[s[i] == 'A'] + s[i+1:]
}

func TestCookielessFormIsKeptOnlyWithSealedToken(t *testing.T) {
	t.Parallel()
	n := pagetest.NewAccountPages(t)
	r := n.SignUp("dana@example.com")
	const at = "/settings"
	form, _ := filledIn(r, at, url.Values{"name": {"Maple & Pine"}})
	token := form.Get("token")
	hash, sealed, found := strings.Cut(token, ".")
	if !found {
		t.Fatalf("the token %q names no reader", token)
	}
	ours, err := secret.NewBox(make([]byte, secret.KeySize))
	pagetest.Must(t, err)
	theirs, err := secret.NewBox([]byte(strings.Repeat("x", secret.KeySize)))
	pagetest.Must(t, err)
	raw, err := base64.RawURLEncoding.DecodeString(sealed)
	pagetest.Must(t, err)
	text, err := ours.Open("reader of a form", raw)
	pagetest.Must(t, err)
	seal := func(b *secret.Box, purpose, text string) string {
		return hash + "." + base64.RawURLEncoding.EncodeToString(b.Seal(purpose, text))
	}
	tokens := map[string]string{
		"none": "", "a hash alone": hash,
		"a reader in clear": hash + "." + base64.RawURLEncoding.EncodeToString([]byte(text)),
		"no base64":         hash + ".%%%", "nothing": hash + ".", "much": hash + "." + strings.Repeat("A", 60<<10),
		"a cut value": token[:len(token)-4], "two values": token + "." + sealed,
		"the key of another service": seal(theirs, "reader of a form", text),
		"another purpose":            seal(ours, "text of a form", text),
		"another text":               seal(ours, "reader of a form", "user_1"),
	}
	for _, i := range []int{0, len(sealed) / 2, len(sealed) - 8} {
		tokens[fmt.Sprintf("a change at %d", i)] = hash + "." + changedAt(sealed, i)
	}
	for name, other := range tokens {
		form.Set("token", other)
		if sendsWithoutCookie(r, at, form); n.Value(waiting) != "0" {
			t.Fatalf("a form is kept by %s", name)
		}
	}
	form.Set("token", token)
	delete(r.Cookies, "session")
	for _, site := range []string{"cross-site", "same-site"} {
		fromSite := func(q *http.Request) { q.Header.Set("Sec-Fetch-Site", site) }
		sent := r.Send(http.MethodPost, at, form, fromSite)
		if sent.Code != http.StatusForbidden || n.Value(waiting) != "0" {
			t.Errorf("%s: %d, %s are kept", site, sent.Code, n.Value(waiting))
		}
	}
	n.Wait(24 * time.Hour)
	if sendsWithoutCookie(r, at, form); n.Value(waiting) != "0" {
		t.Error("a form is kept that was opened a day ago")
	}
	n.Wait(-time.Minute)
	if sendsWithoutCookie(r, at, form); n.Value(waiting) != "1" {
		t.Error("a form is not kept that was opened within a day")
	}
}

func TestFormsOfClosedAccountsAndFormerMembersAreNotKept(t *testing.T) {
	t.Parallel()
	n := pagetest.NewAccountPages(t)
	r := n.SignUp("dana@example.com")
	manager := n.Join(r, "max@example.com", "manager")
	const at = "/test/properties/new"
	typed := url.Values{"street_address": {"7 Fir Ct"}}
	ofManager, _ := filledIn(manager, at, typed)
	ofOwner, _ := filledIn(r, at, typed)
	member := "/team/members/" + n.Member(r, "max@example.com") + "/remove"
	r.Leads(r.Post(member, member, nil), "/team")
	if sendsWithoutCookie(manager, at, ofManager); n.Value(waiting) != "0" {
		t.Error("a form is kept of who was removed")
	}
	r.Post("/settings/close", "/settings/close", url.Values{"password": {pagetest.Password}})
	if n.Value("SELECT COUNT(*) FROM accounts WHERE closed_at IS NOT NULL") != "1" {
		t.Fatal("the account is not closed")
	}
	if sendsWithoutCookie(r, at, ofOwner); n.Value(waiting) != "0" {
		t.Error("a form is kept of an account that is closed")
	}
}

// Each form without a cookie takes a session of its own. Those of one user are bounded.
func TestCookielessSavedFormsAreCapped(t *testing.T) {
	t.Parallel()
	n := pagetest.NewAccountPages(t)
	r := n.SignUp("dana@example.com")
	const at = "/settings"
	form, _ := filledIn(r, at, url.Values{"name": {strings.Repeat("x", 50<<10)}})
	for range 50 {
		sendsWithoutCookie(r, at, form)
	}
	if got := n.Value(waiting); got != "30" {
		t.Errorf("%s forms are kept within an hour", got)
	}
	n.Wait(2 * time.Hour)
	if sendsWithoutCookie(r, at, form); n.Value(waiting) != "31" {
		t.Error("none is kept an hour later")
	}
}
