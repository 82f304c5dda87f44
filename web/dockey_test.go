package web_test

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
	"portal/api/portfolio"
	"portal/api/secret"
	"portal/db/accountstore"
	"portal/db/portfoliostore"
	"portal/web"
	"portal/web/docs"
	"portal/web/webtest"
)

// study is staffPages with the documentation, and an API that only listens.
type study struct {
	*staffPages
	heard  []*http.Request
	bodies []string
	says   http.HandlerFunc
}

func newStudy(t *testing.T) *study {
	t.Helper()
	s := &study{staffPages: newStaffPages(t)}
	s.says = func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("X-Request-Id", "req_01KA5R2M7Q8D4E6F9G1H3J5K7M")
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusCreated)
		_, _ = io.WriteString(w, `{"id":"tkt_1","title":"<script>alert(1)</script>"}`)
	}
	box, err := secret.NewBox(make([]byte, secret.KeySize))
	must(t, err)
	c := s.pages.Config
	c.OpenAPI, c.Vault, c.Examples, c.RequestLog = document(base), box, docs.Rules(portfolio.New(portfoliostore.New(s.db), time.Now)), s.dev
	c.API = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		s.heard, s.bodies = append(s.heard, r), append(s.bodies, string(body))
		s.says(w, r)
	})
	s.pages = web.New(c).Trial()
	s.Echo = wired(s.pages)
	return s
}

const (
	quickstart = "/docs/quickstart"
	createTry  = "/docs/api/maintenance/create_maintenance_ticket/try"
	updateTry  = "/docs/api/leases/update_lease/try"
)

// takesKey presses the button of a page, and is the key that its samples have then.
func (r *reader) takesKey(from string) string {
	r.Helper()
	once := r.found(r.get(from), `name="once" value="([^"]+)"`)
	r.leads(r.post("/docs/key", from, url.Values{"once": {once}, "next": {from}}), from)
	return r.found(r.get(quickstart), `Bearer (sk_test_pm_\w{49})`)
}

func TestTheSamplesHaveAKeyOfTheReader(t *testing.T) {
	t.Parallel()
	s := newStudy(t)
	r := s.approved("dana@example.com")
	key := r.takesKey(quickstart)
	by, err := s.dev.Authenticate(t.Context(), "Bearer "+key)
	if err != nil || by.Portfolio.Mode != access.Test || !by.Key.Scopes.Has(access.Write) || by.Key.Scopes.Has(access.Payments) {
		t.Fatalf("%+v, %v", by, err)
	}
	page := r.get(quickstart)
	r.says(page, http.StatusOK, "your test key “Docs” ("+key[:17]+"…)")
	if page.Header().Get("Cache-Control") != "no-store" || page.Header().Get("ETag") != "" {
		t.Errorf("the page may be kept: %v", page.Header())
	}
	for _, at := range []string{quickstart + ".md", "/llms-full.txt"} {
		if strings.Contains(r.get(at).Body.String(), key) {
			t.Errorf("%s has the key", at)
		}
	}
	keys, err := s.dev.Keys(t.Context(), "dana@example.com")
	if err != nil || len(keys) != 1 || keys[0].Name != "Docs" || keys[0].ExpiresAt.Std().Sub(keys[0].CreatedAt.Std()) > 25*time.Hour {
		t.Errorf("%+v, %v", keys, err)
	}
	if !slices.Contains(s.actions(s.people[r.cookies["session"].Value].UserID), "key.created") {
		t.Error("nothing was recorded")
	}
}

func TestTheKeyOfTheSamplesIsNowhereInClear(t *testing.T) {
	t.Parallel()
	s := newStudy(t)
	r := s.approved("dana@example.com")
	key := r.takesKey(quickstart)
	r.get(createTry)
	for token, data := range s.sessions.data {
		if strings.Contains(string(data), key[11:]) || strings.Contains(token, key) {
			t.Error("the session has the key in clear")
		}
	}
	if strings.Contains(s.log.String(), key[17:]) {
		t.Error("the log has the key")
	}
	other := s.reader(*s.people[r.cookies["session"].Value]) // the same person in another browser
	if strings.Contains(other.get(quickstart).Body.String(), key) {
		t.Error("another browser shows the key")
	}
	if strings.Contains(s.guest().get(quickstart).Body.String(), key) {
		t.Error("a guest is shown the key")
	}
}

func TestAnotherAccountOrAnotherRoleDoesNotSeeTheKey(t *testing.T) {
	t.Parallel()
	s := newStudy(t)
	r, stranger := s.approved("dana@example.com"), s.approved("eve@example.com")
	key := r.takesKey(quickstart)
	who := s.people[r.cookies["session"].Value]
	own := *who.Account
	for name, change := range map[string]func(){
		"another account": func() { *who.Account = *s.people[stranger.cookies["session"].Value].Account },
		"another role":    func() { who.Account.Role = access.Manager },
		"nobody":          func() { who.Pending = true },
	} {
		change()
		if strings.Contains(r.get(quickstart).Body.String(), key) {
			t.Errorf("%s sees the key", name)
		}
		*who.Account, who.Pending = own, false
	}
	if !strings.Contains(r.get(quickstart).Body.String(), key) {
		t.Error("the owner sees it no more")
	}
}

func TestARevokedKeyLeavesTheSamples(t *testing.T) {
	t.Parallel()
	s := newStudy(t)
	r := s.approved("dana@example.com")
	key := r.takesKey(quickstart)
	second := r.takesKey("/docs/key") // in the place of the first
	if _, err := s.dev.Authenticate(t.Context(), "Bearer "+key); !fault.Is(err, fault.RevokedAPIKey) {
		t.Errorf("the first key: %v", err)
	}
	r.leads(r.post("/docs/key/forget", "/docs/key/forget", nil), "/docs")
	if _, err := s.dev.Authenticate(t.Context(), "Bearer "+second); !fault.Is(err, fault.RevokedAPIKey) {
		t.Errorf("the second key: %v", err)
	}
	r.says(r.get("/docs"), http.StatusOK, "is revoked")
	r.takesKey(quickstart)
	keys, err := s.dev.Keys(t.Context(), "dana@example.com")
	must(t, err)
	for _, k := range keys { // on another page
		if k.RevokedAt == nil {
			must(t, s.dev.RevokeKey(t.Context(), k.ID))
		}
	}
	r.says(r.get(quickstart), http.StatusOK, "A test key for these samples")
}

func TestWhoMayNotHaveAKeyIsToldTheNextStep(t *testing.T) {
	t.Parallel()
	s := newStudy(t)
	fresh, approved := s.landlord("new@example.com"), s.approved("dana@example.com")
	manager := s.colleague(approved)
	s.guest().says(s.guest().get(quickstart), http.StatusOK, "Sign in, and the samples have a test key")
	s.guest().leads(s.guest().get("/docs/key"), "/sign-in?next=%2Fdocs%2Fkey")
	fresh.says(fresh.get(quickstart), http.StatusOK, "once your request for API access is approved")
	fresh.leads(fresh.get("/docs/key"), "/access")
	fresh.leads(fresh.post("/docs/key", "/trial/guest", url.Values{"once": {"a"}}), "/access")
	manager.says(manager.get(quickstart), http.StatusOK, "Owners of the account can have a test key")
	if rec := manager.post("/docs/key", "/trial/guest", url.Values{"once": {"a"}}); rec.Code != http.StatusForbidden {
		t.Errorf("a manager made a key: %d", rec.Code)
	}
	reviewer := s.reviewer()
	reviewer.says(reviewer.get(quickstart), http.StatusOK, "sk_test_pm_…")
	if keys, err := s.dev.Keys(t.Context(), "new@example.com"); err != nil || len(keys) != 0 {
		t.Errorf("%v, %v", keys, err)
	}
}

func TestTheFormOfAKeyIsTakenOnceAndLeadsNowhereElse(t *testing.T) {
	t.Parallel()
	s := newStudy(t)
	r := s.approved("dana@example.com")
	for i := range 2 {
		to := []string{quickstart, "/docs/quickstart"}[i]
		r.leads(r.post("/docs/key", "/docs/key", url.Values{"once": {"x"}, "next": {"https://evil.test/docs"}}), to)
	}
	if keys, err := s.dev.Keys(t.Context(), "dana@example.com"); err != nil || len(keys) != 1 {
		t.Errorf("%d keys, %v", len(keys), err)
	}
}

func TestAnOperationIsTriedWithTheReadersKey(t *testing.T) {
	t.Parallel()
	s := newStudy(t)
	r := s.approved("dana@example.com")
	r.says(r.get(createTry), http.StatusOK, "A test key for these samples")
	r.says(r.post(createTry, createTry, url.Values{"body": {"{}"}}), http.StatusOK, "A test key for these samples")
	key := r.takesKey(createTry)
	page := r.post(createTry, createTry, url.Values{"body": {`{"description": "It leaks."}`}, "header.Dry-Run": {"true"}, "query.limit": {"9"}, "method": {"DELETE"}})
	r.says(page, http.StatusOK, "201Created")
	r.says(page, http.StatusOK, "req_01KA5R2M7Q8D4E6F9G1H3J5K7M")
	if !strings.Contains(page.Body.String(), "/test/logs/req_01KA5R2M7Q8D4E6F9G1H3J5K7M") || strings.Contains(page.Body.String(), "<script>alert(1)") {
		t.Error(page.Body)
	}
	got := s.heard[0]
	if got.Method != http.MethodPost || got.URL.Path != "/api/v1/external/maintenance/tickets" || got.URL.RawQuery != "" || s.bodies[0] != `{"description": "It leaks."}` ||
		got.Header.Get("Authorization") != "Bearer "+key || got.Header.Get("Dry-Run") != "true" || got.Header.Get("Content-Type") != "application/json" || got.Header.Get("Cookie") != "" {
		t.Errorf("%s %s %v %s", got.Method, got.URL, got.Header, s.bodies[0])
	}
	r.says(page, http.StatusOK, "It leaks.") // what was typed stands
	if strings.Contains(page.Body.String(), key) {
		t.Error("the page shows the key")
	}
}

func TestOnlyTheOperationOfThePageIsTried(t *testing.T) {
	t.Parallel()
	s := newStudy(t)
	r := s.approved("dana@example.com")
	r.takesKey(updateTry)
	for _, id := range []string{"", "..", ".", "../tenants/x", "a/b", `a\b`, "a%2Fb", "x?y=1", "x#y"} {
		r.says(r.post(updateTry, updateTry, url.Values{"path.id": {id}, "body": {"{}"}}), http.StatusBadRequest, "Enter the ID of a record.")
	}
	if len(s.heard) != 0 {
		t.Errorf("asked %v", s.heard[0].URL)
	}
	for _, at := range []string{"/docs/api/leases/delete_lease/try", "/docs/api/x/y/try", "/docs/quickstart/try"} {
		if rec := r.get(at); rec.Code != http.StatusNotFound {
			t.Errorf("%s: %d", at, rec.Code)
		}
	}
}

func TestNothingThatIsTypedOrAnsweredRuns(t *testing.T) {
	t.Parallel()
	s := newStudy(t)
	r := s.approved("dana@example.com")
	r.takesKey(updateTry)
	for _, payload := range webtest.Payloads {
		s.says = func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("X-Request-Id", payload)
			w.Header().Set("Link", payload)
			_, _ = io.WriteString(w, payload)
		}
		page := r.post(updateTry, updateTry, url.Values{"path.id": {strings.NewReplacer("/", "", `\`, "", "%", "", "?", "", "#", "").Replace(payload)}, "header.If-Match": {payload}, "body": {payload}})
		tamed(t, page, payload)
	}
}

// tamed checks that a page has no element that a payload asks for.
func tamed(t *testing.T, page *httptest.ResponseRecorder, payload string) {
	t.Helper()
	for n := range parse(t, page.Body.String()).Descendants() {
		for _, a := range n.Attr {
			if strings.HasPrefix(a.Key, "on") || strings.HasPrefix(strings.TrimSpace(strings.ToLower(a.Val)), "javascript:") && (a.Key == "href" || a.Key == "src" || a.Key == "action") {
				t.Errorf("%s: %s=%q", payload, a.Key, a.Val)
			}
		}
		if n.Data == "iframe" || n.Data == "object" || n.Data == "script" && attr(n, "src") == "" {
			t.Errorf("%s made a %s", payload, n.Data)
		}
	}
}

func TestEverybodyCanTryAnOperation(t *testing.T) {
	t.Parallel()
	b, s := browser(t), newStudy(t)
	r := s.approved("dana@example.com")
	r.takesKey(quickstart)
	r.looks(b, quickstart, createTry, "/docs/api/payments/list_payments/try", "/docs/key", "/docs/key/forget")
}

func TestASessionHasOneKeyAlsoOverTwoAccounts(t *testing.T) {
	t.Parallel()
	s := newStudy(t)
	r, other := s.approved("dana@example.com"), s.approved("eve@example.com")
	key := r.takesKey(quickstart)
	who, theirs := s.people[r.cookies["session"].Value], s.people[other.cookies["session"].Value].Account
	must(t, accountstore.NewAccounts(s.db).SetMember(t.Context(), theirs.AccountID, who.UserID, access.Owner, clock.At(time.Now())))
	*who.Account = *theirs // they go over to it
	second := r.takesKey("/docs/key")
	if _, err := s.dev.Authenticate(t.Context(), "Bearer "+key); !fault.Is(err, fault.RevokedAPIKey) {
		t.Errorf("nothing ends the key of the first account: %v", err)
	}
	if _, err := s.dev.Authenticate(t.Context(), "Bearer "+second); err != nil {
		t.Errorf("the key of the second account: %v", err)
	}
}
