package property_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/alexedwards/scs/v2"

	"portal/api/access"
	"portal/api/portfolio/lease/application"
	"portal/api/portfolio/ledger/report"
	"portal/api/portfolio/property/verification"
	"portal/api/portfolio/records"
	"portal/db"
	"portal/db/dbtest"
	"portal/db/portfoliostore"
	"portal/db/reportstore"
	"portal/web/lease"
	"portal/web/ledger"
	"portal/web/pagetest"
	"portal/web/property"
	"portal/web/ticket"
)

// spread is a portfolio of so many properties and more, see dbtest.LargeBook. It answers with the addresses of a
// page of each kind.
func spread(b *testing.B, d *db.DB, in access.Portfolio, n int) []string {
	b.Helper()
	book := dbtest.LargeBook(in, n)
	pagetest.Must(b, portfoliostore.New(d).Add(b.Context(), in, book))
	at := "/" + string(in.Mode)
	middle := book.Properties[n/2].ID
	return []string{
		at +
			"/properties", at + "/properties?after=" +
			middle, at +
			"/properties?city=waco", at +
			"/properties?state=TX&property_type=condo&status=active", at +
			"/properties?state=CA&city=nowhere",
		at +
			"/search?q=5", at +
			"/search?q=elm", at +
			"/search?q=dana", at +
			"/search?q=whitfield+99", at +
			"/search?q=nowhere",
		at + "/properties/" +
			middle, at + "/properties/" +
			book.Properties[n].ID, at + "/properties/" +
			book.Properties[n].ID + "/edit", at +
			"/properties/new",
		at + "/units/" +
			book.Units[n].ID, at +
			"/tenants", at + "/tenants?status=current&after=" +
			book.Tenants[n/2].ID, at +
			"/tenants?email=dana77@example.com", at +
			"/tenants/" + book.Tenants[n].ID, at +
			"/tenants/" + book.Tenants[n].ID + "/edit",
		at + "/leases", at + "/leases?search=whitfield+99", at + "/leases?search=77+elm", at + "/leases?search=elm",
		at + "/leases?sort=ending&search=nowhere", at + "/leases?search=dana+99", at + "/leases/" + book.Leases[n].ID,
		at + "/tickets", at + "/tickets?search=whitfield+99", at + "/tickets?search=elm", at + "/tickets?sort=updated",
		at + "/ledger", at + "/ledger?search=whitfield+99", at + "/ledger?search=77+elm", at + "/ledger?search=elm",
		at + "/ledger?search=elm&status=failed", at + "/ledger?due_after=2027-01-01", at + "/ledger?overdue=false",
		at + "/ledger?status=succeeded&sort=due", at + "/ledger?search=dana+99", at + "/ledger/" + book.Payments[n].ID,
	}
}

// BenchmarkPagesOfRecords asks for the pages of a portfolio of 10,000 properties, on both
// databases.
func BenchmarkPagesOfRecords(b *testing.B) {
	for name, open := range map[string]func() *db.DB{
		"sqlite":   func() *db.DB { return dbtest.SQLite(b) },
		"postgres": func() *db.DB { return dbtest.OnPostgres(b) },
	} {
		b.Run(name, func(b *testing.B) {
			d := open()
			home := dbtest.NewHome(b, d, "dana")
			paths := spread(b, d, home.Live, 10_000)
			if pool := d.Postgres(); pool != nil { // what it does by itself a minute later
				_, err := pool.Exec(b.Context(), "VACUUM ANALYZE")
				pagetest.Must(b, err)
			}
			now := func() time.Time { return dbtest.Noon().Std() }
			rules := records.New(portfoliostore.New(d), now)
			checks := verification.New(rules, portfoliostore.New(d))
			sessions, m := &pagetest.MemorySessions{Data: map[string][]byte{}}, scs.New()
			m.Store, m.HashTokenInStore = sessions, true
			ctx, err := m.Load(b.Context(), "")
			pagetest.Must(b, err)
			m.Put(ctx, "began", "by the test")
			token, _, err := m.Commit(ctx)
			pagetest.Must(b, err)
			people := pagetest.Visitors{token: new(pagetest.Visitor("user_1", home, access.Manager))}
			e := pagetest.Wired(pagetest.Build(pagetest.Config{
				BaseURL:  pagetest.BaseURL,
				Sessions: sessions,
				People:   people,
				Now:      now,
				Property: property.Config{Portfolio: rules, Verifications: checks},
				Lease: lease.Config{
					Portfolio:    rules,
					Applications: application.New(rules, portfoliostore.New(d)),
				},
				Ticket: ticket.Config{Portfolio: rules},
				Ledger: ledger.Config{Portfolio: rules, Reports: report.New(rules, reportstore.New(d))},
			}))
			for _, path := range paths {
				b.Run(strings.ReplaceAll(path, "/", "|"), func(b *testing.B) {
					for b.Loop() {
						req := httptest.NewRequestWithContext(b.Context(), http.MethodGet, pagetest.BaseURL+path, nil)
						req.AddCookie(&http.Cookie{Name: "session", Value: token})
						rec := httptest.NewRecorder()
						e.ServeHTTP(rec, req)
						if rec.Code != http.StatusOK {
							b.Fatalf("%s: %d", path, rec.Code)
						}
						b.ReportMetric(float64(rec.Body.Len())/1024, "KB")
					}
				})
			}
		})
	}
}
