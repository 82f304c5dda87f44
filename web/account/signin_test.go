package account_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"portal/web/pagetest"
	"portal/web/webtest"
)

func TestAccountFlowFromSignUpToEndingSession(t *testing.T) {
	t.Parallel()
	n := pagetest.NewAccountPages(t)
	r := n.Guest()
	form := url.Values{
		"email":        {"Dana@Example.com"},
		"account_name": {"Maple & Oak"},
		"password":     {pagetest.Password},
	}
	r.Leads(r.Post("/sign-up", "/sign-up", form), "/sign-up/sent")
	r.Says(r.Get("/sign-up/sent"), http.StatusOK, "Open the link in it within 24 hours")
	at := n.Link("dana@example.com", "/verify/")
	r.Says(r.Get(at), http.StatusOK, "Confirm address")
	r.Leads(r.Post(at, at, nil), "/overview")
	r.Says(r.Get("/overview"), http.StatusOK, "Your account is ready")

	secret, codes := n.SetUpTwoFactor(r)
	if len(codes) != 10 {
		t.Fatalf("%d recovery codes are shown", len(codes))
	}
	r.Says(r.Get("/settings/security"), http.StatusOK, "10 left")
	r.Leads(r.Post("/sign-out", "/settings", nil), "/sign-in")
	r.Leads(r.Get("/settings"), "/sign-in?next=%2Fsettings")

	n.Wait(time.Minute)
	enter := url.Values{"email": {"dana@example.com"}, "password": {pagetest.Password}, "next": {"/settings"}}
	r.Leads(r.Post("/sign-in", "/sign-in", enter), "/sign-in/second?next=%2Fsettings")
	r.Leads(r.Get("/team"), "/sign-in/second?next=%2Fteam")
	r.Says(r.Post("/sign-in/second", "/sign-in/second", url.Values{
		"code": {"000000"},
	}), http.StatusBadRequest, "Code This code is wrong or was used already")
	r.Leads(r.Post("/sign-in/second", "/sign-in/second?next=/settings", url.Values{
		"code": {n.Code(secret)},
		"next": {"/settings"},
	}), "/settings")

	other := n.Guest()
	other.Leads(other.Post("/sign-in", "/sign-in", enter), "/sign-in/second?next=%2Fsettings")
	other.Leads(other.Post("/sign-in/second", "/sign-in/second", url.Values{
		"code": {codes[3]},
		"next": {"/settings/sessions"},
	}), "/settings/sessions")
	page := r.Get("/settings/sessions")
	r.Says(page, http.StatusOK, "This browser")
	ends := actions(pagetest.Parse(t, page.Body.String()), "/settings/sessions/")
	if len(ends) != 1 {
		t.Fatalf("the sessions that can be ended are %v", ends)
	}
	r.Leads(r.Post(ends[0], "/settings/sessions", nil), "/settings/sessions")
	other.Leads(other.Get("/settings/sessions"), "/sign-in?next=%2Fsettings%2Fsessions")
	r.Says(r.Get("/settings/security"), http.StatusOK, "9 left")
}

func TestAccountExistenceIsNotRevealed(t *testing.T) {
	t.Parallel()
	n := pagetest.NewAccountPages(t)
	n.SignUp("dana@example.com")
	answers := map[string]string{}
	for _, email := range []string{"dana@example.com", "nobody@example.com"} {
		for path, form := range map[string]url.Values{
			"/sign-in": {"password": {"purple wagon tangerine"}},
			"/reset":   {},
			"/sign-up": {"account_name": {"Maple"}, "password": {pagetest.Password}},
		} {
			form.Set("email", email)
			r := n.Guest()
			rec := r.Post(path, path, form)
			if to := rec.Header().Get("Location"); to != "" {
				rec = r.Get(to)
			}
			said := strings.ReplaceAll(pagetest.Text(pagetest.Parse(t, rec.Body.String())), email, "")
			if before, seen := answers[path]; seen && before != said {
				t.Errorf("%s says\n%s\nor\n%s", path, before, said)
			}
			answers[path] = said
		}
	}
}

func TestTooManyPasswordGuessesGetRetryAfter(t *testing.T) {
	t.Parallel()
	n := pagetest.NewAccountPages(t)
	known := n.SignUp("dana@example.com")
	r := n.Guest()
	wrong := url.Values{"email": {"dana@example.com"}, "password": {"purple wagon tangerine"}}
	for range 10 {
		r.Says(
			r.Post("/sign-in", "/sign-in", wrong),
			http.StatusBadRequest,
			"The email address or the password is wrong",
		)
	}
	rec := r.Post("/sign-in", "/sign-in", wrong)
	r.Says(rec, http.StatusTooManyRequests, "You can try again in 6 minutes.")
	if rec.Header().Get("Retry-After") != "360" {
		t.Errorf("Retry-After is %q", rec.Header().Get("Retry-After"))
	}
	known.Leads(known.Post("/sign-out", "/settings", nil), "/sign-in")
	known.Leads(known.Post("/sign-in", "/sign-in", url.Values{
		"email":    {"dana@example.com"},
		"password": {pagetest.Password},
	}), "/overview")
	n.Wait(7 * time.Minute)
	n.SignIn("dana@example.com")
}

func TestPrivilegeChangeRotatesSessionToken(t *testing.T) {
	t.Parallel()
	n := pagetest.NewAccountPages(t)
	r := n.SignUp("dana@example.com")
	seen := map[string]bool{"": true}
	changed := func(what string) {
		t.Helper()
		if seen[r.Session()] {
			t.Errorf("%s leaves the token", what)
		}
		seen[r.Session()] = true
	}
	changed("signing up")
	n.Wait(16 * time.Minute)
	r.Leads(r.Post("/confirm", "/confirm?next=/team", url.Values{
		"password": {pagetest.Password},
		"next":     {"/team"},
	}), "/team")
	changed("confirming")
	r.Leads(r.Post("/settings/password", "/settings/password", url.Values{
		"old_password": {pagetest.Password},
		"password":     {pagetest.Password + "!"},
	}), "/settings/security")
	changed("purple wagon tangerine")
	r.Leads(r.Post("/settings/password", "/settings/password", url.Values{
		"old_password": {pagetest.Password + "!"},
		"password":     {pagetest.Password},
	}), "/settings/security")
	changed("the old password")
	for token := range seen {
		if old := n.Guest(); token != "" && token != r.Session() {
			old.Cookies["session"] = &http.Cookie{Name: "session", Value: token}
			old.Leads(old.Get("/team"), "/sign-in?next=%2Fteam")
		}
	}
}

func TestPlantedSessionIsReplacedOnSignIn(t *testing.T) {
	t.Parallel()
	n := pagetest.NewAccountPages(t)
	n.SignUp("dana@example.com")
	attacker := n.Guest()
	attacker.Leads(attacker.Post("/sign-up", "/sign-up", url.Values{
		"email":        {"eve@example.com"},
		"account_name": {"E"},
		"password":     {pagetest.Password},
	}), "/sign-up/sent")
	planted := attacker.Session()
	if planted == "" {
		t.Fatal("there is no session to plant")
	}
	victim := n.Guest()
	victim.Cookies["session"] = &http.Cookie{Name: "session", Value: planted}
	victim.Leads(victim.Post("/sign-in", "/sign-in", url.Values{
		"email":    {"dana@example.com"},
		"password": {pagetest.Password},
	}), "/overview")
	if victim.Session() == planted {
		t.Error("the token is that which was planted")
	}
	attacker.Leads(attacker.Get("/team"), "/sign-in?next=%2Fteam")
}

func TestSignInRedirectsOnlyWithinSite(t *testing.T) {
	t.Parallel()
	n := pagetest.NewAccountPages(t)
	n.SignUp("dana@example.com")
	for to, want := range map[string]string{
		"/team?a=b":           "/team?a=b",
		"https://evil.test/":  "/overview",
		"//evil.test":         "/overview",
		"/\\evil.test":        "/overview",
		"javascript:alert(1)": "/overview",
	} {
		r := n.Guest()
		r.Leads(r.Post("/sign-in", "/sign-in", url.Values{
			"email":    {"dana@example.com"},
			"password": {pagetest.Password},
			"next":     {to},
		}), want)
		r.Leads(r.Get("/sign-in?next="+url.QueryEscape(to)), want)
	}
}

func TestSignUpLinkWorksOnceAndElsewhereNeedsPassword(t *testing.T) {
	t.Parallel()
	n := pagetest.NewAccountPages(t)
	r := n.Guest()
	r.Leads(r.Post("/sign-up", "/sign-up", url.Values{
		"email":        {"dana@example.com"},
		"account_name": {"Maple"},
		"password":     {pagetest.Password},
	}), "/sign-up/sent")
	at, other := n.Link("dana@example.com", "/verify/"), n.Guest()
	page := other.Get(at)
	other.Says(page, http.StatusOK, "The one you chose when you signed up")
	if page.Header().Get("X-Robots-Tag") == "" || page.Header().Get("Cache-Control") != "no-store" {
		t.Errorf("the page may be found: %v", page.Header())
	}
	other.Says(other.Post(at, at, nil), http.StatusBadRequest, "Enter the password that you chose")
	other.Says(other.Post(at, at, url.Values{
		"password": {"purple wagon tangerine"},
	}), http.StatusBadRequest, "This is not the password")
	other.Leads(other.Post(at, at, url.Values{"password": {pagetest.Password}}), "/overview")
	r.Says(r.Get(at), http.StatusNotFound, "This link does not work any more")
	r.Says(r.Get("/verify/x"), http.StatusNotFound, "This link does not work any more")
}

func TestPasswordResetStillRequiresSecondFactor(t *testing.T) {
	t.Parallel()
	n := pagetest.NewAccountPages(t)
	r := n.SignUp("dana@example.com")
	secret, _ := n.SetUpTwoFactor(r)
	lost := n.Guest()
	lost.Leads(lost.Post("/reset", "/reset", url.Values{"email": {"dana@example.com"}}), "/reset/sent")
	at := n.Link("dana@example.com", "/reset/")
	lost.Says(lost.Post(at, at, url.Values{
		"password": {"short"},
	}), http.StatusBadRequest, "Must have between 10 and 1,000 characters, not 5.")
	lost.Leads(lost.Post(at, at, url.Values{
		"password": {"purple wagon tangerine"},
	}), "/sign-in/second?next=%2Foverview")
	lost.Says(lost.Get("/sign-in/second"), http.StatusOK, "Password changed")
	r.Leads(r.Get("/team"), "/sign-in?next=%2Fteam")
	lost.Says(lost.Get(at), http.StatusNotFound, "This link does not work any more")
	n.Wait(time.Minute)
	lost.Leads(lost.Post("/sign-in/second", "/sign-in/second", url.Values{"code": {n.Code(secret)}}), "/overview")
}

func TestSignUpErrorsAppearBesideFields(t *testing.T) {
	t.Parallel()
	n := pagetest.NewAccountPages(t)
	r := n.Guest()
	rec := r.Post("/sign-up", "/sign-up", url.Values{
		"email":        {"<b>no</b>"},
		"account_name": {""},
		"password":     {"short"},
	})
	for _, words := range []string{
		"Enter an email address", "Must have between 1 and 120 characters",
		"Must have between 10 and 1,000",
	} {
		r.Says(rec, http.StatusBadRequest, words)
	}
	doc := pagetest.Parse(t, rec.Body.String())
	if got := pagetest.Attr(pagetest.ByID(doc, "field-email"), "value"); got != "<b>no</b>" {
		t.Errorf("what was typed is %q now", got)
	}
	if got := pagetest.Attr(pagetest.ByID(doc, "field-password"), "value"); got != "" {
		t.Errorf("the password is sent back: %q", got)
	}
}

// actions are the addresses that the forms of a page are posted to, below a path.
func actions(doc *html.Node, below string) []string {
	var all []string
	for n := range doc.Descendants() {
		if n.Type == html.ElementNode && n.Data == "form" && strings.HasPrefix(pagetest.Attr(n, "action"), below) {
			all = append(all, pagetest.Attr(n, "action"))
		}
	}
	return all
}

func TestUserInputIsShownAsText(t *testing.T) {
	t.Parallel()
	n := pagetest.NewAccountPages(t)
	r := n.SignUp("dana@example.com")
	for _, what := range webtest.Payloads {
		// A name with a line break is refused.
		saved := r.Post("/settings", "/settings", url.Values{"name": {what}, "time_zone": {"UTC"}})
		shown := map[string]string{
			"saving":                   saved.Body.String(),
			"the settings":             r.Get("/settings").Body.String(),
			"the team":                 r.Get("/team").Body.String(),
			"the overview":             r.Get("/overview").Body.String(),
			"leaving":                  r.Get("/team/leave").Body.String(),
			"a page that is not there": r.Get("/team/" + url.PathEscape(what)).Body.String(),
		}
		for path, field := range map[string]string{
			"/settings/email": "email",
			"/team/invite":    "email",
			"/confirm":        "next",
		} {
			form := url.Values{field: {what}, "password": {"wrong"}, "role": {what}, "next": {what}}
			shown[path] = r.Post(path, "/settings", form).Body.String()
			n.Wait(freshFor)
			shown[path+", which waits"] = r.Post(path, "/settings", form).Body.String()
			r = n.SignIn("dana@example.com")
		}
		g := n.Guest()
		shown["signing in"] = g.Post("/sign-in", "/sign-in", url.Values{
			"email":    {what},
			"next":     {what},
			"password": {"wrong"},
		}).Body.String()
		shown["signing up"] = g.Post("/sign-up", "/sign-up", url.Values{
			"email":        {what},
			"account_name": {what},
		}).Body.String()
		for where, page := range shown {
			harmless(t, where+" with "+what, page)
		}
		r = n.SignIn("dana@example.com")
	}
}

// harmless checks that nothing of a page runs but its own scripts.
func harmless(t *testing.T, where, page string) {
	t.Helper()
	for n := range pagetest.Parse(t, page).Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		if slices.Contains([]string{
			"iframe", "base", "style", "object", "embed", "video", "audio", "marquee", "math",
		}, n.Data) || n.Data == "script" && !strings.HasPrefix(pagetest.Attr(n, "src"), "/static/") {
			t.Errorf("%s: there is a %s", where, n.Data)
		}
		for _, a := range n.Attr {
			if strings.HasPrefix(a.Key, "on") ||
				strings.HasPrefix(strings.ToLower(a.Val), "javascript:") && a.Key != "value" && a.Key != "title" {
				t.Errorf("%s: %s has %s=%s", where, n.Data, a.Key, a.Val)
			}
		}
	}
}

func TestDeviceCookieIsHTTPOnlyAndNeedsSecondFactor(t *testing.T) {
	t.Parallel()
	n := pagetest.NewAccountPages(t)
	r := n.SignUp("dana@example.com")
	c := r.Cookies["device"]
	if c == nil || !c.HttpOnly || c.SameSite != http.SameSiteLaxMode || c.Path != "/" || c.MaxAge < 364*24*3600 {
		t.Errorf("the cookie is %v", c)
	}
	n.SetUpTwoFactor(r)
	halfway := n.Guest()
	halfway.Leads(halfway.Post("/sign-in", "/sign-in", url.Values{
		"email":    {"dana@example.com"},
		"password": {pagetest.Password},
	}), "/sign-in/second?next=%2Foverview")
	if halfway.Cookies["device"] != nil {
		t.Error("who has not shown the second factor is known")
	}
}

func TestSessionOutlivesBrowserOnlyOnOptIn(t *testing.T) {
	t.Parallel()
	n := pagetest.NewAccountPages(t)
	n.SignUp("dana@example.com")
	for keep, lasts := range map[string]bool{"": false, "on": true} {
		r := n.Guest()
		rec := r.Post("/sign-in", "/sign-in", url.Values{
			"email":    {"dana@example.com"},
			"password": {pagetest.Password},
			"keep":     {keep},
		})
		r.Leads(rec, "/overview")
		for _, rec := range []*httptest.ResponseRecorder{rec, r.Post("/settings", "/settings", url.Values{
			"name":      {"Maple & Oak"},
			"time_zone": {"America/Denver"},
		})} {
			var found bool
			for _, c := range rec.Result().Cookies() {
				if c.Name != "session" {
					continue
				}
				found = true
				if got := !c.Expires.IsZero(); got != lasts {
					t.Errorf("with %q the session outlasts the browser: %v", keep, got)
				}
			}
			if !found {
				t.Errorf("with %q: no cookie", keep)
			}
		}
	}
}

func TestWrongPasswordErrorIsShownOnceAndFocused(t *testing.T) {
	t.Parallel()
	n := pagetest.NewAccountPages(t)
	n.SignUp("dana@example.com")
	r := n.Guest()
	if page := r.Get("/sign-in").Body.String(); strings.Contains(page, " autofocus") {
		t.Error("a field takes the focus before anything is wrong")
	}
	page := r.Post("/sign-in", "/sign-in", url.Values{
		"email":    {"dana@example.com"},
		"password": {"something else entirely"},
	}).Body.String()
	if n := strings.Count(page, "password is wrong"); n != 1 {
		t.Errorf("it is said %d times", n)
	}
	if !regexp.MustCompile(`name="password"[^>]* autofocus`).MatchString(page) ||
		strings.Count(page, " autofocus") != 1 {
		t.Error("the password does not have the focus")
	}
}
