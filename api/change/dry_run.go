package change

import (
	"context"
	"errors"
)

// Transactor runs what writes in one transaction.
type Transactor interface {
	Atomically(ctx context.Context, do func(context.Context) error) error
}

var errDryRun = errors.New("rolled back on purpose")

// DryRun runs a write in a transaction that is rolled back: the same code, the same
// refusals, and nothing of it stays.
func DryRun(ctx context.Context, in Transactor, write func(context.Context) error) error {
	err := in.Atomically(WithDryRun(ctx), func(ctx context.Context) error {
		if err := write(ctx); err != nil {
			return err
		}
		return errDryRun
	})
	if errors.Is(err, errDryRun) {
		return nil
	}
	return err
}
