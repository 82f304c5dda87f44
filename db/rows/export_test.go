package rows

import (
	"context"

	"portal/db"
)

// EnterWalk takes one of the slots of a portfolio, as a walk does behind its first step.
func EnterWalk(ctx context.Context, d *db.DB, portfolio int64) (leave func(), err error) {
	w := newWalk(d, NewListing(d, 20, portfolio, ""))
	return w.leave, w.enter(ctx)
}

// Walking is how many portfolios have walks that run or wait.
func Walking(d *db.DB) int { return len(db.Beside[walks](d).all) }
