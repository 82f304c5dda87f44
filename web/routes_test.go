package web_test

import (
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"portal/web"
)

// routes are all routes, with something in the place of every parameter.
func (h *testPages) routes() []web.Route {
	all := h.pages.Table()
	for i := range all {
		all[i].Path = regexp.MustCompile(`:[a-z_]+|\*`).ReplaceAllString(all[i].Path, "x")
	}
	return all
}

// safe tells whether a path is answered to a GET.
func safe(all []web.Route, path string) bool {
	return slices.ContainsFunc(all, func(r web.Route) bool { return r.Method == http.MethodGet && r.Path == path })
}

func TestAStrangerIsLedToSignInAndBack(t *testing.T) {
	t.Parallel()
	h := newAccountPagesOnly(t)
	for _, r := range h.routes() {
		if r.For <= web.Guest {
			continue
		}
		h.guest().leads(h.guest().send(r.Method, r.Path+"?a=b&c", form(r), nil), "/sign-in?next="+url.QueryEscape(next(r)))
	}
}

// form is what is sent to a route: nothing to a page.
func form(r web.Route) url.Values {
	if r.Method == http.MethodGet {
		return nil
	}
	return url.Values{}
}

// next is where a stranger comes back to: what was posted is not posted again.
func next(r web.Route) string {
	if r.Method == http.MethodGet {
		return r.Path + "?a=b&c"
	}
	return r.Path
}

func TestNoFormIsTakenWithoutItsTokenOrFromElsewhere(t *testing.T) {
	t.Parallel()
	h := newAccountPagesOnly(t)
	readers := map[string]*reader{"guest": h.guest(), "owner": h.owner(), "staff": h.staff()}
	for _, r := range h.routes() {
		if r.Method == http.MethodGet || r.For == web.Bearer {
			continue
		}
		for name, who := range readers {
			if name == "guest" && r.For > web.Guest || name == "owner" && r.For == web.Staff || name == "staff" && (r.For == web.Member || r.For == web.Owner) {
				continue
			}
			token := who.token("/trial/guest")
			for fault, c := range map[string]struct {
				form   url.Values
				change func(*http.Request)
			}{
				"no token":           {url.Values{}, nil},
				"another token":      {url.Values{"token": {h.manager().token("/trial/guest")}}, nil},
				"a token in the URL": {url.Values{}, func(r *http.Request) { r.URL.RawQuery = "token=" + token }},
				"another site":       {url.Values{"token": {token}}, func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") }},
				"a sister site":      {url.Values{"token": {token}}, func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "same-site") }},
				"an old browser":     {url.Values{"token": {token}}, func(r *http.Request) { r.Header.Del("Sec-Fetch-Site"); r.Header.Set("Origin", "https://evil.test") }},
				"a hidden origin":    {url.Values{"token": {token}}, func(r *http.Request) { r.Header.Del("Sec-Fetch-Site"); r.Header.Set("Origin", "null") }},
			} {
				if rec := who.send(r.Method, r.Path, c.form, c.change); rec.Code != http.StatusForbidden {
					t.Errorf("%s %s by the %s with %s: %d", r.Method, r.Path, name, fault, rec.Code)
				}
			}
		}
	}
}

func TestWhatChangesSomethingIsNotDoneByAnotherMethod(t *testing.T) {
	t.Parallel()
	h := newAccountPagesOnly(t)
	all := h.routes()
	for _, r := range all {
		for _, method := range []string{http.MethodGet, http.MethodHead, http.MethodPut, http.MethodPatch, http.MethodDelete} {
			if r.Method != http.MethodPost || (method == http.MethodGet || method == http.MethodHead) && safe(all, r.Path) {
				continue
			}
			rec := h.owner().send(method, r.Path, nil, nil)
			if rec.Code != http.StatusMethodNotAllowed || !strings.Contains(rec.Header().Get("Allow"), http.MethodPost) {
				t.Errorf("%s %s: %d, Allow %q", method, r.Path, rec.Code, rec.Header().Get("Allow"))
			}
		}
	}
}

func TestWhatIsNotForAReaderIsNotThere(t *testing.T) {
	t.Parallel()
	h := newAccountPagesOnly(t)
	halfway := h.owner()
	h.people[halfway.cookies["session"].Value].Pending = true
	for _, r := range h.routes() {
		if r.Method != http.MethodGet || r.For <= web.Guest {
			continue
		}
		halfway.leads(halfway.get(r.Path), "/sign-in/second?next="+url.QueryEscape(r.Path))
		switch r.For {
		case web.Staff:
			h.owner().says(h.owner().get(r.Path), http.StatusNotFound, "Page not found")
		case web.Owner:
			h.manager().says(h.manager().get(r.Path), http.StatusForbidden, "Only an owner of Maple & Oak can do this")
			h.staff().says(h.staff().get(r.Path), http.StatusNotFound, "Page not found")
		case web.Member:
			h.staff().says(h.staff().get(r.Path), http.StatusNotFound, "Page not found")
		case web.Public, web.Bearer, web.Guest, web.SignedIn:
		}
	}
}

func TestAPageOfWhoIsSignedInIsKeptByNoCache(t *testing.T) {
	t.Parallel()
	h := newTestPages(t)
	for path, reader := range map[string]*reader{
		"/trial/person": h.owner(), "/trial/member": h.manager(), "/trial/owner": h.owner(), "/trial/staff": h.staff(), "/trial/plain": h.owner(), "/docs/errors": h.staff(), "/nowhere": h.owner(),
	} {
		rec := reader.get(path)
		if got := rec.Header(); got.Get("Cache-Control") != "no-store" || got.Get("ETag") != "" {
			t.Errorf("%s: Cache-Control %q, ETag %q", path, got.Get("Cache-Control"), got.Get("ETag"))
		}
	}
}
