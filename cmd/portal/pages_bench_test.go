package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"portal/api/developer"
	"portal/api/portfolio/rentroll"
)

// BenchmarkPages draws pages for a landlord of 100 and of 10,000 properties, each with two
// let units: a page costs the same for either, and less than 5 ms of the server's time.
func BenchmarkPages(b *testing.B) {
	for _, properties := range []int{100, 10_000} {
		e := newEstate(b, properties)
		for _, path := range e.paths() {
			b.Run(fmt.Sprintf("%d%s", properties, path), func(b *testing.B) {
				bytes := 0
				for b.Loop() {
					bytes = e.get(path).Body.Len()
				}
				b.ReportMetric(float64(bytes), "bytes")
			})
		}
	}
}

// estate is a landlord's own portfolio, with who looks at its pages.
type estate struct {
	*testing.B
	handler http.Handler
	cookies map[string]*http.Cookie
}

func newEstate(b *testing.B, properties int) *estate {
	b.Helper()
	ok := func(err error) {
		b.Helper()
		if err != nil {
			b.Fatal(err)
		}
	}
	h := home{env: []string{"PORTAL_DATA=" + b.TempDir(), "PORTAL_BASE_URL=http://portal.test"}}
	c, err := configure(h.getenv)
	ok(err)
	p, err := openProduct(b.Context(), c)
	ok(err)
	demo, err := p.demo(b.Context())
	ok(err)
	ok(p.developer.SetPlan(b.Context(), demoLandlord, developer.Plan{Tier: developer.Prime, Units: new(1_000_000)}))
	roll, faults := rentroll.Read(strings.NewReader(rollOf(properties)))
	if len(faults) > 0 {
		b.Fatal(faults[0])
	}
	_, _, err = p.importRoll(b.Context(), demoLandlord, roll)
	ok(err)
	s, err := newServer(b.Context(), p, newLog(b.Output()))
	ok(err)
	b.Cleanup(func() { _ = s.stop(b.Context()) })
	e := &estate{b, s.http.Handler, map[string]*http.Cookie{}}
	e.signIn(demo.Password)
	return e
}

// rollOf is a rent roll of so many properties with two let units each.
func rollOf(properties int) string {
	var b strings.Builder
	b.WriteString("street_address,city,state,property_type,unit_number,tenant_first_name,tenant_last_name,tenant_email,lease_start,lease_end,monthly_rent\n")
	for i := range properties {
		for unit := range 2 {
			fmt.Fprintf(&b, "%d Long Street,Austin,TX,duplex,%d,Ann,Lee %d,ann%d.%d@example.com,2026-0%d-01,2030-01-31,1450\n", i, unit+1, i, i, unit, 1+i%9)
		}
	}
	return b.String()
}

func (e *estate) ask(method, path string, form url.Values) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, "http://portal.test"+path, strings.NewReader(form.Encode()))
	if form != nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	for _, c := range e.cookies {
		r.AddCookie(c)
	}
	w := httptest.NewRecorder()
	e.handler.ServeHTTP(w, r)
	for _, c := range w.Result().Cookies() {
		e.cookies[c.Name] = c
	}
	return w
}

func (e *estate) get(path string) *httptest.ResponseRecorder {
	w := e.ask(http.MethodGet, path, nil)
	if w.Code != http.StatusOK {
		e.Fatalf("%s: %d %s", path, w.Code, w.Body)
	}
	return w
}

func (e *estate) signIn(password string) {
	e.Helper()
	found := formToken.FindStringSubmatch(e.get("/sign-in").Body.String())
	if w := e.ask(http.MethodPost, "/sign-in", url.Values{"token": {found[1]}, "email": {demoLandlord}, "password": {password}}); w.Code != http.StatusSeeOther {
		e.Fatalf("signing in: %d", w.Code)
	}
}

// paths are pages of each kind, those of single records among them.
func (e *estate) paths() []string {
	all := []string{"/overview", "/keys", "/usage", "/team", "/settings", "/docs", "/live/webhooks", "/live/events", "/live/logs", "/live/activity", "/live/mail", "/live/applications", "/test/demo"}
	for _, list := range []string{"properties", "tenants", "leases", "ledger", "tickets"} {
		at := "/live/" + list
		all = append(all, at)
		if one := regexp.MustCompile(`href="(` + at + `/[a-z]+_\w+)"`).FindStringSubmatch(e.get(at).Body.String()); one != nil {
			all = append(all, one[1])
		}
	}
	return append(all, "/live/properties?city=Austin&status=active", "/live/leases?status=active", "/live/ledger?overdue=true", "/live/tickets/new?q=Long")
}
