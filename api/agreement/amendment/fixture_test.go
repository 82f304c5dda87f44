package amendment_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/agreement"
	"portal/api/agreement/amendment"
	"portal/api/agreement/document/documenttest"
	"portal/api/audit"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/list"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/lease/terms"
	"portal/api/portfolio/records"
	"portal/api/secret"
	"portal/db"
	"portal/db/dbtest"
	"portal/db/portfoliostore"
	"portal/db/servicestore"
)

// fixture is a landlord whose home in live mode is rented by two tenants with a guarantor, on November 10, 2026.
type fixture struct {
	*testing.T
	*amendment.Service
	db    *db.DB
	rules *records.Service
	home  dbtest.Home
	owner access.Actor
	lease string
	// How each party acts on their page; nobody is a tenant of another home.
	sam, thao, gus, nobody access.Actor
	now                    time.Time
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
		now:  clock.Day(2026, 11, 10).Std().Add(18 * time.Hour),
	}
	f.owner = access.Actor{
		Portfolio: f.home.Live,
		AccountID: f.home.AccountID,
		Scopes:    access.Scopes{access.Read, access.Write, access.Payments},
		Role:      access.Owner,
		Zone:      f.home.Zone,
	}
	f.Service = f.process()
	f.moveIn(nil)
	return f
}

func (f *fixture) agreements() *agreement.Service { return f.rules.Documents.(*agreement.Service) }

// process makes the services as another process has them.
func (f *fixture) process() *amendment.Service {
	f.Helper()
	box, err := secret.NewBox(bytes.Repeat([]byte{1}, secret.KeySize))
	f.ok(err)
	store, now := portfoliostore.New(f.db), func() time.Time { return f.now }
	f.rules = records.New(store, now)
	agreements := agreement.New(f.rules, store, box)
	agreements.Sealer = documenttest.Sealer(f)
	made := amendment.New(f.rules, agreements, store)
	f.rules.Use(portfolio.Parts{
		Trail: audit.Log{Store: servicestore.NewTrail(f.db), Now: now}, Documents: agreements, Amendments: made,
	})
	return made
}

// moveIn lets the home, with the rent of November and December written.
func (f *fixture) moveIn(with func(*portfolio.Lease)) {
	f.Helper()
	in := f.owner.Portfolio
	_, err := f.agreements().UpdateDetails(f.Context(), f.owner, change.Target{}, agreement.DetailsUpdate{
		Address: change.To(new("12 Harbor Lane, Austin, TX 78701")), Signer: change.To(new("Dana Cohen")),
	})
	f.ok(err)
	var book portfolio.Book
	var ids []string
	for _, name := range []string{"Sam Rivera", "Nguyễn Thảo", "Gus Rivera", "Out Sider"} {
		first, last, _ := strings.Cut(name, " ")
		book.Tenants = append(book.Tenants, portfolio.Tenant{
			Record:    dbtest.Record(id.Tenant, "tenant", in.Mode, f.now),
			FirstName: first,
			LastName:  last,
			Status:    portfolio.TenantCurrent,
		})
		ids = append(ids, book.Tenants[len(ids)].ID)
	}
	u := f.home.Unit[in.Mode]
	l := portfolio.Lease{
		Record:        dbtest.Record(id.Lease, "lease", in.Mode, f.now),
		Status:        portfolio.LeaseActive,
		PropertyID:    u.PropertyID,
		UnitID:        u.ID,
		RentalAddress: "1420 Maple Avenue, Unit 2B, Austin, TX 78701",
		LeaseType:     portfolio.Fixed,
		StartDate:     clock.Day(2026, 1, 1),
		EndDate:       new(clock.Day(2027, 12, 31)),
		MonthlyRent:   money.Dollars(1450),
		RentDueDay:    1,
		TenantIDs:     ids[:3:3],
		Tenants: []portfolio.Party{
			{ID: ids[0], Role: portfolio.PartyPrimary}, {ID: ids[1], Role: portfolio.PartyCoTenant},
			{ID: ids[2], Role: portfolio.PartyGuarantor},
		},
	}
	if with != nil {
		with(&l)
	}
	book.Leases = []portfolio.Lease{l}
	f.lease = l.ID
	f.ok(portfoliostore.New(f.db).Add(f.Context(), in, &book))
	f.sam, f.thao, f.gus, f.nobody = f.tenant(ids[0]), f.tenant(ids[1]), f.tenant(ids[2]), f.tenant(ids[3])
	f.charges()
}

// charges has the ledger charge by itself since October.
func (f *fixture) charges() {
	f.Helper()
	dbtest.Exec(f, f.db, "UPDATE portfolios SET auto_charge_since = $1 WHERE id = $2",
		int64(clock.At(clock.Day(2026, 10, 15).Std())), f.owner.Portfolio.ID)
	f.ok(f.rules.Ledger.AutoCharge(f.Context(), f.owner.Portfolio, f.owner.Zone))
}

// tenant is a tenant who acts on their own page.
func (f *fixture) tenant(id string) access.Actor {
	by := f.owner
	by.TenantID, by.Role, by.Scopes = id, "", access.Scopes{access.Read, access.Write}
	return by
}

func (f *fixture) ok(err error) {
	f.Helper()
	if err != nil {
		f.Fatal(err)
	}
}

// refused holds that something failed with a code, and says these words.
func (f *fixture) refused(err error, code fault.Code, words string) {
	f.Helper()
	if !fault.Is(err, code) || !strings.Contains(err.Error(), words) {
		f.Errorf("%v, want %s with %q", err, code, words)
	}
}

// all changes everything from a day.
func all(from clock.Date) amendment.Input {
	return amendment.Input{
		EffectiveOn: from,
		MonthlyRent: new(money.Dollars(1500)),
		Occupants:   []string{"Kim Rivera"},
		Pets:        []terms.Pet{{Kind: "Cat", Name: new("Miso")}},
		Clause:      new("The tenants may paint the kitchen."),
	}
}

// sends makes an amendment and signs it for the landlord.
func (f *fixture) sends(in amendment.Input) *amendment.Amendment {
	f.Helper()
	a, err := f.Create(f.Context(), f.owner, f.lease, in)
	f.ok(err)
	a, err = f.Send(f.Context(), f.owner, f.lease, a.ID, amendment.Signing{Name: "Dana Cohen", Seen: a.SHA256()})
	f.ok(err)
	return a
}

func (f *fixture) signs(by access.Actor, a *amendment.Amendment, name string) (*amendment.Amendment, error) {
	f.Helper()
	return f.SignAsTenant(f.Context(), by, f.lease, a.ID, amendment.Signing{
		Name: name, Seen: a.SHA256(), Address: "192.0.2.7", Browser: "Mozilla/5.0 (X11)",
	})
}

// allSign has all parties sign what was sent.
func (f *fixture) allSign(a *amendment.Amendment) *amendment.Amendment {
	f.Helper()
	for _, p := range []struct {
		by   access.Actor
		name string
	}{{f.sam, "sam rivera"}, {f.thao, "Nguyen Thao"}, {f.gus, "Gus Rivera"}} {
		var err error
		a, err = f.signs(p.by, a, p.name)
		f.ok(err)
	}
	return a
}

func (f *fixture) reads(a *amendment.Amendment) *amendment.Amendment {
	f.Helper()
	a, err := f.Amendment(f.Context(), f.owner, f.lease, a.ID)
	f.ok(err)
	return a
}

// on has the hourly job run on a day.
func (f *fixture) on(day clock.Date) {
	f.Helper()
	f.now = day.Std().Add(18 * time.Hour)
	f.ok(f.rules.Calendar.RollOver(f.Context(), f.home.Live, f.owner.Zone))
}

func (f *fixture) leaseNow() portfolio.Lease {
	f.Helper()
	l, err := portfoliostore.New(f.db).Lease(f.Context(), f.owner.Portfolio, f.lease)
	f.ok(err)
	return l
}

// says are the status and reason of an amendment.
func says(a *amendment.Amendment) string {
	if a.Reason == nil {
		return string(a.Status)
	}
	return string(a.Status) + ": " + *a.Reason
}

// amendedLines are the leases of which the trail says that they were amended.
func (f *fixture) amendedLines() []string {
	return dbtest.Texts(f, f.db, "SELECT target FROM audit WHERE action = 'lease.amended'")
}

// rent is the rent of the lease by due date, in words.
func (f *fixture) rent() string {
	f.Helper()
	found, err := f.rules.Ledger.Payments(f.Context(), f.owner, portfolio.PaymentFilter{
		Query: list.Query{Limit: 100}, LeaseID: f.lease,
	})
	f.ok(err)
	var rows []string
	for i := range found.Data {
		if p := &found.Data[i]; p.Status != portfolio.PaymentVoid {
			rows = append(rows, fmt.Sprintf("%s %s", p.DueDate, p.Amount))
		}
	}
	slices.Sort(rows)
	return strings.Join(rows, ", ")
}
