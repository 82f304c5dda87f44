package dispatch_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"sync"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/sampled"
	"portal/api/webhook"
	"portal/api/webhook/dispatch"
	"portal/api/webhook/send"
	"portal/db"
	"portal/db/dbtest"
	"portal/db/webhookstore"
	"portal/jobs"
)

// node is a process of several over one database, with connections of its own.
type node struct {
	*webhook.Service
	*dispatch.Dispatcher
}

// nodes start processes that share the database of a post; each write of a request is told
// to a function, before it happens.
func (p *post) nodes(n int, writes func(b []byte)) []*node {
	p.T.Helper()
	all := make([]*node, n)
	for i := range all {
		d, err := db.OpenPostgres(p.T.Context(), p.DB.Postgres().Config().ConnString())
		must(p.T, err)
		p.T.Cleanup(func() { _ = d.Close() })
		queue, err := jobs.NewQueue(d)
		must(p.T, err)
		s := webhook.New(webhookstore.New(d), p.Box, p.clock, true)
		sender := send.NewSender(true, "test")
		sender.Wrap(func(c net.Conn) net.Conn { return &recorded{c, writes} })
		log := slog.New(slog.NewTextHandler(p.T.Output(), nil))
		all[i] = &node{
			s,
			dispatch.New(s, webhookstore.New(d), p.clock, dispatch.Config{
				Sender:  sender,
				Retries: queue,
				Shards:  2,
				Log:     log,
			}),
		}
		ctx, stop := context.WithCancel(context.WithoutCancel(p.T.Context()))
		done := make(chan struct{})
		go func() {
			defer close(done)
			all[i].Run(ctx)
		}()
		p.T.Cleanup(func() { stop(); <-done })
	}
	return all
}

// recorded is a connection that tells what is written to it, before it is.
type recorded struct {
	net.Conn
	writes func(b []byte)
}

func (r *recorded) Write(b []byte) (int, error) {
	r.writes(b)
	return r.Conn.Write(b)
}

// writeTimes is when requests began to be written, by their path.
type writeTimes struct {
	mu  sync.Mutex
	all map[string][]time.Time
}

func (w *writeTimes) note(b []byte) {
	path, is := bytes.CutPrefix(b, []byte("POST "))
	if !is {
		return
	}
	path, _, _ = bytes.Cut(path, []byte(" "))
	w.mu.Lock()
	defer w.mu.Unlock()
	w.all[string(path)] = append(w.all[string(path)], time.Now())
}

func (w *writeTimes) of(path string) []time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.all[path]
}

// TestNoNodeStartsAttemptAfterDeletionResponse deletes endpoints on one of three nodes
// while all three send to them. PORTAL_PROVE=1 tries 1,000 times.
func TestNoNodeStartsAttemptAfterDeletionResponse(t *testing.T) {
	t.Parallel()
	tries, streams := 60, 3
	if sampled.Whole {
		tries = 1000
	}
	p := idle(t, dbtest.OnPostgres(t))
	receiver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		<-time.After(3 * time.Millisecond)
	}))
	t.Cleanup(receiver.Close)
	writes := &writeTimes{all: map[string][]time.Time{}}
	nodes := p.nodes(3, writes.note)
	var all sync.WaitGroup
	answered, late := make([]time.Time, tries), 0
	for stream := range streams {
		by, _ := p.Landlord(fmt.Sprintf("stream%d", stream))
		all.Go(func() {
			for try := stream; try < tries; try += streams {
				answered[try] = p.deleteWhileSending(nodes, by, receiver.URL, try, writes)
			}
		})
	}
	all.Wait()
	until(t, "nothing is under way", func() bool { return p.Count("deliveries WHERE claimed_by IS NOT NULL") == 0 })
	cut := p.Count("deliveries WHERE status = 'cancelled'")
	for try, at := range answered {
		for _, wrote := range writes.of("/" + strconv.Itoa(try)) {
			if wrote.After(at) {
				late++
				t.Errorf("try %d: a request began %s after the answer", try, wrote.Sub(at))
			}
		}
	}
	if late > 0 || cut == 0 || p.pending() != 0 {
		t.Errorf("%d of %d tries: late requests; %d deliveries were cancelled, %d are pending",
			late, tries, cut, p.pending())
	}
}

// deleteWhileSending deletes an endpoint amid its deliveries, on one of the nodes in turn,
// and tells when that was answered.
func (p *post) deleteWhileSending(nodes []*node, by access.Actor, url string, try int, writes *writeTimes) time.Time {
	path := "/" + strconv.Itoa(try)
	e := p.Create(by, url+path)
	p.many(by, 60)
	until(p.T, "it is sent to", func() bool { return len(writes.of(path)) > 0 })
	_, err := nodes[try%len(nodes)].DisableEndpoint(p.T.Context(), by, e.ID)
	at := time.Now()
	if err != nil {
		p.T.Error(err)
	}
	return at
}
