package db_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/developer"
	"portal/api/event"
	"portal/api/webhook"
	"portal/db"
	"portal/db/accountstore"
	"portal/db/dbtest"
	"portal/db/webhookstore"
)

// landlordOn adds an account with a live portfolio.
func landlordOn(t *testing.T, d *db.DB) access.Portfolio {
	t.Helper()
	must(t, accountstore.New(d).AddAccount(t.Context(), developer.Account{
		ID:        "acc_1",
		Name:      "Dana",
		TimeZone:  "UTC",
		Plan:      developer.Plan{Tier: developer.Pro},
		CreatedAt: clock.Time(1),
	}))
	in, err := accountstore.New(d).AddPortfolio(t.Context(), "acc_1", access.Live)
	must(t, err)
	return in
}

// TestConcurrentPortfolioChangesShareTransaction has changes come while another
// one holds the portfolio. One of them fails, one panics, one breaks a constraint: these
// alone do not happen.
func TestConcurrentPortfolioChangesShareTransaction(t *testing.T) {
	t.Parallel()
	const changes = 16
	d := dbtest.OnPostgres(t)
	in := landlordOn(t, d)
	held, release := make(chan struct{}), make(chan struct{})
	var all sync.WaitGroup
	all.Go(func() {
		err := d.Atomically(t.Context(), func(ctx context.Context) error {
			err := d.Lock(ctx, in)
			close(held)
			<-release
			return err
		})
		if err != nil {
			t.Error(err)
		}
	})
	<-held
	no := errors.New("no")
	var mu sync.Mutex
	transactions, after, began := map[string]bool{}, 0, make(chan struct{}, changes)
	for i := range changes {
		all.Go(func() {
			defer func() {
				if caught := recover(); (caught != nil) != (i == 1) {
					t.Errorf("change %d: %v", i, caught)
				}
			}()
			began <- struct{}{}
			err := d.Exclusively(t.Context(), in, func(ctx context.Context) error {
				must(t, insertEvent(ctx, d, fmt.Sprintf("evt_%02d", i), in))
				id, err := db.Transaction(ctx, d)
				if err != nil {
					return err
				}
				mu.Lock()
				transactions[id] = true
				mu.Unlock()
				d.After(ctx, func() { mu.Lock(); after++; mu.Unlock() })
				switch i {
				case 0:
					return no
				case 1:
					panic("no")
				case 2:
					return insertEvent(ctx, d, "evt_02", in)
				}
				return nil
			})
			if i == 0 && !errors.Is(err, no) || i == 2 && err == nil || i > 2 && err != nil {
				t.Errorf("change %d: %v", i, err)
			}
		})
	}
	for range changes {
		<-began
	}
	close(release)
	all.Wait()
	events, err := webhookstore.New(d).EventsAfter(t.Context(), in, "", 100)
	must(t, err)
	if len(events) != changes-3 || after != changes-3 {
		t.Errorf("%d changes were made, %d were told of", len(events), after)
	}
	if len(transactions) >= changes/2 {
		t.Errorf("%d changes took %d transactions", changes, len(transactions))
	}
}

func TestCallerCanceledWhileWaitingChangesNothing(t *testing.T) {
	t.Parallel()
	d := dbtest.OnPostgres(t)
	in := landlordOn(t, d)
	inside, release := make(chan struct{}), make(chan struct{})
	var all sync.WaitGroup
	all.Go(func() {
		err := d.Exclusively(t.Context(), in, func(context.Context) error {
			close(inside)
			<-release
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	})
	<-inside
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err := d.Exclusively(ctx, in, func(context.Context) error {
		t.Error("it ran")
		return nil
	})
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	close(release)
	all.Wait()
	must(t, d.Exclusively(t.Context(), in, func(context.Context) error { return nil }))
}

// insertEvent leaves an event to be written later.
func insertEvent(ctx context.Context, d *db.DB, id string, in access.Portfolio) error {
	return webhookstore.New(d).AddEvent(ctx, in, &webhook.Event{
		ID:   id,
		Type: event.LeaseSigned,
		Body: []byte("{}"),
	})
}
