package developer_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"portal/api/access"
	"portal/api/mail"
	"portal/api/sampled"
	"portal/web/pagetest"
	"portal/web/webtest"
)

func TestEmailsAreShownOnlyInTheirPortfolio(t *testing.T) {
	t.Parallel()
	n := pagetest.NewAccountPages(t)
	r, other := n.SignUp("dana@example.com"), n.SignUp("robin@example.com")
	r.Says(r.Get("/test/mail"), http.StatusOK, "No emails yet")
	id := n.Writes("dana@example.com", access.Test, func(*mail.Message) {})
	live := n.Writes("dana@example.com", access.Live, func(m *mail.Message) { m.Subject = "For real" })
	if page := r.Get("/test/mail").Body.String(); !strings.Contains(page, `href="/test/mail/`+id) {
		t.Errorf("the list is %s", page)
	}
	r.Says(r.Get("/live/mail"), http.StatusOK, "For real")
	if page := r.Get("/test/mail").Body.String(); strings.Contains(page, "For real") ||
		strings.Contains(page, "Look into") {
		t.Error("the list shows mail of other places")
	}
	r.Says(r.Get("/test/mail?status=sent"), http.StatusOK, "No emails match these filters")
	page := r.Get("/test/mail/" + id)
	for _, want := range []string{"Apply now", "the unit is free.", "Not sent", "sam@example.com"} {
		r.Says(page, http.StatusOK, want)
	}
	look := r.Get("/test/mail/" + id + "/look")
	policy := look.Header().Get("Content-Security-Policy")
	if look.Body.String() != "<p>Hello</p>" || !strings.HasPrefix(policy, "default-src 'none'; ") ||
		!strings.Contains(policy, "; sandbox ") || strings.Contains(policy, "script") {
		t.Errorf("it looks like %s with the policy %s", look.Body.String(), policy)
	}
	for _, path := range []string{
		"/live/mail/" + id, "/test/mail/" + live, "/live/mail/" + id + "/look", "/test/mail/x%00",
	} {
		r.Says(r.Get(path), http.StatusNotFound, "")
	}
	own := regexp.MustCompile(`mail_\w+`).FindString(n.Kept(t, "dana@example.com"))
	for _, path := range []string{
		"/test/mail/" + id, "/live/mail/" + live, "/live/mail/" + live + "/look",
		"/live/mail/" + own,
	} {
		other.Says(other.Get(path), http.StatusNotFound, "")
	}
	r.Says(r.Get("/live/mail/"+own), http.StatusNotFound, "")
}

func TestEmailContentNeverRunsAsScript(t *testing.T) {
	t.Parallel()
	b, n := pagetest.Browser(t), pagetest.NewAccountPages(t)
	r := n.SignUp("dana@example.com")
	address, w := n.Opened(r), b.Window(t)
	taken := sampled.OneIn(t, 3)
	for i, evil := range webtest.Payloads {
		if !taken(i) {
			continue
		}
		id := n.Writes("dana@example.com", access.Test, func(m *mail.Message) {
			m.To, m.Subject, m.Text, m.HTML = evil, evil, evil, "<p>"+evil+"</p>"
		})
		w.Visit(webtest.Desktop, address+"/test/mail/"+id)
		w.Harmless(evil)
		w.Visit(webtest.Desktop, address+"/test/mail/"+id+"/look") // markup that nobody has escaped
		w.Said()
		if webtest.Value[bool](w, `"pwned" in window`) {
			t.Errorf("%s has run", evil)
		}
	}
	w.Visit(webtest.Desktop, address+"/test/mail")
	w.Harmless("the list")
}

func TestMailPagesAreAccessible(t *testing.T) {
	t.Parallel()
	b, n := pagetest.Browser(t), pagetest.NewAccountPages(t)
	r := n.SignUp("dana@example.com")
	id := n.Writes("dana@example.com", access.Test, func(*mail.Message) {})
	b.Looks(t, n.Opened(r), "/test/mail", "/live/mail", "/test/mail/"+id, "/settings/mail")
}
