package rows

import (
	"context"

	"portal/api/access"
)

// Transactor is what runs changes together: a db.DB, for a store that rules ask for transactions.
type Transactor interface {
	Atomically(ctx context.Context, do func(context.Context) error) error
	Exclusively(ctx context.Context, in access.Portfolio, do func(context.Context) error) error
	Lock(ctx context.Context, in access.Portfolio) error
}
