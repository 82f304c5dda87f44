package portfolio

import (
	"context"
	"reflect"

	"portal/api/access"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/money"
)

// writes is what changes of records need of the store.
type writes interface {
	UnitCount(ctx context.Context, in access.Portfolio) (int, error)
	AddPlaces(ctx context.Context, in access.Portfolio, b *Book) error
	// AddTicket writes a ticket and gives it the next number of the portfolio.
	AddTicket(ctx context.Context, in access.Portfolio, t *Ticket) error
	SaveProperty(ctx context.Context, in access.Portfolio, p *Property) error
	SaveTicket(ctx context.Context, in access.Portfolio, t *Ticket) error
	// VoidRent voids the unpaid rent of a lease whose period starts after a day.
	VoidRent(ctx context.Context, in access.Portfolio, leaseID string, after clock.Date, at clock.Time) (int64, error)
	// ReviseRent changes the scheduled rent of a lease from one amount to another.
	ReviseRent(ctx context.Context, in access.Portfolio, l *Lease, from money.Cents, at clock.Time) (int64, error)
}

// write runs a rule that changes the actor's portfolio: in one transaction, in which
// nobody else changes that portfolio.
func write[T any](ctx context.Context, s *Service, by access.Actor, do func(context.Context) (*change.Result[T], error)) (made *change.Result[T], err error) {
	if err := by.Need(access.Write); err != nil {
		return nil, err
	}
	err = s.store.Exclusively(ctx, by.Portfolio, func(ctx context.Context) error {
		if made, err = do(ctx); err != nil || made == nil {
			return err
		}
		return s.note(ctx, by, made)
	})
	return made, err
}

// versioned is a record that a rule can change.
type versioned[T any] interface {
	*T
	Revision() int64
	changed(at clock.Time)
}

// amendment is how a record of one kind is changed.
type amendment[T any] struct {
	noun   string
	load   func(ctx context.Context, in access.Portfolio, id string) (T, error)
	allow  func(before *T) error // may be nil; judged before the version
	apply  func(ctx context.Context, after *T, m *change.Result[T]) error
	save   func(ctx context.Context, in access.Portfolio, after *T) error
	follow func(ctx context.Context, m *change.Result[T]) error // may be nil; what changes along
	reckon func(*T)
	hidden func(before, after *T) bool // may be nil; whether the records look the same to a reader
}

// amend changes one record. What changes nothing leaves its version. apply replaces
// what a pointer points to and never writes through it, since Before shares it.
func amend[T any, P versioned[T]](ctx context.Context, s *Service, by access.Actor, t change.Target, a amendment[T]) (*change.Result[T], error) {
	return write(ctx, s, by, func(ctx context.Context) (*change.Result[T], error) {
		before, err := a.load(ctx, by.Portfolio, t.ID)
		if err != nil {
			return nil, err
		}
		after := before
		m := &change.Result[T]{Before: &before, After: &after}
		if a.allow != nil {
			if err := a.allow(&before); err != nil {
				return nil, err
			}
		}
		if err := t.Check(a.noun, P(&before).Revision()); err != nil {
			return nil, err
		}
		if err := a.apply(ctx, &after, m); err != nil {
			return nil, err
		}
		if !reflect.DeepEqual(before, after) {
			if a.hidden == nil || !a.hidden(&before, &after) {
				P(&after).changed(clock.At(s.now()))
			}
			if err := a.save(ctx, by.Portfolio, &after); err != nil {
				return nil, err
			}
			if a.follow != nil {
				if err := a.follow(ctx, m); err != nil {
					return nil, err
				}
			}
		}
		a.reckon(&before)
		a.reckon(&after)
		return m, nil
	})
}

// wrong is a field at fault.
func wrong(param string, code fault.Code, message string) fault.Detail {
	return fault.Detail{Param: param, Code: code, Message: param + " " + message}
}
