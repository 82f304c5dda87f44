package simulate

import (
	"context"
	"errors"

	"portal/api/change"
)

// errTaken says that others were faster: all that was found before the transaction has changed since.
var errTaken = errors.New("what was to be changed has changed meanwhile")

// mostSearches is how often something is looked for before a transaction. Then it is looked for within it.
const mostSearches = 3

// finding is what was found before a transaction.
type finding[T any] struct {
	what     T
	searches int
}

type findingKey[T any] struct{}

// foundBefore is Session.alone with what find has found before the transaction, in which nobody else writes:
// there it is only looked at again. happen answers errTaken where nothing is left of it.
func foundBefore[T any](
	ctx context.Context, s *Session,
	find func(context.Context) (T, error), happen func(context.Context, T) (string, error),
) (id string, err error) {
	err = s.Store.Exclusively(ctx, s.by.Portfolio, func(ctx context.Context) error {
		f, _ := ctx.Value(findingKey[T]{}).(finding[T])
		err := errTaken
		if f.searches > 0 {
			id, err = s.today(ctx, func(ctx context.Context) (string, error) { return happen(ctx, f.what) })
		}
		if !errors.Is(err, errTaken) {
			return err
		}
		if f.searches < mostSearches {
			return &change.Beforehand{Do: func(ctx context.Context) (context.Context, error) {
				what, err := find(ctx)
				return context.WithValue(ctx, findingKey[T]{}, finding[T]{what, f.searches + 1}), err
			}}
		}
		what, err := find(ctx)
		if err == nil {
			id, err = s.today(ctx, func(ctx context.Context) (string, error) { return happen(ctx, what) })
		}
		if errors.Is(err, errTaken) {
			err = nothing("what was to be changed has changed meanwhile")
		}
		return err
	})
	return id, err
}
