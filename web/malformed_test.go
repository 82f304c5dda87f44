package web_test

import (
	"net/http"
	"net/url"
	"testing"
	"time"

	"portal/api/portfolio/lease/application"
	"portal/api/portfolio/records"
	"portal/db"
	"portal/db/dbtest"
	"portal/db/portfoliostore"
	"portal/web/lease"
	"portal/web/pagetest"
	"portal/web/ticket"
)

func TestInvalidTextIsNotFound(t *testing.T) {
	dbtest.Both(t, func(t *testing.T, d *db.DB) {
		s := pagetest.NewStaffPagesOn(t, d)
		p, c := records.New(portfoliostore.New(d), time.Now), s.Config
		c.Lease = lease.Config{Portfolio: p, Applications: application.New(p, portfoliostore.New(d))}
		c.Ticket = ticket.Config{Portfolio: p}
		s.Pages = pagetest.AddTrialPages(pagetest.Build(c))
		s.Echo = pagetest.Wired(s.Pages)
		r, staff := s.Approved("dana@example.com"), s.Reviewer()
		for _, odd := range []string{"%00", "a%00", "%FF%FE"} {
			for _, at := range []string{
				"/keys/" + odd, "/keys/" + odd + "/revoke",
				"/test/tickets/new?property_id=" + odd, "/test/tickets/new?unit_id=" + odd,
				"/test/tickets/new?tenant_id=" + odd, "/test/applications/new?property_id=" + odd,
			} {
				r.Says(r.Get(at), http.StatusNotFound, "Page not found")
			}
			for _, at := range []string{"/staff/requests/" + odd, "/staff/accounts/" + odd} {
				staff.Says(staff.Get(at), http.StatusNotFound, "Page not found")
			}
			for _, at := range []string{"/staff/jobs?kind=" + odd, "/staff/look-up?id=" + odd} {
				staff.Says(staff.Get(at), http.StatusOK, "")
			}
			typed, err := url.QueryUnescape(odd)
			pagetest.Must(t, err)
			r.Says(r.Post("/test/tickets/new", "/test/tickets/new", url.Values{
				"unit_id": {typed},
			}), http.StatusNotFound, "Page not found")
			r.Says(r.Post("/test/applications/new", "/test/applications/new", url.Values{
				"unit_id": {typed},
			}), http.StatusNotFound, "Page not found")
		}
	})
}
