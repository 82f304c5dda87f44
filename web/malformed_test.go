package web_test

import (
	"net/http"
	"net/url"
	"os"
	"testing"
	"time"

	"portal/api/portfolio"
	"portal/api/portfolio/application"
	"portal/api/portfolio/report"
	"portal/api/portfolio/verification"
	"portal/db"
	"portal/db/dbtest"
	"portal/db/portfoliostore"
	"portal/web"
	"portal/web/records"
)

func TestWhatIsNoTextIsNotFound(t *testing.T) {
	t.Parallel()
	for name, d := range map[string]*db.DB{"sqlite": dbtest.SQLite(t), "postgres": dbtest.OnPostgres(t, os.Getenv("PORTAL_TEST_DATABASE_URL"))} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStaffPagesOn(t, d)
			p, c := portfolio.New(portfoliostore.New(d), time.Now), s.pages.Config
			rules := records.Rules(p, report.New(p, portfoliostore.ForReports(d)), application.New(p, portfoliostore.ForApplications(d)), verification.New(p, portfoliostore.ForVerifications(d)))
			c.Leases, c.Tickets, c.Applicants, c.Homes = rules.Leases, rules.Tickets, rules.Applicants, rules.Homes
			s.pages = web.New(c).Trial()
			s.Echo = wired(s.pages)
			r, staff := s.approved("dana@example.com"), s.reviewer()
			for _, odd := range []string{"%00", "a%00", "%FF%FE"} {
				for _, at := range []string{"/keys/" + odd, "/keys/" + odd + "/revoke", "/test/tickets/new?property_id=" + odd, "/test/tickets/new?unit_id=" + odd, "/test/tickets/new?tenant_id=" + odd,
					"/test/applications/new?property_id=" + odd} {
					r.says(r.get(at), http.StatusNotFound, "Page not found")
				}
				for _, at := range []string{"/staff/requests/" + odd, "/staff/accounts/" + odd} {
					staff.says(staff.get(at), http.StatusNotFound, "Page not found")
				}
				for _, at := range []string{"/staff/jobs?kind=" + odd, "/staff/look-up?id=" + odd} {
					staff.says(staff.get(at), http.StatusOK, "")
				}
				typed, err := url.QueryUnescape(odd)
				must(t, err)
				r.says(r.post("/test/tickets/new", "/test/tickets/new", url.Values{"unit_id": {typed}}), http.StatusNotFound, "Page not found")
				r.says(r.post("/test/applications/new", "/test/applications/new", url.Values{"unit_id": {typed}}), http.StatusNotFound, "Page not found")
			}
		})
	}
}
