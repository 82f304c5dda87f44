package main

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

func TestServerIsNotReadyWhenWritesFail(t *testing.T) {
	eachDatabase(t, func(t *testing.T, s *httpServer) {
		s.isReady(t, http.StatusOK)
		if s.product.DB.SQLite() == nil {
			s.change(
				t,
				`CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no space `+
					`left' USING ERRCODE = '53100'; END $$`,
			)
			s.change(
				t,
				"CREATE TRIGGER full_disk BEFORE INSERT OR UPDATE ON write_probe FOR EACH ROW EXECUTE FUNCTION "+
					"full_disk()",
			)
		} else {
			s.change(
				t,
				"CREATE TRIGGER full_disk BEFORE UPDATE ON write_probe BEGIN SELECT RAISE(FAIL, 'no space left'); END",
			)
		}
		s.isReady(t, http.StatusServiceUnavailable)
		drop := "DROP TRIGGER full_disk"
		if s.product.DB.SQLite() == nil {
			drop += " ON write_probe"
		}
		s.change(t, drop)
		s.isReady(t, http.StatusOK)
		s.noErrors(t)
	})
}

// isReady waits until /readyz answers with a status, as it does within seconds.
func (s *httpServer) isReady(t *testing.T, status int) {
	t.Helper()
	eventually(t, "/readyz answers "+http.StatusText(status), func() bool {
		a := s.send(t, http.MethodGet, "/readyz", "", http.Header{})
		return a.StatusCode == status && strings.Contains(a.body, `"writes":"ok"`) == (status == http.StatusOK)
	})
}

func TestFrequentHealthChecksWriteOccasionally(t *testing.T) {
	t.Parallel()
	now, writes := time.Unix(1_000_000, 0), atomic.Int64{}
	var failure error
	w := newWritability(func(context.Context) error { writes.Add(1); return failure }, func() time.Time { return now })
	check := func(after time.Duration, tries int64, fails bool) {
		t.Helper()
		now = now.Add(after)
		for range 100 {
			if err := w.check(t.Context()); (err != nil) != fails {
				t.Errorf("the check says %v", err)
			}
		}
		if n := writes.Load(); n != tries {
			t.Errorf("%d writes, want %d", n, tries)
		}
	}
	check(0, 1, false)
	check(writableFor-1, 1, false)
	failure = errors.New("the disk is full")
	check(1, 2, true)
	failure = nil
	check(unwritableFor-1, 2, true)
	check(1, 3, false)
}

func TestBusyWriterStaysReadyWithinRequestWaitTime(t *testing.T) {
	t.Parallel()
	now, free := time.Unix(1_000_000, 0), make(chan struct{}, 1)
	w := newWritability(func(context.Context) error { <-free; return nil }, func() time.Time { return now })
	over, cancel := context.WithCancel(t.Context())
	cancel()
	if err := w.check(over); !errors.Is(err, errUntried) {
		t.Errorf("before the first write: %v", err)
	}
	free <- struct{}{}
	orFail(t, w.check(t.Context()))
	now = now.Add(writableFor)
	if err := w.check(over); err != nil {
		t.Errorf("while a write waits: %v", err)
	}
	now = now.Add(waitTime + 1)
	if err := w.check(over); err == nil {
		t.Error("a write that never ends is ready")
	}
	free <- struct{}{}
}
