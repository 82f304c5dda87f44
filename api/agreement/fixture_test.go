package agreement_test

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/agreement"
	"portal/api/agreement/document/documenttest"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/id"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/lease"
	"portal/api/portfolio/records"
	"portal/api/secret"
	"portal/db"
	"portal/db/dbtest"
	"portal/db/portfoliostore"
)

const baseURL = "https://portal.example.com"

// fixture is a landlord with a home in Texas and two tenants who have no lease yet, in live mode.
type fixture struct {
	*testing.T
	*agreement.Service
	leases  *lease.Leases
	db      *db.DB
	home    dbtest.Home
	by      access.Actor
	tenants []string
	rules   *records.Service
	now     time.Time
}

// onEach runs a test on a store of each kind.
func onEach(t *testing.T, test func(*fixture)) {
	dbtest.Both(t, func(t *testing.T, d *db.DB) { test(newFixture(t, d)) })
}

func newFixture(t *testing.T, d *db.DB) *fixture {
	t.Helper()
	f := &fixture{
		T:    t,
		db:   d,
		home: dbtest.NewHome(t, d, "dana"),
		now:  dbtest.Noon().Std(),
	}
	f.by = access.Actor{
		Portfolio: f.home.Live,
		AccountID: f.home.AccountID,
		Scopes:    access.Scopes{access.Read, access.Write, access.Payments},
		Role:      access.Owner,
		Zone:      f.home.Zone,
	}
	f.use(bytes.Repeat([]byte{1}, secret.KeySize))
	f.tenants = f.addTenants("Sam Rivera", "Nguyễn Thảo")
	f.ok(f.setDetails(agreement.DetailsUpdate{Address: change.To(new("12 Harbor Lane, Austin, TX 78701"))}))
	return f
}

// use makes the services with keys.
func (f *fixture) use(keys ...[]byte) {
	f.Helper()
	box, err := secret.NewBox(keys...)
	f.ok(err)
	rules := records.New(portfoliostore.New(f.db), func() time.Time { return f.now }).Use(portfolio.Parts{
		BaseURL: baseURL,
	})
	f.rules = rules
	f.Service, f.leases = agreement.New(rules, portfoliostore.New(f.db), box), rules.Leases
	f.Sealer = documenttest.Sealer(f)
	rules.Documents = f.Service
}

func (f *fixture) setDetails(u agreement.DetailsUpdate) error {
	_, err := f.UpdateDetails(f.Context(), f.by, change.Target{}, u)
	return err
}

func (f *fixture) ok(err error) {
	f.Helper()
	if err != nil {
		f.Fatal(err)
	}
}

func (f *fixture) addTenants(names ...string) (ids []string) {
	f.Helper()
	var book portfolio.Book
	for _, name := range names {
		first, last, _ := strings.Cut(name, " ")
		book.Tenants = append(book.Tenants, portfolio.Tenant{
			Record:    dbtest.Record(id.Tenant, "tenant", access.Live, f.now),
			FirstName: first,
			LastName:  last,
			Email:     new(strings.ToLower(last) + "@example.com"),
			Status:    portfolio.TenantProspect,
		})
		ids = append(ids, book.Tenants[len(ids)].ID)
	}
	f.ok(portfoliostore.New(f.db).AddPeople(f.Context(), f.home.Live, &book))
	return ids
}

// asked is what a lease of a year is generated from.
func (f *fixture) asked() agreement.LeaseGenerate {
	return agreement.LeaseGenerate{
		PropertyID:    f.home.Unit[access.Live].PropertyID,
		TenantID:      f.tenants[0],
		StartDate:     clock.Day(2027, 1, 9),
		MonthlyRent:   money.Cents(145050),
		LeaseType:     new(portfolio.Fixed),
		RentDueDay:    new(1),
		ExpiresInDays: 14,
	}
}

func (f *fixture) generates(change func(*agreement.LeaseGenerate)) *agreement.LeaseWithTerms {
	f.Helper()
	g := f.asked()
	if change != nil {
		change(&g)
	}
	made, err := f.Generate(f.Context(), f.by, g)
	f.ok(err)
	return made.After
}

// opens is the document that a link opens.
func (f *fixture) opens(url string) *agreement.Shown {
	f.Helper()
	shown, err := f.Document(f.Context(), tokenOf(url))
	f.ok(err)
	return shown
}

func tokenOf(url string) string { return strings.TrimPrefix(url, baseURL+"/documents/") }

// lease reads a lease as the API shows it.
func (f *fixture) lease(ctx context.Context, leaseID string) *portfolio.Lease {
	f.Helper()
	l, err := f.leases.Lease(ctx, f.by, leaseID)
	f.ok(err)
	return l
}

// withTerms reads a lease as REST shows it alone.
func (f *fixture) withTerms(leaseID string) *agreement.LeaseWithTerms {
	f.Helper()
	l, err := f.Lease(f.Context(), f.by, leaseID)
	f.ok(err)
	return l
}
