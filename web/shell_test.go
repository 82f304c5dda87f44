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
	"portal/api/account"
	"portal/api/developer"
	"portal/web/pagetest"
)

func TestFormSuccessNoticeIsShownOnce(t *testing.T) {
	t.Parallel()
	for name, r := range map[string]*pagetest.Reader{
		"guest": newTestPages(t).Guest(),
		"owner": newTestPages(t).Owner(),
	} {
		path := "/trial/" + name
		r.Leads(r.Post(path, path, nil), path)
		r.Says(r.Get(path), http.StatusOK, "It is <b>done</b>.")
		if again := r.Get(path); strings.Contains(pagetest.Text(pagetest.Parse(t, again.Body.String())), "It is") {
			t.Errorf("the %s is told twice", name)
		}
	}
}

func TestGuestFormIsBoundToBrowserWithoutSession(t *testing.T) {
	t.Parallel()
	h := newTestPages(t)
	r := h.Guest()
	page := r.Get("/trial/guest")
	c := r.Cookies["form"]
	if c == nil || !c.HttpOnly || c.SameSite != http.SameSiteLaxMode || c.Path != "/" || c.MaxAge != 0 ||
		len(h.Sessions.Data) != 0 {
		t.Errorf("the cookie is %v, %d sessions", c, len(h.Sessions.Data))
	}
	if page.Header().Get("Cache-Control") != "no-store" || page.Header().Get("Vary") != "Cookie" {
		t.Errorf("a page with a token may be kept: %v", page.Header())
	}
	if r.Token("/trial/guest") != r.Token("/design/form") {
		t.Error("two pages of one browser have different tokens")
	}
	r.Cookies["form"].Value = strings.Repeat("x", 22)
	if rec := r.Send(http.MethodPost, "/trial/guest", url.Values{
		"token": {r.Token("/trial/guest") + "x"},
	}, nil); rec.Code != http.StatusForbidden {
		t.Errorf("another token: %d", rec.Code)
	}
	if rec := h.Guest().Get("/trial/plain"); len(rec.Result().Cookies()) != 0 || rec.Header().Get("ETag") == "" {
		t.Errorf("a page without a form has %v", rec.Header())
	}
}

func TestFormFromOtherAccountOrSessionIsRefused(t *testing.T) {
	t.Parallel()
	r := newTestPages(t).Owner()
	form := url.Values{"token": {r.Token("/trial/owner")}}
	who := r.People[r.Cookies["session"].Value]
	who.Account = pagetest.Maple(access.Owner)
	who.Account.AccountID = "acct_2"
	r.Says(r.Send(http.MethodPost, "/trial/owner", form, nil), http.StatusForbidden, "This form is out of date")
	who.Account.AccountID = "acct_1"
	r.Leads(r.Send(http.MethodPost, "/trial/owner", form, nil), "/trial/owner")
	old := r.Cookies["session"].Value
	r.Leads(r.Send(http.MethodPost, "/trial/renew", form, nil), "/trial/person")
	if r.Cookies["session"].Value == old {
		t.Fatal("the session has the same token")
	}
	r.Leads(r.Get("/trial/owner"), "/sign-in?next=%2Ftrial%2Fowner") // nobody has begun it
	r.People[r.Cookies["session"].Value] = who
	r.Says(r.Send(http.MethodPost, "/trial/owner", form, nil), http.StatusForbidden, "This form is out of date")
	if stale := (&pagetest.Reader{
		Site:    r.Site,
		Cookies: map[string]*http.Cookie{"session": {Name: "session", Value: old}},
	}); stale.Get("/trial/owner").Code != http.StatusSeeOther {
		t.Error("the old token is still good")
	}
}

func TestSignOutEndsSession(t *testing.T) {
	t.Parallel()
	r := newTestPages(t).Owner()
	token := r.Cookies["session"].Value
	r.Leads(r.Post("/trial/leave", "/trial/person", nil), "/trial/plain")
	if r.Cookies["session"] != nil || len(r.Sessions.Data) != 0 {
		t.Errorf("the cookie is %v, %d sessions are kept", r.Cookies["session"], len(r.Sessions.Data))
	}
	r.Cookies["session"] = &http.Cookie{Name: "session", Value: token}
	r.Leads(r.Get("/trial/person"), "/sign-in?next=%2Ftrial%2Fperson")
}

func TestCookiesAreHostBoundUnderHTTPS(t *testing.T) {
	t.Parallel()
	h := newTestPagesAt(t, "https://portal.test")
	rec := h.Guest().Get("/trial/guest")
	form := rec.Result().Cookies()[0]
	if form.Name != "__Host-form" || !form.Secure || !form.HttpOnly || form.Path != "/" || form.Domain != "" {
		t.Errorf("the cookie is %s", form)
	}
	r := h.Guest()
	r.Leads(r.Post("/trial/guest", "/trial/guest", nil), "/trial/guest")
	session := r.Cookies["__Host-session"]
	if session == nil || !session.Secure || !session.HttpOnly || session.SameSite != http.SameSiteLaxMode ||
		session.Path != "/" || session.Domain != "" {
		t.Errorf("the cookie is %s", session)
	}
	for stored := range h.Sessions.Data {
		if stored == session.Value {
			t.Error("the token is stored as it is")
		}
	}
}

func TestInternalErrorShowsOnlyRequestID(t *testing.T) {
	t.Parallel()
	h := newTestPages(t)
	rec := h.Guest().Get("/trial/panic")
	h.Guest().Says(rec, http.StatusInternalServerError, "Something failed on our side")
	number := rec.Header().Get("X-Request-Id")
	if strings.Contains(rec.Body.String(), "secret") || !strings.Contains(rec.Body.String(), number) {
		t.Errorf("the page says %s", rec.Body)
	}
	log := h.Logged.String()
	if !strings.Contains(log, "a secret of the server") || !strings.Contains(log, number) ||
		!strings.Contains(log, "middleware.Contain") {
		t.Errorf("the log says %s", log)
	}
}

func TestRuleErrorsHaveErrorPages(t *testing.T) {
	t.Parallel()
	h := newTestPages(t)
	for code, want := range map[string]struct {
		status int
		words  string
	}{
		"not_found":          {http.StatusNotFound, "Page not found"},
		"route_not_found":    {http.StatusNotFound, "Page not found"},
		"invalid_transition": {http.StatusConflict, "Use one of the changes"},
		"rate_limited":       {http.StatusTooManyRequests, "Too many requests"},
		"owner_required":     {http.StatusForbidden, "You can’t do this"},
		"unavailable":        {http.StatusServiceUnavailable, "Temporarily unavailable"},
		"invalid_field":      {http.StatusBadRequest, "This can’t be done"},
		"internal":           {http.StatusInternalServerError, "Something failed"},
	} {
		h.Guest().Says(h.Guest().Get("/trial/fails/"+code), want.status, want.words)
	}
}

func TestSessionStoreFailureSignsInNobody(t *testing.T) {
	t.Parallel()
	h := newTestPages(t)
	r := h.Owner()
	h.Sessions.Fails = errors.New("the store is away")
	for _, path := range []string{"/trial/person", "/trial/guest"} {
		rec := r.Get(path)
		r.Says(rec, http.StatusInternalServerError, "Something failed on our side")
		if strings.Contains(rec.Body.String(), "dana@example.com") {
			t.Errorf("%s shows whose it is", path)
		}
	}
	if !strings.Contains(h.Logged.String(), "the store is away") {
		t.Error("the log does not say why")
	}
}

func TestRequestBodySizeAndTypeAreChecked(t *testing.T) {
	t.Parallel()
	r := newTestPages(t).Owner()
	token := r.Token("/trial/person")
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
		{
			"/trial/person", form, "token=" + token + "&x=" + strings.Repeat("x", 64<<10),
			http.StatusRequestEntityTooLarge,
		},
		{"/trial/person", "application/json", "{}", http.StatusUnsupportedMediaType},
		{"/trial/person", small, body, http.StatusUnsupportedMediaType},
		{"/trial/person", form, "token=%zz", http.StatusBadRequest},
		{"/trial/upload", large, much, http.StatusRequestEntityTooLarge},
		{"/trial/upload", small, body[:200], http.StatusBadRequest},
		{
			"/trial/upload", form, "token=" + token + "&x=" + strings.Repeat("x", 64<<10),
			http.StatusRequestEntityTooLarge,
		},
		{
			"/trial/upload",
			small,
			strings.Replace(body, "\r\nroll\r\n", "\r\n"+strings.Repeat("x", 64<<10)+"\r\n", 1),
			http.StatusRequestEntityTooLarge,
		},
		{"/trial/upload", small, body, http.StatusSeeOther},
	} {
		rec := r.Send(http.MethodPost, c.path, nil, func(q *http.Request) {
			with := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(c.body))
			q.Body, q.ContentLength = with.Body, with.ContentLength
			q.Header.Set("Content-Type", c.kind)
		})
		if rec.Code != c.status {
			t.Errorf("%s %s %.40q: %d, want %d", c.path, c.kind, c.body, rec.Code, c.status)
		}
	}
	r.Says(r.Get("/trial/person"), http.StatusOK, "Taken: roll roll.csv")
}

func TestNavigationListsAvailablePages(t *testing.T) {
	t.Parallel()
	h := newTestPages(t)
	r := h.Owner()
	in := func(mode, mark string) string {
		return strings.ReplaceAll(
			"Overview:/MODE/overview: API access:/access: API keys:/keys: Webhooks:/MODE/webhooks: "+
				"Events:/MODE/events: Logs:/MODE/logs: Usage:/usage: Activity:/MODE/activity: Mail:/MODE/mail: "+
				"Properties:/MODE/properties: Leases:/MODE/leases: Tenants:/MODE/tenants: Tickets:/MODE/tickets: "+
				"Ledger:/MODE/ledger: Applications:/MODE/applications: Import:/MODE/import: Test data:/test/demo: "+
				"Docs:/docs: Trials:/MODE/trials:"+mark,
			"MODE",
			mode,
		)
	}
	for _, step := range []struct{ path, places string }{
		{"/trial/owner", in("test", "")},
		{"/live/trials", in("live", "page")},
		{"/trial/owner", in("live", "")},
		{"/test/trials/prop_1", in("test", "true")},
		{"/docs/errors", ""},
	} {
		rec := r.Get(step.path)
		if got := places(pagetest.Parse(t, rec.Body.String())); got != step.places || rec.Code != http.StatusOK {
			t.Errorf("%s: %d, %s", step.path, rec.Code, got)
		}
	}
	if got := places(pagetest.Parse(
		t,
		h.Staff().Get("/trial/staff").Body.String(),
	)); got !=
		"Requests:/staff/requests: Properties:/staff/properties: Accounts:/staff/accounts: Jobs:/staff/jobs: "+
			"Status:/staff/status: Look-up:/staff/look-up: Docs:/docs:" {
		t.Errorf("staff go to %s", got)
	}
}

// places are the names, addresses and marks of the navigation.
func places(doc *html.Node) string {
	nav := pagetest.ByID(doc, "navigation")
	if nav == nil {
		return ""
	}
	var all []string
	for n := range nav.Descendants() {
		if n.Type == html.ElementNode && n.Data == "a" && n.Parent.Data == "li" {
			all = append(all, pagetest.Text(n)+":"+pagetest.Attr(n, "href")+":"+pagetest.Attr(n, "aria-current"))
		}
	}
	return strings.Join(all, " ")
}

func TestModePageLinksToOtherMode(t *testing.T) {
	t.Parallel()
	r := newTestPages(t).Manager()
	rec := r.Get("/test/trials/prop_1")
	r.Says(rec, http.StatusOK, "test prop_1")
	if got := modes(t, rec); got != "Test:/test/trials:true Live:/live/trials:" {
		t.Errorf("the modes are %s", got)
	}
	r.Says(r.Get("/live/trials/prop_1"), http.StatusOK, "live prop_1")
	r.Says(r.Get("/demo/trials"), http.StatusNotFound, "Page not found")
}

func TestModelessPageLinksToBothModesForMembersOnly(t *testing.T) {
	t.Parallel()
	h := newTestPages(t)
	if got := modes(t, h.Owner().Get("/trial/owner")); got != "Test:/test/overview: Live:/live/overview:" {
		t.Errorf("the modes are %s", got)
	}
	nobody := h.Reader(account.Visitor{UserID: "user_4", Email: "new@example.com", Role: developer.Landlord})
	for path, r := range map[string]*pagetest.Reader{"/trial/staff": h.Staff(), "/trial/person": nobody} {
		rec := r.Get(path)
		if got := modes(t, rec); got != "" || strings.Contains(rec.Body.String(), `class="find"`) {
			t.Errorf("%s has the modes %s, or a search", path, got)
		}
	}
	rec := h.Owner().Get("/live/trials")
	if !strings.Contains(rec.Body.String(), `<form class="find" action="/live/search"`) {
		t.Error("the search does not lead to live records")
	}
}

// modes are the names, addresses and marks of the switch of the mode.
func modes(t *testing.T, rec *httptest.ResponseRecorder) string {
	t.Helper()
	var all []string
	for n := range pagetest.Parse(t, rec.Body.String()).Descendants() {
		if n.Type == html.ElementNode && n.Data == "a" && pagetest.Attr(n.Parent, "class") == "seg" {
			all = append(all, strings.TrimSpace(pagetest.Text(n))+":"+pagetest.Attr(n, "href")+":"+
				pagetest.Attr(n, "aria-current"))
		}
	}
	return strings.Join(all, " ")
}

func TestComponentGalleryIsServedOnlyWhenEnabled(t *testing.T) {
	t.Parallel()
	if rec := pagetest.Ask(http.MethodGet, "/design"); rec.Code != http.StatusNotFound {
		t.Errorf("the page of components answers %d", rec.Code)
	}
	h := newTestPages(t)
	r := h.Guest()
	r.Says(r.Get("/design"), http.StatusOK, "Components")
	r.Says(r.Post("/design/form", "/design/form", url.Values{
		"requests": {"many"},
		"notes":    {"kept"},
		"mode":     {"live"},
	}), http.StatusBadRequest, "Give the key a name")
	r.Leads(r.Post("/design/form", "/design/form", url.Values{"name": {"CI"}, "scopes": {"read"}}), "/design")
	r.Leads(r.Post("/design/ask", "/design/ask", nil), "/design")
}

func TestCreateFormIsAcceptedOnce(t *testing.T) {
	t.Parallel()
	r := newTestPages(t).Owner()
	form := func(once string) url.Values { return url.Values{"once": {once}} }
	r.Leads(r.Post("/trial/once", "/trial/person", form("a")), "/trial/person")
	r.Says(r.Get("/trial/person"), http.StatusOK, "Made.")
	r.Leads(r.Post("/trial/once", "/trial/person", form("a")), "/trial/person")
	r.Says(r.Get("/trial/person"), http.StatusOK, "That form was sent before. This is the result.")
	for _, none := range []string{"", strings.Repeat("x", 65)} {
		r.Says(r.Post("/trial/once", "/trial/person", form(none)), http.StatusBadRequest, "This form is out of date")
	}
	r.Leads(r.Post("/trial/once", "/trial/person", form("b")), "/trial/person")
	r.Says(r.Get("/trial/person"), http.StatusOK, "Made.")
	if c := r.Cookies["device"]; c == nil || c.Value != "device-1" || !c.HttpOnly || c.MaxAge != 31536000 {
		t.Errorf("the device is remembered by %v", c)
	}
}

// A database may roll a form back and run it again, after a commit that failed. Nothing that the
// first run wrote is left for the second one.
func TestFormRerunAfterRollbackStartsClean(t *testing.T) {
	t.Parallel()
	forms := &runTwice{SentForms: pagetest.SentForms{Made: map[string][2]string{}}}
	r := pagetest.New(t, pagetest.Config{BaseURL: pagetest.BaseURL, Now: time.Now, Forms: forms}).Owner()
	rec := r.Post("/trial/once", "/trial/person", url.Values{"once": {"a"}, "what": {"stale"}})
	r.Says(rec, http.StatusConflict, "")
	rec = r.Post("/trial/once", "/trial/person", url.Values{"once": {"b"}, "what": {"late"}})
	r.Leads(rec, "/trial/person")
	if rec.Header().Get("Retry-After") != "" {
		t.Error("the answer has a header of the run that was rolled back")
	}
	if strings.Contains(r.Get("/trial/person").Body.String(), "It is late.") || forms.runs != 4 {
		t.Errorf("%d runs, or words of the one that was rolled back", forms.runs)
	}
}

// runTwice rolls each transaction back once.
type runTwice struct {
	pagetest.SentForms
	runs int
}

func (s *runTwice) Atomically(ctx context.Context, do func(context.Context) error) error {
	for range 2 {
		before := maps.Clone(s.Made)
		if s.runs++; s.runs%2 == 0 {
			return do(ctx)
		}
		_ = do(ctx) // it is rolled back, whatever came of it
		s.Made = before
	}
	return nil
}

func TestFormHandlerPanicShowsErrorPage(t *testing.T) {
	t.Parallel()
	h := newTestPages(t)
	r := h.Owner()
	r.Says(r.Post("/trial/once", "/trial/person", url.Values{
		"once": {"a"},
		"what": {"panic"},
	}), http.StatusInternalServerError, "Something failed on our side")
	if !strings.Contains(h.Logged.String(), "a secret of the server") {
		t.Errorf("the log says %s", h.Logged)
	}
}

// TestRefusalForLoadIsNoErrorOfTheLog: a full queue is told to the reader, and is no failure.
func TestRefusalForLoadIsNoErrorOfTheLog(t *testing.T) {
	t.Parallel()
	h := newTestPages(t)
	r := h.Owner()
	r.Says(r.Post("/trial/once", "/trial/person", url.Values{
		"once": {"a"},
		"what": {"full"},
	}), http.StatusServiceUnavailable, "Others are sending photos")
	if log := h.Logged.String(); strings.Contains(log, "level=ERROR") || !strings.Contains(log, "page busy") {
		t.Errorf("the log says %s", log)
	}
}

func TestRefusedFormCanBeResubmitted(t *testing.T) {
	t.Parallel()
	r := newTestPages(t).Owner()
	form := func(what string) url.Values { return url.Values{"once": {"a"}, "what": {what}} }
	for what, status := range map[string]int{
		"wrong":   http.StatusBadRequest,
		"fault":   http.StatusServiceUnavailable,
		"nowhere": http.StatusInternalServerError,
	} {
		r.Says(r.Post("/trial/once", "/trial/person", form(what)), status, "")
	}
	r.Leads(r.Post("/trial/once", "/trial/person", form("refused")), "/trial/person")
	r.Says(r.Get("/trial/person"), http.StatusOK, "It cannot be made.")
	r.Leads(r.Post("/trial/once", "/trial/person", form("right")), "/trial/person")
	r.Says(r.Get("/trial/person"), http.StatusOK, "Made.")
}

func TestSecretURLIsNotIndexedOrCached(t *testing.T) {
	t.Parallel()
	rec := newTestPages(t).Guest().Get("/trial/verify/abc")
	h := rec.Header()
	if h.Get("Cache-Control") != "no-store" || h.Get("X-Robots-Tag") != "noindex, nofollow" || h.Get("ETag") != "" {
		t.Errorf("the headers are %v", h)
	}
}
