package rows

import (
	"context"

	"portal/db"
)

// EnterWalk takes one of the slots of a portfolio, as a walk does behind its first step.
func EnterWalk(ctx context.Context, d *db.DB, portfolio int64) (leave func(), err error) {
	return enterWalk(ctx, d, portfolio)
}

// Walking is how many portfolios have walks that run or wait.
func Walking(d *db.DB) int { return len(db.Beside[walks](d).all) }
