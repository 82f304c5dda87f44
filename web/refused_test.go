package web_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"testing"

	"golang.org/x/net/html"

	"portal/api/access"
	"portal/web/pagetest"
)

// nextPages are where the buttons of a page lead that says why there is no answer, in their order.
func nextPages(t *testing.T, rec *httptest.ResponseRecorder) (all []string) {
	t.Helper()
	for n := range pagetest.Parse(t, rec.Body.String()).Descendants() {
		if n.Type == html.ElementNode && n.Data == "a" &&
			slices.Contains([]string{"b", "b pri"}, pagetest.Attr(n, "class")) {
			all = append(all, pagetest.Attr(n, "href"))
		}
	}
	return all
}

// leadsTo fails unless the page has the status and the title, and leads to these pages.
func leadsTo(t *testing.T, r *pagetest.Reader, rec *httptest.ResponseRecorder, status int, title string, to ...string) {
	t.Helper()
	r.Says(rec, status, title+" · portal")
	if next := nextPages(t, rec); !slices.Equal(next, to) {
		t.Errorf("%q leads to %q, not to %q", title, next, to)
	}
}

func TestMissingRecordPageLinksToListAndSearch(t *testing.T) {
	t.Parallel()
	m := pagetest.NewDemoPages(t)
	r := m.Member(access.Owner)
	for _, list := range []string{"leases", "tenants", "tickets", "properties"} {
		leadsTo(t, r, r.Get("/live/"+list+"/nothing"), http.StatusNotFound, "Page not found",
			"/live/"+list, "/live/search", "/live/overview")
	}
	leadsTo(t, r, r.Get("/nowhere"), http.StatusNotFound, "Page not found", "/live/search", "/live/overview")
	stranger := m.Stranger()
	rec := m.Guest().Get("/nowhere")
	leadsTo(t, stranger, rec, http.StatusNotFound, "Page not found", "/docs", "/")
}

func TestForbiddenPageNamesRequiredRoleAndLinksToTeam(t *testing.T) {
	t.Parallel()
	h := newAccountPagesOnly(t)
	r := h.Manager()
	rec := r.Get("/settings/export")
	leadsTo(t, r, rec, http.StatusForbidden, "Only owners can do this", "/team", "/test/overview")
	r.Says(rec, http.StatusForbidden, "your role is manager")
}

func TestServerErrorPageLinksBackToRetry(t *testing.T) {
	t.Parallel()
	h := newTestPages(t)
	leadsTo(t, h.Guest(), h.Guest().Get("/trial/panic?a=1"), http.StatusInternalServerError,
		"Something failed on our side", "/trial/panic?a=1", "/")
	rec := h.Guest().Get("/trial/fails/unavailable")
	leadsTo(t, h.Guest(), rec, http.StatusServiceUnavailable, "Temporarily unavailable",
		"/trial/fails/unavailable", "/")
	if after := rec.Header().Get("Retry-After"); after != "5" {
		t.Errorf("Retry-After is %q", after)
	}
	if number := rec.Header().Get("X-Request-Id"); number == "" {
		t.Error("the answer has no number")
	} else {
		h.Guest().Says(rec, http.StatusServiceUnavailable, number)
	}
	r := h.Owner()
	rec = r.Send(http.MethodPost, "/trial/once", url.Values{
		"token": {r.Token("/trial/person")},
		"once":  {"a"},
		"what":  {"panic"},
	}, func(q *http.Request) { q.Header.Set("Referer", pagetest.BaseURL+"/trial/person?b=2") })
	leadsTo(
		t,
		r,
		rec,
		http.StatusInternalServerError,
		"Something failed on our side",
		"/trial/person?b=2",
		"/test/overview",
	)
}
