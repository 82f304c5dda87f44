package portfolio

import (
	"context"
	"maps"
	"reflect"
	"strconv"

	"portal/api/access"
	"portal/api/audit"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/quota"
)

// Write runs a rule that changes the actor's portfolio: in one transaction, in which
// nobody else changes that portfolio.
func Write[T any](
	ctx context.Context, s *Common, by access.Actor, do func(context.Context) (*change.Result[T], error),
) (made *change.Result[T], err error) {
	if err := by.Need(access.Write); err != nil {
		return nil, err
	}
	err = s.Tx.Exclusively(ctx, by.Portfolio, func(ctx context.Context) error {
		if made, err = do(ctx); err != nil || made == nil {
			return err
		}
		if err = s.note(ctx, by, made); err != nil {
			return err
		}
		return quota.Check(ctx, s.Tx, by.Portfolio)
	})
	return made, err
}

// versioned is a record that a rule can change.
type versioned[T any] interface {
	*T
	Revision() int64
	Revise(at clock.Time)
}

// Amendment is how a record of one kind is changed.
type Amendment[T any] struct {
	Noun    string
	Load    func(ctx context.Context, in access.Portfolio, id string) (T, error)
	Allow   func(before *T) error // may be nil; judged before the version
	Apply   func(ctx context.Context, after *T, m *change.Result[T]) error
	Save    func(ctx context.Context, in access.Portfolio, after *T) error
	Follow  func(ctx context.Context, m *change.Result[T]) error // may be nil; what changes along
	Compute func(*T)
	Hidden  func(before, after *T) bool // may be nil; whether the records look the same to a reader
}

// Amend changes one record. What changes nothing leaves its version. apply replaces
// what a pointer points to and never writes through it, since Before shares it.
func Amend[T any, P versioned[T]](
	ctx context.Context, s *Common, by access.Actor, t change.Target, a Amendment[T],
) (*change.Result[T], error) {
	return Write(ctx, s, by, func(ctx context.Context) (*change.Result[T], error) {
		before, err := a.Load(ctx, by.Portfolio, t.ID)
		if err != nil {
			return nil, err
		}
		after := before
		m := &change.Result[T]{Before: &before, After: &after}
		if a.Allow != nil {
			if err := a.Allow(&before); err != nil {
				return nil, err
			}
		}
		if err := t.Check(a.Noun, P(&before).Revision()); err != nil {
			return nil, err
		}
		if err := a.Apply(ctx, &after, m); err != nil {
			return nil, err
		}
		if !reflect.DeepEqual(before, after) {
			if a.Hidden == nil || !a.Hidden(&before, &after) {
				P(&after).Revise(clock.At(s.Now(by.Portfolio)))
			}
			if err := a.Save(ctx, by.Portfolio, &after); err != nil {
				return nil, err
			}
			if a.Follow != nil {
				if err := a.Follow(ctx, m); err != nil {
					return nil, err
				}
			}
		}
		a.Compute(&before)
		a.Compute(&after)
		return m, nil
	})
}

// note records in the audit trail what a person has created or changed, unless the rule has
// recorded it by itself.
func (s *Common) note(ctx context.Context, by access.Actor, o change.Outcome) error {
	shown, is := o.Shown().(interface{ itself() *Record })
	if !is || alreadyRecorded(o) {
		return nil
	}
	r, details := shown.itself(), map[string]string{}
	action := r.Object + ".created"
	if before, there := o.Earlier().(interface{ Revision() int64 }); there {
		if action = r.Object + ".changed"; before.Revision() == r.Version {
			return nil
		}
	}
	if v, more := shown.(interface{ Trace(map[string]string) }); more {
		v.Trace(details)
	}
	details["version"] = strconv.FormatInt(r.Version, 10)
	maps.Copy(details, furtherDetails(ctx))
	return s.RecordDone(ctx, by, action, r.ID, details)
}

type detailsKey struct{}

// WithDetails has the trail keep more of the change that is made with a context than its record shows.
func WithDetails(ctx context.Context, details map[string]string) context.Context {
	return context.WithValue(ctx, detailsKey{}, details)
}

func furtherDetails(ctx context.Context) map[string]string {
	details, _ := ctx.Value(detailsKey{}).(map[string]string)
	return details
}

// itself is the record, whatever it is part of.
func (r *Record) itself() *Record { return r }

// alreadyRecorded reports whether the rule has recorded the change by itself: the property was archived,
// restored or verified.
func alreadyRecorded(o change.Outcome) bool {
	after, is := o.Shown().(*Property)
	before, was := o.Earlier().(*Property)
	return is && was && before.Location() == after.Location() &&
		(before.Status != after.Status || before.VerificationStatus != after.VerificationStatus)
}

// Trace adds the state of a ledger row to the details. The row keeps the sum of partial payments with the method and
// reference of the latest, so the trail shows each of them.
func (p *Payment) Trace(details map[string]string) {
	details["status"] = string(p.Status)
	details["amount"] = p.Amount.String()
	details["amount_paid"] = p.AmountPaid.String()
	if p.Method != nil {
		details["method"] = string(*p.Method)
	}
}

// RecordDone takes down what a person did. What a key does is in the log of requests.
func (s *Common) RecordDone(
	ctx context.Context, by access.Actor, action, target string, details map[string]string,
) error {
	if s.Trail.Store == nil || audit.From(ctx).UserID == "" {
		return nil
	}
	if details == nil {
		details = map[string]string{}
	}
	if by.Portfolio.Mode != "" { // what belongs to the account as a whole has none
		details["mode"] = string(by.Portfolio.Mode)
	}
	return s.Trail.Record(ctx, audit.Event{
		AccountID: by.AccountID,
		Action:    action,
		Target:    target,
		Details:   details,
	})
}
