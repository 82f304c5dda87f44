package portfoliostore_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"portal/api/access"
	"portal/api/id"
	"portal/api/list"
	"portal/api/portfolio"
	"portal/db/dbtest"
)

var pages = []reading{
	{"AWalkVisitsEverythingOnceInAscendingID", aWalkVisitsEverythingOnceInAscendingID},
	{"APageHasOneRowMoreThanItsLimit", aPageHasOneRowMoreThanItsLimit},
	{"AListReadsTheSameInATransaction", aListReadsTheSameInATransaction},
}

var walks = []promise{
	{"ACursorWhoseRecordIsGoneStillWorks", aCursorWhoseRecordIsGoneStillWorks},
	{"AWalkBesideWritersMissesAndRepeatsNothing", aWalkBesideWritersMissesAndRepeatsNothing},
}

// walk visits a list page by page and is the ids in the order of the visit. A
// page takes all but the row behind its limit.
func (k kind) walk(ctx context.Context, in access.Portfolio, limit int) (ids []string, err error) {
	filter, page := k.query()
	page.Limit = limit
	for {
		rows, err := k.list(ctx, in, filter)
		if err != nil {
			return nil, err
		}
		ids = append(ids, idsOf(rows[:min(limit, len(rows))])...)
		if len(rows) <= limit {
			return ids, nil
		}
		page.StartingAfter = ids[len(ids)-1]
	}
}

// Every limit for the short lists; for the others those that part them awkwardly.
func aWalkVisitsEverythingOnceInAscendingID(s *demoStore) {
	for _, k := range s.kinds() {
		want := idsOf(s.rows[k.name])
		for limit := 1; limit <= list.Max; limit++ {
			awkward := limit == 13 || limit == list.Default || limit >= list.Max-1
			if len(want) > 60 && !awkward {
				continue
			}
			got, err := k.walk(s.Context(), s.in, limit)
			s.OK(err)
			s.Want(slices.Equal(got, want), "%s by %d: %d of %d", k.name, limit, len(got), len(want))
		}
	}
}

func aPageHasOneRowMoreThanItsLimit(s *demoStore) {
	for _, k := range s.kinds() {
		all := idsOf(s.rows[k.name])
		n := len(all)
		for _, limit := range []int{1, 2, n - 1, n, n + 1} {
			for _, from := range []int{0, 1, n / 2, n - 1, n} {
				filter, page := k.query()
				page.Limit = limit
				if from > 0 {
					page.StartingAfter = all[from-1]
				}
				rows, err := k.list(s.Context(), s.in, filter)
				s.OK(err)
				want := all[from:min(from+limit+1, n)]
				s.Want(
					slices.Equal(idsOf(rows), want),
					"%s: %d rows from %d with limit %d of %d",
					k.name,
					len(rows),
					from,
					limit,
					n,
				)
			}
		}
	}
}

func aListReadsTheSameInATransaction(s *demoStore) {
	for _, k := range s.kinds() {
		outside, err := k.all(s.Context(), s.in)
		s.OK(err)
		s.OK(s.DB.Atomically(s.Context(), func(ctx context.Context) error {
			inside, err := k.all(ctx, s.in)
			s.Same(inside, outside)
			return err
		}))
		s.Want(len(outside) > 0, "no %s", k.name)
		s.Same(outside, s.rows[k.name])
	}
}

func aCursorWhoseRecordIsGoneStillWorks(r *fixture) {
	l := r.Landlord("dana")
	k := r.kinds()[0]
	var ids []string
	for range 9 {
		ids = append(ids, r.house(l.Live, "Austin"))
	}
	slices.Sort(ids) // ids of one moment ascend only while nobody asks for another
	left := slices.Clone(ids)
	for _, gone := range []int{4, 8, 0} {
		r.Raw("DELETE FROM properties WHERE id = $1", ids[gone])
		left = slices.DeleteFunc(left, func(s string) bool { return s == ids[gone] })
		filter, page := k.query()
		page.Limit, page.StartingAfter = dbtest.Everything, ids[gone]
		rows, err := k.list(r.Context(), l.Live, filter)
		r.OK(err)
		at, _ := slices.BinarySearch(left, ids[gone])
		want := left[at:]
		r.Want(slices.Equal(idsOf(rows), want), "after the %d. record: %d rows, want %d", gone+1, len(rows), len(want))
	}
}

// What was there throughout is visited once, and nothing twice, although records
// come and go on both sides of the cursor.
func aWalkBesideWritersMissesAndRepeatsNothing(r *fixture) {
	l := r.Landlord("dana")
	k := r.kinds()[0]
	var there []string
	for range 60 {
		there = append(there, r.house(l.Live, "Austin"))
	}
	end := make(chan struct{})
	var writers sync.WaitGroup
	for w := range 2 {
		writers.Go(func() { r.comeAndGo(l.Live, end, w) })
	}
	for limit := 1; limit <= 12; limit++ {
		got, err := k.walk(r.Context(), l.Live, limit)
		if err != nil {
			r.Error(err)
			break
		}
		if !slices.IsSorted(got) || len(slices.Compact(slices.Clone(got))) != len(got) {
			r.Errorf("by %d: not in ascending order, each once", limit)
		}
		visited := slices.DeleteFunc(got, func(s string) bool { return !slices.Contains(there, s) })
		if !slices.Equal(visited, there) {
			r.Errorf("by %d: %d of %d that were there throughout", limit, len(visited), len(there))
		}
	}
	close(end)
	writers.Wait()
}

// comeAndGo adds records before, between and behind those that stay, and takes
// them away again, until the end. It runs beside the test.
func (r *fixture) comeAndGo(in access.Portfolio, end <-chan struct{}, who int) {
	for i := 0; ; i++ {
		select {
		case <-end:
			return
		default:
		}
		at := dbtest.Now.Add(time.Duration(i%3-1) * time.Millisecond)
		p := portfolio.Property{
			Record:        dbtest.Record(id.Property, "property", in.Mode, at),
			StreetAddress: fmt.Sprint(who, " B St"),
			City:          "Austin",
			State:         "TX",
		}
		if err := r.Portfolio.AddProperties(
			r.Context(),
			in,
			&portfolio.Book{Properties: []portfolio.Property{p}},
		); err != nil {
			r.Error(err)
			return
		}
		if i%2 == 0 {
			if err := r.Exec("DELETE FROM properties WHERE id = $1", p.ID); err != nil {
				r.Error(err)
				return
			}
		}
	}
}
