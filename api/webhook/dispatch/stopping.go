package dispatch

import (
	"context"
	"crypto/rand"
	"errors"
	"strings"
	"sync"
	"time"

	"portal/api/webhook"
)

// StopStarts returns once no attempt at endpoints can start in any process. It stops the
// attempts of this process itself. Others that have claims are told, and answer when they
// have stopped theirs. From one that does not answer, nothing starts once the permits have
// run out that it had when the endpoint was locked: clocks are not compared, both sides
// measure a span.
func (d *Dispatcher) StopStarts(ctx context.Context, endpoints ...webhook.EndpointRef) error {
	over, cancel := context.WithTimeout(ctx, webhook.StartTime+webhook.StopMargin)
	defer cancel()
	var answers []<-chan struct{}
	for _, p := range endpoints {
		claimants, err := d.store.Claimants(ctx, p)
		if err != nil {
			return err
		}
		answers = append(answers, d.ask(over, p.Endpoint, claimants))
	}
	for _, p := range endpoints {
		d.stopHere(over, p.Endpoint)
	}
	for _, answered := range answers {
		select {
		case <-answered:
		case <-over.Done():
		}
	}
	return ctx.Err()
}

// stopHere keeps attempts of this process at an endpoint from starting, and waits for those
// whose first bytes are just being written.
func (d *Dispatcher) stopHere(ctx context.Context, endpoint string) {
	begun := d.of(endpoint).bar(endpoint)
	soon := time.NewTimer(webhook.StopMargin)
	defer soon.Stop()
	for _, t := range begun {
		select {
		case <-t.begun:
			continue
		case <-soon.C: // of HTTP/2, behind others that the receiver does not take
		case <-ctx.Done():
		}
		for _, t := range begun {
			t.cancel()
		}
		return
	}
}

// starting is an attempt whose first bytes are being written.
type starting struct {
	*try
	begun <-chan struct{}
}

// bar keeps attempts at an endpoint from starting that had been claimed before. It returns
// those that are just starting.
func (d *shard) bar(endpoint string) (now []starting) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.barred[endpoint] = struct{}{}
	for t := range d.running[endpoint] {
		if begun := t.start.stop(); begun != nil {
			now = append(now, starting{t, begun})
		}
	}
	return now
}

// What processes tell each other: a kind, a token, who tells it, and for a stop the endpoint.
const (
	stopStarting = "stop"
	hasStopped   = "stopped"
)

// pendingStops are the questions of this process that others have not all answered.
type pendingStops struct {
	mu  sync.Mutex
	all map[string]*stopRequest
}

type stopRequest struct {
	missing  map[string]struct{} // processes
	answered chan struct{}
}

// ask has the other ones among some processes stop their attempts at an endpoint, and
// closes the channel once all of them have. It gives up with the context: then the change is
// rolled back, or the permits of the others have run out, so nothing is lost with a request to stop
// that did not get through.
func (d *Dispatcher) ask(ctx context.Context, endpoint string, processes []string) <-chan struct{} {
	q := &stopRequest{map[string]struct{}{}, make(chan struct{})}
	for _, p := range processes {
		if p != d.node {
			q.missing[p] = struct{}{}
		}
	}
	if len(q.missing) == 0 {
		close(q.answered)
		return q.answered
	}
	token := rand.Text()
	d.asked.put(token, q)
	context.AfterFunc(ctx, func() { d.asked.drop(token) })
	go func() {
		if err := d.store.Tell(ctx, strings.Join([]string{
			stopStarting, token, d.node, endpoint,
		}, " ")); err != nil && !cancelled(ctx) {
			d.Log.Warn("webhooks: other processes cannot be told that an endpoint is disabled",
				"endpoint", endpoint, "error", err)
		}
	}()
	return q.answered
}

// cancelled reports whether a context was ended by its caller or by a stop, and not by the
// time that it had.
func cancelled(ctx context.Context) bool { return errors.Is(ctx.Err(), context.Canceled) }

func (a *pendingStops) put(token string, q *stopRequest) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.all == nil {
		a.all = map[string]*stopRequest{}
	}
	a.all[token] = q
}

func (a *pendingStops) drop(token string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.all, token)
}

// answer notes that a process has stopped.
func (a *pendingStops) answer(token, node string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	q := a.all[token]
	if q == nil {
		return
	}
	delete(q.missing, node)
	if len(q.missing) == 0 {
		close(q.answered)
		delete(a.all, token)
	}
}

// onMessage is called with what processes tell.
func (d *Dispatcher) onMessage(ctx context.Context, message string) {
	words := strings.Split(message, " ")
	switch {
	case len(words) == 4 && words[0] == stopStarting && words[2] != d.node:
		go d.stopFor(ctx, words[1], words[3])
	case len(words) == 3 && words[0] == hasStopped:
		d.asked.answer(words[1], words[2])
	}
}

// stopFor stops this process's attempts at an endpoint for another process, and answers it.
func (d *Dispatcher) stopFor(ctx context.Context, token, endpoint string) {
	ctx, cancel := context.WithTimeout(ctx, webhook.StartTime)
	defer cancel()
	d.stopHere(ctx, endpoint)
	if err := d.store.Tell(ctx, strings.Join([]string{hasStopped, token, d.node}, " ")); err != nil && !cancelled(ctx) {
		d.Log.Warn("webhooks: another process waits to hear that attempts have stopped", "endpoint", endpoint,
			"error", err)
	}
}
