package account_test

import (
	"archive/zip"
	"bytes"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"portal/web/pagetest"
)

// ids are what stands behind a path in the addresses of a page's links and forms.
func ids(doc *html.Node, path string) []string {
	var all []string
	for n := range doc.Descendants() {
		for _, key := range []string{"href", "action"} {
			if id, there := strings.CutPrefix(pagetest.Attr(n, key), path); there {
				id, _, _ = strings.Cut(id, "/")
				all = append(all, id)
			}
		}
	}
	return all
}

// values are those of a field's boxes that are not chosen.
func values(doc *html.Node, name string) []string {
	var all []string
	for n := range doc.Descendants() {
		if n.Type == html.ElementNode && n.Data == "input" && pagetest.Attr(n, "name") == name &&
			!strings.Contains(rendered(n), "checked") {
			all = append(all, pagetest.Attr(n, "value"))
		}
	}
	return all
}

func rendered(n *html.Node) string {
	var b strings.Builder
	_ = html.Render(&b, n)
	return b.String()
}

func TestOwnerSetsAccountNameAndTimeZone(t *testing.T) {
	t.Parallel()
	n := pagetest.NewAccountPages(t)
	r := n.SignUp("dana@example.com")
	r.Leads(r.Post("/settings", "/settings", url.Values{
		"name":      {"Elm & Sons"},
		"time_zone": {"America/Los_Angeles"},
	}), "/settings")
	page := r.Get("/settings")
	r.Says(page, http.StatusOK, "Account saved.")
	got := pagetest.Attr(pagetest.ByID(pagetest.Parse(t, page.Body.String()), "field-name"), "value")
	if got != "Elm & Sons" {
		t.Errorf("the name is %q", got)
	}
	if !strings.Contains(r.Get("/settings/sessions").Body.String(), "PST") {
		t.Error("times are in another zone")
	}
	r.Says(r.Post("/settings", "/settings", url.Values{
		"name":      {""},
		"time_zone": {"Mars"},
	}), http.StatusBadRequest, "Choose a time zone of the list")
}

func TestEmailPreferencesAreSaved(t *testing.T) {
	t.Parallel()
	n := pagetest.NewAccountPages(t)
	r := n.SignUp("dana@example.com")
	chosen := func() int { return strings.Count(r.Get("/settings/mail").Body.String(), " checked") }
	if got := chosen(); got != 3 {
		t.Errorf("an owner gets %d emails at first", got)
	}
	r.Leads(r.Post("/settings/mail", "/settings/mail", url.Values{"notices": {"applications"}}), "/settings/mail")
	r.Says(r.Get("/settings/mail"), http.StatusOK, "Saved. This applies")
	if got := chosen(); got != 1 {
		t.Errorf("%d emails are chosen", got)
	}
	r.Says(r.Post("/settings/mail", "/settings/mail", url.Values{
		"notices": {"everything"},
	}), http.StatusBadRequest, "Choose from the listed emails.")
	r.Leads(r.Post("/settings/mail", "/settings/mail", url.Values{}), "/settings/mail")
	if got := chosen(); got != 0 {
		t.Errorf("%d emails are chosen", got)
	}
}

func TestSignInMethodChangesRequireConfirmation(t *testing.T) {
	t.Parallel()
	n := pagetest.NewAccountPages(t)
	r := n.SignUp("dana@example.com")
	n.SetUpTwoFactor(r)
	n.Wait(freshFor)
	for _, path := range []string{
		"/settings/security/app", "/settings/security/app/remove", "/settings/security/codes",
		"/settings/security/passkeys/new",
	} {
		r.Leads(r.Get(path), "/confirm?next="+url.QueryEscape(path))
	}
	form := url.Values{"token": {r.Token("/settings")}, "code": {"123456"}}
	for _, path := range []string{
		"/settings/security/app", "/settings/security/app/remove", "/settings/security/codes",
		"/settings/security/passkeys",
	} {
		r.Says(r.Send(http.MethodPost, path, form, nil), http.StatusForbidden, "Confirm it’s you")
	}
	script := r.Send(http.MethodPost, "/settings/security/ceremony", form, func(q *http.Request) {
		q.Header.Set("Referer", pagetest.BaseURL+"/settings/security")
		q.Header.Set("Accept", "application/json")
	})
	r.Leads(script, "/confirm?next=%2Fsettings%2Fsecurity")
	r.Says(r.Get("/settings/security"), http.StatusOK, "10 minutes ago Remove app")
}

func TestConfirmationRequiresPasswordAndCode(t *testing.T) {
	t.Parallel()
	n := pagetest.NewAccountPages(t)
	r := n.SignUp("dana@example.com")
	secret, _ := n.SetUpTwoFactor(r)
	n.Wait(freshFor)
	const at = "/confirm?next=/settings/security/codes"
	r.Says(r.Post("/confirm", at, url.Values{
		"password": {"purple wagon tangerine"},
	}), http.StatusBadRequest, "The password is wrong.")
	r.Says(r.Post("/confirm", at, url.Values{
		"password": {pagetest.Password},
	}), http.StatusBadRequest, "This code is wrong")
	r.Leads(r.Post("/confirm", at, url.Values{
		"password": {pagetest.Password},
		"code":     {n.Code(secret)},
		"next":     {"/settings/security/codes"},
	}), "/settings/security/codes")
	r.Says(
		r.Post("/settings/security/codes", "/settings/security/codes", nil),
		http.StatusOK,
		"Your previous codes no longer work",
	)
	r.Leads(r.Post("/settings/security/app/remove", "/settings/security/app/remove", nil), "/settings/security")
	r.Says(r.Get("/settings/security"), http.StatusOK, "You now sign in with your password only.")
}

func TestWrongSetupCodeKeepsAuthenticatorKey(t *testing.T) {
	t.Parallel()
	n := pagetest.NewAccountPages(t)
	r := n.SignUp("dana@example.com")
	const at = "/settings/security/app"
	key := pagetest.Text(find(t, pagetest.Parse(t, r.Get(at).Body.String()), "span", "id copied"))
	rec := r.Post(at, at, url.Values{"code": {"123"}})
	r.Says(rec, http.StatusBadRequest, "This is not the code that the app should show now")
	if again := pagetest.Text(find(t, pagetest.Parse(t, rec.Body.String()), "span", "id copied")); again != key {
		t.Errorf("the key was %s and is %s", key, again)
	}
	n.Wait(31 * time.Minute)
	r.Leads(r.Get(at), "/confirm?next=%2Fsettings%2Fsecurity%2Fapp")
}

// find is the first element of a name with a class.
func find(t *testing.T, doc *html.Node, name, class string) *html.Node {
	t.Helper()
	for n := range doc.Descendants() {
		if n.Type == html.ElementNode && n.Data == name && pagetest.Attr(n, "class") == class {
			return n
		}
	}
	t.Fatalf("there is no %s.%s", name, class)
	return nil
}

func TestEmailChangeIsConfirmedAndUndoneByLink(t *testing.T) {
	t.Parallel()
	n := pagetest.NewAccountPages(t)
	r := n.SignUp("dana@example.com")
	const form = "/settings/email"
	r.Says(r.Post(form, form, url.Values{
		"email": {"dana@example.com"},
	}), http.StatusBadRequest, "This is already your email address")
	r.Leads(r.Post(form, form, url.Values{"email": {"new@example.com"}}), "/settings/security")
	at := n.Link("new@example.com", "/email/")
	r.Says(r.Get(at), http.StatusOK, "From now on you sign in with new@example.com instead of dana@example.com.")
	r.Says(r.Post(at, at, nil), http.StatusOK, "Sign in with the new address")
	r.Leads(r.Get("/team"), "/sign-in?next=%2Fteam")
	r.Says(r.Get(at), http.StatusNotFound, "This link does not work any more")
	n.SignIn("new@example.com")
	undo, g := n.Link("dana@example.com", "/email/undo/"), n.Guest()
	g.Says(g.Get(undo), http.StatusOK, "You sign in with dana@example.com again")
	g.Says(g.Post(undo, undo, nil), http.StatusOK, "We sent you a link")
	at = n.Link("dana@example.com", "/reset/")
	g.Leads(g.Post(at, at, url.Values{"password": {pagetest.Password}}), "/overview")
}

func TestPasswordChangeEndsOtherSessions(t *testing.T) {
	t.Parallel()
	n := pagetest.NewAccountPages(t)
	r := n.SignUp("dana@example.com")
	other := n.SignIn("dana@example.com")
	const form = "/settings/password"
	r.Says(r.Post(form, form, url.Values{
		"old_password": {"purple wagon tangerine"},
		"password":     {pagetest.Password},
	}), http.StatusBadRequest, "The old password is wrong")
	r.Says(r.Post(form, form, url.Values{
		"old_password": {pagetest.Password},
		"password":     {"short"},
	}), http.StatusBadRequest, "Must have between 10 and 1,000 characters")
	r.Leads(r.Post(form, form, url.Values{
		"old_password": {pagetest.Password},
		"password":     {"yet another horse of battery"},
	}), "/settings/security")
	r.Says(r.Get("/settings/security"), http.StatusOK, "You’re signed out on all other devices.")
	other.Leads(other.Get("/team"), "/sign-in?next=%2Fteam")
}

func TestAllOtherSessionsEndTogether(t *testing.T) {
	t.Parallel()
	n := pagetest.NewAccountPages(t)
	r := n.SignUp("dana@example.com")
	others := []*pagetest.Reader{n.SignIn("dana@example.com"), n.SignIn("dana@example.com")}
	r.Says(r.Get("/settings/sessions"), http.StatusOK, "End all other sessions")
	r.Leads(r.Post("/settings/sessions/others", "/settings/sessions/others", nil), "/settings/sessions")
	for _, o := range others {
		o.Leads(o.Get("/team"), "/sign-in?next=%2Fteam")
	}
	r.Says(r.Get("/settings/sessions"), http.StatusOK, "This browser")
}

func TestOwnerExportsDataAndClosesAccount(t *testing.T) {
	t.Parallel()
	n := pagetest.NewAccountPages(t)
	r := n.SignUp("dana@example.com")
	robin := n.Join(r, "robin@example.com", "manager")
	robin.Says(robin.Get("/settings/export"), http.StatusForbidden, "Only owners can do this")
	n.Wait(freshFor)
	r.Leads(r.Get("/settings/export"), "/confirm?next=%2Fsettings%2Fexport")
	for next, back := range map[string]string{
		"/settings/export":           "/settings",
		"/settings/security/app":     "/settings/security",
		"/keys/new":                  "/keys",
		"/test/leases/lea_1/sign":    "/test/leases/lea_1",
		"/live/webhooks/new?event=x": "/live/webhooks",
		"/elsewhere":                 "/",
	} {
		if to := pagetest.Link(t, r.Get("/confirm?next="+url.QueryEscape(next)), "Cancel"); to != back {
			t.Errorf("canceling %s leads to %q", next, to)
		}
	}
	r.Leads(r.Post("/confirm", "/confirm", url.Values{
		"password": {pagetest.Password},
		"next":     {"/settings/export"},
	}), "/settings/export")
	file := r.Get("/settings/export")
	z, err := zip.NewReader(bytes.NewReader(file.Body.Bytes()), int64(file.Body.Len()))
	if err != nil || len(z.File) == 0 ||
		file.Header().Get("Content-Disposition") != `attachment; filename="portal-2026-11-02.zip"` ||
		file.Header().Get("Cache-Control") != "no-store" {
		t.Errorf("%v, %v: %v", err, file.Header(), z)
	}
	const at = "/settings/close"
	r.Says(r.Post(at, at, url.Values{
		"password": {"purple wagon tangerine"},
	}), http.StatusBadRequest, "The password is wrong.")
	r.Says(r.Post(at, at, url.Values{"password": {pagetest.Password}}), http.StatusOK, "Maple & Oak is closed")
	r.Leads(r.Get("/team"), "/sign-in?next=%2Fteam")
	robin.Leads(robin.Get("/team"), "/sign-in?next=%2Fteam")
}

func TestOwnerOptsInToDailyLeaseRecords(t *testing.T) {
	t.Parallel()
	n := pagetest.NewAccountPages(t)
	dana := n.SignUp("dana@example.com")
	robin := n.Join(dana, "robin@example.com", "owner")
	kim := n.Join(dana, "kim@example.com", "manager")
	const at, label = "/settings/mail/lease-records", "Email me the day’s lease records"
	chosen := func(r *pagetest.Reader) bool {
		t.Helper()
		page := r.Get("/settings/mail")
		r.Says(page, http.StatusOK, label)
		r.Says(page, http.StatusOK, "Each day we email you the fingerprint of every lease record that changed.")
		box := pagetest.ByID(pagetest.Parse(t, page.Body.String()), "field-lease_records")
		return strings.Contains(rendered(box), "checked=")
	}
	if chosen(dana) || chosen(robin) {
		t.Error("it is chosen at first")
	}
	dana.Leads(dana.Post(at, "/settings/mail", url.Values{"lease_records": {"on"}}), "/settings/mail")
	dana.Says(dana.Get("/settings/mail"), http.StatusOK, "You’ll get each day’s lease records by email.")
	if !chosen(dana) || chosen(robin) {
		t.Error("it is not chosen for the one owner alone")
	}
	dana.Leads(dana.Post("/settings/mail", "/settings/mail", url.Values{"notices": {"applications"}}), "/settings/mail")
	if !chosen(dana) {
		t.Error("another choice takes it back")
	}
	dana.Leads(dana.Post(at, "/settings/mail", nil), "/settings/mail")
	dana.Says(dana.Get("/settings/mail"), http.StatusOK, "You won’t get lease records by email.")
	if chosen(dana) {
		t.Error("it is chosen still")
	}
	if page := kim.Get("/settings/mail").Body.String(); strings.Contains(page, label) {
		t.Error("a manager is asked")
	}
	refused := kim.Post(at, "/settings/mail", url.Values{"lease_records": {"on"}})
	if refused.Code == http.StatusSeeOther && refused.Header().Get("Location") == "/settings/mail" {
		t.Error("a manager chooses")
	}
	if got := n.Value("SELECT CAST(COUNT(*) AS TEXT) FROM members WHERE evidence_mail = 1"); got != "0" {
		t.Errorf("%s members get it", got)
	}
}
