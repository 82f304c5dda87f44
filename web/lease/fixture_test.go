package lease_test

import (
	"fmt"
	"net/http"
	"net/url"
	"path"
	"strings"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/agreement"
	"portal/api/agreement/ceremony"
	"portal/api/agreement/document/documenttest"
	"portal/api/agreement/notice"
	"portal/api/attachment"
	"portal/api/clock"
	"portal/api/id"
	"portal/api/mail"
	"portal/api/money"
	"portal/api/payment/simulated"
	"portal/api/portfolio"
	"portal/api/portfolio/lease/application"
	"portal/api/portfolio/property/verification"
	"portal/api/portfolio/records"
	"portal/api/secret"
	"portal/api/tenantportal"
	"portal/db"
	"portal/db/dbtest"
	"portal/db/mailstore"
	"portal/db/portfoliostore"
	"portal/web/lease"
	"portal/web/pagetest"
	"portal/web/property"
)

// leasePages are webhookPages with the pages that generate a lease. The unit of the test portfolio is let to
// Dana, and Sam has no home.
type leasePages struct {
	*pagetest.WebhookPages
	rules      *records.Service
	post       *mail.Service
	signings   *ceremony.Service
	agreements *agreement.Service
	unit       string
	dana, sam  string // ids of tenants
	lease      string // of Dana
	payments   *simulated.Payments
	form       string // address of the form for the unit
}

func newLeasePages(t *testing.T) *leasePages {
	t.Helper()
	return leasePagesOf(t, pagetest.NewWebhookPages(t))
}

// onEach runs a test on both databases.
func onEach(t *testing.T, test func(t *testing.T, e *leasePages)) {
	t.Helper()
	dbtest.Each(t, func(t *testing.T, open func(testing.TB) *db.DB) {
		test(t, leasePagesOf(t, pagetest.NewWebhookPagesOn(t, open(t), pagetest.BaseURL)))
	})
}

func leasePagesOf(t *testing.T, w *pagetest.WebhookPages) *leasePages {
	t.Helper()
	e := &leasePages{WebhookPages: w}
	box, err := secret.NewBox(make([]byte, secret.KeySize))
	e.OK(err)
	now := func() time.Time { return e.Now }
	e.post = mail.New(mail.Config{Store: mailstore.New(e.DB), Box: box, Now: now})
	e.rules = records.New(portfoliostore.New(e.DB), now).Use(portfolio.Parts{BaseURL: pagetest.BaseURL, Post: e.post})
	c := e.Config
	c.Box = box
	agreements := agreement.New(e.rules, portfoliostore.New(e.DB), box)
	e.rules.Documents = agreements
	e.agreements = agreements
	e.signings = ceremony.New(e.rules, agreements, portfoliostore.New(e.DB), box)
	agreements.Offers = e.signings
	agreements.Sealer = documenttest.Sealer(t)
	c.Property = property.Config{
		Portfolio:     e.rules,
		Verifications: verification.New(e.rules, portfoliostore.New(e.DB)),
	}
	c.Lease = lease.Config{
		Portfolio:    e.rules,
		Applications: application.New(e.rules, portfoliostore.New(e.DB)),
	}
	e.payments = simulated.Open(e.rules.Common, e.rules.Ledger, portfoliostore.New(e.DB), nil)
	c.Lease.Notices = notice.New(e.rules, agreements, portfoliostore.New(e.DB))
	c.Lease.Notices.Mailer = tenantportal.New(e.rules, agreements, portfoliostore.New(e.DB), box)
	c.Lease.Payments, c.Lease.Photos = e.payments, attachment.NewConverter(time.Minute)
	c.Lease.Agreements, c.Lease.Terms, c.Lease.Signings = agreements, agreements, e.signings
	e.Pages = pagetest.AddTrialPages(pagetest.Build(c))
	e.Echo = pagetest.Wired(e.Pages)
	e.inhabit()
	return e
}

func (e *leasePages) record(prefix, object string) portfolio.Record {
	return portfolio.Record{
		ID:        id.New(prefix, e.Now),
		Object:    object,
		Mode:      access.Test,
		Version:   1,
		CreatedAt: clock.At(e.Now),
		UpdatedAt: clock.At(e.Now),
	}
}

func (e *leasePages) tenant(first, last, email string) portfolio.Tenant {
	return portfolio.Tenant{
		Record:    e.record(id.Tenant, "tenant"),
		FirstName: first,
		LastName:  last,
		Name:      first + " " + last,
		Email:     &email,
		Status:    portfolio.TenantProspect,
		LeaseIDs:  []string{},
	}
}

// inhabit lets the unit.
func (e *leasePages) inhabit() {
	u := e.Home.Unit[access.Test]
	dana, sam := e.tenant("Dana", "Whitfield", "dana@example.com"), e.tenant("Sam", "Whitfield", "sam@example.com")
	dana.Status, dana.PropertyID, dana.UnitID = portfolio.TenantCurrent, &u.PropertyID, &u.ID
	l := portfolio.Lease{
		Record:        e.record(id.Lease, "lease"),
		Status:        portfolio.LeaseActive,
		PropertyID:    u.PropertyID,
		UnitID:        u.ID,
		LeaseType:     portfolio.Fixed,
		StartDate:     clock.Day(2026, 1, 1),
		EndDate:       new(clock.Day(2026, 12, 31)),
		MonthlyRent:   money.Dollars(1450),
		Currency:      portfolio.Currency,
		RentDueDay:    1,
		RentalAddress: "1420 Maple Avenue, Unit 2B, Austin, TX 78701",
		TenantIDs:     []string{dana.ID},
		Tenants:       []portfolio.Party{{ID: dana.ID, Role: portfolio.PartyPrimary}},
	}
	e.add(e.Home.Test, &portfolio.Book{Tenants: []portfolio.Tenant{dana, sam}, Leases: []portfolio.Lease{l}})
	u.CurrentLeaseID, u.Status = &l.ID, portfolio.UnitOccupied
	e.OK(portfoliostore.New(e.DB).SaveUnit(e.Context(), e.Home.Test, &u))
	e.unit, e.dana, e.sam, e.lease = u.ID, dana.ID, sam.ID, l.ID
	e.form = "/test/leases/generate?unit_id=" + u.ID
}

func (e *leasePages) add(in access.Portfolio, b *portfolio.Book) {
	e.Helper()
	e.OK(portfoliostore.New(e.DB).AddPeople(e.Context(), in, b))
}

// fill adds more tenants than a form lists, two of whom are called the same.
func (e *leasePages) fill() {
	book := &portfolio.Book{}
	for i := range 100 {
		book.Tenants = append(book.Tenants, e.tenant(fmt.Sprintf("Kim%d",
			i), "Lee", fmt.Sprintf(
			"kim%d@example.com", i)))
	}
	book.Tenants = append(
		book.Tenants,
		e.tenant("Robin", "Lee", "robin@example.com"),
		e.tenant("Robin", "Lee", "lee@example.com"),
	)
	e.add(e.Home.Test, book)
}

// stranger is a tenant of the other mode.
func (e *leasePages) stranger() string {
	book := &portfolio.Book{Tenants: []portfolio.Tenant{e.tenant("Kim", "Lee", "kim@example.com")}}
	book.Tenants[0].Mode = access.Live
	e.add(e.Home.Live, book)
	return book.Tenants[0].ID
}

// made is the lease that is made of a form.
func (e *leasePages) made(r *pagetest.Reader, form url.Values) *portfolio.Lease {
	e.Helper()
	rec := r.Post("/test/leases/generate", e.form, form)
	to := rec.Header().Get("Location")
	if rec.Code != http.StatusSeeOther || !strings.HasPrefix(to, "/test/leases/lea_") {
		e.Fatalf("%d to %q:\n%s", rec.Code, to, pagetest.Text(pagetest.Parse(e.T, rec.Body.String())))
	}
	l, err := e.rules.Leases.Lease(e.Context(), e.Actor(), path.Base(path.Dir(to)))
	e.OK(err)
	return l
}
