package db_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"portal/db"
	"portal/db/dbtest"
)

// A statement that may take some time at most is interrupted behind it, and its connection is as good as before.
func TestStatementIsInterruptedAfterItsTime(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, open func(testing.TB) *db.DB) {
		d := open(t)
		endless := "WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n WHERE i < 0"
		none := func(db.Scan) error { return nil }
		for range 20 { // more than there are connections
			err := d.EachWithin(t.Context(), 5*time.Millisecond, endless, nil, none)
			if !db.Interrupted(err) {
				t.Fatalf("interrupted: %v", err)
			}
		}
		var one int
		for range 20 {
			err := d.EachWithin(t.Context(), time.Minute, "SELECT $1 + 0", []any{int64(1)}, func(scan db.Scan) error {
				return scan(&one)
			})
			if err != nil || one != 1 {
				t.Fatalf("the next one: %d, %v", one, err)
			}
			must(t, d.Ping(t.Context()))
			if there, err := d.Has(t.Context(), "SELECT 1", nil); err != nil || !there {
				t.Fatalf("a read without bound: %v", err)
			}
		}
		gone, cancel := context.WithCancel(t.Context())
		time.AfterFunc(5*time.Millisecond, cancel)
		err := d.EachWithin(gone, time.Minute, endless, nil, none)
		if !errors.Is(err, context.Canceled) || db.Interrupted(err) {
			t.Errorf("whoever asked has gone: %v", err)
		}
	})
}
