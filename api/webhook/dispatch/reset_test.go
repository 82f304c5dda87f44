package dispatch_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"portal/api/webhook"
)

// resetting is a receiver that answers the first request of each connection, and reads and
// resets each later one. It counts the requests that arrive, by delivery.
type resetting struct {
	*httptest.Server
	mu      sync.Mutex
	used    map[net.Conn]bool
	arrived map[string]int
}

func newResetting(t testing.TB) *resetting {
	r := &resetting{used: map[net.Conn]bool{}, arrived: map[string]int{}}
	r.Server = httptest.NewUnstartedServer(r)
	r.Config.ConnContext = func(ctx context.Context, c net.Conn) context.Context {
		return context.WithValue(ctx, connectionKey{}, c)
	}
	r.Start()
	t.Cleanup(r.Close)
	return r
}

func (r *resetting) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	_, _ = io.Copy(io.Discard, q.Body)
	r.mu.Lock()
	r.arrived[q.Header.Get("X-Service-Delivery")]++
	again := r.used[connectionOf(q)]
	r.used[connectionOf(q)] = true
	r.mu.Unlock()
	if !again {
		return
	}
	c, _, err := http.NewResponseController(w).Hijack()
	if err == nil {
		_ = c.(*net.TCPConn).SetLinger(0) // a close resets
		_ = c.Close()
	}
}

type connectionKey struct{}

func connectionOf(q *http.Request) net.Conn {
	c, _ := q.Context().Value(connectionKey{}).(net.Conn)
	return c
}

func TestEveryRequestOnResetConnectionIsRecorded(t *testing.T) {
	sendingOverBoth(t, func(t *testing.T, p *post) {
		r := newResetting(t)
		e := p.Create(p.Live, r.URL)
		for range 30 {
			p.raise(p.Live)
			until(t, "it is acknowledged", func() bool { return p.pending() == 0 })
		}
		p.many(p.Live, 100)
		until(t, "all are acknowledged", func() bool { return p.pending() == 0 })
		deliveries, err := p.Deliveries(t.Context(), p.Live, webhook.DeliveryFilter{EndpointID: e.ID, Limit: 1000})
		must(t, err)
		repeated := 0
		for i := range deliveries {
			d, err := p.Delivery(t.Context(), p.Live, deliveries[i].ID)
			must(t, err)
			if n := r.arrived[d.ID]; n != len(d.Attempts) || d.AttemptCount != n || d.Status != webhook.Succeeded {
				t.Errorf("%s is %s: %d requests arrived, %d attempts are recorded of %d", d.ID, d.Status, n,
					len(d.Attempts), d.AttemptCount)
			}
			if len(d.Attempts) > 1 {
				repeated++
			}
		}
		if len(deliveries) != 130 || repeated == 0 {
			t.Errorf("%d deliveries, %d were repeated", len(deliveries), repeated)
		}
	})
}
