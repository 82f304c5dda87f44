package main

import (
	"context"
	"errors"
	"sync"
	"time"
)

// How old what is known of writes may be before a health check has it looked at again.
// Checks that come more often cost the disk nothing.
const (
	writableFor   = 5 * time.Second
	unwritableFor = time.Second
)

// writability knows whether a write would succeed, as of the last seconds.
type writability struct {
	probe func(context.Context) error
	now   func() time.Time

	mu      sync.Mutex
	checked time.Time
	err     error
	began   time.Time
	running chan struct{} // nil while nothing is tried
}

var errUntried = errors.New("no write was tried yet")

func newWritability(probe func(context.Context) error, now func() time.Time) *writability {
	return &writability{probe: probe, now: now, err: errUntried}
}

// check tells why a write would not succeed. While one is being tried, and waits behind
// another process that imports for example, the one before counts, as long as writes wait.
func (w *writability) check(ctx context.Context) error {
	running := w.refresh()
	if running != nil {
		select {
		case <-running:
		case <-ctx.Done():
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.running != nil && w.now().Sub(w.began) > waitTime {
		return errors.New("a write takes too long")
	}
	return w.err
}

// refresh has a write tried if the last one is too long ago, and tells when it is over.
func (w *writability) refresh() <-chan struct{} {
	w.mu.Lock()
	defer w.mu.Unlock()
	age := writableFor
	if w.err != nil {
		age = unwritableFor
	}
	if w.running == nil && w.now().Sub(w.checked) >= age {
		w.running, w.began = make(chan struct{}), w.now()
		go w.try(w.running)
	}
	return w.running
}

func (w *writability) try(over chan struct{}) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*waitTime)
	defer cancel()
	err := w.probe(ctx)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.err, w.checked, w.running = err, w.now(), nil
	close(over)
}
