package db_test

import (
	"context"
	"fmt"
	"reflect"
	"testing"

	"portal/api/access"
	"portal/api/list"
	"portal/api/portfolio"
	"portal/db"
	"portal/db/dbtest"
	"portal/db/portfoliostore"
)

// ordersOf are the orders in which people read each list.
var ordersOf = map[string][]list.Sort{
	"properties": {portfolio.NewestFirst, portfolio.ByAddress},
	"tenants":    {portfolio.NewestFirst, portfolio.ByName},
	"leases":     {portfolio.NewestFirst, portfolio.EndingSoonest},
	"tickets":    {portfolio.NewestFirst, portfolio.UpdatedFirst},
	"payments":   {portfolio.NewestFirst, portfolio.OverdueFirst, portfolio.LatestDue},
}

// large is a portfolio of 3,500 units with 42,000 rows of rent, in, of which PostgreSQL has its statistics.
var large struct {
	dbtest.Seed
	in access.Portfolio
}

func init() {
	large.Make = func(t testing.TB, d *db.DB) {
		large.in = portfolioOf(t, d, "acc_1")
		must(t, portfoliostore.New(d).Add(t.Context(), large.in, dbtest.LargeBook(large.in, 3000)))
		_, err := d.Postgres().Exec(t.Context(), "ANALYZE")
		must(t, err)
	}
}

func aLargePortfolio(t testing.TB) (*db.DB, access.Portfolio) {
	t.Helper()
	d := large.Postgres(t)
	return d, large.in
}

// A page of a list reads about as many rows as it shows, whatever it is narrowed to and wherever it begins: most
// charges of the portfolio are due on one day, so that an index of days alone does not lead to a page of them.
func TestPostgresReadsFewExtraRows(t *testing.T) {
	t.Parallel()
	d, in := aLargePortfolio(t)
	const page, most = 20, list.Most + 250 // where a list may be short, so many rows are counted first
	for _, l := range lists(d, in) {
		for _, order := range ordersOf[l.table] {
			shown := reflect.New(l.filter).Elem()
			shown.FieldByName("Limit").SetInt(page)
			shown.FieldByName("Newest").SetBool(true)
			shown.FieldByName("Sort").SetString(string(order))
			statuses := shown.FieldByName("Status").Interface().(interface{ Values() []string }).Values()
			for _, status := range append([]string{""}, statuses...) {
				shown.FieldByName("Status").SetString(status)
				last, err := l.read(t.Context(), shown)
				must(t, err)
				for _, position := range []string{"", last} {
					from := reflect.New(l.filter).Elem()
					from.Set(shown)
					from.FieldByName("StartingAfter").SetString(position)
					what := fmt.Sprintf("%s by %s of %q after %q", l.table, order, status, position)
					keptReadsFew(t, d, most, what, func(ctx context.Context) error {
						_, err := l.read(ctx, from)
						return err
					})
				}
			}
		}
	}
}
