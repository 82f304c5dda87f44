package web_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"portal/web/pagetest"
)

// Each form has account pages of its own: the session manager has a clock of its own, which a test does
// not move.
func TestSavedFormIsRestoredAfterSignIn(t *testing.T) {
	t.Parallel()
	for form, change := range map[string]url.Values{
		"/test/leases/{leases}/edit": {"move_in_date": {"2026-12-24"}, "notice_given_date": {""}},
		"/test/properties/{properties}/edit": {
			"street_address": {"12 “New” <Way>"},
			"city":           {""},
			"year_built":     {"about 1990"},
			"state":          {"NV"},
		},
		"/test/tenants/{tenants}/edit": {
			"first_name":               {"Sam"},
			"preferred_contact_method": {"sms"},
			"emergency_contact.name":   {"Kim"},
		},
		"/test/properties/new": {
			"street_address": {"7 Fir Ct"},
			"city":           {"Austin"},
			"state":          {"TX"},
			"unit.bedrooms":  {"3"},
		},
		"/test/leases/generate?unit_id={units}": {
			"tenant":           {"Zoltan"},
			"new.0.first_name": {"Noor"},
			"new.0.last_name":  {"Haddad"},
			"new.0.email":      {""},
			"new.0.phone":      {"512"},
			"occupants":        {"Robin"},
		},
		"/test/webhooks/new": {
			"url":         {"https://hooks.example.com/a?b=c"},
			"events":      {"lease.signed", "payment.succeeded"},
			"description": {"Books"},
		},
		"/settings": {"name": {"Maple & Pine"}, "time_zone": {"America/Denver"}},
	} {
		t.Run(form, func(t *testing.T) {
			t.Parallel()
			n := pagetest.NewAccountPages(t)
			r := n.SignUp("dana@example.com")
			at, first := form, n.Filled("dana@example.com")
			if before, rest, named := strings.Cut(form, "{"); named {
				table, after, _ := strings.Cut(rest, "}")
				at = before + first(table) + after
			}
			sent := n.Late(r, at, change)
			r.Leads(r.SignsIn("dana@example.com", at), at)
			page := r.Get(at)
			r.Says(page, http.StatusOK, pagetest.SessionOver)
			if got := pagetest.FieldsOf(pagetest.Parse(t, page.Body.String())); got.Encode() != sent.Encode() {
				t.Errorf("it shows\n%s\nwhat was typed is\n%s", got.Encode(), sent.Encode())
			}
			if again := r.Get(at); strings.Contains(again.Body.String(), pagetest.SessionOver) {
				t.Error("it is shown twice")
			}
		})
	}
}

func TestRestoredFormIsOnlyResubmittedByUser(t *testing.T) {
	t.Parallel()
	n := pagetest.NewAccountPages(t)
	r := n.SignUp("dana@example.com")
	secret, _ := n.SetUpTwoFactor(r)
	const at, count = "/test/properties/new", "SELECT COUNT(*) FROM properties"
	n.Late(r, at, url.Values{"street_address": {"7 Fir Ct"}, "city": {"Austin"}, "state": {"TX"}})
	second := "/sign-in/second?next=" + url.QueryEscape(at)
	r.Leads(r.SignsIn("dana@example.com", at), second)
	r.Leads(r.Post("/sign-in/second", second, url.Values{"code": {n.Code(secret)}, "next": {at}}), at)
	page := r.Get(at)
	r.Says(page, http.StatusOK, pagetest.SessionOver)
	if made := n.Value(count); made != "0" {
		t.Errorf("%s were made of a form that nobody has sent again", made)
	}
	form := pagetest.FieldsOf(pagetest.Parse(t, page.Body.String()))
	form.Set("token", r.Token(at))
	form.Set("once", "the form of after")
	for range 2 {
		rec := r.Send(http.MethodPost, at, form, nil)
		if rec.Code != http.StatusSeeOther ||
			!strings.HasPrefix(rec.Header().Get("Location"), "/test/properties/prop_") {
			t.Errorf("%d to %s", rec.Code, rec.Header().Get("Location"))
		}
	}
	if made := n.Value(count); made != "1" {
		t.Errorf("%s properties were made", made)
	}
}

func TestSavedFormIsShownOnlyToItsUser(t *testing.T) {
	t.Parallel()
	n := pagetest.NewAccountPages(t)
	r := n.SignUp("dana@example.com")
	n.Join(r, "max@example.com", "owner")
	const at = "/settings"
	n.Late(r, at, url.Values{"name": {"Danas secret plan"}})
	data := n.Value(
		"SELECT CAST(data AS TEXT) FROM sessions WHERE data IS NOT NULL AND user_id IS NULL ORDER BY created_at DESC",
	)
	if strings.Contains(data, "Danas") || strings.Contains(data, "dana@example.com") {
		t.Error("it lies about in clear")
	}
	r.Leads(r.SignsIn("max@example.com", at), at)
	page := r.Get(at)
	if strings.Contains(page.Body.String(), "Danas secret plan") ||
		strings.Contains(page.Body.String(), pagetest.SessionOver) {
		t.Error("somebody else sees it")
	}
	r.Leads(r.Post("/sign-out", at, nil), "/sign-in")
	r.Leads(r.SignsIn("dana@example.com", at), at)
	if strings.Contains(r.Get(at).Body.String(), "Danas secret plan") {
		t.Error("it is there after somebody else was")
	}
}

func TestSavedFormExpiresInAnHourAndNeedsToken(t *testing.T) {
	t.Parallel()
	n := pagetest.NewAccountPages(t)
	r := n.SignUp("dana@example.com")
	const at = "/settings"
	n.Late(r, at, url.Values{"name": {"Maple & Pine"}})
	n.Wait(time.Hour)
	r.Leads(r.SignsIn("dana@example.com", at), at)
	if strings.Contains(r.Get(at).Body.String(), "Maple &amp; Pine") {
		t.Error("it is there after an hour")
	}
	n.Wait(pagetest.Idle)
	for name, form := range map[string]url.Values{
		"no token":      {"name": {"Maple & Pine"}},
		"another token": {"name": {"Maple & Pine"}, "token": {"x"}},
	} {
		r.Leads(r.Send(http.MethodPost, at, form, nil), "/sign-in?next=%2Fsettings")
		r.Leads(r.SignsIn("dana@example.com", at), at)
		if strings.Contains(r.Get(at).Body.String(), "Maple &amp; Pine") {
			t.Errorf("a form with %s is shown", name)
		}
		n.Wait(pagetest.Idle)
	}
}

func TestSavedFormOmitsPassword(t *testing.T) {
	t.Parallel()
	n := pagetest.NewAccountPages(t)
	r := n.SignUp("dana@example.com")
	const at = "/settings/password"
	n.Late(r, at, url.Values{"old_password": {pagetest.Password}, "password": {"another horse battery"}})
	r.Leads(r.SignsIn("dana@example.com", at), at)
	page := r.Get(at)
	body := page.Body.String()
	if strings.Contains(body, "another horse") || strings.Contains(body, pagetest.Password) {
		t.Error("a password is shown")
	}
}

// A confirmation that is answered too late loses the proof, and keeps the form that waited for it.
func TestFormHeldForConfirmationOutlivesSession(t *testing.T) {
	t.Parallel()
	n := pagetest.NewAccountPages(t)
	r := n.SignUp("dana@example.com")
	const at = "/team/invite"
	form := url.Values{
		"email": {"max@example.com"},
		"role":  {"owner"},
		"once":  {"this very form"},
		"token": {r.Token(at)},
	}
	n.Wait(2 * time.Hour)
	asked := r.Send(http.MethodPost, at, form, nil)
	r.Says(asked, http.StatusForbidden, "Confirm it’s you")
	n.Wait(pagetest.Idle)
	r.Leads(r.Confirms(asked, url.Values{"password": {pagetest.Password}}), "/sign-in?next=%2Fteam%2Finvite")
	r.Leads(r.SignsIn("dana@example.com", at), at)
	page := r.Get(at)
	r.Says(page, http.StatusOK, pagetest.SessionOver)
	got := pagetest.FieldsOf(pagetest.Parse(t, page.Body.String()))
	if got.Get("email") != "max@example.com" || got.Get("role") != "owner" || got.Has("password") {
		t.Errorf("the form has %v", got)
	}
	if sent := n.Emails("max@example.com"); len(sent) != 0 {
		t.Errorf("%d invitations were sent by nobody", len(sent))
	}
}

func TestSavedFormSurvivesPasswordReset(t *testing.T) {
	t.Parallel()
	n := pagetest.NewAccountPages(t)
	r := n.SignUp("dana@example.com")
	const at = "/settings"
	n.Late(r, at, url.Values{"name": {"Maple & Pine"}})
	r.Leads(r.Post("/reset", "/reset", url.Values{"email": {"dana@example.com"}}), "/reset/sent")
	link := n.Link("dana@example.com", "/reset/")
	r.Leads(r.Post(link, link, url.Values{"password": {"another horse battery"}}), "/overview")
	page := r.Get(at)
	r.Says(page, http.StatusOK, pagetest.SessionOver)
	if got := pagetest.FieldsOf(pagetest.Parse(t, page.Body.String())).Get("name"); got != "Maple & Pine" {
		t.Errorf("the name is %q", got)
	}
}

// A text that somebody has changed where it is kept, or that was sealed with another key, is
// forgotten, and the form is as it would be without it.
func TestUnreadableSavedFormIsDiscarded(t *testing.T) {
	t.Parallel()
	n := pagetest.NewAccountPages(t)
	r := n.SignUp("dana@example.com")
	const at = "/settings"
	n.Late(r, at, url.Values{"name": {"Maple & Pine"}})
	const kept = "data IS NOT NULL AND user_id IS NULL AND hex(data) LIKE '%' || hex('typed') || '%'"
	before := n.Value("SELECT hex(data) FROM sessions WHERE " + kept)
	i := strings.Index(before, "7479706564") + 80 // well within the text behind its name
	changed := before[:i] + map[bool]string{true: "42", false: "41"}[before[i:i+2] == "41"] + before[i+2:]
	done, err := n.DB.Exec(t.Context(), "UPDATE sessions SET data = unhex('"+changed+"') WHERE "+kept)
	if err != nil || done != 1 {
		t.Fatalf("%d sessions were changed: %v", done, err)
	}
	r.Leads(r.SignsIn("dana@example.com", at), at)
	page := r.Get(at)
	r.Says(page, http.StatusOK, "Time zone")
	body := page.Body.String()
	if strings.Contains(body, "Maple &amp; Pine") || strings.Contains(body, pagetest.SessionOver) {
		t.Error("it is shown")
	}
}
