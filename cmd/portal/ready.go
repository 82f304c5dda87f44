package main

import (
	"context"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"portal/api/clock"
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

// probeWrite tries a small write.
func (p *product) probeWrite(ctx context.Context) error {
	return p.DB.ProbeWrite(ctx, clock.At(time.Now()))
}
