package web_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"portal/api/access"
	"portal/api/mail"
	"portal/db/accountstore"
	"portal/web/webtest"
)

// writes sends an email about the portfolio of a landlord's mode, and tells its id.
func (n *accountPages) writes(email string, mode access.Mode, change func(*mail.Message)) string {
	n.Helper()
	_, a, err := n.developer.Account(n.Context(), email)
	must(n.T, err)
	in, err := accountstore.NewAccounts(n.db).PortfolioOf(n.Context(), a.ID, mode)
	must(n.T, err)
	m := &mail.Message{AccountID: a.ID, Portfolio: in, To: "sam@example.com", Subject: "Apply now", Text: "Hello,\nthe unit is free.", HTML: "<p>Hello</p>"}
	change(m)
	must(n.T, n.post.Send(n.Context(), m))
	return m.ID
}

func TestTheMailOfAPortfolioIsReadThere(t *testing.T) {
	t.Parallel()
	n := newAccountPages(t)
	r, other := n.signUp("dana@example.com"), n.signUp("robin@example.com")
	r.says(r.get("/test/mail"), http.StatusOK, "No mail was written yet")
	id := n.writes("dana@example.com", access.Test, func(*mail.Message) {})
	live := n.writes("dana@example.com", access.Live, func(m *mail.Message) { m.Subject = "For real" })
	if page := r.get("/test/mail").Body.String(); !strings.Contains(page, `href="/test/mail/`+id) {
		t.Errorf("the list is %s", page)
	}
	r.says(r.get("/live/mail"), http.StatusOK, "For real")
	if page := r.get("/test/mail").Body.String(); strings.Contains(page, "For real") || strings.Contains(page, "Look into") {
		t.Error("the list shows mail of other places")
	}
	r.says(r.get("/test/mail?status=sent"), http.StatusOK, "No mail matches this filter")
	page := r.get("/test/mail/" + id)
	for _, want := range []string{"Apply now", "the unit is free.", "Kept here", "not sent", "sam@example.com"} {
		r.says(page, http.StatusOK, want)
	}
	look := r.get("/test/mail/" + id + "/look")
	if policy := look.Header().Get("Content-Security-Policy"); look.Body.String() != "<p>Hello</p>" || !strings.HasPrefix(policy, "default-src 'none'; ") || !strings.Contains(policy, "; sandbox ") || strings.Contains(policy, "script") {
		t.Errorf("it looks like %s with the policy %s", look.Body.String(), policy)
	}
	for _, path := range []string{"/live/mail/" + id, "/test/mail/" + live, "/live/mail/" + id + "/look", "/test/mail/x%00"} {
		r.says(r.get(path), http.StatusNotFound, "")
	}
	own := regexp.MustCompile(`mail_\w+`).FindString(n.kept(t, "dana@example.com"))
	for _, path := range []string{"/test/mail/" + id, "/live/mail/" + live, "/live/mail/" + live + "/look", "/live/mail/" + own} {
		other.says(other.get(path), http.StatusNotFound, "")
	}
	r.says(r.get("/live/mail/"+own), http.StatusNotFound, "")
}

// kept is the id of the newest email to somebody.
func (n *accountPages) kept(t *testing.T, to string) string {
	t.Helper()
	all, err := n.post.Mails(n.Context(), mail.Filter{Limit: 100})
	must(t, err)
	for _, e := range all {
		if e.To == to {
			return e.ID
		}
	}
	t.Fatalf("no email went to %s", to)
	return ""
}

func TestNothingThatALetterSaysRuns(t *testing.T) {
	t.Parallel()
	b, n := browser(t), newAccountPages(t)
	r := n.signUp("dana@example.com")
	address, w := n.opened(r), b.Window(t)
	for _, evil := range webtest.Payloads {
		id := n.writes("dana@example.com", access.Test, func(m *mail.Message) {
			m.To, m.Subject, m.Text, m.HTML = evil, evil, evil, "<p>"+evil+"</p>"
		})
		w.Visit(webtest.Desk, address+"/test/mail/"+id)
		w.Harmless(evil)
		w.Visit(webtest.Desk, address+"/test/mail/"+id+"/look") // markup that nobody has escaped
		w.Said()
		if webtest.Value[bool](w, `"pwned" in window`) {
			t.Errorf("%s has run", evil)
		}
	}
	w.Visit(webtest.Desk, address+"/test/mail")
	w.Harmless("the list")
}

func TestEverybodyCanUseThePagesOfMail(t *testing.T) {
	t.Parallel()
	b, n := browser(t), newAccountPages(t)
	r := n.signUp("dana@example.com")
	id := n.writes("dana@example.com", access.Test, func(*mail.Message) {})
	address := n.opened(r)
	for _, path := range []string{"/test/mail", "/live/mail", "/test/mail/" + id, "/settings/mail"} {
		t.Run(path, func(t *testing.T) { b.Look(t, address+path) })
	}
}
