package rest_test

import (
	"context"
	"net/http"
	"strconv"
	"sync"
	"testing"
	"time"

	"portal/api/access"
	"portal/db/dbtest"
)

// A write that would wait for seconds is refused, and nothing of it is done: not even its Idempotency-Key is taken.
func TestWriteThatWouldWaitTooLongIsRefusedAndItsKeyStaysFree(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		r.landlord("ada@example.com", unlimited())
		key := *r.key("ada@example.com", access.Test, "write").Plaintext
		in := access.Portfolio{Mode: access.Test}
		dbtest.Row(t, r.db, "SELECT id FROM portfolios WHERE mode = 'test'", nil, &in.ID)
		gate, held := make(chan struct{}), make(chan struct{})
		release := sync.OnceFunc(func() { close(gate) })
		defer release()
		var all sync.WaitGroup
		all.Go(func() {
			_ = r.db.Exclusively(t.Context(), in, func(context.Context) error { close(held); <-gate; return nil })
		})
		<-held
		r.db.Patience(2*time.Second, 100*time.Millisecond)
		const waiting = 40
		for range waiting {
			all.Go(func() { _ = r.db.Exclusively(t.Context(), in, func(context.Context) error { return nil }) })
		}
		for r.db.WritesWaiting() < waiting {
			time.Sleep(time.Millisecond) //nolint:forbidigo // until the others stand in the line
		}
		const body = `{"street_address":"12 Harbor Lane","city":"Austin","state":"TX","year_built":1998}`
		post := func(headers ...string) answer { return r.send(http.MethodPost, "/properties", key, body, headers...) }
		for _, headers := range [][]string{{"Idempotency-Key", "one"}, {}, {"Dry-Run", "true"}} {
			refused := post(headers...)
			refused.expect(t, http.StatusServiceUnavailable, "unavailable")
			if n, err := strconv.Atoi(refused.header.Get("Retry-After")); err != nil || n < 3 {
				t.Errorf("%v: Retry-After is %q", headers, refused.header.Get("Retry-After"))
			}
		}
		r.get("/properties", key).done(t) // reads go on
		release()
		all.Wait()
		made := post("Idempotency-Key", "one")
		made.done(t)
		if made.header.Get("Idempotent-Replayed") != "" {
			t.Error("the refused request has taken its key")
		}
		post("Idempotency-Key", "one").alike(t, made)
		var n int
		dbtest.Row(t, r.db, "SELECT count(*) FROM properties WHERE street_address = '12 Harbor Lane'", nil, &n)
		if n != 1 {
			t.Errorf("%d properties were made", n)
		}
	})
}

func TestAnswerWithoutDatabaseSaysWhenToComeBack(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		key := r.someone()
		must(t, r.db.Close())
		for _, method := range []string{http.MethodGet, http.MethodPost} {
			away := r.send(method, "/properties", key, "")
			if away.expect(t, http.StatusServiceUnavailable, "unavailable"); away.header.Get("Retry-After") != "5" {
				t.Errorf("%s: Retry-After is %q", method, away.header.Get("Retry-After"))
			}
		}
	})
}
