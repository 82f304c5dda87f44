package dbtest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/developer"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/list"
	"portal/api/portfolio"
)

var transactions = []promise{
	{"WhatReturnedIsSeenByEverybody", whatReturnedIsSeenByEverybody},
	{"AnErrorTakesEverythingBack", anErrorTakesEverythingBack},
	{"APanicTakesEverythingBackAndReachesTheCaller", aPanicTakesEverythingBackAndReachesTheCaller},
	{"ATransactionWithinATransactionJoinsIt", aTransactionWithinATransactionJoinsIt},
	{"BeforeTheCommitAWriteIsSeenInsideAlone", beforeTheCommitAWriteIsSeenInsideAlone},
	{"FailuresAmongManyWritersHarmNoOther", failuresAmongManyWritersHarmNoOther},
	{"ACallerWhoIsGoneIsNotServed", aCallerWhoIsGoneIsNotServed},
	{"WhoHoldsAPortfolioIsAloneWithIt", whoHoldsAPortfolioIsAloneWithIt},
}

// user adds a user, in a transaction if the context is of one.
func (r *rig) user(ctx context.Context, name string) error {
	added, err := r.AddUser(ctx, developer.User{ID: id.New(id.User, noon), Email: name, PasswordHash: "-", Role: developer.Staff, CreatedAt: clock.At(noon)})
	if err == nil && !added {
		err = fmt.Errorf("%s is there already", name)
	}
	return err
}

// known tells whether a user is stored.
func (r *rig) known(ctx context.Context, name string) bool {
	_, found, err := r.User(ctx, name)
	if err != nil {
		r.Error(err)
	}
	return found
}

func whatReturnedIsSeenByEverybody(r *rig) {
	for i := range 20 {
		name := fmt.Sprint("user", i)
		r.ok(r.Atomically(r.Context(), func(ctx context.Context) error { return r.user(ctx, name) }))
		r.want(r.known(r.Context(), name), "%s was written and is not seen", name)
	}
}

func anErrorTakesEverythingBack(r *rig) {
	for _, reason := range []error{errors.New("no"), fault.Of(fault.StaleWrite), context.Canceled} {
		err := r.Atomically(r.Context(), func(ctx context.Context) error {
			return errors.Join(r.user(ctx, "one"), r.user(ctx, "other"), reason)
		})
		r.want(errors.Is(err, reason), "the error %v came back as %v", reason, err)
		r.want(!r.known(r.Context(), "one") && !r.known(r.Context(), "other"), "%v left something behind", reason)
	}
	err := r.Atomically(r.Context(), func(ctx context.Context) error {
		return errors.Join(r.user(ctx, "one"), r.AddAccount(ctx, developer.Account{ID: "acct", Plan: developer.Plan{Tier: "gold"}}))
	})
	r.refused(err, "a plan that is none")
	r.want(!r.known(r.Context(), "one"), "a constraint left something behind")
}

func aPanicTakesEverythingBackAndReachesTheCaller(r *rig) {
	reason := errors.New("thrown")
	var caught any
	func() {
		defer func() { caught = recover() }()
		_ = r.Atomically(r.Context(), func(ctx context.Context) error {
			_ = r.user(ctx, "one")
			panic(reason)
		})
	}()
	r.want(caught == reason, "caught %v", caught)
	r.want(!r.known(r.Context(), "one"), "a panic left something behind")
	r.ok(r.user(r.Context(), "one"))
}

func aTransactionWithinATransactionJoinsIt(r *rig) {
	reason := errors.New("no")
	err := r.Atomically(r.Context(), func(ctx context.Context) error {
		err := r.Atomically(ctx, func(ctx context.Context) error {
			return r.Atomically(ctx, func(ctx context.Context) error { return r.user(ctx, "innermost") })
		})
		return errors.Join(err, reason)
	})
	r.want(errors.Is(err, reason) && !r.known(r.Context(), "innermost"), "the inner one committed alone: %v", err)
	err = r.Atomically(r.Context(), func(ctx context.Context) error {
		return errors.Join(r.user(ctx, "outer"), r.Atomically(ctx, func(ctx context.Context) error { return r.user(ctx, "inner") }))
	})
	r.ok(err)
	r.want(r.known(r.Context(), "outer") && r.known(r.Context(), "inner"), "one of the two is missing")
}

func beforeTheCommitAWriteIsSeenInsideAlone(r *rig) {
	outside := r.Context()
	r.ok(r.user(outside, "before"))
	r.ok(r.Atomically(outside, func(ctx context.Context) error {
		err := r.user(ctx, "one")
		if !r.known(ctx, "one") || !r.known(ctx, "before") {
			r.Error("a write is not seen in its own transaction")
		}
		if r.known(outside, "one") || !r.known(outside, "before") {
			r.Error("a write is seen outside before its commit")
		}
		return err
	}))
	r.want(r.known(outside, "one"), "the write was lost")
}

// failuresAmongManyWritersHarmNoOther lets two hundred write at once, of which
// some fail, some panic and some have gone away.
func failuresAmongManyWritersHarmNoOther(r *rig) {
	const writers = 200
	reason := errors.New("no")
	gone, cancel := context.WithCancel(r.Context())
	cancel()
	var all sync.WaitGroup
	for i := range writers {
		all.Go(func() {
			defer func() {
				if caught := recover(); (caught != nil) != (i%10 == 5) || caught != nil && caught != i {
					r.Errorf("writer %d caught %v", i, caught)
				}
			}()
			ctx := r.Context()
			if i%10 == 7 {
				ctx = gone
			}
			err := r.Atomically(ctx, func(ctx context.Context) error {
				err := errors.Join(r.user(ctx, fmt.Sprint("first", i)), r.user(ctx, fmt.Sprint("second", i)))
				switch i % 10 {
				case 3:
					return errors.Join(err, reason)
				case 4: // the database itself refuses
					return r.AddAccount(ctx, developer.Account{ID: fmt.Sprint("acct", i), Plan: developer.Plan{Tier: "gold"}})
				case 5:
					panic(i)
				}
				return err
			})
			if failed := err != nil; failed != (i%10 == 3 || i%10 == 4 || i%10 == 7) {
				r.Errorf("writer %d: %v", i, err)
			}
		})
	}
	all.Wait()
	for i := range writers {
		stays := i%10 != 3 && i%10 != 4 && i%10 != 5 && i%10 != 7
		first, second := r.known(r.Context(), fmt.Sprint("first", i)), r.known(r.Context(), fmt.Sprint("second", i))
		r.want(first == stays && second == stays, "of writer %d there is %v, %v", i, first, second)
	}
}

func aCallerWhoIsGoneIsNotServed(r *rig) {
	gone, cancel := context.WithCancel(r.Context())
	cancel()
	err := r.Atomically(gone, func(ctx context.Context) error { return r.user(ctx, "one") })
	r.want(errors.Is(err, context.Canceled), "%v", err)
	r.want(errors.Is(r.user(gone, "one"), context.Canceled), "a single write was served")
	r.want(!r.known(r.Context(), "one"), "a caller who was gone was served")
}

// whoHoldsAPortfolioIsAloneWithIt lets many count and then write by the count.
func whoHoldsAPortfolioIsAloneWithIt(r *rig) {
	l := r.landlord("dana")
	counts := make([]int, 8)
	var all sync.WaitGroup
	for i := range counts {
		all.Go(func() {
			err := r.Atomically(r.Context(), func(ctx context.Context) error {
				if err := r.Hold(ctx, l.live); err != nil {
					return err
				}
				rows, err := r.Properties(ctx, l.live, portfolio.PropertyFilter{Query: list.Query{Limit: everything}})
				if err != nil {
					return err
				}
				counts[i] = len(rows)
				return r.AddPlaces(ctx, l.live, &portfolio.Book{Properties: []portfolio.Property{home(l.live, id.New(id.Property, noon), "Austin")}})
			})
			if err != nil {
				r.Error(err)
			}
		})
	}
	all.Wait()
	slices.Sort(counts)
	r.same(counts, []int{0, 1, 2, 3, 4, 5, 6, 7})
	r.want(fault.Is(r.Hold(r.Context(), access.Portfolio{ID: 1 << 40}), fault.NoRecord), "a portfolio that is none was held")
}
