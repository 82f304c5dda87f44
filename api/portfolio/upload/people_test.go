package upload_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"portal/api/access"
	"portal/api/portfolio"
	"portal/api/portfolio/rentroll"
	"portal/api/portfolio/upload"
	"portal/db/portfoliostore"
)

// oak is the beginning of a line of a unit.
func oak(unit int) string { return fmt.Sprintf("7 Oak St,Austin,TX,%d,2,", unit) }

// payer may change money too.
func (o *fixture) payer() access.Actor {
	by := o.by(access.Live, 100)
	by.Scopes = append(by.Scopes, access.Payments)
	return by
}

// changes are those that an import of a file could make.
func (o *fixture) changes(by access.Actor, content string) (all []string) {
	o.Helper()
	p := o.takes(by, []byte(content)).Preview
	if len(p.Problems) > 0 {
		o.Fatal(p.Problems)
	}
	for i := range p.Changes {
		all = append(all, p.Changes[i].String())
	}
	return all
}

// people are the tenants, each with their leases.
func (o *fixture) people(in access.Portfolio) (all []string) {
	o.Helper()
	tenants, err := portfoliostore.New(
		o.db,
	).Tenants(
		o.Context(),
		in,
		portfolio.TenantFilter{Query: portfolio.AllLeases},
	)
	o.ok(err)
	for i := range tenants {
		t := &tenants[i]
		all = append(all, fmt.Sprintf("%s: %s, %d leases", t.Name, t.Status, len(t.LeaseIDs)))
	}
	slices.Sort(all)
	return all
}

func (o *fixture) same(what string, got []string, want ...string) {
	o.Helper()
	if !slices.Equal(got, want) {
		o.Errorf("%s:\n%s\nwant\n%s", what, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestTenantsOfOneNameAreKeptApart(t *testing.T) {
	onEach(t, func(o *fixture) {
		by := o.payer()
		both := oak(1) + "John Smith,old@example.com,2025-01-01,2025-12-31,900,\n" +
			oak(1) + "John Smith,young@example.com,2025-01-01,2025-12-31,900,\n"
		now := strings.NewReplacer("2025-01", "2026-01", "2025-12", "2026-12").Replace(both)
		o.imports(by, head+both, nil)
		o.imports(by, head+now, nil)
		o.same("tenants", o.people(by.Portfolio), "John Smith: current, 2 leases", "John Smith: current, 2 leases")
		o.same("the same file", o.changes(by, head+now))
	})
}

func TestTwoPeopleOfALineAreNotOneTenant(t *testing.T) {
	onEach(t, func(o *fixture) {
		by := o.payer()
		o.imports(by, head+oak(1)+"John Smith,,2025-01-01,2025-12-31,900,\n", nil)
		o.imports(by, head+oak(1)+"John Smith & John Smith,,2026-01-01,,900,\n", nil)
		o.same("tenants", o.people(by.Portfolio), "John Smith: current, 1 leases", "John Smith: current, 2 leases")
	})
}

func TestNewLeaseOfAKnownTenantShowsHowTheyAreReached(t *testing.T) {
	onEach(t, func(o *fixture) {
		by := o.payer()
		o.imports(by, head+oak(1)+"Per Lind,,2025-01-01,2025-12-31,900,\n", nil)
		file := head + oak(1) + "Per Lind,per@example.com,2026-01-01,,900,\n"
		o.same("changes", o.changes(by, file), "7 Oak St, Austin, TX: tenant of Per Lind: email none → per@example.com")
		o.imports(by, file, map[string]string{"changes:tenant": rentroll.Apply})
		if held := o.holds(by.Portfolio); !strings.Contains(held, "tenant Per Lind: per@example.com, current") {
			o.Errorf("the portfolio holds\n%s", held)
		}
	})
}

func TestTenantFollowsALeaseOfAnotherUnit(t *testing.T) {
	onEach(t, func(o *fixture) {
		by := o.payer()
		ended := oak(1) + "Ann Lee,ann@example.com,2025-01-01,2025-12-31,900,\n"
		later := oak(2) + "Bo Day,bo@example.com,2027-01-01,,900,\n"
		taken := oak(3) + "Cy Orr,,2026-03-01,,900,\n"
		o.imports(by, head+ended+later+taken, nil)
		o.imports(by, head+ended+later+oak(3)+"Wren Grant,wren@example.com,2026-03-01,,900,\n"+
			oak(4)+"Ann Lee,ann@example.com,2026-01-01,,900,\n"+
			oak(5)+"Bo Day,bo@example.com,2026-01-01,,900,\n"+
			oak(6)+"Wren Grant,wren@example.com,2026-02-01,,900,\n", nil)
		o.same("tenants", o.people(by.Portfolio), "Ann Lee: current, 2 leases", "Bo Day: current, 2 leases",
			"Cy Orr: current, 1 leases", "Wren Grant: current, 1 leases")
		tenants, err := portfoliostore.New(o.db).Tenants(o.Context(), by.Portfolio,
			portfolio.TenantFilter{Query: portfolio.AllLeases})
		o.ok(err)
		for i := range tenants {
			if t := &tenants[i]; t.CurrentLeaseID == nil || !slices.Contains(t.LeaseIDs, *t.CurrentLeaseID) {
				o.Errorf("the current lease of %s is none of theirs", t.Name)
			}
		}
	})
}

func TestEachTenantWhomALeaseDoesNotHaveIsShown(t *testing.T) {
	onEach(t, func(o *fixture) {
		by := o.payer()
		o.imports(by, head+oak(1)+"Ann Lee,,2026-01-01,,900,\n", nil)
		o.same("changes", o.changes(by, head+oak(1)+"Ann Lee & Bo Day & Cy Orr,,2026-01-01,,900,\n"),
			"7 Oak St, Austin, TX: lease of Ann Lee: tenants Ann Lee → Bo Day",
			"7 Oak St, Austin, TX: lease of Ann Lee: tenants Ann Lee → Cy Orr")
	})
}

func TestLeaseEndsBeforeTheFirstThatTakesItsPlace(t *testing.T) {
	onEach(t, func(o *fixture) {
		by := o.payer()
		o.imports(by, head+oak(1)+"Ann Lee,,2026-01-01,,900,\n", nil)
		file := head + oak(1) + "Cy Orr,,2026-11-01,,900,\n" + oak(1) + "Bo Day,,2026-06-01,2026-10-31,900,\n"
		ends := o.takes(by, []byte(file)).Preview.Problems[0].Question
		o.imports(by, file, map[string]string{ends: rentroll.Apply})
		leases, err := portfoliostore.New(o.db).Leases(o.Context(), by.Portfolio,
			portfolio.LeaseFilter{Query: portfolio.AllLeases})
		o.ok(err)
		for i := range leases {
			if l := &leases[i]; l.Status == portfolio.LeaseTerminated && l.TerminatedOn.String() != "2026-05-31" {
				o.Errorf("the lease of %s ended on %s", l.Tenants[0].Name, l.TerminatedOn)
			}
		}
	})
}

func TestEndedLeaseWithOtherDaysIsNotWrittenOnceMore(t *testing.T) {
	onEach(t, func(o *fixture) {
		by := o.payer()
		o.imports(by, head+oak(1)+"Ann Lee,,2026-01-01,2026-03-31,900,50\n", nil)
		u := o.imports(by, head+oak(1)+"Ann Lee,,2026-01-02,2026-03-31,900,50\n", nil)
		if *u.Totals != (upload.Totals{}) {
			o.Errorf("it wrote %+v", u.Totals)
		}
	})
}
