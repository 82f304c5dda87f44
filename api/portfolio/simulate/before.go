package simulate

import (
	"context"
	"errors"

	"portal/api/access"
	"portal/api/change"
	"portal/api/event"
	"portal/api/fault"
)

// errTaken says that others were faster: all that was found before the transaction has changed since.
var errTaken = errors.New("what was to be changed has changed meanwhile")

// foundKey is that of what was found before a transaction.
type foundKey[T any] struct{}

// finding is what a search has found, or the fault that it ended with: whoever asked for it answers that.
type finding[T any] struct {
	what T
	err  error
}

// Look finds before a transaction what HappenTo needs in it, and gives it along in the context. What it does not
// find HappenTo looks for, at the cost of a transaction that is rolled back.
func (s *Simulator) Look(ctx context.Context, by access.Actor, kind string, c event.Choice) context.Context {
	session := &Session{s, by, false}
	found, err := ctx, error(nil)
	switch {
	case by.Portfolio.Mode != access.Test:
	case kind == event.PaymentSucceeded && c.PaymentID == nil:
		found, err = look(ctx, func(ctx context.Context) (rentChoice, error) { return session.findRent(ctx, c) })
	case kind == event.LeaseSigned && c.LeaseID == nil:
		found, err = look(ctx, session.findSigning)
	case kind == event.MaintenanceCreated && c.TenantID == nil:
		found, err = look(ctx, session.residents)
	}
	if err != nil {
		return ctx
	}
	return found
}

// look gives along what a search has found, and returns why it ended otherwise.
func look[T any](ctx context.Context, find func(context.Context) (T, error)) (context.Context, error) {
	what, err := find(ctx)
	return context.WithValue(ctx, foundKey[T]{}, finding[T]{what, err}), err
}

// foundBefore is Session.alone with what find has found before the transaction, in which nobody else writes:
// there it is only looked at again. happen answers errTaken where nothing is left of it. Then find is asked
// within the transaction, since whoever waits again may come too late again.
func foundBefore[T any](
	ctx context.Context, s *Session,
	find func(context.Context) (T, error), happen func(context.Context, T) (string, error),
) (id string, err error) {
	err = s.Store.Exclusively(ctx, s.by.Portfolio, func(ctx context.Context) error {
		before, looked := ctx.Value(foundKey[T]{}).(finding[T])
		if !looked {
			return &change.Beforehand{Do: func(ctx context.Context) (context.Context, error) {
				ctx, err := look(ctx, find)
				if _, refused := errors.AsType[*fault.Error](err); refused {
					err = nil // it is in the context, for the caller to answer
				}
				return ctx, err
			}}
		}
		what, err := before.what, before.err
		if err != nil {
			return err
		}
		id, err = s.today(ctx, func(ctx context.Context) (string, error) {
			id, err := happen(ctx, what)
			if !errors.Is(err, errTaken) {
				return id, err
			}
			what, err = find(ctx)
			if err == nil {
				id, err = happen(ctx, what)
			}
			if errors.Is(err, errTaken) {
				err = nothing("what was to be changed has changed meanwhile")
			}
			return id, err
		})
		return err
	})
	return id, err
}
