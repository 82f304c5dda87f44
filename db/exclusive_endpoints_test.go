package db_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/event"
	"portal/api/portfolio"
	"portal/api/secret"
	"portal/api/webhook"
	"portal/db/dbtest"
	"portal/db/webhookstore"
)

// TestSharedTransactionSendsEventsToCurrentEndpoints has changes share a
// transaction, one after the other: events, between which endpoints are added, by changes that
// happen and by one that is rolled back, and one is disabled.
func TestSharedTransactionSendsEventsToCurrentEndpoints(t *testing.T) {
	t.Parallel()
	d := dbtest.OnPostgres(t)
	d.ShareFor(time.Minute)
	in := landlordOn(t, d)
	box, err := secret.NewBox(make([]byte, secret.KeySize))
	must(t, err)
	hooks := webhook.New(webhookstore.New(d), box, time.Now, true)
	by := access.Actor{Portfolio: in, AccountID: "acc_1", Scopes: access.Scopes{access.Write}}
	no := errors.New("no")
	add := func(ctx context.Context, url string) string {
		made, err := hooks.CreateEndpoint(ctx, by, webhook.EndpointCreate{URL: url})
		must(t, err)
		return made.After.ID
	}
	first := add(t.Context(), "https://example.com/first")
	raise := func(ctx context.Context) error {
		return hooks.Raise(ctx, in, event.LeaseSigned, &portfolio.Lease{})
	}
	changes := []func(context.Context) error{
		raise, // to the first
		func(ctx context.Context) error { add(ctx, "https://example.com/second"); return nil },
		raise, // to both
		func(ctx context.Context) error { add(ctx, "https://example.com/lost"); return no },
		raise, // to both
		func(ctx context.Context) error { _, err := hooks.DisableEndpoint(ctx, by, first); return err },
		raise, // to the second
	}
	// A change whose shared transaction could not begin runs by itself, after others. So it is
	// noted when each ran last; they never run at once.
	var (
		all sync.WaitGroup
		mu  sync.Mutex
	)
	ran, runs := make([]int, len(changes)), 0
	whileHeld(t, d, in, func() {
		for i, change := range changes {
			all.Go(func() {
				noted := func(ctx context.Context) error {
					mu.Lock()
					runs++
					ran[i] = runs
					mu.Unlock()
					return change(ctx)
				}
				if err := d.Exclusively(t.Context(), in, noted); err != nil && (i != 3 || !errors.Is(err, no)) {
					t.Errorf("change %d: %v", i, err)
				}
			})
			queued(t, d, in, i)
		}
	})
	all.Wait()
	events, err := webhookstore.New(d).EventsAfter(t.Context(), in, "", 10)
	must(t, err)
	told := map[string][]string{}
	deliveries, err := webhookstore.New(d).Deliveries(t.Context(), in, webhook.DeliveryFilter{Limit: 100})
	must(t, err)
	for i := range deliveries {
		told[deliveries[i].EventID] = append(told[deliveries[i].EventID], deliveries[i].EndpointID)
	}
	want, there := []int{}, 1
	order := []int{0, 1, 2, 3, 4, 5, 6}
	slices.SortFunc(order, func(a, b int) int { return ran[a] - ran[b] })
	for _, i := range order {
		switch i {
		case 1:
			there++
		case 5:
			there--
		case 3: // is rolled back
		default:
			want = append(want, there)
		}
	}
	if len(events) != len(want) {
		t.Fatalf("%d events", len(events))
	}
	for i := range events {
		if n := len(told[events[i].ID]); n != want[i] {
			t.Errorf("event %d is told to %d endpoints, want %d", i, n, want[i])
		}
	}
}
