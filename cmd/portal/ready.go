package main

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"

	"github.com/labstack/echo/v4"

	"portal/api/status"
)

// readyTime is how long a health check waits for the database.
const readyTime = 2 * time.Second

// ready reports whether requests can be served: the database answers and takes writes, its
// schema is what this binary needs, jobs are worked on, and the server does not stop.
func (s *server) ready(c echo.Context) error {
	ctx, cancel := context.WithTimeout(c.Request().Context(), readyTime)
	defer cancel()
	found, checks, code := s.check(ctx), map[string]string{}, http.StatusOK
	for _, c := range []struct {
		name, failed string
		fine         bool
	}{
		{"database", "doesn't respond", found.Database},
		{"writes", "fail; the disk may be full or read-only", found.Writes},
		{"migrations", "not up to date", found.Migrated},
		{"jobs", "not running", found.Jobs},
	} {
		checks[c.name] = "ok"
		if !c.fine {
			checks[c.name], code = c.failed, http.StatusServiceUnavailable
		}
	}
	if found.Stopping {
		checks["server"], code = "stopping", http.StatusServiceUnavailable
	}
	return c.JSON(code, checks)
}

// check finds out whether the parts of the process work.
func (s *server) check(ctx context.Context) status.Checks {
	config, began := s.product.config, time.Now()
	c := status.Checks{
		Kind:     map[bool]string{false: "SQLite", true: "PostgreSQL"}[s.product.DB.OnPostgres()],
		SendsNo:  config.smtp == nil,
		Jobs:     s.jobs.Running(),
		Stopping: s.http.Stopping(),
	}
	if err := s.product.DB.Ping(ctx); err != nil {
		s.log.Warn("not ready", "check", "database", "error", err)
	} else {
		c.Database, c.Ping = true, time.Since(began)
	}
	if err := s.writes.check(ctx); err != nil {
		s.log.Warn("not ready", "check", "writes", "error", err)
	} else {
		c.Writes = true
	}
	migrated, err := s.product.DB.Migrated(ctx)
	c.Migrated = migrated && err == nil
	return c
}

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
