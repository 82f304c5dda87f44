package web_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"portal/api/agreement/ceremony"
	"portal/api/agreement/notice"
	"portal/api/tenantportal"
	"portal/web/page"
	"portal/web/pagetest"
)

// safe reports whether a path is answered to a GET.
func safe(all []pagetest.Route, path string) bool {
	return slices.ContainsFunc(all, func(r pagetest.Route) bool { return r.Method == http.MethodGet && r.Path == path })
}

func TestGuestIsRedirectedToSignInAndBack(t *testing.T) {
	t.Parallel()
	h := newAccountPagesOnly(t)
	for _, r := range h.AllRoutes() {
		if r.For <= page.Guest {
			continue
		}
		h.Guest().Leads(
			h.Guest().Send(r.Method, r.Path+"?a=b&c", form(r), nil),
			"/sign-in?next="+url.QueryEscape(next(r)),
		)
	}
}

// form is what is sent to a route: nothing to a page.
func form(r pagetest.Route) url.Values {
	if r.Method == http.MethodGet {
		return nil
	}
	return url.Values{}
}

// next is where a stranger comes back to: what was posted is not posted again.
func next(r pagetest.Route) string {
	if r.Method == http.MethodGet {
		return r.Path + "?a=b&c"
	}
	return r.Path
}

func TestFormsRequireTokenAndSameOrigin(t *testing.T) {
	t.Parallel()
	h := newAccountPagesOnly(t)
	readers := map[string]*pagetest.Reader{"guest": h.Guest(), "owner": h.Owner(), "staff": h.Staff()}
	for _, r := range h.AllRoutes() {
		if r.Method == http.MethodGet || r.For == page.LinkHolder {
			continue
		}
		for name, who := range readers {
			if name == "guest" && r.For > page.Guest || name == "owner" && r.For == page.Staff ||
				name == "staff" && (r.For == page.Member || r.For == page.Owner) {
				continue
			}
			token := who.Token("/trial/guest")
			for fault, c := range map[string]struct {
				form   url.Values
				change func(*http.Request)
			}{
				"no token":           {url.Values{}, nil},
				"another token":      {url.Values{"token": {h.Manager().Token("/trial/guest")}}, nil},
				"a token in the URL": {url.Values{}, func(r *http.Request) { r.URL.RawQuery = "token=" + token }},
				"another site": {
					url.Values{"token": {token}},
					func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") },
				},
				"a sister site": {
					url.Values{"token": {token}},
					func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "same-site") },
				},
				"an old browser": {
					url.Values{"token": {token}},
					func(r *http.Request) {
						r.Header.Del("Sec-Fetch-Site")
						r.Header.Set("Origin", "https://evil.test")
					},
				},
				"a hidden origin": {
					url.Values{"token": {token}},
					func(r *http.Request) { r.Header.Del("Sec-Fetch-Site"); r.Header.Set("Origin", "null") },
				},
			} {
				if rec := who.Send(r.Method, r.Path, c.form, c.change); rec.Code != http.StatusForbidden {
					t.Errorf("%s %s by the %s with %s: %d", r.Method, r.Path, name, fault, rec.Code)
				}
			}
		}
	}
}

func TestPostRoutesRefuseOtherMethods(t *testing.T) {
	t.Parallel()
	h := newAccountPagesOnly(t)
	all := h.AllRoutes()
	for _, r := range all {
		for _, method := range []string{
			http.MethodGet, http.MethodHead, http.MethodPut, http.MethodPatch, http.MethodDelete,
		} {
			if r.Method != http.MethodPost ||
				(method == http.MethodGet || method == http.MethodHead) && safe(all, r.Path) {
				continue
			}
			rec := h.Owner().Send(method, r.Path, nil, nil)
			if rec.Code != http.StatusMethodNotAllowed ||
				!strings.Contains(rec.Header().Get("Allow"), http.MethodPost) {
				t.Errorf("%s %s: %d, Allow %q", method, r.Path, rec.Code, rec.Header().Get("Allow"))
			}
		}
	}
}

func TestRoutesEnforceTheirAudience(t *testing.T) {
	t.Parallel()
	h := newAccountPagesOnly(t)
	halfway := h.Owner()
	h.People[halfway.Cookies["session"].Value].Pending = true
	for _, r := range h.AllRoutes() {
		if r.Method != http.MethodGet || r.For <= page.Guest {
			continue
		}
		halfway.Leads(halfway.Get(r.Path), "/sign-in/second?next="+url.QueryEscape(r.Path))
		switch r.For {
		case page.Staff:
			h.Owner().Says(h.Owner().Get(r.Path), http.StatusNotFound, "Page not found")
		case page.Owner:
			h.Manager().Says(h.Manager().Get(r.Path), http.StatusForbidden, "Only owners can do this")
			h.Staff().Says(h.Staff().Get(r.Path), http.StatusNotFound, "Page not found")
		case page.Member:
			h.Staff().Says(h.Staff().Get(r.Path), http.StatusNotFound, "Page not found")
		case page.Public, page.LinkHolder, page.Guest, page.SignedIn:
		}
	}
}

// storedFiles are the ends of addresses whose PDF is read, or was made once for all.
var storedFiles = []string{"/lease.pdf", "/sample.pdf", "/document.pdf"}

func TestEveryAddressThatMakesAFileIsLimited(t *testing.T) {
	t.Parallel()
	h := newAccountPagesOnly(t)
	c := h.Config
	c.Signing, c.Tenants = &ceremony.Service{}, &tenantportal.Service{}
	c.Lease.Notices = &notice.Service{}
	limited := 0
	for _, r := range pagetest.TableOf(pagetest.Build(c)) {
		makes := strings.HasSuffix(r.Path, "/statement.csv") || strings.HasSuffix(r.Path, ".pdf") &&
			!slices.ContainsFunc(storedFiles, func(end string) bool { return strings.HasSuffix(r.Path, end) })
		if r.Generated != makes {
			t.Errorf("%s %s is limited: %t", r.Method, r.Path, r.Generated)
		}
		if makes {
			limited++
		}
	}
	if limited != 8*2+6+6*2 {
		t.Errorf("%d addresses make files", limited)
	}
}

func TestSignedInPagesAreNotCached(t *testing.T) {
	t.Parallel()
	h := newTestPages(t)
	for path, reader := range map[string]*pagetest.Reader{
		"/trial/person": h.Owner(),
		"/trial/member": h.Manager(),
		"/trial/owner":  h.Owner(),
		"/trial/staff":  h.Staff(),
		"/trial/plain":  h.Owner(),
		"/docs/errors":  h.Staff(),
		"/nowhere":      h.Owner(),
	} {
		rec := reader.Get(path)
		if got := rec.Header(); got.Get("Cache-Control") != "no-store" || got.Get("ETag") != "" {
			t.Errorf("%s: Cache-Control %q, ETag %q", path, got.Get("Cache-Control"), got.Get("ETag"))
		}
	}
}
