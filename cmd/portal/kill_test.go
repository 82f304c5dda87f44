package main

import (
	"net/http"
	"testing"
	"time"

	"portal/api/ratelimit"
	"portal/db"
	"portal/db/servicestore"
)

// What a kill may forget (docs/operations.md; the recorder's own promise), with room
// for a machine that is busy with other tests.
const (
	limitsForgotten   = time.Second
	requestsForgotten = 500 * time.Millisecond
	busy              = 4 * time.Second
)

// disk is the data folder as a process finds it that starts now.
func (h home) disk(t *testing.T) *db.DB {
	t.Helper()
	d, err := db.OpenSQLite(t.Context(), h.data)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d
}

// throttled reports whether the saved state of a key refuses a request.
func throttled(t *testing.T, d *db.DB, key string, l ratelimit.Limit) bool {
	t.Helper()
	m := ratelimit.NewMemory(time.Now)
	if err := servicestore.NewLimits(d).Limits(t.Context(), m.Restore); err != nil {
		t.Fatal(err)
	}
	return !m.Take(t.Context(), key, l, 1).Admitted
}

// logged reports whether the log has a line of a request.
func logged(t *testing.T, d *db.DB, request string) bool {
	t.Helper()
	var n int
	err := d.SQLite().QueryRowContext(t.Context(), "SELECT count(*) FROM requests WHERE id = $1", request).Scan(&n)
	if err != nil {
		t.Fatal(err)
	}
	return n == 1
}

// within waits for what must happen in a time, and says how long it took.
func within(t *testing.T, limit time.Duration, what string, yes func() bool) {
	t.Helper()
	began := time.Now()
	eventually(t, what, yes)
	took := time.Since(began)
	t.Logf("%s: after %s", what, took)
	if took > limit+busy {
		t.Errorf("%s only after %s", what, took)
	}
}

func TestKillLosesAtMostOneSecondOfRateLimits(t *testing.T) {
	t.Parallel()
	limit := ratelimit.Limit{Sustained: 1, Burst: 20}
	s := newHome(t).serve(t)
	s.do(t, "plan", "set", demoLandlord, "starter", "--sustained", "1", "--burst", "20")
	key := s.newKey(t)
	for range limit.Burst {
		if r := s.me(t, *key.Plaintext); r.StatusCode != http.StatusOK {
			t.Fatal(r.Status)
		}
	}
	d := s.disk(t)
	within(t, limitsForgotten, "the limits are saved", func() bool { return throttled(t, d, key.ID, limit) })
	s.kill()
	again := s.home.serve(t)
	if r := again.me(t, *key.Plaintext); r.StatusCode != http.StatusTooManyRequests {
		t.Errorf("after the restart: %s", r.Status)
	}
}

func TestKillLosesAtMostHalfASecondOfRequestLog(t *testing.T) {
	t.Parallel()
	s := newHome(t).serve(t)
	d := s.disk(t)
	request := s.me(t, s.vars["PORTAL_TEST_KEY"]).Header.Get("X-Request-Id")
	within(t, requestsForgotten, "the request is logged", func() bool { return logged(t, d, request) })
	s.kill()
	s.home.serve(t)
	if !logged(t, d, request) {
		t.Error("the logged request is gone after the restart")
	}
}

func TestShutdownLosesNothing(t *testing.T) {
	t.Parallel()
	limit := ratelimit.Limit{Sustained: 600, Burst: 1200}
	s := newHome(t).serve(t)
	key := s.newKey(t)
	last := s.me(t, *key.Plaintext).Header.Get("X-Request-Id")
	s.signalAndEnd(t)
	d := s.disk(t)
	m := ratelimit.NewMemory(time.Now)
	if err := servicestore.NewLimits(d).Limits(t.Context(), m.Restore); err != nil {
		t.Fatal(err)
	}
	if left := m.Peek(t.Context(), key.ID, limit).Remaining; left != 599 {
		t.Errorf("%d are left of 600 after one request", left)
	}
	if !logged(t, d, last) {
		t.Error("the last request is not logged")
	}
}
