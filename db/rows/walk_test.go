package rows_test

import (
	"testing"
	"testing/synctest"

	"portal/api/fault"
	"portal/db/dbtest"
	"portal/db/rows"
)

// A portfolio has two walks at once. The third waits until one of them leaves, or is told to come again where none
// does; those of another portfolio wait for none of them.
func TestPortfolioHasTwoWalksAtOnce(t *testing.T) {
	d := dbtest.SQLite(t)
	synctest.Test(t, func(t *testing.T) {
		enter := func(portfolio int64) func() {
			leave, err := rows.EnterWalk(t.Context(), d, portfolio)
			if err != nil {
				t.Fatal(err)
			}
			return leave
		}
		first, second, other := enter(1), enter(1), enter(2)
		entered := make(chan func(), 1)
		go func() { entered <- enter(1) }()
		synctest.Wait()
		select {
		case <-entered:
			t.Fatal("three walks at once")
		default:
		}
		first()
		third := <-entered
		if _, err := rows.EnterWalk(t.Context(), d, 1); !fault.Is(err, fault.Unavailable) {
			t.Errorf("one that waited for too long: %v", err)
		}
		for _, leave := range []func(){second, third, other} {
			leave()
		}
		if n := rows.Walking(d); n != 0 {
			t.Errorf("%d portfolios are remembered", n)
		}
	})
}
