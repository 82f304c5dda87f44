package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"
)

// TestNoAttemptStartsAfterDeletionThenKill deletes an endpoint amid its deliveries,
// kills the service as soon as that is answered, and starts it again.
func TestNoAttemptStartsAfterDeletionThenKill(t *testing.T) {
	t.Parallel()
	const inFlight = 10
	var deleted atomic.Bool
	var before, after, other atomic.Int64
	receiver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		switch {
		case r.URL.Path == "/other":
			other.Add(1)
		case deleted.Load():
			after.Add(1)
		default:
			before.Add(1)
			select {
			case <-time.After(10 * time.Millisecond):
			case <-r.Context().Done():
			}
		}
	}))
	t.Cleanup(receiver.Close)
	h := newHome(t, "PORTAL_ALLOW_INSECURE_WEBHOOKS=true")
	s := h.serve(t)
	p := h.product(t)
	in, paths := endpointsAt(t, s, p, receiver.URL, []string{"/deleted"})
	raise(t, p, in, 400)
	eventually(t, "the sending has begun", func() bool { return before.Load() > 20 })
	for id := range paths {
		if r := s.ask(
			t,
			http.MethodDelete,
			"/webhooks/endpoints/"+id,
			s.vars["PORTAL_LIVE_KEY"],
		); r.StatusCode != http.StatusNoContent {
			t.Fatal(r.Status)
		}
	}
	deleted.Store(true)
	s.kill()
	s = h.serve(t)
	endpointsAt(t, s, p, receiver.URL, []string{"/other"})
	raise(t, p, in, 10)
	eventually(t, "another endpoint is sent to", func() bool { return other.Load() == 10 })
	eventually(t, "nothing is left to be sent", func() bool { return p.due(t) == 0 })
	// What was on its way when the deletion was answered may have come.
	if n := after.Load(); n > inFlight {
		t.Errorf("%d attempts came after the deletion", n)
	}
	if sent := before.Load() + after.Load(); sent >= 400 {
		t.Errorf("%d of 400 were sent: the deletion came too late to tell", sent)
	}
	s.signalAndEnd(t)
}
