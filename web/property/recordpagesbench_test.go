package property_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/alexedwards/scs/v2"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/id"
	"portal/api/money"
	"portal/api/portfolio"
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

// spread is a portfolio of so many properties with a unit each, which are let, and one more
// property whose 500 units are let too. It answers with the addresses of a page of each kind.
func spread(b *testing.B, d *db.DB, in access.Portfolio, n int) []string {
	b.Helper()
	book := &portfolio.Book{}
	now := dbtest.Noon().Std().Add(-time.Duration(n) * time.Second)
	record := func(prefix, object string) portfolio.Record {
		return portfolio.Record{
			ID:        id.New(prefix, now),
			Object:    object,
			Mode:      in.Mode,
			Version:   1,
			CreatedAt: clock.At(now),
			UpdatedAt: clock.At(now),
		}
	}
	for i := range n + 1 {
		now = now.Add(time.Second)
		units := 1
		if i == n {
			units = 500
		}
		p := portfolio.Property{
			Record:             record(id.Property, "property"),
			StreetAddress:      fmt.Sprint(i, " Elm Street"),
			City:               []string{"Austin", "Dallas", "Waco"}[i%3],
			State:              "TX",
			Country:            "US",
			PropertyType:       "condo",
			UnitCount:          units,
			OccupiedUnitCount:  units,
			Status:             portfolio.PropertyActive,
			VerificationStatus: portfolio.Verified,
		}
		book.Properties = append(book.Properties, p)
		for k := range units {
			u := portfolio.Unit{
				Record:     record(id.Unit, "unit"),
				PropertyID: p.ID,
				UnitNumber: fmt.Sprint(k),
				Currency:   portfolio.Currency,
				Status:     portfolio.UnitOccupied,
			}
			t := portfolio.Tenant{
				Record:     record(id.Tenant, "tenant"),
				FirstName:  "Dana",
				LastName:   fmt.Sprint("Whitfield ", i),
				Email:      new(fmt.Sprintf("dana%d@example.com", i)),
				Status:     portfolio.TenantCurrent,
				PropertyID: &p.ID,
				UnitID:     &u.ID,
			}
			l := portfolio.Lease{
				Record:        record(id.Lease, "lease"),
				Status:        portfolio.LeaseActive,
				PropertyID:    p.ID,
				UnitID:        u.ID,
				LeaseType:     portfolio.Fixed,
				StartDate:     clock.Day(2026, 1, 1),
				EndDate:       new(clock.Day(2026, 12, 31)),
				MonthlyRent:   money.Dollars(1450),
				Currency:      portfolio.Currency,
				RentDueDay:    1,
				RentalAddress: p.StreetAddress,
				TenantIDs:     []string{t.ID},
				Tenants:       []portfolio.Party{{ID: t.ID, Role: portfolio.PartyPrimary}},
			}
			u.CurrentLeaseID = &l.ID
			book.Units = append(book.Units, u)
			book.Tenants = append(book.Tenants, t)
			book.Leases = append(book.Leases, l)
			addCharges(book, &l, record)
			book.Tickets = append(book.Tickets, portfolio.Ticket{
				Record:     record(id.Ticket, "maintenance_ticket"),
				Number:     fmt.Sprintf("T-%d", 1000+len(book.Tickets)),
				PropertyID: p.ID,
				UnitID:     &u.ID,
				TenantID:   &t.ID,
				LeaseID:    &l.ID,
				Title:      "Kitchen tap drips",
				Status:     portfolio.TicketOpen,
				Priority:   portfolio.PriorityNormal,
				Category:   "plumbing",
				Source:     "manager",
				Currency:   portfolio.Currency,
			})
		}
	}
	pagetest.Must(b, portfoliostore.NewBooks(d).Add(b.Context(), in, book))
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

// addCharges adds the rents of a year to a book, of which the last is due and those before are paid.
func addCharges(book *portfolio.Book, l *portfolio.Lease, record func(prefix, object string) portfolio.Record) {
	for month := time.January; month <= time.December; month++ {
		status, paid := portfolio.PaymentSucceeded, l.MonthlyRent
		if month == time.December {
			status, paid = portfolio.PaymentDue, 0
		}
		book.Payments = append(book.Payments, portfolio.Payment{
			Record:     record(id.Payment, "payment"),
			LeaseID:    l.ID,
			TenantID:   l.TenantIDs[0],
			UnitID:     l.UnitID,
			PropertyID: l.PropertyID,
			Type:       portfolio.PaymentRent,
			Amount:     l.MonthlyRent,
			AmountPaid: paid,
			Currency:   portfolio.Currency,
			Status:     status,
			DueDate:    clock.Day(2026, month, 1),
		})
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
			checks := verification.New(rules, portfoliostore.ForVerifications(d))
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
					Applications: application.New(rules, portfoliostore.ForApplications(d)),
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
