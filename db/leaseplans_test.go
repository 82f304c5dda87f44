package db_test

import (
	"context"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/list"
	"portal/api/portfolio"
	"portal/db"
	"portal/db/dbtest"
	"portal/db/portfoliostore"
)

// leaseNaming are the filters of leases by what they name, and how SQLite finds the leases that name it.
var leaseNaming = map[string]string{
	"HasPets":       `SEARCH leases USING INDEX leases_with_pets (portfolio_id=? AND id>?)`,
	"HasVehicles":   `SEARCH leases USING INDEX leases_with_vehicles (portfolio_id=? AND id>?)`,
	"HasUtilities":  `SEARCH leases USING INDEX leases_with_utilities (portfolio_id=? AND id>?)`,
	"HasCoOwners":   `SEARCH leases USING INDEX leases_with_co_owners (portfolio_id=? AND id>?)`,
	"HasGuarantors": `SEARCH leases USING INDEX sqlite_autoindex_leases_1 (portfolio_id=? AND id=?)`,
}

const byGuarantor = `SEARCH lease_signers USING COVERING INDEX lease_signers_guarantors (portfolio_id=? AND lease_id>?)`

func leaseList(d *db.DB, in access.Portfolio) listed { return lists(d, in)[2] }

// Few leases may name a pet: they must not be looked for among all.
func TestLeasesThatNameSomethingAreReadFromItsIndex(t *testing.T) {
	planned(t, func(t *testing.T, d *db.DB, in access.Portfolio) {
		l := leaseList(d, in)
		for field, found := range leaseNaming {
			for _, other := range []map[string]any{
				{}, {"Status": "active"}, {"EndingBefore": new(clock.Date(1))}, {"UpdatedAfter": new(clock.Time(1))},
				{"HasUtilities": new(false)}, {"HasGuarantors": new(false)},
			} {
				set := maps.Clone(other)
				set[field] = new(true)
				steps := l.plan(t, d, set)[0]
				if steps[0] != found || strings.Contains(strings.Join(steps, "\n"), "TEMP B-TREE") ||
					field == "HasGuarantors" && !slices.Contains(steps, byGuarantor) {
					t.Errorf("%v: %q", set, steps)
				}
			}
		}
	})
}

// The list of what names nothing, and what else leads to fewer leases, are read as without the filter.
func TestOtherFiltersOfLeasesAreReadAsBefore(t *testing.T) {
	planned(t, func(t *testing.T, d *db.DB, in access.Portfolio) {
		l := leaseList(d, in)
		for field := range leaseNaming {
			l.check(t, l.plan(t, d, map[string]any{field: new(false)})[0], `id>\?`, field+" false")
			for _, want := range []bool{true, false} {
				for _, other := range []string{"UnitID", "PropertyID", "TenantID"} {
					set := map[string]any{field: &want, other: "x"}
					l.check(t, l.plan(t, d, set)[0], key(l.table, other), fmt.Sprint(field, want, other))
				}
			}
		}
	})
}

func TestListOfLeasesIsPreparedOnceForAllTheyName(t *testing.T) {
	planned(t, func(t *testing.T, d *db.DB, in access.Portfolio) {
		for field := range leaseNaming {
			for n := range 6 {
				f := portfolio.LeaseFilter{}
				f.Limit, f.StartingAfter, f.Newest = n+1, strings.Repeat("lea_", n), n > 3
				reflect.ValueOf(&f).Elem().FieldByName(field).Set(reflect.ValueOf(new(n%2 == 0)))
				_, err := portfoliostore.New(d).Leases(t.Context(), in, f)
				must(t, err)
			}
		}
		wantPreparedOnce(t, d)
	})
}

// None, three and all of 3,500 leases name each, before and after PostgreSQL has looked at them. It reads about as many
// rows as it shows where few leases name something, and goes through the list once where all do.
func TestPostgresReadsFewLeasesBesideThoseThatNameSomething(t *testing.T) {
	t.Parallel()
	d, in := aLargePortfolio(t)
	const all, counted = 3500, list.Most + 100 // where a list may be short, so many rows are counted first
	for _, share := range []struct {
		name, of      string
		with, without int // most rows that are read for a page of those that name it, and of the others
	}{
		{"none", "FALSE", 0, counted},
		{"three", "id IN (SELECT id FROM leases ORDER BY substr(id, 20) LIMIT 3)", 12, counted},
		{"all", "TRUE", 3 * all, 2 * all},
	} {
		dbtest.Exec(t, d, `UPDATE leases
			SET terms = '{"pets":[{"kind":"Cat"}],"vehicles":[{"make":"Honda"}],"utilities":[{"name":"Water"}],'
				|| '"co_owners":[{"name":"Kim"}]}'
			WHERE `+share.of)
		dbtest.Exec(t, d, `INSERT INTO lease_signers (portfolio_id, lease_id, position, role)
			SELECT portfolio_id, id, 9, 'guarantor' FROM leases WHERE `+share.of+` ON CONFLICT DO NOTHING`)
		for _, statistics := range []string{"SELECT 1", "ANALYZE leases, lease_signers"} {
			dbtest.Exec(t, d, statistics)
			for _, f := range leasePages() {
				for field := range leaseNaming {
					for want, most := range map[bool]int{true: share.with, false: share.without} {
						reflect.ValueOf(&f).Elem().FieldByName(field).Set(reflect.ValueOf(&want))
						if want && !f.Newest && f.Sort == "" { // in the order of the index
							most = min(most, 2*(f.Limit+1))
						}
						what := fmt.Sprint(field, want, f.Query, share.name, statistics)
						keptReadsFew(t, d, most, what, func(ctx context.Context) error {
							_, err := portfoliostore.New(d).Leases(ctx, in, f)
							return err
						})
						reflect.ValueOf(&f).Elem().FieldByName(field).SetZero()
					}
				}
			}
		}
	}
}

// leasePages are the first pages of the orders in which leases are read.
func leasePages() []portfolio.LeaseFilter {
	return []portfolio.LeaseFilter{
		{Query: list.Query{Limit: 20}},
		{Query: list.Query{Limit: 20, Newest: true}},
		{Query: list.Query{Limit: 20, Sort: portfolio.EndingSoonest}, Today: 20_000},
	}
}
