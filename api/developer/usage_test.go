package developer_test

import (
	"fmt"
	"testing"
	"time"

	"portal/api/clock"
	"portal/api/developer"
	"portal/api/id"
	"portal/db/developerstore"
)

// asked are lines of the log of a key, each of a moment, with a status and a cost.
func asked(by developer.Member, key string, at time.Time, status, cost, times int) (all []developer.Request) {
	for range times {
		all = append(all, developer.Request{
			ID:        id.New(id.Request, at),
			At:        clock.At(at),
			AccountID: by.AccountID,
			KeyID:     key,
			Status:    status,
			Cost:      cost,
		})
	}
	return all
}

func TestUsageIsCountedPerKeyAndDay(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		by, other := r.member("ada@example.com"), r.member("bea@example.com")
		today := clock.DateOf(noon, time.UTC)
		var lines []developer.Request
		add := func(more []developer.Request) { lines = append(lines, more...) }
		add(asked(by, "key_a", noon, 200, 1, 3))
		add(asked(by, "key_a", noon, 404, 1, 1))
		add(asked(by, "key_a", noon, 429, 0, 2))
		add(asked(by, "key_a", noon.Add(time.Minute), 200, 20, 1))
		add(asked(by, "key_a", noon.Add(-24*time.Hour), 503, 1, 1))
		add(asked(by, "key_b", noon, 403, 1, 1))
		add(asked(other, "key_c", noon, 200, 1, 9))
		add(asked(developer.Member{}, "", noon, 401, 0, 9))
		must(t, developerstore.New(r.db).AddRequests(t.Context(), lines))
		// The other lines are stored already.
		must(
			t,
			developerstore.New(r.db).AddRequests(
				t.Context(),
				append(lines, asked(by, "key_a", noon.Add(time.Minute), 200, 5, 1)...),
			),
		)
		got, err := r.Usage(t.Context(), by, today-1)
		must(t, err)
		want := []developer.KeyDay{
			{"key_a", today - 1, 1, 1, 1, 0, 1},
			{"key_a", today, 29, 1, 0, 2, 25},
			{"key_b", today, 1, 1, 0, 0, 1},
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%v; want %v", got, want)
		}
		if later, err := r.Usage(t.Context(), by, today+1); err != nil || len(later) != 0 {
			t.Errorf("%v: %v", later, err)
		}
	})
}

func TestBusiestMinuteSumsAcrossWrites(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		by := r.member("ada@example.com")
		for _, w := range []struct{ minute, requests, busiest int }{
			{0, 4, 4},
			{0, 4, 8},
			{1, 3, 8},
			{0, 2, 8},
			{1, 4, 8},
			{1, 2, 9},
			{2, 1, 9},
		} {
			must(
				t,
				developerstore.New(r.db).AddRequests(
					t.Context(),
					asked(by, "key_a", noon.Add(time.Duration(w.minute)*time.Minute), 200, 1, w.requests),
				),
			)
			days, err := r.Usage(t.Context(), by, 0)
			must(t, err)
			if len(days) != 1 || days[0].Busiest != w.busiest {
				t.Errorf("after minute %d: %+v, want a busiest of %d", w.minute, days, w.busiest)
			}
		}
	})
}

func TestOldUsageIsDeleted(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		by := r.member("ada@example.com")
		for days := range 5 {
			must(
				t,
				developerstore.New(r.db).AddRequests(
					t.Context(),
					asked(by, "key_a", noon.Add(-time.Duration(days)*24*time.Hour), 200, 1, 1),
				),
			)
		}
		n, err := developerstore.New(r.db).ForgetUsage(t.Context(), clock.At(noon.Add(-24*time.Hour)), 2)
		must(t, err)
		left, err := r.Usage(t.Context(), by, 0)
		must(t, err)
		if n != 2 || len(left) != 3 || left[0].Day != clock.DateOf(noon, time.UTC)-2 {
			t.Errorf("%d are forgotten, left are %v", n, left)
		}
	})
}
