package webhook_test

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/developer"
	"portal/api/id"
	"portal/api/secret"
	"portal/api/webhook"
	"portal/db"
	"portal/db/accountstore"
	"portal/db/dbtest"
	"portal/db/webhookstore"
)

// noon is where a test's clock stands until the test moves it.
var noon = time.Date(2026, 11, 2, 17, 0, 0, 482_000_000, time.UTC)

// fixture is the service over a real database and a clock that the test holds, for a
// landlord with a live and a test portfolio.
type fixture struct {
	*webhook.Service
	t          testing.TB
	db         *db.DB
	box        *secret.Box
	ms         atomic.Int64
	live, test access.Actor
}

func (r *fixture) now() time.Time { return time.UnixMilli(r.ms.Load()).UTC() }

func (r *fixture) add(d time.Duration) { r.ms.Add(d.Milliseconds()) }

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

func over(t testing.TB, d *db.DB) *fixture {
	t.Helper()
	box, err := secret.NewBox([]byte(strings.Repeat("k", secret.KeySize)))
	must(t, err)
	r := &fixture{t: t, db: d, box: box}
	r.ms.Store(noon.UnixMilli())
	r.Service = webhook.New(webhookstore.New(d), box, r.now, false)
	r.live, r.test = r.landlord("dana")
	return r
}

// landlord adds one, and is its actor with a key of each portfolio.
func (r *fixture) landlord(name string) (live, test access.Actor) {
	r.t.Helper()
	ctx, account := r.t.Context(), id.New(id.Account, noon)
	must(r.t, accountstore.NewAccounts(r.db).AddAccount(ctx, developer.Account{ID: account, Name: name, TimeZone: "UTC", Plan: developer.Plan{Tier: developer.Pro}, CreatedAt: clock.At(noon)}))
	actor := func(mode access.Mode) access.Actor {
		in, err := accountstore.NewAccounts(r.db).AddPortfolio(ctx, account, mode)
		must(r.t, err)
		return access.Actor{Portfolio: in, AccountID: account, Scopes: access.Scopes{access.Read, access.Write}, Role: access.Owner, Zone: time.UTC}
	}
	return actor(access.Live), actor(access.Test)
}

// create adds an endpoint that must be taken.
func (r *fixture) create(by access.Actor, url string, kinds ...webhook.Kind) *webhook.Endpoint {
	r.t.Helper()
	made, err := r.CreateEndpoint(r.t.Context(), by, webhook.EndpointCreate{URL: url, Events: kinds})
	must(r.t, err)
	return made.After
}

// stored is an endpoint as it is read.
func (r *fixture) stored(by access.Actor, id string) webhook.Endpoint {
	r.t.Helper()
	e, err := r.Endpoint(r.t.Context(), by, id)
	must(r.t, err)
	return *e
}

// secrets opens what is stored of an endpoint's secrets, "" where there is none.
func (r *fixture) secrets(id string) (present, previous string) {
	r.t.Helper()
	var sealed [2][]byte
	r.row("secret, previous_secret FROM webhook_endpoints WHERE id = $1", []any{id}, &sealed[0], &sealed[1])
	var open [2]string
	for i, s := range sealed {
		if s != nil {
			var err error
			open[i], err = r.box.Open("webhook_secret", s)
			must(r.t, err)
		}
	}
	return open[0], open[1]
}

// exec runs SQL past the store's methods.
func (r *fixture) exec(statement string, args ...any) {
	r.t.Helper()
	dbtest.Exec(r.t, r.db, statement, args...)
}

// row reads one row past the store's methods.
func (r *fixture) row(query string, args []any, into ...any) {
	r.t.Helper()
	dbtest.Row(r.t, r.db, "SELECT "+query, args, into...)
}

// count counts rows past the store's methods.
func (r *fixture) count(from string, args ...any) (n int) {
	r.t.Helper()
	r.row("count(*) FROM "+from, args, &n)
	return n
}

// rolledBack runs do in a transaction that does not come to be, as a preview does.
func (r *fixture) rolledBack(ctx context.Context, do func(ctx context.Context) error) {
	r.t.Helper()
	back := errors.New("back")
	err := r.db.Atomically(ctx, func(ctx context.Context) error {
		must(r.t, do(ctx))
		return back
	})
	if err != back {
		r.t.Fatal(err)
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
