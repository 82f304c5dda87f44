package dbtest

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
	"portal/db/webhookstore"
)

// Start is where the clock of Webhooks stands until the test moves it.
var Start = time.Date(2026, 11, 2, 17, 0, 0, 482_000_000, time.UTC)

// Webhooks are the rules of webhooks over a database and a clock that the test holds, for a
// landlord with a live and a test portfolio.
type Webhooks struct {
	*webhook.Service
	T          testing.TB
	DB         *db.DB
	Box        *secret.Box
	ms         atomic.Int64
	Live, Demo access.Actor
}

// Clock is what the test has set.
func (r *Webhooks) Clock() time.Time { return time.UnixMilli(r.ms.Load()).UTC() }

// Forward puts the clock forward, in milliseconds.
func (r *Webhooks) Forward(d time.Duration) { r.ms.Add(d.Milliseconds()) }

// NewWebhooks adds the landlord dana to an empty database.
func NewWebhooks(t testing.TB, d *db.DB) *Webhooks {
	t.Helper()
	box, err := secret.NewBox([]byte(strings.Repeat("k", secret.KeySize)))
	OK(t, err)
	r := &Webhooks{T: t, DB: d, Box: box}
	r.ms.Store(Start.UnixMilli())
	r.Service = webhook.New(webhookstore.New(d), box, r.Clock, false)
	r.Live, r.Demo = r.Landlord("dana")
	return r
}

// Landlord adds one, and is its actor with a key of each portfolio.
func (r *Webhooks) Landlord(name string) (live, test access.Actor) {
	r.T.Helper()
	ctx, account := r.T.Context(), id.New(id.Account, Start)
	OK(r.T, accountstore.New(r.DB).AddAccount(ctx, developer.Account{
		ID:        account,
		Name:      name,
		TimeZone:  "UTC",
		Plan:      developer.Plan{Tier: developer.Pro},
		CreatedAt: clock.At(Start),
	}))
	actor := func(mode access.Mode) access.Actor {
		in, err := accountstore.New(r.DB).AddPortfolio(ctx, account, mode)
		OK(r.T, err)
		return access.Actor{
			Portfolio: in,
			AccountID: account,
			Scopes:    access.Scopes{access.Read, access.Write},
			Role:      access.Owner,
			Zone:      time.UTC,
		}
	}
	return actor(access.Live), actor(access.Test)
}

// Create adds an endpoint that must be taken.
func (r *Webhooks) Create(by access.Actor, url string, kinds ...webhook.Kind) *webhook.Endpoint {
	r.T.Helper()
	made, err := r.CreateEndpoint(r.T.Context(), by, webhook.EndpointCreate{URL: url, Events: kinds})
	OK(r.T, err)
	return made.After
}

// Stored is an endpoint as it is read.
func (r *Webhooks) Stored(by access.Actor, id string) webhook.Endpoint {
	r.T.Helper()
	e, err := r.Endpoint(r.T.Context(), by, id)
	OK(r.T, err)
	return *e
}

// Secrets opens what is stored of an endpoint's secrets, "" where there is none.
func (r *Webhooks) Secrets(id string) (present, previous string) {
	r.T.Helper()
	var sealed [2][]byte
	r.Row("secret, previous_secret FROM webhook_endpoints WHERE id = $1", []any{id}, &sealed[0], &sealed[1])
	var open [2]string
	for i, s := range sealed {
		if s != nil {
			var err error
			open[i], err = r.Box.Open("webhook_secret", s)
			OK(r.T, err)
		}
	}
	return open[0], open[1]
}

// Exec runs SQL past the store's methods.
func (r *Webhooks) Exec(statement string, args ...any) {
	r.T.Helper()
	Exec(r.T, r.DB, statement, args...)
}

// Row reads one row past the store's methods.
func (r *Webhooks) Row(query string, args []any, into ...any) {
	r.T.Helper()
	Row(r.T, r.DB, "SELECT "+query, args, into...)
}

// Texts reads a column of texts past the store's methods.
func (r *Webhooks) Texts(query string, args ...any) []string {
	r.T.Helper()
	return Texts(r.T, r.DB, "SELECT "+query, args...)
}

// Count counts rows past the store's methods.
func (r *Webhooks) Count(from string, args ...any) (n int) {
	r.T.Helper()
	r.Row("count(*) FROM "+from, args, &n)
	return n
}

// RolledBack runs do in a transaction that does not come to be, as a preview does.
func (r *Webhooks) RolledBack(ctx context.Context, do func(ctx context.Context) error) {
	r.T.Helper()
	back := errors.New("back")
	err := r.DB.Atomically(ctx, func(ctx context.Context) error {
		OK(r.T, do(ctx))
		return back
	})
	if err != back {
		r.T.Fatal(err)
	}
}
