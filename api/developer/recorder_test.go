package developer_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"portal/api/access"
	"portal/api/developer"
	"portal/api/secret"
)

// failingRequestLog is a request log that can fail and wait.
type failingRequestLog struct {
	mu     sync.Mutex
	lines  []string
	counts map[string]developer.RequestCount
	sealed []developer.SealedExchange
	fails  error
	waits  chan struct{} // nil where it does not
}

func (s *failingRequestLog) AddLog(ctx context.Context, b developer.LogBatch) error {
	if s.waits != nil {
		select {
		case <-s.waits:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fails != nil {
		return s.fails
	}
	for _, r := range b.Requests {
		s.lines = append(s.lines, r.ID)
	}
	s.sealed = append(s.sealed, b.Exchanges...)
	for _, c := range b.Counts {
		s.counts[c.ID] = c
	}
	return nil
}

func (s *failingRequestLog) kept() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.lines)
}

func (s *failingRequestLog) exchanges() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.sealed)
}

func (s *failingRequestLog) sealedBytes() (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, e := range s.sealed {
		n += len(e.Sealed)
	}
	return n
}

// SealedExchange is developer.ExchangeStore's.
func (s *failingRequestLog) SealedExchange(
	_ context.Context, in access.Portfolio, requestID string,
) ([]byte, bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, e := range s.sealed {
		if e.RequestID == requestID && e.PortfolioID == in.ID {
			return e.Sealed, true, nil
		}
	}
	return nil, false, nil
}

func (s *failingRequestLog) failing(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fails = err
}

// testBox seals with a key that tests know.
func testBox() *secret.Box {
	box, err := secret.NewBox(bytes.Repeat([]byte{7}, secret.KeySize))
	if err != nil {
		panic(err)
	}
	return box
}

// recorder runs one until the test ends; its time is that of the bubble.
func recorder(t *testing.T, s *failingRequestLog) (r *developer.RequestRecorder, log *bytes.Buffer, stop func()) {
	log = &bytes.Buffer{}
	r = developer.NewRecorder(s, testBox(), slog.New(slog.NewTextHandler(log, nil)))
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		r.Run(ctx)
	}()
	return r, log, func() {
		cancel()
		<-done
	}
}

func numbered(from, until int) (all []string) {
	for i := from; i < until; i++ {
		all = append(all, fmt.Sprint(i))
	}
	return all
}

func record(r *developer.RequestRecorder, ids []string) {
	for _, id := range ids {
		r.Record(developer.Request{ID: id, AccountID: "acct_1"}, nil)
	}
}

func TestRequestIsWrittenWithinHalfASecond(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &failingRequestLog{counts: map[string]developer.RequestCount{}}
		r, _, stop := recorder(t, s)
		defer stop()
		for i := range 20 {
			<-time.After(37 * time.Millisecond)
			record(r, numbered(i, i+1))
			late := time.After(500 * time.Millisecond)
			<-late
			synctest.Wait()
			if got := s.kept(); len(got) != i+1 {
				t.Fatalf("half a second after the request %d, %d are written", i, len(got))
			}
		}
	})
}

func TestStopFlushesPendingRequests(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &failingRequestLog{counts: map[string]developer.RequestCount{}}
		r, _, stop := recorder(t, s)
		record(r, numbered(0, 5000))
		stop()
		if got := s.kept(); !slices.Equal(got, numbered(0, 5000)) {
			t.Errorf("%d are written", len(got))
		}
	})
}

func TestStopWaitsForInFlightBatch(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &failingRequestLog{counts: map[string]developer.RequestCount{}, waits: make(chan struct{})}
		r, log, stop := recorder(t, s)
		record(r, numbered(0, 10))
		<-time.After(250 * time.Millisecond)
		synctest.Wait() // the log waits with the first ten
		record(r, numbered(10, 20))
		stopped := make(chan struct{})
		go func() {
			defer close(stopped)
			stop()
		}()
		synctest.Wait()
		close(s.waits)
		<-stopped
		if got := s.kept(); !slices.Equal(got, numbered(0, 20)) || log.Len() > 0 {
			t.Errorf("written are %q, and the log says %s", got, log)
		}
	})
}

func TestFailedLogWriteIsRetriedWithoutLoss(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &failingRequestLog{counts: map[string]developer.RequestCount{}, fails: errors.New("no disk")}
		r, log, stop := recorder(t, s)
		for i := range 5 {
			record(r, numbered(10*i, 10*i+10))
			<-time.After(250 * time.Millisecond)
		}
		synctest.Wait()
		if !strings.Contains(log.String(), "no disk") || len(s.kept()) != 0 {
			t.Errorf("the log says %s", log)
		}
		s.failing(nil)
		<-time.After(250 * time.Millisecond)
		stop()
		if got := s.kept(); !slices.Equal(got, numbered(0, 50)) || r.Dropped() != 0 {
			t.Errorf("written are %q, dropped %d", got, r.Dropped())
		}
	})
}

func TestFullRecorderDropsNewestAndCountsThem(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &failingRequestLog{counts: map[string]developer.RequestCount{}, fails: errors.New("no disk")}
		r, _, stop := recorder(t, s)
		record(r, numbered(0, 50_003))
		if r.Dropped() != 3 {
			t.Errorf("%d were dropped of 3", r.Dropped())
		}
		<-time.After(250 * time.Millisecond) // given back by a log that fails
		record(r, numbered(50_003, 50_005))
		if r.Dropped() != 5 {
			t.Errorf("%d were dropped of 5", r.Dropped())
		}
		s.failing(nil)
		<-time.After(250 * time.Millisecond)
		synctest.Wait()
		record(r, numbered(50_005, 50_006))
		stop()
		if got := s.kept(); !slices.Equal(got, append(numbered(0, 50_000), "50005")) || r.Dropped() != 5 {
			t.Errorf("%d are written, dropped %d", len(got), r.Dropped())
		}
	})
}

func TestRequestNeverWaitsForLog(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &failingRequestLog{counts: map[string]developer.RequestCount{}, waits: make(chan struct{})}
		r, _, stop := recorder(t, s)
		record(r, numbered(0, 10))
		<-time.After(250 * time.Millisecond)
		synctest.Wait() // the log waits with the first ten
		began := time.Now()
		record(r, numbered(10, 50_020))
		if took := time.Since(began); took > 0 || r.Dropped() != 10 {
			t.Errorf("recording took %s and dropped %d", took, r.Dropped())
		}
		close(s.waits)
		stop()
		if got := s.kept(); !slices.Equal(got, numbered(0, 50_010)) {
			t.Errorf("%d are written", len(got))
		}
	})
}

func TestBatchReturnedToFullRecorderIsCounted(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &failingRequestLog{
			counts: map[string]developer.RequestCount{},
			waits:  make(chan struct{}),
			fails:  errors.New("no disk"),
		}
		r, _, stop := recorder(t, s)
		record(r, numbered(0, 100))
		<-time.After(250 * time.Millisecond)
		synctest.Wait()
		record(r, numbered(100, 100+49_990)) // leaves room for ten of the hundred
		close(s.waits)
		synctest.Wait()
		if r.Dropped() != 90 {
			t.Errorf("%d were dropped of 90", r.Dropped())
		}
		s.failing(nil)
		stop()
		if got := s.kept(); !slices.Equal(got, append(numbered(0, 10), numbered(100, 50_090)...)) {
			t.Errorf("%d are written", len(got))
		}
	})
}

func TestRecorderIsSafeForConcurrentUse(t *testing.T) {
	t.Parallel()
	s := &failingRequestLog{counts: map[string]developer.RequestCount{}}
	r, _, stop := recorder(t, s)
	var all sync.WaitGroup
	for side := range 8 {
		all.Go(func() { record(r, numbered(1000*side, 1000*side+1000)) })
	}
	all.Wait()
	stop()
	if got, want := sorted(s.kept()), sorted(numbered(0, 8000)); !slices.Equal(got, want) {
		t.Errorf("%d are written", len(got))
	}
}
