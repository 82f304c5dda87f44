package servicestore_test

import (
	"context"
	"testing"

	"portal/api/quota"
	"portal/db"
	"portal/db/dbtest"
	"portal/db/servicestore"
)

func BenchmarkATenantIsAddedToADemoPortfolio(b *testing.B) {
	dbs := map[string]func(testing.TB) *db.DB{"sqlite": dbtest.SQLite, "postgres": dbtest.OnPostgres}
	for name, open := range dbs {
		b.Run(name, func(b *testing.B) {
			d := open(b)
			home, store := dbtest.NewHome(b, d, "dana"), servicestore.NewDemos(d)
			for _, counted := range []bool{false, true} {
				in, what := home.Live, "live"
				if counted {
					in, what = home.Test, "demo"
				}
				b.Run(what, func(b *testing.B) {
					for b.Loop() {
						dbtest.OK(b, d.Exclusively(b.Context(), in, func(ctx context.Context) error {
							addTenantsIn(ctx, b, d, in, 1)
							return quota.Check(ctx, store, in)
						}))
					}
				})
			}
		})
	}
}
