package jobs

import (
	"context"
	"testing"

	"portal/api/audit"
	"portal/api/fault"
	"portal/api/job"
	"portal/db"
	"portal/db/servicestore"
)

func TestStaffCanListAndRetryJobs(t *testing.T) {
	eachDatabase(t, func(t *testing.T, d *db.DB) {
		q, err := NewQueue(d)
		must(t, err)
		for _, id := range []string{"mail_1", "mail_2", "mail_3"} {
			must(t, d.Atomically(t.Context(), func(ctx context.Context) error { return q.Deliver(ctx, id) }))
		}
		b := Board{Queue: q, Audit: audit.Log{Store: servicestore.NewTrail(d), Now: atNoon}}
		all, err := b.Jobs(t.Context(), job.Filter{Limit: 2})
		must(t, err)
		if len(all) != 2 || all[0].ID <= all[1].ID || all[0].Kind != "mail" || all[0].Queue != "mail" ||
			all[0].State != job.Available {
			t.Fatalf("%+v", all)
		}
		oldest, err := b.Jobs(t.Context(), job.Filter{OldestFirst: true, Limit: 1})
		must(t, err)
		if len(oldest) != 1 || oldest[0].ID >= all[1].ID {
			t.Fatalf("the oldest is %+v", oldest)
		}
		behind, err := b.Jobs(t.Context(), job.Filter{OldestFirst: true, Before: oldest[0].ID, Limit: 3})
		must(t, err)
		if len(behind) != 2 || behind[0].ID != all[1].ID || behind[1].ID != all[0].ID {
			t.Fatalf("behind the oldest are %+v", behind)
		}
		rest, err := b.Jobs(t.Context(), job.Filter{
			Limit:  2,
			Before: all[1].ID,
			State:  job.Available,
			Kind:   "mail",
		})
		must(t, err)
		if len(rest) != 1 || rest[0].Args != `{"id":"mail_1"}` && rest[0].Args != `{"id": "mail_1"}` {
			t.Fatalf("%+v", rest)
		}
		fail(t, d, rest[0].ID)
		counts, err := b.Counts(t.Context())
		must(t, err)
		if counts[job.Available] != 2 || counts[job.Discarded] != 1 {
			t.Errorf("%v", counts)
		}
		must(t, b.Retry(audit.With(t.Context(), audit.By{RequestID: "req_1"}), rest[0].ID))
		got, err := b.Job(t.Context(), rest[0].ID)
		must(t, err)
		if got.State != job.Available || len(got.Errors) != 1 || got.Errors[0].Error != "no route" {
			t.Errorf("%+v", got)
		}
		trail, err := b.Audit.Entries(t.Context(), audit.Query{Action: "job.retried"})
		must(t, err)
		if len(trail.Data) != 1 || trail.Data[0].RequestID != "req_1" {
			t.Errorf("%+v", trail)
		}
		if _, err := b.Job(t.Context(), 4711); !fault.Is(err, fault.NoRecord) {
			t.Errorf("no job: %v", err)
		}
		if err := b.Retry(t.Context(), 4711); !fault.Is(err, fault.NoRecord) {
			t.Errorf("no job tried again: %v", err)
		}
	})
}

// fail makes a job one that has failed for the last time.
func fail(t *testing.T, d *db.DB, id int64) {
	t.Helper()
	var err error
	const failure = `{"at": "2026-11-12T12:00:00Z", "attempt": 1, "error": "no route", "trace": ""}`
	if pool := d.Postgres(); pool != nil {
		_, err = pool.Exec(
			t.Context(),
			"UPDATE river_job SET state = 'discarded', finalized_at = now(), attempt = 100, errors = ARRAY[CAST($2 "+
				"AS jsonb)] WHERE id = $1",
			id,
			failure,
		)
	} else {
		_, err = d.SQLite().ExecContext(
			t.Context(),
			"UPDATE river_job SET state = 'discarded', finalized_at = datetime('now', 'subsec'), attempt = 100, "+
				"errors = jsonb($2) WHERE id = $1",
			id,
			"["+failure+"]",
		)
	}
	must(t, err)
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
