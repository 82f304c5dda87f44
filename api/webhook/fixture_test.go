package webhook_test

import (
	"testing"

	"portal/db"
	"portal/db/dbtest"
)

// noon is where a test's clock stands until the test moves it.
var noon = dbtest.Start

type fixture struct{ *dbtest.Webhooks }

func over(t testing.TB, d *db.DB) *fixture { return &fixture{dbtest.NewWebhooks(t, d)} }

// alone runs a promise of the service over SQLite: what PostgreSQL does alike is
// held by the suite of the stores.
func alone(t *testing.T, promise func(t *testing.T, r *fixture)) {
	t.Parallel()
	promise(t, over(t, dbtest.SQLite(t)))
}

// both runs a promise over each database: one about what happens at once.
func both(t *testing.T, promise func(t *testing.T, r *fixture)) {
	dbtest.Both(t, func(t *testing.T, d *db.DB) { promise(t, over(t, d)) })
}

func must(t testing.TB, err error) {
	t.Helper()
	dbtest.OK(t, err)
}
