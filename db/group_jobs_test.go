package db_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"

	"portal/api/change"
	"portal/db"
	"portal/jobs"
)

// TestOnlySucceedingGroupCommitMembersGetJobs has members of one group fail,
// panic and end a dry run after their jobs were inserted.
func TestOnlySucceedingGroupCommitMembersGetJobs(t *testing.T) {
	migrate := func(t *testing.T, d *db.DB) {
		t.Helper()
		must(t, jobs.Migrate(t.Context(), d))
	}
	holdAfter(t, migrate, func(t *testing.T, h *held) {
		queue, err := jobs.NewQueue(h.DB)
		must(t, err)
		no := errors.New("no")
		enqueue := func(name string, then func() error) func(context.Context) error {
			return func(ctx context.Context) error {
				return errors.Join(h.user(ctx, name), queue.Deliver(ctx, name), then())
			}
		}
		well := func() error { return nil }
		var succeed, fail []func() error
		for i := range 3 {
			succeed = append(succeed, h.write(t.Context(), enqueue(fmt.Sprint("good", i), well)))
			fail = append(fail, h.write(t.Context(), enqueue(fmt.Sprint("bad", i), func() error { return no })))
			h.all.Go(func() {
				defer func() { _ = recover() }()
				_ = h.Atomically(t.Context(), enqueue(fmt.Sprint("thrower", i), func() error { panic("thrown") }))
			})
			h.all.Go(func() {
				if err := change.DryRun(t.Context(), h, enqueue(fmt.Sprint("dry", i), well)); err != nil {
					t.Error(err)
				}
			})
		}
		synctest.Wait()
		h.release()
		must(t, h.first)
		for i := range 3 {
			must(t, succeed[i]())
			if !errors.Is(fail[i](), no) {
				t.Errorf("who failed hears %v", fail[i]())
			}
			wantUsers(t, h.DB, true, fmt.Sprint("good", i))
			wantUsers(t, h.DB, false, fmt.Sprint("bad", i), fmt.Sprint("thrower", i), fmt.Sprint("dry", i))
		}
		if n := h.commits.Load(); n != 1 {
			t.Errorf("%d commits", n)
		}
		var ids string
		must(
			t,
			h.SQLite().QueryRowContext(
				t.Context(),
				`SELECT group_concat(json_extract(args, '$.id'), ' ' ORDER BY id) FROM river_job`,
			).Scan(&ids),
		)
		if ids != "good0 good1 good2" {
			t.Errorf("there are the jobs %s", ids)
		}
	})
}
