package db_test

import (
	"context"
	"testing"
	"time"

	"portal/api/account"
	"portal/api/clock"
	"portal/db"
	"portal/db/accountstore"
	"portal/db/dbtest"
	"portal/db/developerstore"
)

// Reads of keys and sessions, and the health check, are answered while every connection that lists are
// read by is taken.
func TestKeysSessionsAndHealthDoNotWaitForLists(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, open func(testing.TB) *db.DB) {
		d := open(t)
		release := holdReaders(t, d)
		defer release()
		for name, read := range map[string]func(context.Context) error{
			"key": func(ctx context.Context) error {
				_, _, err := developerstore.New(d).Caller(ctx, []byte("unknown"))
				return err
			},
			"session": func(ctx context.Context) error {
				_, _, err := accountstore.New(d).Visitor(ctx, "unknown", clock.At(time.Now()))
				return err
			},
			"page session": func(ctx context.Context) error {
				_, _, err := accountstore.NewPageSessions(d, time.Now).FindCtx(ctx, "unknown")
				return err
			},
			"sign-in": func(ctx context.Context) error {
				_, _, err := accountstore.New(d).PersonByEmail(ctx, "nobody@example.com")
				return err
			},
			"link": func(ctx context.Context) error {
				_, _, err := accountstore.New(d).Link(ctx, []byte("unknown"), account.Purpose("reset"), 0)
				return err
			},
			"health": d.Ping,
		} {
			if err := read(t.Context()); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		// The lists have nothing left, or else nothing was held.
		few, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
		defer cancel()
		if _, err := d.Has(few, "SELECT 1", nil); err == nil {
			t.Error("a list was read while all its connections were held")
		}
	})
}

// holdReaders takes all connections that lists are read by, until release is called.
func holdReaders(t *testing.T, d *db.DB) (release func()) {
	t.Helper()
	held, end, over := make(chan struct{}), make(chan struct{}), make(chan error)
	n := db.Readers(d)
	for range n {
		go func() {
			over <- d.Each(context.WithoutCancel(t.Context()), "SELECT 1", nil, func(db.Scan) error {
				held <- struct{}{}
				<-end
				return nil
			})
		}()
	}
	for range n {
		<-held
	}
	return func() {
		close(end)
		for range n {
			if err := <-over; err != nil {
				t.Error(err)
			}
		}
	}
}
