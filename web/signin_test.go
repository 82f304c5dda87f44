package web_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"portal/web/webtest"
)

func TestTheWayFromSigningUpToEndingAnotherSession(t *testing.T) {
	t.Parallel()
	n := newAccountPages(t)
	r := n.guest()
	form := url.Values{"email": {"Dana@Example.com"}, "account_name": {"Maple & Oak"}, "password": {right}}
	r.leads(r.post("/sign-up", "/sign-up", form), "/sign-up/sent")
	r.says(r.get("/sign-up/sent"), http.StatusOK, "Open the link in it within 24 hours")
	at := n.link("dana@example.com", "/verify/")
	r.says(r.get(at), http.StatusOK, "Confirm the address")
	r.leads(r.post(at, at, nil), "/overview")
	r.says(r.get("/overview"), http.StatusOK, "Your account is ready")

	secret, codes := n.setUpTwoFactor(r)
	if len(codes) != 10 {
		t.Fatalf("%d recovery codes are shown", len(codes))
	}
	r.says(r.get("/settings/security"), http.StatusOK, "10 left")
	r.leads(r.post("/sign-out", "/settings", nil), "/sign-in")
	r.leads(r.get("/settings"), "/sign-in?next=%2Fsettings")

	n.wait(time.Minute)
	enter := url.Values{"email": {"dana@example.com"}, "password": {right}, "next": {"/settings"}}
	r.leads(r.post("/sign-in", "/sign-in", enter), "/sign-in/second?next=%2Fsettings")
	r.leads(r.get("/team"), "/sign-in/second?next=%2Fteam")
	r.says(r.post("/sign-in/second", "/sign-in/second", url.Values{"code": {"000000"}}), http.StatusBadRequest, "Code: This code is wrong or was used already")
	r.leads(r.post("/sign-in/second", "/sign-in/second?next=/settings", url.Values{"code": {n.code(secret)}, "next": {"/settings"}}), "/settings")

	other := n.guest()
	other.leads(other.post("/sign-in", "/sign-in", enter), "/sign-in/second?next=%2Fsettings")
	other.leads(other.post("/sign-in/second", "/sign-in/second", url.Values{"code": {codes[3]}, "next": {"/settings/sessions"}}), "/settings/sessions")
	page := r.get("/settings/sessions")
	r.says(page, http.StatusOK, "this one")
	ends := actions(parse(t, page.Body.String()), "/settings/sessions/")
	if len(ends) != 1 {
		t.Fatalf("the sessions that can be ended are %v", ends)
	}
	r.leads(r.post(ends[0], "/settings/sessions", nil), "/settings/sessions")
	other.leads(other.get("/settings/sessions"), "/sign-in?next=%2Fsettings%2Fsessions")
	r.says(r.get("/settings/security"), http.StatusOK, "9 left")
}

func TestWhoHasAnAccountIsNotToBeLearnt(t *testing.T) {
	t.Parallel()
	n := newAccountPages(t)
	n.signUp("dana@example.com")
	answers := map[string]string{}
	for _, email := range []string{"dana@example.com", "nobody@example.com"} {
		for path, form := range map[string]url.Values{
			"/sign-in": {"password": {"purple wagon tangerine"}},
			"/reset":   {},
			"/sign-up": {"account_name": {"Maple"}, "password": {right}},
		} {
			form.Set("email", email)
			r := n.guest()
			rec := r.post(path, path, form)
			if to := rec.Header().Get("Location"); to != "" {
				rec = r.get(to)
			}
			said := strings.ReplaceAll(text(parse(t, rec.Body.String())), email, "")
			if before, seen := answers[path]; seen && before != said {
				t.Errorf("%s says\n%s\nor\n%s", path, before, said)
			}
			answers[path] = said
		}
	}
}

func TestWhoGuessesTooOftenIsToldWhenToComeBack(t *testing.T) {
	t.Parallel()
	n := newAccountPages(t)
	known := n.signUp("dana@example.com")
	r := n.guest()
	wrong := url.Values{"email": {"dana@example.com"}, "password": {"purple wagon tangerine"}}
	for range 10 {
		r.says(r.post("/sign-in", "/sign-in", wrong), http.StatusBadRequest, "The email address or the password is wrong")
	}
	rec := r.post("/sign-in", "/sign-in", wrong)
	r.says(rec, http.StatusTooManyRequests, "That is in 6 minutes.")
	if rec.Header().Get("Retry-After") != "360" {
		t.Errorf("Retry-After is %q", rec.Header().Get("Retry-After"))
	}
	known.leads(known.post("/sign-out", "/settings", nil), "/sign-in")
	known.leads(known.post("/sign-in", "/sign-in", url.Values{"email": {"dana@example.com"}, "password": {right}}), "/overview")
	n.wait(7 * time.Minute)
	n.signIn("dana@example.com")
}

func TestEveryChangeOfPrivilegeHasATokenOfItsOwn(t *testing.T) {
	t.Parallel()
	n := newAccountPages(t)
	r := n.signUp("dana@example.com")
	seen := map[string]bool{"": true}
	changed := func(what string) {
		t.Helper()
		if seen[r.session()] {
			t.Errorf("%s leaves the token", what)
		}
		seen[r.session()] = true
	}
	changed("signing up")
	n.wait(16 * time.Minute)
	r.leads(r.post("/confirm", "/confirm?next=/team", url.Values{"password": {right}, "next": {"/team"}}), "/team")
	changed("confirming")
	r.leads(r.post("/settings/password", "/settings/password", url.Values{"old_password": {right}, "password": {right + "!"}}), "/settings/security")
	changed("purple wagon tangerine")
	r.leads(r.post("/settings/password", "/settings/password", url.Values{"old_password": {right + "!"}, "password": {right}}), "/settings/security")
	changed("the old password")
	for token := range seen {
		if old := n.guest(); token != "" && token != r.session() {
			old.cookies["session"] = &http.Cookie{Name: "session", Value: token}
			old.leads(old.get("/team"), "/sign-in?next=%2Fteam")
		}
	}
}

func TestAPlantedSessionIsNotSignedIn(t *testing.T) {
	t.Parallel()
	n := newAccountPages(t)
	n.signUp("dana@example.com")
	attacker := n.guest()
	attacker.leads(attacker.post("/sign-up", "/sign-up", url.Values{"email": {"eve@example.com"}, "account_name": {"E"}, "password": {right}}), "/sign-up/sent")
	planted := attacker.session()
	if planted == "" {
		t.Fatal("there is no session to plant")
	}
	victim := n.guest()
	victim.cookies["session"] = &http.Cookie{Name: "session", Value: planted}
	victim.leads(victim.post("/sign-in", "/sign-in", url.Values{"email": {"dana@example.com"}, "password": {right}}), "/overview")
	if victim.session() == planted {
		t.Error("the token is that which was planted")
	}
	attacker.leads(attacker.get("/team"), "/sign-in?next=%2Fteam")
}

func TestSigningInLeadsToPagesOfThisSiteAlone(t *testing.T) {
	t.Parallel()
	n := newAccountPages(t)
	n.signUp("dana@example.com")
	for to, want := range map[string]string{"/team?a=b": "/team?a=b", "https://evil.test/": "/overview", "//evil.test": "/overview", "/\\evil.test": "/overview", "javascript:alert(1)": "/overview"} {
		r := n.guest()
		r.leads(r.post("/sign-in", "/sign-in", url.Values{"email": {"dana@example.com"}, "password": {right}, "next": {to}}), want)
		r.leads(r.get("/sign-in?next="+url.QueryEscape(to)), want)
	}
}

func TestTheLinkOfASignUpWorksOnceAndInAnotherBrowserWithThePassword(t *testing.T) {
	t.Parallel()
	n := newAccountPages(t)
	r := n.guest()
	r.leads(r.post("/sign-up", "/sign-up", url.Values{"email": {"dana@example.com"}, "account_name": {"Maple"}, "password": {right}}), "/sign-up/sent")
	at, other := n.link("dana@example.com", "/verify/"), n.guest()
	page := other.get(at)
	other.says(page, http.StatusOK, "The one that you chose when you signed up")
	if page.Header().Get("X-Robots-Tag") == "" || page.Header().Get("Cache-Control") != "no-store" {
		t.Errorf("the page may be found: %v", page.Header())
	}
	other.says(other.post(at, at, nil), http.StatusBadRequest, "Enter the password that you chose")
	other.says(other.post(at, at, url.Values{"password": {"purple wagon tangerine"}}), http.StatusBadRequest, "This is not the password")
	other.leads(other.post(at, at, url.Values{"password": {right}}), "/overview")
	r.says(r.get(at), http.StatusNotFound, "This link does not work any more")
	r.says(r.get("/verify/x"), http.StatusNotFound, "This link does not work any more")
}

func TestAForgottenPasswordIsChosenAnewAndASecondFactorStaysAskedFor(t *testing.T) {
	t.Parallel()
	n := newAccountPages(t)
	r := n.signUp("dana@example.com")
	secret, _ := n.setUpTwoFactor(r)
	lost := n.guest()
	lost.leads(lost.post("/reset", "/reset", url.Values{"email": {"dana@example.com"}}), "/reset/sent")
	at := n.link("dana@example.com", "/reset/")
	lost.says(lost.post(at, at, url.Values{"password": {"short"}}), http.StatusBadRequest, "Choose a password of 10 to 1,000 characters")
	lost.leads(lost.post(at, at, url.Values{"password": {"purple wagon tangerine"}}), "/sign-in/second?next=%2Foverview")
	lost.says(lost.get("/sign-in/second"), http.StatusOK, "Your password is changed")
	r.leads(r.get("/team"), "/sign-in?next=%2Fteam")
	lost.says(lost.get(at), http.StatusNotFound, "This link does not work any more")
	n.wait(time.Minute)
	lost.leads(lost.post("/sign-in/second", "/sign-in/second", url.Values{"code": {n.code(secret)}}), "/overview")
}

func TestWhatIsWrongWithASignUpIsSaidBesideTheFields(t *testing.T) {
	t.Parallel()
	n := newAccountPages(t)
	r := n.guest()
	rec := r.post("/sign-up", "/sign-up", url.Values{"email": {"<b>no</b>"}, "account_name": {""}, "password": {"short"}})
	for _, words := range []string{"Enter an email address", "Enter a name of 1 to 120 characters", "Choose a password of 10 to 1,000"} {
		r.says(rec, http.StatusBadRequest, words)
	}
	doc := parse(t, rec.Body.String())
	if got := attr(byID(doc, "field-email"), "value"); got != "<b>no</b>" {
		t.Errorf("what was typed is %q now", got)
	}
	if got := attr(byID(doc, "field-password"), "value"); got != "" {
		t.Errorf("the password is sent back: %q", got)
	}
}

// actions are the addresses that the forms of a page are posted to, below a path.
func actions(doc *html.Node, below string) []string {
	var all []string
	for n := range doc.Descendants() {
		if n.Type == html.ElementNode && n.Data == "form" && strings.HasPrefix(attr(n, "action"), below) {
			all = append(all, attr(n, "action"))
		}
	}
	return all
}

func TestWhatPeopleTypeIsShownAsText(t *testing.T) {
	t.Parallel()
	n := newAccountPages(t)
	r := n.signUp("dana@example.com")
	for _, what := range webtest.Payloads {
		saved := r.post("/settings", "/settings", url.Values{"name": {what}, "time_zone": {"UTC"}}) // refused where it holds a line's end
		shown := map[string]string{"saving": saved.Body.String(), "the settings": r.get("/settings").Body.String(), "the team": r.get("/team").Body.String(), "the overview": r.get("/overview").Body.String(),
			"leaving": r.get("/team/leave").Body.String(), "a page that is not there": r.get("/team/" + url.PathEscape(what)).Body.String()}
		for path, field := range map[string]string{"/settings/email": "email", "/team/invite": "email", "/confirm": "next"} {
			form := url.Values{field: {what}, "password": {"wrong"}, "role": {what}, "next": {what}}
			shown[path] = r.post(path, "/settings", form).Body.String()
			n.wait(freshFor)
			shown[path+", which waits"] = r.post(path, "/settings", form).Body.String()
			r = n.signIn("dana@example.com")
		}
		g := n.guest()
		shown["signing in"] = g.post("/sign-in", "/sign-in", url.Values{"email": {what}, "next": {what}, "password": {"wrong"}}).Body.String()
		shown["signing up"] = g.post("/sign-up", "/sign-up", url.Values{"email": {what}, "account_name": {what}}).Body.String()
		for where, page := range shown {
			harmless(t, where+" with "+what, page)
		}
		r = n.signIn("dana@example.com")
	}
}

// harmless checks that nothing of a page runs but its own scripts.
func harmless(t *testing.T, where, page string) {
	t.Helper()
	for n := range parse(t, page).Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		if slices.Contains([]string{"iframe", "base", "style", "object", "embed", "video", "audio", "marquee", "math"}, n.Data) || n.Data == "script" && !strings.HasPrefix(attr(n, "src"), "/static/") {
			t.Errorf("%s: there is a %s", where, n.Data)
		}
		for _, a := range n.Attr {
			if strings.HasPrefix(a.Key, "on") || strings.HasPrefix(strings.ToLower(a.Val), "javascript:") && a.Key != "value" {
				t.Errorf("%s: %s has %s=%s", where, n.Data, a.Key, a.Val)
			}
		}
	}
}

func TestABrowserIsKnownByACookieThatOnlyItsServerReads(t *testing.T) {
	t.Parallel()
	n := newAccountPages(t)
	r := n.signUp("dana@example.com")
	c := r.cookies["device"]
	if c == nil || !c.HttpOnly || c.SameSite != http.SameSiteLaxMode || c.Path != "/" || c.MaxAge < 364*24*3600 {
		t.Errorf("the cookie is %v", c)
	}
	n.setUpTwoFactor(r)
	halfway := n.guest()
	halfway.leads(halfway.post("/sign-in", "/sign-in", url.Values{"email": {"dana@example.com"}, "password": {right}}), "/sign-in/second?next=%2Foverview")
	if halfway.cookies["device"] != nil {
		t.Error("who has not shown the second factor is known")
	}
}
