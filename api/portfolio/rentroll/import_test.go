package rentroll_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/developer"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/list"
	"portal/api/portfolio"
	"portal/api/portfolio/records"
	"portal/api/portfolio/rentroll"
	"portal/api/portfolio/upload"
	"portal/db"
	"portal/db/accountstore"
	"portal/db/dbtest"
	"portal/db/portfoliostore"
)

// fixture is a live portfolio in a store.
type fixture struct {
	*db.DB
	in access.Portfolio
}

// eachStore runs a test on an empty live portfolio in a store of each kind.
func eachStore(t *testing.T, test func(*testing.T, *fixture)) {
	dbtest.Both(t, func(t *testing.T, d *db.DB) { test(t, newFixture(t, d)) })
}

func newFixture(t testing.TB, d *db.DB) *fixture {
	t.Helper()
	a := developer.Account{
		ID:       id.New(id.Account, today),
		Name:     "A",
		TimeZone: "UTC",
		Plan:     developer.Plan{Tier: developer.Pro},
	}
	if err := accountstore.New(d).AddAccount(t.Context(), a); err != nil {
		t.Fatal(err)
	}
	in, err := accountstore.New(d).AddPortfolio(t.Context(), a.ID, access.Live)
	if err != nil {
		t.Fatal(err)
	}
	return &fixture{d, in}
}

// rules are those of the records that the portfolio has.
func (e *fixture) rules() rentroll.Rules {
	s := records.New(portfoliostore.New(e.DB), func() time.Time { return today })
	rules := &upload.Rules{Units: s.Units, Leases: s.Leases, Tenants: s.Tenants}
	return rules.By(access.Actor{Portfolio: e.in, Zone: texas, Scopes: access.Scopes{access.Write, access.Payments}})
}

// load imports a file that has no problem in itself.
func (e *fixture) load(t testing.TB, file string, ceiling int) (*rentroll.Plan, []rentroll.Problem, error) {
	t.Helper()
	roll, problems := rentroll.Read(strings.NewReader(file))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	return roll.Import(t.Context(), portfoliostore.New(e.DB), e.rules(), e.in, ceiling, today, texas)
}

// loaded imports a file that must pass.
func (e *fixture) loaded(t testing.TB, file string) *rentroll.Plan {
	t.Helper()
	p, problems, err := e.load(t, file, 1_000_000)
	if err != nil || len(problems) > 0 {
		t.Fatal(problems, err)
	}
	return p
}

// book is everything that the portfolio holds, in ascending ids.
func (e *fixture) book(t *testing.T) *portfolio.Book {
	t.Helper()
	ctx, all := t.Context(), list.Query{Limit: 20_000}
	var b portfolio.Book
	var err error
	check := func() {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	b.Properties, err = portfoliostore.New(e.DB).Properties(ctx, e.in, portfolio.PropertyFilter{Query: all})
	check()
	for i := range b.Properties {
		var units []portfolio.Unit
		units, err = portfoliostore.New(e.DB).UnitsOf(ctx, e.in, b.Properties[i].ID)
		check()
		b.Units = append(b.Units, units...)
	}
	slices.SortFunc(b.Units, func(x, y portfolio.Unit) int { return strings.Compare(x.ID, y.ID) })
	b.Tenants, err = portfoliostore.New(e.DB).Tenants(ctx, e.in, portfolio.TenantFilter{Query: all})
	check()
	b.Leases, err = portfoliostore.New(e.DB).Leases(ctx, e.in, portfolio.LeaseFilter{Query: all})
	check()
	return &b
}

// empty checks that nothing was written.
func (e *fixture) empty(t *testing.T) {
	t.Helper()
	if b := e.book(t); len(b.Properties)+len(b.Units)+len(b.Tenants)+len(b.Leases) > 0 {
		t.Errorf("%d properties, %d units, %d tenants and %d leases were written", len(b.Properties),
			len(b.Units), len(b.Tenants), len(b.Leases))
	}
}

const house = leaseHeader +
	"1420 Maple Avenue,Austin,TX,78701,1A,Dana,Whitfield,dana@example.com,,2026-01-01,,1450\n" +
	"1420 Maple Avenue,Austin,TX,78701,1B,Robin,O'Neil,,,2026-03-01,2027-02-28,1500\n" +
	"1420 Maple Avenue,Austin,TX,78701,2A,,,,,,,\n" +
	"5 Pine Road,Austin,TX,,1,Dana,Whitfield,dana@example.com,,2024-01-01,2025-12-31,900\n"

func TestImportMatchesPlan(t *testing.T) {
	eachStore(t, func(t *testing.T, e *fixture) {
		p := e.loaded(t, house)
		b := e.book(t)
		if why := incoherent(p, b); why != "" {
			t.Error(why)
		}
		want := whole(p)
		same(t, b.Properties, want.Properties)
		same(t, b.Units, want.Units)
		same(t, b.Tenants, want.Tenants)
		same(t, b.Leases, want.Leases)
	})
}

func TestFileWithProblemWritesNothing(t *testing.T) {
	eachStore(t, func(t *testing.T, e *fixture) {
		roll, _ := rentroll.Read(strings.NewReader(house + "7 Oak Lane,Austin,Texcoco,78701,1,,,,,,,\n"))
		p, problems, err := roll.Import(t.Context(), portfoliostore.New(e.DB), e.rules(), e.in, 100, today, texas)
		if p != nil || err != nil || len(problems) != 1 || problems[0].Line != 6 || problems[0].Column != "state" {
			t.Errorf("plan %v, problems %v, %v", p, problems, err)
		}
		e.empty(t)
	})
}

// breaking is a store that fails at the last of its writes.
type breaking struct{ rentroll.Store }

var errBreak = errors.New("the disk is gone")

func (breaking) GrowProperty(context.Context, access.Portfolio, string, *string, *int, clock.Time) error {
	return errBreak
}

func TestErrorMidImportWritesNothing(t *testing.T) {
	eachStore(t, func(t *testing.T, e *fixture) {
		e.loaded(t, "street_address,city,state,unit_number\n5 Pine Road,Austin,TX,9\n")
		before := e.book(t)
		roll, _ := rentroll.Read(strings.NewReader(house)) // joins the property that is there
		p, problems, err := roll.Import(
			t.Context(),
			breaking{portfoliostore.New(e.DB)},
			e.rules(),
			e.in,
			100,
			today,
			texas,
		)
		if p != nil || len(problems) > 0 || !errors.Is(err, errBreak) {
			t.Errorf("plan %v, problems %v, %v", p, problems, err)
		}
		same(t, e.book(t), before)
	})
}

func TestImportRespectsUnitLimit(t *testing.T) {
	eachStore(t, func(t *testing.T, e *fixture) {
		e.loaded(t, "street_address,city,state,unit_number\n7 Oak Lane,Austin,TX,1\n7 Oak Lane,Austin,TX,2\n")
		before := e.book(t)
		_, _, err := e.load(t, house, 5)
		if !fault.Is(err, fault.UnitLimitReached) {
			t.Fatalf("%v", err)
		}
		for _, number := range []string{" 2 units", " adds 4,", " is 5."} {
			if !strings.Contains(err.Error(), number) {
				t.Errorf("%q does not say %q", err, number)
			}
		}
		same(t, e.book(t), before)
		if _, problems, err := e.load(t, house, 6); err != nil || len(problems) > 0 {
			t.Errorf("at the ceiling: %v, %v", problems, err)
		}
	})
}

func TestImportUpdatesExistingProperty(t *testing.T) {
	eachStore(t, func(t *testing.T, e *fixture) {
		e.loaded(t, house)
		before := e.book(t).Properties
		p := e.loaded(
			t,
			"street_address,city,state,postal_code,year_built,unit_number,tenant_first_name,tenant_last_name,lease_start,monthly_rent\n"+
				"5 Pine Rd,austin,TX,78704,1974,2,Kim,Lee,2026-05-01,1000\n5 Pine Rd.,Austin,TX,,,3,,,,\n",
		)
		after := e.book(t).Properties
		pine := before[1]
		pine.Version = 2
		pine.UnitCount = 3
		pine.OccupiedUnitCount = 1
		pine.PostalCode = new("78704")
		pine.YearBuilt = new(1974)
		same(t, after, []portfolio.Property{before[0], pine})
		same(t, []int{p.Properties, p.Units, len(p.Joined)}, []int{0, 2, 1})
	})
}

func TestFileIsNotImportedTwice(t *testing.T) {
	eachStore(t, func(t *testing.T, e *fixture) {
		e.loaded(t, house)
		before := e.book(t)
		p, problems, err := e.load(t, strings.ToUpper(house), 100)
		if err != nil || len(problems) > 0 {
			t.Fatal(problems, err)
		}
		same(t, []int{p.Properties, p.Units, p.Tenants, p.Leases, p.Balances, len(p.Joined), len(p.Changes), p.Same},
			[]int{0, 0, 0, 0, 0, 0, 0, 4})
		same(t, e.book(t), before)
	})
}

// The databases differ in what they take for one letter.
func TestUnitWithAccentIsNotImportedTwice(t *testing.T) {
	eachStore(t, func(t *testing.T, e *fixture) {
		const file = "street_address,city,state,unit_number\n5 Pine Road,Austin,TX,É1\n"
		e.loaded(t, file)
		for _, again := range []string{file, strings.ReplaceAll(file, "É", "é"), strings.ToUpper(file)} {
			if p := e.loaded(t, again); !p.Empty() || p.Same != 1 {
				t.Errorf("%q brings %d units", again, p.Units)
			}
		}
		if p := e.loaded(t, strings.ReplaceAll(file, "É1", "E1")); p.Units != 1 {
			t.Errorf("a unit without the accent brings %d units", p.Units)
		}
	})
}

// Two people of one office, or one who presses twice, on two nodes.
func TestConcurrentImportsWriteOnce(t *testing.T) {
	eachStore(t, func(t *testing.T, e *fixture) {
		plans := make([]*rentroll.Plan, 4)
		var all sync.WaitGroup
		for i := range plans {
			all.Go(func() {
				var err error
				if plans[i], _, err = e.load(t, house, 7); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if n := len(slices.DeleteFunc(plans, func(p *rentroll.Plan) bool { return p == nil || p.Units == 0 })); n != 1 {
			t.Errorf("%d imports were written", n)
		}
		if n, err := portfoliostore.New(e.DB).UnitCount(t.Context(), e.in); n != 4 || err != nil {
			t.Errorf("%d units, %v", n, err)
		}
	})
}

// A tenant is written with the first part of the file and names units of the
// others.
func TestTenantLeasesSpanPartsOfLargeFile(t *testing.T) {
	eachStore(t, func(t *testing.T, e *fixture) {
		const units = 4100 // three parts
		var b strings.Builder
		b.WriteString(leaseHeader)
		for i := range units {
			lease := ",,,,,,"
			switch i {
			case 1:
				lease = "Dana,Whitfield,dana@example.com,,2024-01-01,2024-12-31,900"
			case 2050:
				lease = "Dana,Whitfield,dana@example.com,,2025-01-01,2025-12-31,950"
			case units - 1:
				lease = "Dana,Whitfield,Dana@Example.com,,2026-01-01,,1000"
			}
			fmt.Fprintf(&b, "%d Maple Avenue,Austin,TX,,%d,%s\n", i/100, i, lease)
		}
		p := e.loaded(t, b.String())
		got := e.book(t)
		if why := incoherent(p, got); why != "" {
			t.Error(why)
		}
		if len(got.Tenants) != 1 || len(got.Leases) != 3 {
			t.Fatalf("%d tenants, %d leases", len(got.Tenants), len(got.Leases))
		}
		dana, home := got.Tenants[0], got.Units[units-1]
		same(t, dana.LeaseIDs, []string{got.Leases[0].ID, got.Leases[1].ID, got.Leases[2].ID})
		same(t, []string{
			*dana.PropertyID, *dana.UnitID, *dana.CurrentLeaseID,
		}, []string{
			home.PropertyID, home.ID, got.Leases[2].ID,
		})
		for i, l := range got.Leases {
			same(t, l.TenantIDs, []string{dana.ID})
			same(t, l.UnitID, got.Units[[]int{1, 2050, units - 1}[i]].ID)
		}
	})
}
