package condition_test

import (
	"strings"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/attachment"
	"portal/api/audit"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/lease/condition"
	"portal/api/portfolio/records"
	"portal/db"
	"portal/db/dbtest"
	"portal/db/portfoliostore"
	"portal/db/servicestore"
)

// fixture is a landlord whose home in live mode is rented by two tenants, with a guarantor.
type fixture struct {
	*testing.T
	*condition.Service
	db    *db.DB
	store *portfoliostore.Store
	home  dbtest.Home
	owner access.Actor
	lease string
	// The tenants, and how each acts on their page.
	ids                    []string
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
		T:     t,
		db:    d,
		store: portfoliostore.New(d),
		home:  dbtest.NewHome(t, d, "dana"),
		now:   dbtest.Noon().Std(),
	}
	now := func() time.Time { return f.now }
	f.Service = records.New(f.store, now).Use(portfolio.Parts{
		Trail: audit.Log{Store: servicestore.NewTrail(d), Now: now},
	}).Conditions
	f.owner = access.Actor{
		Portfolio: f.home.Live,
		AccountID: f.home.AccountID,
		Scopes:    access.Scopes{access.Read, access.Write},
		Role:      access.Owner,
		Zone:      f.home.Zone,
	}
	f.moveIn(f.home.Live)
	return f
}

// moveIn lets the home in a portfolio.
func (f *fixture) moveIn(in access.Portfolio) {
	f.Helper()
	var book portfolio.Book
	f.ids = nil
	for _, name := range []string{"Sam Rivera", "Nguyễn Thảo", "Gus Rivera", "Out Sider"} {
		first, last, _ := strings.Cut(name, " ")
		book.Tenants = append(book.Tenants, portfolio.Tenant{
			Record:    dbtest.Record(id.Tenant, "tenant", in.Mode, f.now),
			FirstName: first,
			LastName:  last,
			Status:    portfolio.TenantCurrent,
		})
		f.ids = append(f.ids, book.Tenants[len(f.ids)].ID)
	}
	l := f.newLease(in)
	book.Leases = []portfolio.Lease{l}
	f.ok(f.store.Add(f.Context(), in, &book))
	f.lease = l.ID
	f.owner.Portfolio = in
	f.sam, f.thao, f.gus, f.nobody = f.tenant(0), f.tenant(1), f.tenant(2), f.tenant(3)
}

// tenant is a tenant who acts on their own page.
func (f *fixture) tenant(i int) access.Actor {
	by := f.owner
	by.TenantID, by.Role = f.ids[i], ""
	return by
}

// newLease is an active lease of the home for the tenants but the last, that is not stored yet.
func (f *fixture) newLease(in access.Portfolio) portfolio.Lease {
	u := f.home.Unit[in.Mode]
	return portfolio.Lease{
		Record:        dbtest.Record(id.Lease, "lease", in.Mode, f.now),
		Status:        portfolio.LeaseActive,
		PropertyID:    u.PropertyID,
		UnitID:        u.ID,
		RentalAddress: "1420 Maple Avenue, Unit 2B, Austin, TX 78701",
		LeaseType:     portfolio.Fixed,
		StartDate:     clock.Day(2026, 1, 1),
		EndDate:       new(clock.Day(2026, 12, 31)),
		MonthlyRent:   money.Dollars(1450),
		RentDueDay:    1,
		TenantIDs:     f.ids[:3:3],
		Tenants: []portfolio.Party{
			{ID: f.ids[0], Role: portfolio.PartyPrimary},
			{ID: f.ids[1], Role: portfolio.PartyCoTenant},
			{ID: f.ids[2], Role: portfolio.PartyGuarantor},
		},
	}
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

func (f *fixture) begins(kind condition.Kind) *condition.Report {
	f.Helper()
	r, err := f.Begin(f.Context(), f.owner, f.lease, kind)
	f.ok(err)
	return r
}

func (f *fixture) reads(kind condition.Kind) *condition.Report {
	f.Helper()
	r, err := f.Report(f.Context(), f.owner, f.lease, kind)
	f.ok(err)
	return r
}

// judges gives each item of the move-in report a condition.
func (f *fixture) judges(state condition.State) *condition.Report {
	f.Helper()
	var all []condition.Change
	r := f.reads(condition.MoveIn)
	for i := range r.Areas {
		for k := range r.Areas[i].Items {
			all = append(all, condition.Change{ItemID: r.Areas[i].Items[k].ID, Condition: change.To(&state)})
		}
	}
	r, err := f.Save(f.Context(), f.owner, f.lease, condition.MoveIn, all)
	f.ok(err)
	return r
}

// landlordSigns has the landlord sign the move-in report as it is.
func (f *fixture) landlordSigns() *condition.Report {
	f.Helper()
	r, err := f.SignAsLandlord(f.Context(), f.owner, f.lease, condition.MoveIn, condition.Signing{
		Name: "Dana Cohen", Seen: f.reads(condition.MoveIn).SHA256(), Address: "192.0.2.1", Browser: "Mozilla/5.0",
	})
	f.ok(err)
	return r
}

// tenantSigns has a tenant sign the move-in report as it is.
func (f *fixture) tenantSigns(by access.Actor, name string) (*condition.Report, error) {
	f.Helper()
	return f.SignAsTenant(f.Context(), by, f.lease, condition.MoveIn, condition.Signing{
		Name: name, Seen: f.reads(condition.MoveIn).SHA256(), Address: "192.0.2.7", Browser: "Safari",
	})
}

func item(r *condition.Report, area, i int) string { return r.Areas[area].Items[i].ID }

func says(itemID, note string) []condition.Change {
	return []condition.Change{{ItemID: itemID, Note: change.To(note)}}
}

func picture(content string) *attachment.Photo {
	return &attachment.Photo{Content: []byte(content), Thumbnail: []byte("small " + content), Width: 4, Height: 3}
}
