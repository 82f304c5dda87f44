package jobs

import (
	"context"
	"log/slog"
	"strings"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/agreement"
	"portal/api/clock"
	"portal/api/id"
	"portal/api/mail"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/records"
	"portal/api/portfolio/upload"
	"portal/api/secret"
	"portal/api/tenantportal"
	"portal/api/webhook"
	"portal/db"
	"portal/db/dbtest"
	"portal/db/portfoliostore"
	"portal/db/webhookstore"
)

// atNine is nine in the morning where the landlord is.
func atNine() time.Time { return noon.Add(3 * time.Hour) }

// owes has a tenant owe rent that is due in five days.
func (p *post) owes() {
	p.t.Helper()
	u := p.home.Unit[access.Live]
	sam := portfolio.Tenant{
		Record:    dbtest.Record(id.Tenant, "tenant", access.Live, noon),
		FirstName: "Sam",
		LastName:  "Rivera",
		Email:     new("sam@example.com"),
		Status:    portfolio.TenantCurrent,
	}
	l := portfolio.Lease{
		Record:        dbtest.Record(id.Lease, "lease", access.Live, noon),
		Status:        portfolio.LeaseActive,
		PropertyID:    u.PropertyID,
		UnitID:        u.ID,
		RentalAddress: "1420 Maple Avenue, Unit 2B, Austin, TX 78701",
		LeaseType:     portfolio.MonthToMonth,
		StartDate:     clock.Day(2026, 1, 1),
		MonthlyRent:   money.Dollars(1450),
		RentDueDay:    17,
		TenantIDs:     []string{sam.ID},
		Tenants:       []portfolio.Party{{ID: sam.ID, Role: portfolio.PartyPrimary}},
	}
	rent := portfolio.Payment{
		Record:      dbtest.Record(id.Payment, "payment", access.Live, noon),
		LeaseID:     l.ID,
		TenantID:    sam.ID,
		UnitID:      u.ID,
		PropertyID:  u.PropertyID,
		Type:        portfolio.PaymentRent,
		Description: new("Rent for November 2026"),
		Amount:      money.Dollars(1450),
		Currency:    portfolio.Currency,
		Status:      portfolio.PaymentScheduled,
		DueDate:     clock.Day(2026, 11, 17),
	}
	dbtest.OK(p.t, portfoliostore.New(p.db).Add(p.t.Context(), p.home.Live, &portfolio.Book{
		Tenants:  []portfolio.Tenant{sam},
		Leases:   []portfolio.Lease{l},
		Payments: []portfolio.Payment{rent},
	}))
	dbtest.Exec(p.t, p.db, "UPDATE portfolios SET rent_notices = 1, auto_charge_since = 1")
}

func TestEmailAboutRentReachesMailServerOnceFromThreeNodes(t *testing.T) {
	eachDatabase(t, func(t *testing.T, d *db.DB) {
		o := newMailServer(t, nil)
		p := newPost(t, d, carrier(t, "smtp", "", o))
		p.owes()
		box, err := secret.NewBox(make([]byte, secret.KeySize))
		dbtest.OK(t, err)
		rules := records.New(portfoliostore.New(d), atNine).Use(portfolio.Parts{
			BaseURL: "https://portal.example.com", Post: p.mail,
		})
		store := portfoliostore.New(d)
		tenants := tenantportal.New(rules, agreement.New(rules, store, box), store, box)
		p.mail.Wanted = func(ctx context.Context, in access.Portfolio, m *mail.Message) (bool, error) {
			return tenants.RentNoticeWanted(ctx, in, m.About, m.To)
		}
		for range 3 {
			j, err := newJobs(d, configure(d, Services{
				Portfolio: rules,
				Mail:      p.mail,
				Webhook:   webhook.New(webhookstore.New(d), nil, atNine, false),
				Uploads:   &upload.Service{Store: store},
				Tenants:   tenants,
			}, atNine, slog.New(slog.NewTextHandler(p.log, nil))))
			dbtest.OK(t, err)
			dbtest.OK(t, j.Start(context.WithoutCancel(t.Context())))
			t.Cleanup(func() { _ = stop(t, j, 5*time.Second) })
		}
		p.ends(mail.Sent)
		dbtest.OK(t, tenants.SendAllRentNotices(t.Context()))
		p.ends(mail.Sent)
		if len(o.got()) != 1 {
			t.Fatalf("%d emails arrived", len(o.got()))
		}
		l := opened(t, o.got()[0])
		const says = "$1,450.00 for Rent for November 2026 is due in 5 days, on November 17, 2026."
		if !strings.Contains(l.text, says) || !strings.Contains(l.html, says) {
			t.Errorf("the email is\n%s", l.text)
		}
		stop := l.header(t, "List-Unsubscribe")
		if !strings.HasPrefix(stop, "<https://portal.example.com/tenant/") ||
			!strings.HasSuffix(stop, tenantportal.RentMailPath+">") ||
			l.header(t, "List-Unsubscribe-Post") != "List-Unsubscribe=One-Click" {
			t.Errorf("unsubscribe at %s", stop)
		}
	})
}
