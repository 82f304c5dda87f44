package rest_test

import (
	"bytes"
	"context"
	"net/http"
	"sync"
	"testing"

	"portal/api/access"
	"portal/api/mail"
	"portal/api/portfolio"
	"portal/api/secret"
	"portal/db/dbtest"
	"portal/db/mailstore"
	"portal/jobs"
)

// closed is a mail server that nobody dials, as no job is worked on here.
type closed struct{ t *testing.T }

func (c closed) Carry(context.Context, *mail.Message) (string, error) {
	c.t.Error("a mail has left")
	return "", nil
}

// In live mode an invitation has a job beside its mail: of fifty requests there is one.
func TestConcurrentInvitationsWithOneIdempotencyKeyEnqueueOneJob(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		must(t, jobs.Migrate(t.Context(), r.db))
		queue, err := jobs.NewQueue(r.db)
		must(t, err)
		box, err := secret.NewBox(bytes.Repeat([]byte{7}, secret.KeySize))
		must(t, err)
		r.portfolio.Use(portfolio.Parts{
			BaseURL: base,
			Post: mail.New(mail.Config{
				Store:   mailstore.New(r.db),
				Box:     box,
				Queue:   queue,
				Carrier: closed{t},
				Now:     r.clock.now,
			}),
		})
		r.landlord("ada@example.com", unlimited())
		in, _, err := r.developer.Portfolio(t.Context(), "ada@example.com", access.Live)
		must(t, err)
		must(t, r.fixture(t.Context(), in))
		key, invite := *r.key("ada@example.com", access.Live, "write").Plaintext, r.mutation(seeded{
			byte(r.fills.Load()),
			access.Live,
		}, "invite_tenant")
		before := r.dump()
		var all sync.WaitGroup
		for range 50 {
			all.Go(func() {
				if a, err := r.try(
					invite.Method,
					invite.path,
					key,
					invite.body,
					"Idempotency-Key",
					"once",
				); err != nil ||
					a.status != http.StatusCreated {
					t.Errorf("status %d: %v %.300s", a.status, err, a.body)
				}
			})
		}
		all.Wait()
		after := r.dump()
		delete(after, "river_notification") // with which it wakes workers, on SQLite
		got := dbtest.Grown(before, after)
		if got != "idempotency_keys +1, invitations +1, mails +1, river_job +1, sent_mails +1" {
			t.Errorf("grown by %s", got)
		}
	})
}
