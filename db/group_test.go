package db_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"portal/api/clock"
	"portal/api/developer"
	"portal/api/fault"
	"portal/db"
	"portal/db/accountstore"
	"portal/db/dbtest"
	"portal/db/servicestore"
)

// held is a SQLite store whose group waits in the middle of a write, in a bubble
// where no time passes: what is asked for until it is let go lands in one group.
type held struct {
	*db.DB
	commits *atomic.Int64
	gate    chan struct{}
	all     sync.WaitGroup
	first   error
}

func hold(t *testing.T, test func(*testing.T, *held)) {
	holdAfter(t, func(*testing.T, *db.DB) {}, test)
}

// holdAfter lets the test prepare the store before the group is held.
func holdAfter(t *testing.T, prepare func(*testing.T, *db.DB), test func(*testing.T, *held)) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := &held{DB: dbtest.SQLite(t), gate: make(chan struct{})}
		prepare(t, h.DB)
		var err error
		h.commits, err = h.Commits(t.Context())
		must(t, err)
		_, err = h.SQLite().ExecContext(t.Context(), "PRAGMA max_page_count = 5000") // 20 MB
		must(t, err)
		h.all.Go(func() {
			h.first = h.Atomically(t.Context(), func(ctx context.Context) error {
				<-h.gate
				return h.user(ctx, "first")
			})
		})
		synctest.Wait()
		test(t, h)
	})
}

// write asks for a write and waits until it stands in the queue.
func (h *held) write(ctx context.Context, do func(context.Context) error) (answer func() error) {
	var err error
	h.all.Go(func() { err = h.Atomically(ctx, do) })
	synctest.Wait()
	return func() error { return err }
}

// release lets everything go on and waits for it.
func (h *held) release() {
	close(h.gate)
	h.all.Wait()
}

func (h *held) user(ctx context.Context, name string) error { return addUser(ctx, h.DB, name) }

func addUser(ctx context.Context, d *db.DB, name string) error {
	added, err := accountstore.New(d).AddUser(ctx, developer.User{
		ID:           name,
		Email:        name,
		PasswordHash: "-",
		Role:         developer.Staff,
		CreatedAt:    clock.Time(1),
	})
	if err == nil && !added {
		err = fmt.Errorf("%s is there already", name)
	}
	return err
}

// wantUsers checks who of the names is stored.
func wantUsers(t *testing.T, d *db.DB, stored bool, names ...string) {
	t.Helper()
	for _, name := range names {
		_, found, err := accountstore.New(d).User(t.Context(), name)
		must(t, err)
		if found != stored {
			t.Errorf("%s is stored: %v", name, found)
		}
	}
}

func TestQueuedWritesAreCommittedTogether(t *testing.T) {
	hold(t, func(t *testing.T, h *held) {
		const waiting = 100
		var answers []func() error
		for i := range waiting {
			answers = append(answers, h.write(
				t.Context(),
				func(ctx context.Context) error { return h.user(ctx, fmt.Sprint("user", i)) },
			))
		}
		h.release()
		must(t, h.first)
		for i, answer := range answers {
			must(t, answer())
			wantUsers(t, h.DB, true, fmt.Sprint("user", i))
		}
		if n := h.commits.Load(); n != 1 {
			t.Errorf("%d commits of %d writes", n, waiting+1)
		}
	})
}

// What SQLite does at a full disk, and may do at other errors, is to take back
// the whole transaction, which here is that of everybody who waited.
func TestFullDiskFailsOnlyTheWriteThatFilledIt(t *testing.T) {
	hold(t, func(t *testing.T, h *held) {
		before := h.write(t.Context(), func(ctx context.Context) error { return h.user(ctx, "before") })
		filling := h.write(t.Context(), func(ctx context.Context) error {
			if err := h.user(ctx, "filling"); err != nil {
				return err
			}
			return servicestore.NewLimits(h.DB).SaveLimits(ctx, map[string][]byte{"big": make([]byte, 25<<20)}, 1)
		})
		after := h.write(t.Context(), func(ctx context.Context) error { return h.user(ctx, "after") })
		h.release()
		must(t, errors.Join(h.first, before(), after()))
		if !fault.Is(filling(), fault.Unavailable) {
			t.Errorf("who filled the disk hears %v", filling())
		}
		wantUsers(t, h.DB, true, "first", "before", "after")
		wantUsers(t, h.DB, false, "filling")
	})
}

func TestPanicDuringFullDiskReachesCallerOnce(t *testing.T) {
	hold(t, func(t *testing.T, h *held) {
		calls, caught := 0, any(nil)
		h.all.Go(func() {
			defer func() { caught = recover() }()
			_ = h.Atomically(t.Context(), func(ctx context.Context) error {
				calls++
				_ = h.user(ctx, "thrower")
				panic("thrown")
			})
		})
		synctest.Wait()
		filling := h.write(t.Context(), func(ctx context.Context) error {
			return servicestore.NewLimits(h.DB).SaveLimits(ctx, map[string][]byte{"big": make([]byte, 25<<20)}, 1)
		})
		h.release()
		must(t, h.first)
		if caught != "thrown" || calls != 1 || filling() == nil {
			t.Errorf("caught %v after %d calls, beside %v", caught, calls, filling())
		}
		wantUsers(t, h.DB, false, "thrower")
	})
}

func TestCanceledCallerLeavesQueue(t *testing.T) {
	hold(t, func(t *testing.T, h *held) {
		ctx, leave := context.WithCancel(t.Context())
		served, left := false, false
		var err error
		h.all.Go(func() {
			err = h.Atomically(ctx, func(ctx context.Context) error {
				served = true
				return h.user(ctx, "gone")
			})
			left = true
		})
		synctest.Wait()
		leave()
		synctest.Wait()
		if !left || !errors.Is(err, context.Canceled) {
			t.Errorf("left: %v, %v", left, err)
		}
		h.release()
		must(t, h.first)
		if served {
			t.Error("a caller who had left was served")
		}
		wantUsers(t, h.DB, false, "gone")
	})
}

// From its turn on a write is not interrupted: SQLite would take back what the
// others wrote.
func TestCallerCanceledDuringWriteStillCommits(t *testing.T) {
	hold(t, func(t *testing.T, h *held) {
		ctx, leave := context.WithCancel(t.Context())
		answer := h.write(ctx, func(ctx context.Context) error {
			leave()
			return h.user(ctx, "late")
		})
		h.release()
		must(t, errors.Join(h.first, answer()))
		wantUsers(t, h.DB, true, "late")
	})
}

func TestCompletedWriteIsVisibleToOtherProcesses(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	d := dbtest.SQLiteIn(t, folder)
	other := reopened(t, folder) // as another process sees it: by the file alone
	defer other.Close()
	var all sync.WaitGroup
	for w := range 8 {
		all.Go(func() {
			for i := range 10 {
				name := fmt.Sprint("user", w, "-", i)
				if err := addUser(t.Context(), d, name); err != nil {
					t.Error(err)
				}
				if _, found, err := accountstore.New(other).User(t.Context(), name); err != nil || !found {
					t.Errorf("%s returned and is not there: %v", name, err)
				}
			}
		})
	}
	all.Wait()
}
