package rows_test

import (
	"context"
	"errors"
	"testing"

	"portal/db/dbtest"
	"portal/db/rows"
)

// A portfolio has two walks at once. The third waits until one of them leaves, or until whoever asked has gone;
// those of another portfolio wait for none of them.
func TestPortfolioHasTwoWalksAtOnce(t *testing.T) {
	d := dbtest.SQLite(t)
	first, err := rows.EnterWalk(t.Context(), d, 1)
	must(t, err)
	second, err := rows.EnterWalk(t.Context(), d, 1)
	must(t, err)
	other, err := rows.EnterWalk(t.Context(), d, 2)
	must(t, err)

	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := rows.EnterWalk(gone, d, 1); !errors.Is(err, context.Canceled) {
		t.Fatalf("the third had a slot, or another error than that it has gone: %v", err)
	}
	third := make(chan error)
	go func() {
		leave, err := rows.EnterWalk(t.Context(), d, 1)
		leave()
		third <- err
	}()
	first()
	must(t, <-third)
	second()
	other()
	if n := rows.Walking(d); n != 0 {
		t.Errorf("%d portfolios are remembered", n)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
