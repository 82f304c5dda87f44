package jobs

import (
	"context"
	"testing"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/riverdriver/riversqlite"
	"github.com/riverqueue/river/rivermigrate"

	"portal/db"
	"portal/db/dbtest"
)

// River's seventh migration is the last one of binaries from before River 0.48; the eighth
// makes the table of jobs anew on SQLite.
const riverBefore = 7

// numberArgs is a job that tells its number.
type numberArgs struct {
	Number int `json:"number"`
}

func (numberArgs) Kind() string { return "test_number" }

type numberWorker struct {
	river.WorkerDefaults[numberArgs]
	worked chan int
}

func (w *numberWorker) Work(_ context.Context, job *river.Job[numberArgs]) error {
	w.worked <- job.Args.Number
	return nil
}

func migrateBefore[T any](t *testing.T, driver riverdriver.Driver[T]) {
	t.Helper()
	m, err := rivermigrate.New(driver, nil)
	if err == nil {
		_, err = m.Migrate(t.Context(), rivermigrate.DirectionUp, &rivermigrate.MigrateOpts{TargetVersion: riverBefore})
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestJobsSurviveRiverMigrationAndEnqueueDuringIt(t *testing.T) {
	dbtest.Both(t, func(t *testing.T, d *db.DB) {
		if pool := d.Postgres(); pool != nil {
			migrateBefore(t, riverpgxv5.New(pool))
		} else {
			migrateBefore(t, riversqlite.New(d.SQLite()))
		}
		before, err := NewQueue(d) // as in a process that runs while another one migrates
		if err != nil {
			t.Fatal(err)
		}
		queue := func(n int) {
			if err := d.Atomically(t.Context(), func(ctx context.Context) error {
				return before.insert(ctx, numberArgs{
					n,
				})
			}); err != nil {
				t.Fatal(err)
			}
		}
		queue(1)
		queue(2)
		if err := Migrate(t.Context(), d); err != nil {
			t.Fatal(err)
		}
		if v, err := d.RiverVersion(t.Context()); err != nil || v <= riverBefore {
			t.Fatalf("River's tables are at version %d, %v", v, err)
		}
		queue(3)
		w := &numberWorker{worked: make(chan int, 9)}
		started(t, d, &lines{}, func(c *river.Config) { river.AddWorker(c.Workers, w) })
		sum := <-w.worked + <-w.worked + <-w.worked
		if sum != 1+2+3 {
			t.Errorf("the numbers of the jobs that were worked on add up to %d", sum)
		}
	})
}
