package main

import (
	"context"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"portal/api/clock"
)

// readyTime is how long a health check waits for the database.
const readyTime = 2 * time.Second

// ready reports whether requests can be served: the database answers and takes writes, its
// schema is what this binary needs, jobs are worked on, and the server does not stop.
func (s *server) ready(c echo.Context) error {
	ctx, cancel := context.WithTimeout(c.Request().Context(), readyTime)
	defer cancel()
	checks := map[string]string{"database": "ok", "writes": "ok", "migrations": "ok", "jobs": "ok"}
	status := http.StatusOK
	fail := func(check, what string) { checks[check], status = what, http.StatusServiceUnavailable }
	if err := s.product.DB.Ping(ctx); err != nil {
		s.log.Warn("not ready", "check", "database", "error", err)
		fail("database", "does not answer")
	}
	if err := s.writes.check(ctx); err != nil {
		s.log.Warn("not ready", "check", "writes", "error", err)
		fail("writes", "do not succeed; the disk may be full or read-only")
	}
	if migrated, err := s.product.DB.Migrated(ctx); err != nil || !migrated {
		fail("migrations", "not up to date")
	}
	if !s.jobs.Running() {
		fail("jobs", "not running")
	}
	if s.http.Stopping() {
		fail("server", "stopping")
	}
	return c.JSON(status, checks)
}

// probeWrite tries a small write.
func (p *product) probeWrite(ctx context.Context) error {
	return p.DB.ProbeWrite(ctx, clock.At(time.Now()))
}
