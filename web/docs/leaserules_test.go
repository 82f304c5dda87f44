package docs_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"portal/api/portfolio/lease/law"
	"portal/web/pagetest"
	"portal/web/webtest"
)

func TestPageOfStateSaysWhichSourcesAreStatutes(t *testing.T) {
	t.Parallel()
	h := newDocPages(t)
	for at, wants := range map[string][]string{
		"/docs/lease-rules/al": {
			"- Statute: <https://law.onecle.com/", "- Guide: <https://www.rentce.com/", "As of 2026.",
		},
		"/docs/lease-rules/tx": {"- Statute: <http://www.weblaws.org/", "last looked at on Nov 25, 2026."},
	} {
		md := h.Guest().Get(at + ".md").Body.String()
		for _, want := range append(wants, "A statute is the text of a law") {
			if !strings.Contains(md, want) {
				t.Errorf("%s does not say %q", at, want)
			}
		}
	}
}

func TestMapLinksToRulesPageOfEveryState(t *testing.T) {
	t.Parallel()
	h := newDocPages(t)
	links := pagetest.Hrefs(pagetest.Parse(t, h.Guest().Get("/docs/lease-rules").Body.String()))
	table := h.Guest().Get("/docs/lease-rules.md").Body.String()
	for _, r := range law.All() {
		at := "/docs/lease-rules/" + strings.ToLower(string(r.State))
		if !slices.Contains(links, at) || !strings.Contains(table, "["+r.Name+"]("+at+")") {
			t.Errorf("nothing leads to %s", at)
		}
		page, md := h.Guest().Get(at), h.Guest().Get(at+".md")
		if page.Code != http.StatusOK || md.Code != http.StatusOK {
			t.Fatalf("%s: %d, %d", at, page.Code, md.Code)
		}
		shown := pagetest.Text(pagetest.Parse(t, page.Body.String()))
		wants := []string{"Lease rules in " + r.Name, "not legal advice"}
		for _, d := range r.Disclosures {
			wants = append(wants, d.Title, d.Code)
			if d.Authority != nil {
				wants = append(wants, *d.Authority)
			}
		}
		for _, c := range slices.Concat(r.Deposit.ReturnCases, r.Notice.MonthToMonthCases) {
			wants = append(wants, strings.TrimSuffix(c.When, "."), c.Citation)
		}
		if r.Notice.TenantDays != nil {
			wants = append(wants, "Tenants end a month-to-month lease with", *r.Notice.TenantCitation)
		}
		for _, a := range r.Authorities {
			if a.Citation != nil {
				wants = append(wants, *a.Citation)
			}
			if a.Note != nil {
				wants = append(wants, *a.Note)
			}
		}
		wants = append(wants, r.ResearchWarnings()...)
		if len(r.Unverified) > 0 {
			wants = append(wants, "not verified")
		}
		for _, want := range wants {
			if !strings.Contains(shown, want) {
				t.Errorf("%s does not say %q", at, want)
			}
		}
		if strings.Contains(md.Body.String(), "%!") || strings.Contains(shown, "1 months") {
			t.Errorf("%s: %s", at, md.Body)
		}
	}
	if rec := h.Guest().Get("/docs/lease-rules/zz"); rec.Code != http.StatusNotFound {
		t.Errorf("the page of no state answers %d", rec.Code)
	}
}

func TestEveryStateHasSampleLease(t *testing.T) {
	t.Parallel()
	h := newDocPages(t)
	for _, r := range law.All() {
		at := "/docs/lease-rules/" + strings.ToLower(string(r.State))
		if !slices.Contains(pagetest.Hrefs(pagetest.Parse(t, h.Guest().Get(at).Body.String())), at+"/sample.pdf") {
			t.Errorf("%s does not lead to its sample", at)
		}
		rec := h.Guest().Get(at + "/sample.pdf")
		if rec.Code != http.StatusOK || rec.Header().Get("Content-Type") != "application/pdf" ||
			!strings.HasPrefix(rec.Body.String(), "%PDF-") || rec.Header().Get("Etag") == "" {
			t.Errorf("%s/sample.pdf: %d, %v", at, rec.Code, rec.Header())
		}
	}
	for _, wrong := range []string{"zz", "TX", "x"} {
		if rec := h.Guest().Get("/docs/lease-rules/" + wrong + "/sample.pdf"); rec.Code != http.StatusNotFound {
			t.Errorf("%s: %d", wrong, rec.Code)
		}
	}
}

func TestStatesAreSortedByName(t *testing.T) {
	t.Parallel()
	table := newDocPages(t).Guest().Get("/docs/lease-rules.md").Body.String()
	idaho, iowa := strings.Index(table, "| [Idaho]"), strings.Index(table, "| [Iowa]")
	if idaho < 0 || iowa < idaho {
		t.Errorf("Idaho is at %d, Iowa at %d", idaho, iowa)
	}
}

func TestStateCodeRedirectsInAnyCase(t *testing.T) {
	t.Parallel()
	h := newDocPages(t)
	for from, to := range map[string]string{
		"/docs/lease-rules/TX":    "/docs/lease-rules/tx",
		"/docs/lease-rules/Tx.md": "/docs/lease-rules/tx.md",
	} {
		rec := h.Guest().Get(from)
		if rec.Code != http.StatusMovedPermanently || rec.Header().Get("Location") != to {
			t.Errorf("%s: %d to %q", from, rec.Code, rec.Header().Get("Location"))
		}
	}
	if rec := h.Guest().Get("/docs/lease-rules/ZZ"); rec.Code != http.StatusNotFound {
		t.Errorf("the page of no state answers %d", rec.Code)
	}
}

func TestMapHasScaleAndStateSteps(t *testing.T) {
	t.Parallel()
	page := newDocPages(t).Guest().Get("/docs/lease-rules").Body.String()
	for _, want := range []string{
		`<li class="m1">Up to 1</li>`,
		`<li class="m4">Over 2</li>`,
		`<li class="m5">No limit</li>`,
		`<li class="CA m1">`,
		`<li class="AZ m2">`,
		`<li class="CO m3">`,
		`<li class="NV m4">`,
		`<li class="TX m5">`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the map has no %s", want)
		}
	}
}

func TestStatePageStartsWithKeyFigures(t *testing.T) {
	t.Parallel()
	h := newDocPages(t)
	for state, want := range map[string]string{
		"tx": "Deposit limitNoneDeposit returned in30 daysLate fee grace2 daysNotice to enterNo number" +
			"Notice to pay or leave3 days",
		"dc": "Deposit limit1 month of rentDeposit returned in45 daysLate fee grace5 days" +
			"Notice to enter48 hoursNotice to pay or leave10 days",
	} {
		said := ""
		for n := range pagetest.Parse(t, h.Guest().Get("/docs/lease-rules/"+state).Body.String()).Descendants() {
			if pagetest.Attr(n, "class") == "strip" {
				said = pagetest.Text(n)
			}
		}
		if said != want {
			t.Errorf("%s begins with %q, want %q", state, said, want)
		}
	}
}

func TestStatesAreCardsOnPhone(t *testing.T) {
	t.Parallel()
	b := pagetest.Browser(t)
	at := pagetest.Start(t, pagetest.Config{Now: time.Now, OpenAPI: pagetest.Document(pagetest.BaseURL)})
	b.Look(t, at+"/docs/lease-rules")
	w := b.Window(t)
	for screen, want := range map[webtest.Screen]string{webtest.Desktop: "table-row", webtest.Phone: "grid"} {
		w.Visit(screen, at+"/docs/lease-rules")
		w.Await(`getComputedStyle(document.querySelector(".states tbody tr")).display === "` + want + `"`)
	}
}
