package db_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"portal/api/access"
	"portal/api/change"
	"portal/api/fault"
	"portal/db"
	"portal/db/accountstore"
	"portal/db/dbtest"
)

// homes are the live and the demo portfolios of some accounts.
func homes(t *testing.T, d *db.DB, names ...string) (live, test []access.Portfolio) {
	t.Helper()
	for _, name := range names {
		in := portfolioOf(t, d, name)
		demo, err := accountstore.New(d).AddPortfolio(t.Context(), name, access.Test)
		must(t, err)
		in.Mode, demo.Mode = access.Live, access.Test
		live, test = append(live, in), append(test, demo)
	}
	return live, test
}

// order notes which changes ran, in their order.
type order struct {
	mu  sync.Mutex
	all []string
}

func (o *order) note(name string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.all = append(o.all, name)
}

func TestPortfoliosTakeTurnsAndLiveGoesBeforeTest(t *testing.T) {
	var live, test []access.Portfolio
	holdAfter(t, func(t *testing.T, d *db.DB) { live, test = homes(t, d, "a", "b") }, func(t *testing.T, h *held) {
		var ran order
		ask := func(name string, in access.Portfolio) {
			h.all.Go(func() {
				err := h.Exclusively(t.Context(), in, func(context.Context) error { ran.note(name); return nil })
				if err != nil {
					t.Error(err)
				}
			})
			synctest.Wait()
		}
		for i := range 3 {
			ask(fmt.Sprint("test", i), test[0])
		}
		for i := range 3 {
			ask(fmt.Sprint("busy", i), live[0])
		}
		ask("quiet", live[1])
		ask("other test", test[1])
		h.all.Go(func() { // of no portfolio, such as a sign-in
			_ = h.Atomically(t.Context(), func(context.Context) error { ran.note("none"); return nil })
		})
		synctest.Wait()
		h.all.Go(func() { // the next part of an import, which comes before the last of the others
			_ = h.Atomically(
				change.WithUnhurried(t.Context()),
				func(context.Context) error { ran.note("import"); return nil },
			)
		})
		synctest.Wait()
		ask("late", test[1])
		if n := h.WritesWaiting(); n != 11 {
			t.Errorf("%d writes wait", n)
		}
		h.release()
		want := "busy0 quiet none busy1 busy2 test0 other test test1 late test2 import"
		if got := strings.Join(ran.all, " "); got != want {
			t.Errorf("they ran in the order %s, want %s", got, want)
		}
		if n := h.WritesWaiting(); n != 0 {
			t.Errorf("%d writes wait", n)
		}
	})
}

// A write of a live portfolio is answered before one of a demo portfolio begins.
func TestLiveWriteDoesNotShareItsCommitWithLaterTestWrites(t *testing.T) {
	var live, test []access.Portfolio
	holdAfter(t, func(t *testing.T, d *db.DB) { live, test = homes(t, d, "a") }, func(t *testing.T, h *held) {
		commits := int64(-1)
		h.all.Go(func() {
			_ = h.Exclusively(t.Context(), test[0], func(context.Context) error {
				commits = h.commits.Load()
				return nil
			})
		})
		synctest.Wait()
		h.all.Go(func() {
			_ = h.Exclusively(t.Context(), live[0], func(ctx context.Context) error { return h.user(ctx, "live") })
		})
		synctest.Wait()
		h.release()
		if commits != 1 {
			t.Errorf("%d commits before the write of a demo portfolio", commits)
		}
	})
}

// waits are writes that stand in the line, each of which takes a while.
func (h *held) waits(t *testing.T, in access.Portfolio, n int, takes time.Duration) {
	t.Helper()
	for range n {
		h.all.Go(func() {
			_ = h.Exclusively(t.Context(), in, func(context.Context) error {
				time.Sleep(takes) //nolint:forbidigo // in a synctest bubble: what the write takes
				return nil
			})
		})
	}
	synctest.Wait()
}

func TestWriteThatWouldWaitTooLongIsRefused(t *testing.T) {
	var live, test []access.Portfolio
	prepare := func(t *testing.T, d *db.DB) {
		live, test = homes(t, d, "a", "b")
	}
	holdAfter(t, prepare, func(t *testing.T, h *held) {
		const takes = 50 * time.Millisecond
		ask := func(ctx context.Context, in access.Portfolio) (ran *bool, answer func() error) {
			ran = new(bool)
			var err error
			h.all.Go(func() {
				err = h.Exclusively(ctx, in, func(context.Context) error { *ran = true; return nil })
			})
			synctest.Wait()
			return ran, func() error { return err }
		}
		request := func() context.Context { return change.WithRefusable(t.Context()) }
		h.Patience(2*time.Second, takes)
		h.waits(t, test[0], 60, takes)
		refused, why := ask(request(), test[0])
		if err := why(); !fault.Is(err, fault.Unavailable) || fault.From(err).Retry < 3 || *refused {
			t.Errorf("behind three seconds of others: %v, ran %v", err, *refused)
		}
		if n := h.WritesRefused(); n != 1 {
			t.Errorf("%d writes were refused", n)
		}
		// Of these nothing goes before them that takes so long.
		liveRan, liveErr := ask(request(), live[0])
		otherRan, otherErr := ask(request(), test[1])
		// And these must not be lost.
		jobRan, jobErr := ask(t.Context(), test[0])
		begun := request()
		change.Changed(begun)
		restRan, restErr := ask(begun, test[0])
		h.release()
		for name, c := range map[string]struct {
			ran *bool
			err error
		}{
			"live": {liveRan, liveErr()}, "other portfolio": {otherRan, otherErr()}, "job": {jobRan, jobErr()},
			"rest of a request": {restRan, restErr()},
		} {
			if c.err != nil || !*c.ran {
				t.Errorf("%s: %v, ran %v", name, c.err, *c.ran)
			}
		}
		// The line is empty again.
		must(t, h.Exclusively(request(), test[0], func(context.Context) error { return nil }))
	})
}

// A test portfolio's write does not wait without end behind those of live portfolios that come later.
func TestOvertakenWriteIsRefusedAndOvertakenJobGoesFirst(t *testing.T) {
	var live, test []access.Portfolio
	holdAfter(t, func(t *testing.T, d *db.DB) { live, test = homes(t, d, "a") }, func(t *testing.T, h *held) {
		h.Patience(2*time.Second, time.Millisecond)
		var ran order
		var refused error
		h.all.Go(func() {
			refused = h.Exclusively(change.WithRefusable(t.Context()), test[0], func(context.Context) error {
				ran.note("test")
				return nil
			})
		})
		synctest.Wait()
		h.all.Go(func() {
			_ = h.Exclusively(t.Context(), test[0], func(context.Context) error { ran.note("job"); return nil })
		})
		synctest.Wait()
		var stop atomic.Bool
		for range 4 {
			h.all.Go(func() { // as long as the job has not run, one after the other
				for n := 0; !stop.Load() && n < 1000; n++ {
					_ = h.Exclusively(t.Context(), live[0], func(context.Context) error {
						time.Sleep(50 * time.Millisecond) //nolint:forbidigo // what it takes, in a bubble
						ran.mu.Lock()
						defer ran.mu.Unlock()
						stop.Store(len(ran.all) > 0)
						return nil
					})
				}
			})
		}
		synctest.Wait()
		h.release()
		if !fault.Is(refused, fault.Unavailable) || !slices.Equal(ran.all, []string{"job"}) {
			t.Errorf("the write of a request: %v; there ran %v", refused, ran.all)
		}
	})
}

func TestLeftWriteDoesNotCountAsWaiting(t *testing.T) {
	hold(t, func(t *testing.T, h *held) {
		ctx, leave := context.WithCancel(t.Context())
		h.write(ctx, func(context.Context) error { return nil })
		if n := h.WritesWaiting(); n != 1 {
			t.Errorf("%d writes wait", n)
		}
		leave()
		synctest.Wait()
		if n := h.WritesWaiting(); n != 0 {
			t.Errorf("%d writes wait", n)
		}
		h.release()
	})
}

func TestChangeThatWouldWaitTooLongForItsPortfolioIsRefused(t *testing.T) {
	t.Parallel()
	d := dbtest.OnPostgres(t)
	live, _ := homes(t, d, "a", "b")
	d.Patience(2*time.Second, 100*time.Millisecond)
	gate, held := make(chan struct{}), make(chan struct{})
	var all sync.WaitGroup
	all.Go(func() {
		_ = d.Exclusively(t.Context(), live[0], func(context.Context) error { close(held); <-gate; return nil })
	})
	<-held
	for range 40 {
		all.Go(func() { _ = d.Exclusively(t.Context(), live[0], func(context.Context) error { return nil }) })
	}
	for d.WritesWaiting() < 40 {
		time.Sleep(time.Millisecond) //nolint:forbidigo // until the others stand in the line
	}
	request := change.WithRefusable(t.Context())
	err := d.Exclusively(request, live[0], func(context.Context) error { return nil })
	if !fault.Is(err, fault.Unavailable) || fault.From(err).Retry < 3 || d.WritesRefused() != 1 {
		t.Errorf("behind four seconds of others: %v, %d refused", err, d.WritesRefused())
	}
	must(t, d.Exclusively(request, live[1], func(context.Context) error { return nil }))
	close(gate)
	all.Wait()
	must(t, d.Exclusively(change.WithRefusable(t.Context()), live[0], func(context.Context) error { return nil }))
}

// What a transaction takes is known only when it ends: who has waited for it for too long is refused, and what cannot
// be refused is done.
func TestChangeThatHasWaitedTooLongForItsPortfolioIsRefused(t *testing.T) {
	t.Parallel()
	d := dbtest.OnPostgres(t)
	live, _ := homes(t, d, "a", "b")
	gate, held := make(chan struct{}), make(chan struct{})
	var all sync.WaitGroup
	all.Go(func() {
		_ = d.Exclusively(t.Context(), live[0], func(context.Context) error { close(held); <-gate; return nil })
	})
	<-held
	var ran atomic.Int64
	errs := make([]error, 4)
	for i := range errs {
		ctx := t.Context()
		if i%2 == 0 {
			ctx = change.WithRefusable(ctx)
		}
		all.Go(func() {
			errs[i] = d.Exclusively(ctx, live[0], func(context.Context) error { ran.Add(1); return nil })
		})
	}
	for d.WritesWaiting() < int64(len(errs)) {
		time.Sleep(time.Millisecond) //nolint:forbidigo // until the others stand in the line
	}
	d.Patience(time.Nanosecond, 0)
	close(gate)
	all.Wait()
	for i, err := range errs {
		if refused := fault.Is(err, fault.Unavailable); refused != (i%2 == 0) || !refused && err != nil {
			t.Errorf("change %d: %v", i, err)
		}
	}
	if ran.Load() != 2 || d.WritesRefused() != 2 {
		t.Errorf("%d changes ran, %d were refused", ran.Load(), d.WritesRefused())
	}
}
