package docs_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/portfolio/records"
	"portal/api/secret"
	"portal/db/accountstore"
	"portal/db/portfoliostore"
	"portal/web/pagetest"
	"portal/web/webtest"
)

// study is staffPages with the documentation, and an API that only listens.
type study struct {
	*pagetest.StaffPages
	heard  []*http.Request
	bodies []string
	says   http.HandlerFunc
}

func newStudy(t *testing.T) *study {
	t.Helper()
	s := &study{StaffPages: pagetest.NewStaffPages(t)}
	s.says = func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("X-Request-Id", "req_01KA5R2M7Q8D4E6F9G1H3J5K7M")
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusCreated)
		_, _ = io.WriteString(w, `{"id":"tkt_1","title":"<script>alert(1)</script>"}`)
	}
	box, err := secret.NewBox(make([]byte, secret.KeySize))
	pagetest.Must(t, err)
	c := s.Config
	c.OpenAPI = pagetest.Document(pagetest.BaseURL)
	c.Box = box
	c.Examples = records.New(portfoliostore.New(s.DB), time.Now)
	c.Property.Portfolio = c.Examples
	c.API = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		s.heard, s.bodies = append(s.heard, r), append(s.bodies, string(body))
		s.says(w, r)
	})
	s.Pages = pagetest.AddTrialPages(pagetest.Build(c))
	s.Echo = pagetest.Wired(s.Pages)
	return s
}

func TestSamplesUseReaderKey(t *testing.T) {
	t.Parallel()
	s := newStudy(t)
	r := s.Approved("dana@example.com")
	key := r.TakesKey(pagetest.Quickstart)
	by, err := s.Dev.Authenticate(t.Context(), "Bearer "+key)
	if err != nil || by.Portfolio.Mode != access.Test || !by.Key.Scopes.Has(access.Write) ||
		by.Key.Scopes.Has(access.Payments) {
		t.Fatalf("%+v, %v", by, err)
	}
	page := r.Get(pagetest.Quickstart)
	r.Says(page, http.StatusOK, "your test key “Docs” ("+key[:17]+"…)")
	if page.Header().Get("Cache-Control") != "no-store" || page.Header().Get("ETag") != "" {
		t.Errorf("the page may be kept: %v", page.Header())
	}
	for _, at := range []string{pagetest.Quickstart + ".md", "/llms-full.txt"} {
		if strings.Contains(r.Get(at).Body.String(), key) {
			t.Errorf("%s has the key", at)
		}
	}
	keys, err := s.Dev.Keys(t.Context(), "dana@example.com")
	if err != nil || len(keys) != 1 || keys[0].Name != "Docs" ||
		keys[0].ExpiresAt.Std().Sub(keys[0].CreatedAt.Std()) > 25*time.Hour {
		t.Errorf("%+v, %v", keys, err)
	}
	if !slices.Contains(s.Actions(s.People[r.Cookies["session"].Value].UserID), "key.created") {
		t.Error("nothing was recorded")
	}
}

func TestSampleKeyIsNeverExposedInPlaintext(t *testing.T) {
	t.Parallel()
	s := newStudy(t)
	r := s.Approved("dana@example.com")
	key := r.TakesKey(pagetest.Quickstart)
	r.Get(pagetest.CreateTry)
	for token, data := range s.Sessions.Data {
		if strings.Contains(string(data), key[11:]) || strings.Contains(token, key) {
			t.Error("the session has the key in clear")
		}
	}
	if strings.Contains(s.Logged.String(), key[17:]) {
		t.Error("the log has the key")
	}
	other := s.Reader(*s.People[r.Cookies["session"].Value]) // the same person in another browser
	if strings.Contains(other.Get(pagetest.Quickstart).Body.String(), key) {
		t.Error("another browser shows the key")
	}
	if strings.Contains(s.Guest().Get(pagetest.Quickstart).Body.String(), key) {
		t.Error("a guest is shown the key")
	}
}

func TestOtherAccountsAndRolesDoNotSeeKey(t *testing.T) {
	t.Parallel()
	s := newStudy(t)
	r, stranger := s.Approved("dana@example.com"), s.Approved("eve@example.com")
	key := r.TakesKey(pagetest.Quickstart)
	who := s.People[r.Cookies["session"].Value]
	own := *who.Account
	for name, change := range map[string]func(){
		"another account": func() { *who.Account = *s.People[stranger.Cookies["session"].Value].Account },
		"another role":    func() { who.Account.Role = access.Manager },
		"nobody":          func() { who.Pending = true },
	} {
		change()
		if strings.Contains(r.Get(pagetest.Quickstart).Body.String(), key) {
			t.Errorf("%s sees the key", name)
		}
		*who.Account, who.Pending = own, false
	}
	if !strings.Contains(r.Get(pagetest.Quickstart).Body.String(), key) {
		t.Error("the owner sees it no more")
	}
}

func TestRevokedKeyIsRemovedFromSamples(t *testing.T) {
	t.Parallel()
	s := newStudy(t)
	r := s.Approved("dana@example.com")
	key := r.TakesKey(pagetest.Quickstart)
	second := r.TakesKey("/docs/key") // in the place of the first
	if _, err := s.Dev.Authenticate(t.Context(), "Bearer "+key); !fault.Is(err, fault.RevokedAPIKey) {
		t.Errorf("the first key: %v", err)
	}
	r.Leads(r.Post("/docs/key/forget", "/docs/key/forget", nil), "/docs")
	if _, err := s.Dev.Authenticate(t.Context(), "Bearer "+second); !fault.Is(err, fault.RevokedAPIKey) {
		t.Errorf("the second key: %v", err)
	}
	r.Says(r.Get("/docs"), http.StatusOK, "is revoked")
	r.TakesKey(pagetest.Quickstart)
	keys, err := s.Dev.Keys(t.Context(), "dana@example.com")
	pagetest.Must(t, err)
	for _, k := range keys { // on another page
		if k.RevokedAt == nil {
			pagetest.Must(t, s.Dev.RevokeKey(t.Context(), k.ID))
		}
	}
	r.Says(r.Get(pagetest.Quickstart), http.StatusOK, "Use a test key in these samples")
}

func TestReaderWithoutKeyAccessSeesNextStep(t *testing.T) {
	t.Parallel()
	s := newStudy(t)
	fresh, approved := s.Landlord("new@example.com"), s.Approved("dana@example.com")
	manager := s.Colleague(approved)
	s.Guest().Says(s.Guest().Get(pagetest.Quickstart), http.StatusOK, "Sign in to see your own test key")
	s.Guest().Leads(s.Guest().Get("/docs/key"), "/sign-in?next=%2Fdocs%2Fkey")
	fresh.Says(fresh.Get(pagetest.Quickstart), http.StatusOK, "once your request for API access is approved")
	fresh.Leads(fresh.Get("/docs/key"), "/access")
	fresh.Leads(fresh.Post("/docs/key", "/trial/guest", url.Values{"once": {"a"}}), "/access")
	manager.Says(manager.Get(pagetest.Quickstart), http.StatusOK, "Owners of the account can use a test key")
	if rec := manager.Post("/docs/key", "/trial/guest", url.Values{"once": {"a"}}); rec.Code != http.StatusForbidden {
		t.Errorf("a manager made a key: %d", rec.Code)
	}
	reviewer := s.Reviewer()
	reviewer.Says(reviewer.Get(pagetest.Quickstart), http.StatusOK, "sk_test_pm_…")
	if keys, err := s.Dev.Keys(t.Context(), "new@example.com"); err != nil || len(keys) != 0 {
		t.Errorf("%v, %v", keys, err)
	}
}

func TestKeyFormIsAcceptedOnceAndRedirectsWithinDocs(t *testing.T) {
	t.Parallel()
	s := newStudy(t)
	r := s.Approved("dana@example.com")
	for i := range 2 {
		to := []string{pagetest.Quickstart, "/docs/quickstart"}[i]
		r.Leads(r.Post("/docs/key", "/docs/key", url.Values{"once": {"x"}, "next": {"https://evil.test/docs"}}), to)
	}
	if keys, err := s.Dev.Keys(t.Context(), "dana@example.com"); err != nil || len(keys) != 1 {
		t.Errorf("%d keys, %v", len(keys), err)
	}
}

func TestTryItUsesReaderKey(t *testing.T) {
	t.Parallel()
	s := newStudy(t)
	r := s.Approved("dana@example.com")
	r.Says(r.Get(pagetest.CreateTry), http.StatusOK, "Use a test key in these samples")
	r.Says(r.Post(pagetest.CreateTry, pagetest.CreateTry, url.Values{
		"body": {"{}"},
	}), http.StatusOK, "Use a test key in these samples")
	key := r.TakesKey(pagetest.CreateTry)
	page := r.Post(pagetest.CreateTry, pagetest.CreateTry, url.Values{
		"body":           {`{"description": "It leaks."}`},
		"header.Dry-Run": {"true"},
		"query.limit":    {"9"},
		"method":         {"DELETE"},
	})
	r.Says(page, http.StatusOK, "201Created")
	r.Says(page, http.StatusOK, "req_01KA5R2M7Q8D4E6F9G1H3J5K7M")
	if !strings.Contains(page.Body.String(), "/test/logs/req_01KA5R2M7Q8D4E6F9G1H3J5K7M") ||
		strings.Contains(page.Body.String(), "<script>alert(1)") {
		t.Error(page.Body)
	}
	got := s.heard[0]
	if got.Method != http.MethodPost || got.URL.Path != "/api/v1/external/maintenance/tickets" ||
		got.URL.RawQuery != "" || s.bodies[0] != `{"description": "It leaks."}` ||
		got.Header.Get("Authorization") !=
			"Bearer "+key || got.Header.Get("Dry-Run") !=
		"true" || got.Header.Get("Content-Type") !=
		"application/json" || got.Header.Get("Cookie") !=
		"" {
		t.Errorf("%s %s %v %s", got.Method, got.URL, got.Header, s.bodies[0])
	}
	r.Says(page, http.StatusOK, "It leaks.") // what was typed stands
	if strings.Contains(page.Body.String(), key) {
		t.Error("the page shows the key")
	}
}

func TestTryItCallsOnlyPageOperation(t *testing.T) {
	t.Parallel()
	s := newStudy(t)
	r := s.Approved("dana@example.com")
	r.TakesKey(pagetest.UpdateTry)
	for _, id := range []string{"", "..", ".", "../tenants/x", "a/b", `a\b`, "a%2Fb", "x?y=1", "x#y"} {
		r.Says(r.Post(pagetest.UpdateTry, pagetest.UpdateTry, url.Values{
			"path.id": {id},
			"body":    {"{}"},
		}), http.StatusBadRequest, "Enter the ID of a record.")
	}
	if len(s.heard) != 0 {
		t.Errorf("asked %v", s.heard[0].URL)
	}
	for _, at := range []string{"/docs/api/leases/delete_lease/try", "/docs/api/x/y/try", "/docs/quickstart/try"} {
		if rec := r.Get(at); rec.Code != http.StatusNotFound {
			t.Errorf("%s: %d", at, rec.Code)
		}
	}
}

func TestTryItDataNeverRunsAsScript(t *testing.T) {
	t.Parallel()
	s := newStudy(t)
	r := s.Approved("dana@example.com")
	r.TakesKey(pagetest.UpdateTry)
	for _, payload := range webtest.Payloads {
		s.says = func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("X-Request-Id", payload)
			w.Header().Set("Link", payload)
			_, _ = io.WriteString(w, payload)
		}
		page := r.Post(pagetest.UpdateTry, pagetest.UpdateTry, url.Values{
			"path.id":         {strings.NewReplacer("/", "", `\`, "", "%", "", "?", "", "#", "").Replace(payload)},
			"header.If-Match": {payload},
			"body":            {payload},
		})
		tamed(t, page, payload)
	}
}

// tamed checks that a page has no element that a payload asks for.
func tamed(t *testing.T, page *httptest.ResponseRecorder, payload string) {
	t.Helper()
	for n := range pagetest.Parse(t, page.Body.String()).Descendants() {
		for _, a := range n.Attr {
			if strings.HasPrefix(a.Key, "on") ||
				strings.HasPrefix(strings.TrimSpace(strings.ToLower(a.Val)), "javascript:") &&
					(a.Key == "href" || a.Key == "src" || a.Key == "action") {
				t.Errorf("%s: %s=%q", payload, a.Key, a.Val)
			}
		}
		if n.Data == "iframe" || n.Data == "object" || n.Data == "script" && pagetest.Attr(n, "src") == "" {
			t.Errorf("%s made a %s", payload, n.Data)
		}
	}
}

func TestTryItPagesAreAccessible(t *testing.T) {
	t.Parallel()
	b, s := pagetest.Browser(t), newStudy(t)
	r := s.Approved("dana@example.com")
	r.TakesKey(pagetest.Quickstart)
	r.Looks(
		b,
		pagetest.Quickstart,
		pagetest.CreateTry,
		"/docs/api/payments/list_payments/try",
		"/docs/key",
		"/docs/key/forget",
	)
}

func TestTryItErrorTakesFocus(t *testing.T) {
	t.Parallel()
	b, s := pagetest.Browser(t), newStudy(t)
	r := s.Approved("dana@example.com")
	r.TakesKey(pagetest.Quickstart)
	site := httptest.NewServer(r.Site)
	t.Cleanup(site.Close)
	w := b.Window(t)
	w.Cookie(site.URL, "session", r.Cookies["session"].Value)
	for _, screen := range []webtest.Screen{webtest.Desktop, {Width: 360, Height: 780, Plain: true}} {
		w.Visit(screen, site.URL+"/docs/api/maintenance/get_maintenance_ticket/try")
		w.Do(`document.querySelector(".form [name^='path.']").value = ""`)
		w.Follow(".form button[type=submit]")
		w.Await(`document.activeElement.matches(".summary") && location.hash === "#answer"`)
		pagetest.Quiet(t, w)
	}
	narrow := webtest.Screen{Width: 320, Height: 780} // the least that a page fits
	w.Visit(narrow, site.URL+"/docs/api/maintenance/get_maintenance_ticket/try")
	w.Check("320 px, try it")
}

func TestSessionHasOneKeyAcrossAccounts(t *testing.T) {
	t.Parallel()
	s := newStudy(t)
	r, other := s.Approved("dana@example.com"), s.Approved("eve@example.com")
	key := r.TakesKey(pagetest.Quickstart)
	who, theirs := s.People[r.Cookies["session"].Value], s.People[other.Cookies["session"].Value].Account
	pagetest.Must(
		t,
		accountstore.New(s.DB).SetMember(
			t.Context(),
			theirs.AccountID,
			who.UserID,
			access.Owner,
			clock.At(time.Now()),
		),
	)
	*who.Account = *theirs // they go over to it
	second := r.TakesKey("/docs/key")
	if _, err := s.Dev.Authenticate(t.Context(), "Bearer "+key); !fault.Is(err, fault.RevokedAPIKey) {
		t.Errorf("nothing ends the key of the first account: %v", err)
	}
	if _, err := s.Dev.Authenticate(t.Context(), "Bearer "+second); err != nil {
		t.Errorf("the key of the second account: %v", err)
	}
}

func TestOldSessionSeesResponseWithSecretHidden(t *testing.T) {
	t.Parallel()
	s := newStudy(t)
	r := s.Approved("dana@example.com")
	r.TakesKey(pagetest.Quickstart)
	const at = "/docs/api/webhooks/list_webhook_endpoints/try"
	s.says = func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(
			w,
			`{"data":[{"url":"https://a.test","secret":"whsec_\"quoted\\"},{"secret" : "whsec_2"},{"secret":null}]}`,
		)
	}
	r.Says(r.Post(at, at, nil), http.StatusOK, `whsec_\"quoted\\`)
	s.People[r.Cookies["session"].Value].AuthenticatedAt = clock.At(time.Now().Add(-2 * time.Hour))
	page := r.Post(at, at, nil)
	r.Says(page, http.StatusOK, "The response contains a secret, which is hidden. To see it, confirm it’s you")
	body := page.Body.String()
	if strings.Contains(body, "whsec_") || strings.Contains(body, "quoted") ||
		!strings.Contains(body, "https://a.test") ||
		!strings.Contains(body, `href="/confirm?next=`+url.QueryEscape(at)+`"`) {
		t.Error(body)
	}
}
