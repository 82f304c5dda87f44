package dbtest_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"portal/api/access"
	"portal/api/developer"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/list"
	"portal/api/portfolio"
	"portal/db"
	"portal/db/dbtest"
)

var transactions = []promise{
	{"WhatReturnedIsSeenByEverybody", whatReturnedIsSeenByEverybody},
	{"AnErrorTakesEverythingBack", anErrorTakesEverythingBack},
	{"APanicTakesEverythingBackAndReachesTheCaller", aPanicTakesEverythingBackAndReachesTheCaller},
	{"ATransactionWithinATransactionJoinsIt", aTransactionWithinATransactionJoinsIt},
	{"BeforeTheCommitAWriteIsSeenInsideAlone", beforeTheCommitAWriteIsSeenInsideAlone},
	{"FailuresAmongManyWritersHarmNoOther", failuresAmongManyWritersHarmNoOther},
	{"ACallerWhoIsGoneIsNotServed", aCallerWhoIsGoneIsNotServed},
	{"AStatementThatLeavesItsTransactionByMistakePanics", aStatementThatLeavesItsTransactionByMistakePanics},
	{"WhoHoldsAPortfolioIsAloneWithIt", whoHoldsAPortfolioIsAloneWithIt},
}

func whatReturnedIsSeenByEverybody(r *fixture) {
	for i := range 20 {
		name := fmt.Sprint("user", i)
		r.OK(r.DB.Atomically(r.Context(), func(ctx context.Context) error { return r.User(ctx, name) }))
		r.Want(r.Known(r.Context(), name), "%s was written and is not seen", name)
	}
}

func anErrorTakesEverythingBack(r *fixture) {
	for _, reason := range []error{errors.New("no"), fault.Of(fault.StaleWrite), context.Canceled} {
		err := r.DB.Atomically(r.Context(), func(ctx context.Context) error {
			return errors.Join(r.User(ctx, "one"), r.User(ctx, "other"), reason)
		})
		r.Want(errors.Is(err, reason), "the error %v came back as %v", reason, err)
		r.Want(!r.Known(r.Context(), "one") && !r.Known(r.Context(), "other"), "%v left something behind", reason)
	}
	err := r.DB.Atomically(r.Context(), func(ctx context.Context) error {
		return errors.Join(r.User(ctx, "one"), r.Accounts.AddAccount(ctx, developer.Account{
			ID:   "acct",
			Plan: developer.Plan{Tier: "gold"},
		}))
	})
	r.Refused(err, "a plan that is none")
	r.Want(!r.Known(r.Context(), "one"), "a constraint left something behind")
}

func aPanicTakesEverythingBackAndReachesTheCaller(r *fixture) {
	reason := errors.New("thrown")
	var caught any
	func() {
		defer func() { caught = recover() }()
		_ = r.DB.Atomically(r.Context(), func(ctx context.Context) error {
			_ = r.User(ctx, "one")
			panic(reason)
		})
	}()
	r.Want(caught == reason, "caught %v", caught)
	r.Want(!r.Known(r.Context(), "one"), "a panic left something behind")
	r.OK(r.User(r.Context(), "one"))
}

func aTransactionWithinATransactionJoinsIt(r *fixture) {
	reason := errors.New("no")
	err := r.DB.Atomically(r.Context(), func(ctx context.Context) error {
		err := r.DB.Atomically(ctx, func(ctx context.Context) error {
			return r.DB.Atomically(ctx, func(ctx context.Context) error { return r.User(ctx, "innermost") })
		})
		return errors.Join(err, reason)
	})
	r.Want(errors.Is(err, reason) && !r.Known(r.Context(), "innermost"), "the inner one committed alone: %v", err)
	err = r.DB.Atomically(r.Context(), func(ctx context.Context) error {
		return errors.Join(
			r.User(ctx, "outer"),
			r.DB.Atomically(ctx, func(ctx context.Context) error { return r.User(ctx, "inner") }),
		)
	})
	r.OK(err)
	r.Want(r.Known(r.Context(), "outer") && r.Known(r.Context(), "inner"), "one of the two is missing")
}

func beforeTheCommitAWriteIsSeenInsideAlone(r *fixture) {
	outside := r.Context()
	r.OK(r.User(outside, "before"))
	r.OK(r.DB.Atomically(outside, func(ctx context.Context) error {
		err := r.User(ctx, "one")
		if !r.Known(ctx, "one") || !r.Known(ctx, "before") {
			r.Error("a write is not seen in its own transaction")
		}
		if r.Known(db.Outside(ctx), "one") || !r.Known(db.Outside(ctx), "before") {
			r.Error("a write is seen outside before its commit")
		}
		return err
	}))
	r.Want(r.Known(outside, "one"), "the write was lost")
}

// failuresAmongManyWritersHarmNoOther lets two hundred write at once, of which
// some fail, some panic and some have gone away.
func failuresAmongManyWritersHarmNoOther(r *fixture) {
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
			err := r.DB.Atomically(ctx, func(ctx context.Context) error {
				err := errors.Join(r.User(ctx, fmt.Sprint("first", i)), r.User(ctx, fmt.Sprint("second", i)))
				switch i % 10 {
				case 3:
					return errors.Join(err, reason)
				case 4: // the database itself refuses
					return r.Accounts.AddAccount(ctx, developer.Account{
						ID:   fmt.Sprint("acct", i),
						Plan: developer.Plan{Tier: "gold"},
					})
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
		first, second := r.Known(r.Context(), fmt.Sprint("first", i)), r.Known(r.Context(), fmt.Sprint("second", i))
		r.Want(first == stays && second == stays, "of writer %d there is %v, %v", i, first, second)
	}
}

func aCallerWhoIsGoneIsNotServed(r *fixture) {
	gone, cancel := context.WithCancel(r.Context())
	cancel()
	err := r.DB.Atomically(gone, func(ctx context.Context) error { return r.User(ctx, "one") })
	r.Want(errors.Is(err, context.Canceled), "%v", err)
	r.Want(errors.Is(r.User(gone, "one"), context.Canceled), "a single write was served")
	r.Want(!r.Known(r.Context(), "one"), "a caller who was gone was served")
}

// whoHoldsAPortfolioIsAloneWithIt lets many count and then write by the count.
func whoHoldsAPortfolioIsAloneWithIt(r *fixture) {
	l := r.Landlord("dana")
	counts := make([]int, 8)
	var all sync.WaitGroup
	for i := range counts {
		all.Go(func() {
			err := r.DB.Atomically(r.Context(), func(ctx context.Context) error {
				if err := r.DB.Lock(ctx, l.Live); err != nil {
					return err
				}
				rows, err := r.Portfolio.Properties(ctx, l.Live, portfolio.PropertyFilter{
					Query: list.Query{Limit: dbtest.Everything},
				})
				if err != nil {
					return err
				}
				counts[i] = len(rows)
				return r.Portfolio.AddProperties(ctx, l.Live, &portfolio.Book{
					Properties: []portfolio.Property{dbtest.NewProperty(
						l.Live,
						id.New(id.Property, dbtest.Now),
						"Austin",
					)},
				})
			})
			if err != nil {
				r.Error(err)
			}
		})
	}
	all.Wait()
	slices.Sort(counts)
	r.Same(counts, []int{0, 1, 2, 3, 4, 5, 6, 7})
	r.Want(fault.Is(r.DB.Lock(r.Context(), access.Portfolio{
		ID: 1 << 40,
	}), fault.NoRecord), "a portfolio that is none was held")
}
