package main

import (
	"context"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"
)

// ready tells whether requests can be served: the database answers, its schema is
// what this binary needs, and jobs are worked on.
func (s *server) ready(c echo.Context) error {
	ctx, cancel := context.WithTimeout(c.Request().Context(), 2*time.Second)
	defer cancel()
	checks := map[string]string{"database": "ok", "migrations": "ok", "jobs": "ok"}
	status := http.StatusOK
	fail := func(check, what string) { checks[check], status = what, http.StatusServiceUnavailable }
	if err := s.product.db.Ping(ctx); err != nil {
		s.log.Error("not ready", "error", err)
		fail("database", "does not answer")
	}
	if migrated, err := s.product.db.Migrated(ctx); err != nil || !migrated {
		fail("migrations", "not up to date")
	}
	if s.http.Stopping() {
		checks["server"], status = "stopping", http.StatusServiceUnavailable
	}
	if !s.jobs.Running() {
		fail("jobs", "not running")
	}
	return c.JSON(status, checks)
}
