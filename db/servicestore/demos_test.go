package servicestore_test

import (
	"context"
	"strings"
	"testing"

	"portal/api/access"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/portfolio"
	"portal/api/quota"
	"portal/db"
	"portal/db/dbtest"
	"portal/db/portfoliostore"
	"portal/db/servicestore"
)

// usage is what a portfolio holds beyond what it was made with.
func usage(t testing.TB, d *db.DB, in access.Portfolio) quota.Usage {
	t.Helper()
	var u quota.Usage
	dbtest.OK(t, d.Exclusively(t.Context(), in, func(ctx context.Context) (err error) {
		u, err = servicestore.NewDemos(d).DemoUsage(ctx, in)
		return err
	}))
	return u
}

func addTenants(t testing.TB, d *db.DB, in access.Portfolio, number int) {
	t.Helper()
	addTenantsIn(t.Context(), t, d, in, number)
}

func addTenantsIn(ctx context.Context, t testing.TB, d *db.DB, in access.Portfolio, number int) {
	t.Helper()
	var book portfolio.Book
	for range number {
		book.Tenants = append(book.Tenants, portfolio.Tenant{
			Record:    dbtest.Record(id.Tenant, "tenant", in.Mode, dbtest.Now),
			FirstName: "Sam",
			LastName:  "Rivera",
			Status:    portfolio.TenantProspect,
		})
	}
	dbtest.OK(t, portfoliostore.New(d).AddPeople(ctx, in, &book))
}

func TestDemoUsageCountsOnlyAddedRecords(t *testing.T) {
	dbtest.Both(t, func(t *testing.T, d *db.DB) {
		home := dbtest.NewHome(t, d, "dana")
		demo := home.Test
		if got := usage(t, d, demo); got != (quota.Usage{}) {
			t.Errorf("a new portfolio holds %+v", got)
		}
		addTenants(t, d, demo, 450) // more rows of growth than are summed each time
		addTenants(t, d, home.Live, 3)
		for range 3 {
			if got := usage(t, d, demo); got != (quota.Usage{Records: 450}) {
				t.Errorf("it holds %+v", got)
			}
		}
		const event = "INSERT INTO events (portfolio_id, id, created_at, type, body) VALUES ($1, 'evt_1', 1, " +
			"'lease.signed', $2)"
		dbtest.Exec(t, d, event, demo.ID, []byte(strings.Repeat("é", 500)))
		dbtest.Exec(
			t,
			d,
			"INSERT INTO documents (portfolio_id, id, created_at, media_type, sha256, content) VALUES ($1, "+
				"'doc_1', 1, '', '', $2)",
			demo.ID,
			make([]byte, 40_000),
		)
		if got := usage(t, d, demo); got.Bytes != 1300+40_300 {
			t.Errorf("it holds %+v", got)
		}
		dbtest.Exec(t, d, "UPDATE documents SET content = $1", make([]byte, 10_000))
		dbtest.Exec(t, d, "UPDATE events SET body = NULL")
		dbtest.Exec(t, d, "DELETE FROM tenants WHERE portfolio_id = $1", demo.ID)
		if got := usage(t, d, demo); got != (quota.Usage{Bytes: 300 + 10_300}) {
			t.Errorf("it holds %+v", got)
		}
		if got := usage(t, d, home.Live); got != (quota.Usage{}) {
			t.Errorf("a live portfolio is counted: %+v", got)
		}
		dbtest.OK(t, portfoliostore.New(d).ClearDemo(t.Context(), demo))
		dbtest.OK(t, portfoliostore.New(d).Add(t.Context(), demo, &portfolio.Book{}))
		if got := usage(t, d, demo); got != (quota.Usage{}) {
			t.Errorf("after a reset it holds %+v", got)
		}
	})
}

func TestDemoPortfolioLimitIsExact(t *testing.T) {
	dbtest.Both(t, func(t *testing.T, d *db.DB) {
		home, store := dbtest.NewHome(t, d, "dana"), servicestore.NewDemos(d)
		adds := func(in access.Portfolio, number int) error {
			return d.Exclusively(t.Context(), in, func(ctx context.Context) error {
				addTenantsIn(ctx, t, d, in, number)
				return quota.Check(ctx, store, in)
			})
		}
		dbtest.Exec(t, d, "UPDATE demo_usage SET records = $1", quota.MaxRecords-3)
		dbtest.OK(t, adds(home.Test, 2))
		if err := adds(home.Test, 2); !fault.Is(err, fault.DemoLimitReached) {
			t.Errorf("one too many: %v", err)
		}
		dbtest.OK(t, adds(home.Test, 1))
		if err := quota.Room(t.Context(), store, home.Test, 1); !fault.Is(err, fault.DemoLimitReached) {
			t.Errorf("there is room: %v", err)
		}
		dbtest.Exec(t, d, "UPDATE demo_usage SET records = 0, bytes = $1", quota.MaxBytes+1)
		if err := adds(home.Test, 0); !fault.Is(err, fault.DemoLimitReached) {
			t.Errorf("too many bytes: %v", err)
		}
		dbtest.OK(t, adds(home.Live, 1))
		if n := dbtest.Texts(t, d, "SELECT id FROM tenants"); len(n) != 4 {
			t.Errorf("%d tenants are there", len(n))
		}
	})
}
