package web_test

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"portal/api/access"
	"portal/web"
)

func TestAFormIsTakenAndThePageAfterItSaysSoOnce(t *testing.T) {
	t.Parallel()
	for name, r := range map[string]*reader{"guest": newTestPages(t).guest(), "owner": newTestPages(t).owner()} {
		path := "/trial/" + name
		r.leads(r.post(path, path, nil), path)
		r.says(r.get(path), http.StatusOK, "It is <b>done</b>.")
		if again := r.get(path); strings.Contains(text(parse(t, again.Body.String())), "It is") {
			t.Errorf("the %s is told twice", name)
		}
	}
}

func TestAGuestsFormIsBoundToTheirBrowserWithoutASession(t *testing.T) {
	t.Parallel()
	h := newTestPages(t)
	r := h.guest()
	page := r.get("/trial/guest")
	if c := r.cookies["form"]; c == nil || !c.HttpOnly || c.SameSite != http.SameSiteLaxMode || c.Path != "/" || c.MaxAge != 0 || len(h.sessions.data) != 0 {
		t.Errorf("the cookie is %v, %d sessions", c, len(h.sessions.data))
	}
	if page.Header().Get("Cache-Control") != "no-store" || page.Header().Get("Vary") != "Cookie" {
		t.Errorf("a page with a token may be kept: %v", page.Header())
	}
	if r.token("/trial/guest") != r.token("/design/form") {
		t.Error("two pages of one browser have different tokens")
	}
	r.cookies["form"].Value = strings.Repeat("x", 22)
	if rec := r.send(http.MethodPost, "/trial/guest", url.Values{"token": {r.token("/trial/guest") + "x"}}, nil); rec.Code != http.StatusForbidden {
		t.Errorf("another token: %d", rec.Code)
	}
	if rec := h.guest().get("/trial/plain"); len(rec.Result().Cookies()) != 0 || rec.Header().Get("ETag") == "" {
		t.Errorf("a page without a form has %v", rec.Header())
	}
}

func TestAFormOfAnotherAccountOrSessionIsRefused(t *testing.T) {
	t.Parallel()
	r := newTestPages(t).owner()
	form := url.Values{"token": {r.token("/trial/owner")}}
	who := r.people[r.cookies["session"].Value]
	who.Account = maple(access.Owner)
	who.Account.AccountID = "acct_2"
	r.says(r.send(http.MethodPost, "/trial/owner", form, nil), http.StatusForbidden, "This form is out of date")
	who.Account.AccountID = "acct_1"
	r.leads(r.send(http.MethodPost, "/trial/owner", form, nil), "/trial/owner")
	old := r.cookies["session"].Value
	r.leads(r.send(http.MethodPost, "/trial/renew", form, nil), "/trial/person")
	if r.cookies["session"].Value == old {
		t.Fatal("the session has the same token")
	}
	r.leads(r.get("/trial/owner"), "/sign-in?next=%2Ftrial%2Fowner") // nobody has begun it
	r.people[r.cookies["session"].Value] = who
	r.says(r.send(http.MethodPost, "/trial/owner", form, nil), http.StatusForbidden, "This form is out of date")
	if stale := (&reader{r.testPages, map[string]*http.Cookie{"session": {Name: "session", Value: old}}}); stale.get("/trial/owner").Code != http.StatusSeeOther {
		t.Error("the old token is still good")
	}
}

func TestLeavingEndsTheSession(t *testing.T) {
	t.Parallel()
	r := newTestPages(t).owner()
	token := r.cookies["session"].Value
	r.leads(r.post("/trial/leave", "/trial/person", nil), "/trial/plain")
	if r.cookies["session"] != nil || len(r.sessions.data) != 0 {
		t.Errorf("the cookie is %v, %d sessions are kept", r.cookies["session"], len(r.sessions.data))
	}
	r.cookies["session"] = &http.Cookie{Name: "session", Value: token}
	r.leads(r.get("/trial/person"), "/sign-in?next=%2Ftrial%2Fperson")
}

func TestTheCookieIsTiedToItsHostUnderHTTPS(t *testing.T) {
	t.Parallel()
	h := newTestPagesAt(t, "https://portal.test")
	rec := h.guest().get("/trial/guest")
	form := rec.Result().Cookies()[0]
	if form.Name != "__Host-form" || !form.Secure || !form.HttpOnly || form.Path != "/" || form.Domain != "" {
		t.Errorf("the cookie is %s", form)
	}
	r := h.guest()
	r.leads(r.post("/trial/guest", "/trial/guest", nil), "/trial/guest")
	session := r.cookies["__Host-session"]
	if session == nil || !session.Secure || !session.HttpOnly || session.SameSite != http.SameSiteLaxMode || session.Path != "/" || session.Domain != "" {
		t.Errorf("the cookie is %s", session)
	}
	for stored := range h.sessions.data {
		if stored == session.Value {
			t.Error("the token is stored as it is")
		}
	}
}

func TestAFaultOfOursTellsItsReaderNothingButItsNumber(t *testing.T) {
	t.Parallel()
	h := newTestPages(t)
	rec := h.guest().get("/trial/panic")
	h.guest().says(rec, http.StatusInternalServerError, "Something failed on our side")
	number := rec.Header().Get("X-Request-Id")
	if strings.Contains(rec.Body.String(), "secret") || !strings.Contains(rec.Body.String(), number) {
		t.Errorf("the page says %s", rec.Body)
	}
	if log := h.log.String(); !strings.Contains(log, "the secret of the house") || !strings.Contains(log, number) || !strings.Contains(log, "middleware.Contain") {
		t.Errorf("the log says %s", log)
	}
}

func TestWhatARuleRefusesHasItsPage(t *testing.T) {
	t.Parallel()
	h := newTestPages(t)
	for code, want := range map[string]struct {
		status int
		words  string
	}{
		"not_found": {http.StatusNotFound, "Page not found"}, "route_not_found": {http.StatusNotFound, "Page not found"},
		"invalid_transition": {http.StatusConflict, "Take one of the steps"}, "rate_limited": {http.StatusTooManyRequests, "That was too often"},
		"owner_required": {http.StatusForbidden, "This is not allowed"}, "unavailable": {http.StatusServiceUnavailable, "We cannot answer just now"},
		"invalid_field": {http.StatusBadRequest, "That could not be taken"}, "internal": {http.StatusInternalServerError, "Something failed"},
	} {
		h.guest().says(h.guest().get("/trial/fails/"+code), want.status, want.words)
	}
}

func TestNobodyIsSignedInWhileSessionsCannotBeRead(t *testing.T) {
	t.Parallel()
	h := newTestPages(t)
	r := h.owner()
	h.sessions.fails = errors.New("the store is away")
	for _, path := range []string{"/trial/person", "/trial/guest"} {
		rec := r.get(path)
		r.says(rec, http.StatusInternalServerError, "Something failed on our side")
		if strings.Contains(rec.Body.String(), "dana@example.com") {
			t.Errorf("%s shows whose it is", path)
		}
	}
	if !strings.Contains(h.log.String(), "the store is away") {
		t.Error("the log does not say why")
	}
}

func TestARequestOfDecentSizeAndKindIsRead(t *testing.T) {
	t.Parallel()
	r := newTestPages(t).owner()
	token := r.token("/trial/person")
	files := func(size int) (string, string) {
		var b bytes.Buffer
		w := multipart.NewWriter(&b)
		_ = w.WriteField("token", token)
		_ = w.WriteField("name", "roll")
		f, _ := w.CreateFormFile("file", "roll.csv")
		_, _ = f.Write(make([]byte, size))
		_ = w.Close()
		return w.FormDataContentType(), b.String()
	}
	small, body := files(1000)
	large, much := files(2 << 20)
	const form = "application/x-www-form-urlencoded"
	for _, c := range []struct {
		path, kind, body string
		status           int
	}{
		{"/trial/person", form, "token=" + token, http.StatusSeeOther},
		{"/trial/person", form, "token=" + token + "&x=" + strings.Repeat("x", 64<<10), http.StatusRequestEntityTooLarge},
		{"/trial/person", "application/json", "{}", http.StatusUnsupportedMediaType},
		{"/trial/person", small, body, http.StatusUnsupportedMediaType},
		{"/trial/person", form, "token=%zz", http.StatusBadRequest},
		{"/trial/upload", large, much, http.StatusRequestEntityTooLarge},
		{"/trial/upload", small, body[:200], http.StatusBadRequest},
		{"/trial/upload", small, body, http.StatusSeeOther},
	} {
		rec := r.send(http.MethodPost, c.path, nil, func(q *http.Request) {
			with := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(c.body))
			q.Body, q.ContentLength = with.Body, with.ContentLength
			q.Header.Set("Content-Type", c.kind)
		})
		if rec.Code != c.status {
			t.Errorf("%s %s %.40q: %d, want %d", c.path, c.kind, c.body, rec.Code, c.status)
		}
	}
	r.says(r.get("/trial/person"), http.StatusOK, "Taken: roll roll.csv")
}

func TestTheNavigationLeadsToWhatThereIs(t *testing.T) {
	t.Parallel()
	h := newTestPages(t)
	r := h.owner()
	in := func(mode, mark string) string {
		return strings.ReplaceAll("Overview:/overview: API access:/access: API keys:/keys: Webhooks:/MODE/webhooks: Events:/MODE/events: Logs:/MODE/logs: Usage:/usage: Activity:/MODE/activity: Mail:/MODE/mail: "+
			"Search:/MODE/search: Properties:/MODE/properties: Tenants:/MODE/tenants: Leases:/MODE/leases: Tickets:/MODE/tickets: Ledger:/MODE/ledger: Applications:/MODE/applications: Import:/MODE/import: Demo portfolio:/test/demo: "+
			"Docs:/docs: Error codes:/docs/errors: Trials:/MODE/trials:"+mark, "MODE", mode)
	}
	for _, step := range []struct{ path, places string }{
		{"/trial/owner", in("test", "")},
		{"/live/trials", in("live", "page")},
		{"/trial/owner", in("live", "")},
		{"/test/trials/prop_1", in("test", "true")},
		{"/docs/errors", ""},
	} {
		rec := r.get(step.path)
		if got := places(parse(t, rec.Body.String())); got != step.places || rec.Code != http.StatusOK {
			t.Errorf("%s: %d, %s", step.path, rec.Code, got)
		}
	}
	if got := places(parse(t, h.staff().get("/trial/staff").Body.String())); got != "Requests:/staff/requests: Properties:/staff/properties: Accounts:/staff/accounts: Jobs:/staff/jobs: Look-up:/staff/look-up: Docs:/docs: Error codes:/docs/errors:" {
		t.Errorf("staff go to %s", got)
	}
}

// places are the names, addresses and marks of the navigation.
func places(doc *html.Node) string {
	nav := byID(doc, "places")
	if nav == nil {
		return ""
	}
	var all []string
	for n := range nav.Descendants() {
		if n.Type == html.ElementNode && n.Data == "a" && attr(n, "class") != "brand" {
			all = append(all, text(n)+":"+attr(n, "href")+":"+attr(n, "aria-current"))
		}
	}
	return strings.Join(all, " ")
}

func TestAPageOfAModeLeadsToTheOther(t *testing.T) {
	t.Parallel()
	r := newTestPages(t).manager()
	rec := r.get("/test/trials/prop_1")
	r.says(rec, http.StatusOK, "test prop_1")
	modes := ""
	for n := range parse(t, rec.Body.String()).Descendants() {
		if n.Type == html.ElementNode && n.Data == "nav" && attr(n, "class") == "seg" {
			modes = strings.Join(hrefs(n), " ") + " " + text(n)
		}
	}
	if modes != "/test/trials /live/trials TestLive" {
		t.Errorf("the modes are %s", modes)
	}
	r.says(r.get("/live/trials/prop_1"), http.StatusOK, "live prop_1")
	r.says(r.get("/demo/trials"), http.StatusNotFound, "Page not found")
}

func TestTheGalleryIsServedWhereItIsAskedFor(t *testing.T) {
	t.Parallel()
	if rec := ask(http.MethodGet, "/design"); rec.Code != http.StatusNotFound {
		t.Errorf("the gallery answers %d", rec.Code)
	}
	h := newTestPages(t)
	r := h.guest()
	r.says(r.get("/design"), http.StatusOK, "Components")
	r.says(r.post("/design/form", "/design/form", url.Values{"requests": {"many"}, "notes": {"kept"}, "mode": {"live"}}), http.StatusBadRequest, "Give the key a name")
	r.leads(r.post("/design/form", "/design/form", url.Values{"name": {"CI"}, "scopes": {"read"}}), "/design")
	r.leads(r.post("/design/ask", "/design/ask", nil), "/design")
}

func TestAFormThatMakesSomethingIsTakenOnce(t *testing.T) {
	t.Parallel()
	r := newTestPages(t).owner()
	form := func(once string) url.Values { return url.Values{"once": {once}} }
	r.leads(r.post("/trial/once", "/trial/person", form("a")), "/trial/person")
	r.says(r.get("/trial/person"), http.StatusOK, "Made.")
	r.leads(r.post("/trial/once", "/trial/person", form("a")), "/trial/person")
	r.says(r.get("/trial/person"), http.StatusOK, "That form was sent before. This is what it made.")
	for _, none := range []string{"", strings.Repeat("x", 65)} {
		r.says(r.post("/trial/once", "/trial/person", form(none)), http.StatusBadRequest, "This form is out of date")
	}
	r.leads(r.post("/trial/once", "/trial/person", form("b")), "/trial/person")
	r.says(r.get("/trial/person"), http.StatusOK, "Made.")
	if c := r.cookies["device"]; c == nil || c.Value != "device-1" || !c.HttpOnly || c.MaxAge != 31536000 {
		t.Errorf("the device is remembered by %v", c)
	}
}

// A database may roll a form back and run it again, after a commit that failed. Nothing that the
// first run wrote is left for the second one.
func TestAFormThatIsRunAgainIsRunAsItWasSent(t *testing.T) {
	t.Parallel()
	forms := &runTwice{sentForms: sentForms{made: map[string][2]string{}}}
	r := newTestPagesOf(t, web.Config{BaseURL: base, Now: time.Now, Forms: forms}).owner()
	rec := r.post("/trial/once", "/trial/person", url.Values{"once": {"a"}, "what": {"stale"}})
	r.says(rec, http.StatusConflict, "")
	rec = r.post("/trial/once", "/trial/person", url.Values{"once": {"b"}, "what": {"late"}})
	r.leads(rec, "/trial/person")
	if rec.Header().Get("Retry-After") != "" {
		t.Error("the answer has a header of the run that was rolled back")
	}
	if strings.Contains(r.get("/trial/person").Body.String(), "It is late.") || forms.runs != 4 {
		t.Errorf("%d runs, or words of the one that was rolled back", forms.runs)
	}
}

// runTwice rolls each transaction back once.
type runTwice struct {
	sentForms
	runs int
}

func (s *runTwice) Atomically(ctx context.Context, do func(context.Context) error) error {
	for range 2 {
		before := maps.Clone(s.made)
		if s.runs++; s.runs%2 == 0 {
			return do(ctx)
		}
		_ = do(ctx) // it is rolled back, whatever came of it
		s.made = before
	}
	return nil
}

func TestAFaultWhileAFormIsTakenHasItsPage(t *testing.T) {
	t.Parallel()
	h := newTestPages(t)
	r := h.owner()
	r.says(r.post("/trial/once", "/trial/person", url.Values{"once": {"a"}, "what": {"panic"}}), http.StatusInternalServerError, "Something failed on our side")
	if !strings.Contains(h.log.String(), "the secret of the house") {
		t.Errorf("the log says %s", h.log)
	}
}

func TestAFormThatWasRefusedMayBeSentAgain(t *testing.T) {
	t.Parallel()
	r := newTestPages(t).owner()
	form := func(what string) url.Values { return url.Values{"once": {"a"}, "what": {what}} }
	for what, status := range map[string]int{"wrong": http.StatusBadRequest, "fault": http.StatusServiceUnavailable, "nowhere": http.StatusInternalServerError} {
		r.says(r.post("/trial/once", "/trial/person", form(what)), status, "")
	}
	r.leads(r.post("/trial/once", "/trial/person", form("refused")), "/trial/person")
	r.says(r.get("/trial/person"), http.StatusOK, "It cannot be made.")
	r.leads(r.post("/trial/once", "/trial/person", form("right")), "/trial/person")
	r.says(r.get("/trial/person"), http.StatusOK, "Made.")
}

func TestAnAddressWithASecretIsListedNowhere(t *testing.T) {
	t.Parallel()
	rec := newTestPages(t).guest().get("/trial/verify/abc")
	if h := rec.Header(); h.Get("Cache-Control") != "no-store" || h.Get("X-Robots-Tag") != "noindex, nofollow" || h.Get("ETag") != "" {
		t.Errorf("the headers are %v", h)
	}
}
