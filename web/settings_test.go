package web_test

import (
	"archive/zip"
	"bytes"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"
)

// ids are what stands behind a path in the addresses of a page's links and forms.
func ids(doc *html.Node, path string) []string {
	var all []string
	for n := range doc.Descendants() {
		for _, key := range []string{"href", "action"} {
			if id, there := strings.CutPrefix(attr(n, key), path); there {
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
		if n.Type == html.ElementNode && n.Data == "input" && attr(n, "name") == name && !strings.Contains(rendered(n), "checked") {
			all = append(all, attr(n, "value"))
		}
	}
	return all
}

func rendered(n *html.Node) string {
	var b strings.Builder
	_ = html.Render(&b, n)
	return b.String()
}

// member is the id of somebody of the reader's team.
func (n *accountPages) member(owner *reader, email string) string {
	n.Helper()
	for d := range parse(n.T, owner.get("/team").Body.String()).Descendants() {
		if attr(d, "aria-label") == "Change the role of "+email {
			return strings.TrimPrefix(attr(d, "href"), "/team/members/")
		}
	}
	n.Fatalf("%s is not in the team", email)
	return ""
}

func TestAnAccountHasTheNameAndTheZoneThatItsOwnerChooses(t *testing.T) {
	t.Parallel()
	n := newAccountPages(t)
	r := n.signUp("dana@example.com")
	r.leads(r.post("/settings", "/settings", url.Values{"name": {"Elm & Sons"}, "time_zone": {"America/Los_Angeles"}}), "/settings")
	page := r.get("/settings")
	r.says(page, http.StatusOK, "The account is changed.")
	if got := attr(byID(parse(t, page.Body.String()), "field-name"), "value"); got != "Elm & Sons" {
		t.Errorf("the name is %q", got)
	}
	if !strings.Contains(r.get("/settings/sessions").Body.String(), "PST") {
		t.Error("times are in another zone")
	}
	r.says(r.post("/settings", "/settings", url.Values{"name": {""}, "time_zone": {"Mars"}}), http.StatusBadRequest, "Choose a time zone of the list")
}

func TestWhoeverDoesNotWantALetterDoesNotGetIt(t *testing.T) {
	t.Parallel()
	n := newAccountPages(t)
	r := n.signUp("dana@example.com")
	chosen := func() int { return strings.Count(r.get("/settings/mail").Body.String(), " checked") }
	if got := chosen(); got != 2 {
		t.Errorf("an owner gets %d emails at first", got)
	}
	r.leads(r.post("/settings/mail", "/settings/mail", url.Values{"notices": {"applications"}}), "/settings/mail")
	r.says(r.get("/settings/mail"), http.StatusOK, "Your choice is saved.")
	if got := chosen(); got != 1 {
		t.Errorf("%d emails are chosen", got)
	}
	r.says(r.post("/settings/mail", "/settings/mail", url.Values{"notices": {"everything"}}), http.StatusBadRequest, "Choose from the emails there are.")
	r.leads(r.post("/settings/mail", "/settings/mail", url.Values{}), "/settings/mail")
	if got := chosen(); got != 0 {
		t.Errorf("%d emails are chosen", got)
	}
}

func TestWhatChangesHowOneSignsInAsksFirstWhoItIs(t *testing.T) {
	t.Parallel()
	n := newAccountPages(t)
	r := n.signUp("dana@example.com")
	n.setUpTwoFactor(r)
	n.wait(freshFor)
	for _, path := range []string{"/settings/security/app", "/settings/security/app/remove", "/settings/security/codes", "/settings/security/passkeys/new"} {
		r.leads(r.get(path), "/confirm?next="+url.QueryEscape(path))
	}
	form := url.Values{"token": {r.token("/settings")}, "code": {"123456"}}
	for _, path := range []string{"/settings/security/app", "/settings/security/app/remove", "/settings/security/codes", "/settings/security/passkeys"} {
		r.says(r.send(http.MethodPost, path, form, nil), http.StatusForbidden, "Confirm it is you")
	}
	script := r.send(http.MethodPost, "/settings/security/ceremony", form, func(q *http.Request) {
		q.Header.Set("Referer", base+"/settings/security")
		q.Header.Set("Accept", "application/json")
	})
	r.leads(script, "/confirm?next=%2Fsettings%2Fsecurity")
	r.says(r.get("/settings/security"), http.StatusOK, "10 minutes ago Remove the app")
}

func TestWhoConfirmsHasToKnowThePasswordAndTheCode(t *testing.T) {
	t.Parallel()
	n := newAccountPages(t)
	r := n.signUp("dana@example.com")
	secret, _ := n.setUpTwoFactor(r)
	n.wait(freshFor)
	const at = "/confirm?next=/settings/security/codes"
	r.says(r.post("/confirm", at, url.Values{"password": {"purple wagon tangerine"}}), http.StatusBadRequest, "The password is wrong.")
	r.says(r.post("/confirm", at, url.Values{"password": {right}}), http.StatusBadRequest, "This code is wrong")
	r.leads(r.post("/confirm", at, url.Values{"password": {right}, "code": {n.code(secret)}, "next": {"/settings/security/codes"}}), "/settings/security/codes")
	r.says(r.post("/settings/security/codes", "/settings/security/codes", nil), http.StatusOK, "The earlier codes do not work any more")
	r.leads(r.post("/settings/security/app/remove", "/settings/security/app/remove", nil), "/settings/security")
	r.says(r.get("/settings/security"), http.StatusOK, "Nothing but your password is asked for now when you sign in.")
}

func TestAWrongCodeLeavesTheSameKeyToSetUp(t *testing.T) {
	t.Parallel()
	n := newAccountPages(t)
	r := n.signUp("dana@example.com")
	const at = "/settings/security/app"
	key := text(find(t, parse(t, r.get(at).Body.String()), "span", "id copied"))
	rec := r.post(at, at, url.Values{"code": {"123"}})
	r.says(rec, http.StatusBadRequest, "This is not the code that the app should show now")
	if again := text(find(t, parse(t, rec.Body.String()), "span", "id copied")); again != key {
		t.Errorf("the key was %s and is %s", key, again)
	}
	n.wait(31 * time.Minute)
	r.leads(r.get(at), "/confirm?next=%2Fsettings%2Fsecurity%2Fapp")
}

// find is the first element of a name with a class.
func find(t *testing.T, doc *html.Node, name, class string) *html.Node {
	t.Helper()
	for n := range doc.Descendants() {
		if n.Type == html.ElementNode && n.Data == name && attr(n, "class") == class {
			return n
		}
	}
	t.Fatalf("there is no %s.%s", name, class)
	return nil
}

func TestAnAddressIsChangedByALinkAndTakenBackByAnother(t *testing.T) {
	t.Parallel()
	n := newAccountPages(t)
	r := n.signUp("dana@example.com")
	const form = "/settings/email"
	r.says(r.post(form, form, url.Values{"email": {"dana@example.com"}}), http.StatusBadRequest, "This is your address already")
	r.leads(r.post(form, form, url.Values{"email": {"new@example.com"}}), "/settings/security")
	at := n.link("new@example.com", "/email/")
	r.says(r.get(at), http.StatusOK, "From now on you sign in with new@example.com instead of dana@example.com.")
	r.says(r.post(at, at, nil), http.StatusOK, "Sign in with the new address")
	r.leads(r.get("/team"), "/sign-in?next=%2Fteam")
	r.says(r.get(at), http.StatusNotFound, "This link does not work any more")
	n.signIn("new@example.com")
	undo, g := n.link("dana@example.com", "/email/undo/"), n.guest()
	g.says(g.get(undo), http.StatusOK, "You sign in with dana@example.com again")
	g.says(g.post(undo, undo, nil), http.StatusOK, "We have sent you a link")
	at = n.link("dana@example.com", "/reset/")
	g.leads(g.post(at, at, url.Values{"password": {right}}), "/overview")
}

func TestAnotherPasswordEndsTheOtherSessions(t *testing.T) {
	t.Parallel()
	n := newAccountPages(t)
	r := n.signUp("dana@example.com")
	other := n.signIn("dana@example.com")
	const form = "/settings/password"
	r.says(r.post(form, form, url.Values{"old_password": {"purple wagon tangerine"}, "password": {right}}), http.StatusBadRequest, "The old password is wrong")
	r.says(r.post(form, form, url.Values{"old_password": {right}, "password": {"short"}}), http.StatusBadRequest, "Choose a password of 10")
	r.leads(r.post(form, form, url.Values{"old_password": {right}, "password": {"yet another horse of battery"}}), "/settings/security")
	r.says(r.get("/settings/security"), http.StatusOK, "All other sessions were ended.")
	other.leads(other.get("/team"), "/sign-in?next=%2Fteam")
}

func TestAllOtherSessionsEndAtOnce(t *testing.T) {
	t.Parallel()
	n := newAccountPages(t)
	r := n.signUp("dana@example.com")
	others := []*reader{n.signIn("dana@example.com"), n.signIn("dana@example.com")}
	r.says(r.get("/settings/sessions"), http.StatusOK, "End all other sessions")
	r.leads(r.post("/settings/sessions/others", "/settings/sessions/others", nil), "/settings/sessions")
	for _, o := range others {
		o.leads(o.get("/team"), "/sign-in?next=%2Fteam")
	}
	r.says(r.get("/settings/sessions"), http.StatusOK, "this one")
}

func TestAnOwnerTakesTheirDataAlongAndClosesTheAccount(t *testing.T) {
	t.Parallel()
	n := newAccountPages(t)
	r := n.signUp("dana@example.com")
	robin := n.join(r, "robin@example.com", "manager")
	robin.says(robin.get("/settings/export"), http.StatusForbidden, "Only an owner of Maple & Oak can do this")
	n.wait(freshFor)
	r.leads(r.get("/settings/export"), "/confirm?next=%2Fsettings%2Fexport")
	r.leads(r.post("/confirm", "/confirm", url.Values{"password": {right}, "next": {"/settings/export"}}), "/settings/export")
	file := r.get("/settings/export")
	z, err := zip.NewReader(bytes.NewReader(file.Body.Bytes()), int64(file.Body.Len()))
	if err != nil || len(z.File) == 0 || file.Header().Get("Content-Disposition") != `attachment; filename="portal-2026-11-02.zip"` || file.Header().Get("Cache-Control") != "no-store" {
		t.Errorf("%v, %v: %v", err, file.Header(), z)
	}
	const at = "/settings/close"
	r.says(r.post(at, at, url.Values{"password": {"purple wagon tangerine"}}), http.StatusBadRequest, "The password is wrong.")
	r.says(r.post(at, at, url.Values{"password": {right}}), http.StatusOK, "Maple & Oak is closed")
	r.leads(r.get("/team"), "/sign-in?next=%2Fteam")
	robin.leads(robin.get("/team"), "/sign-in?next=%2Fteam")
}
