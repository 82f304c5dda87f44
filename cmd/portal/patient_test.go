package main

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/labstack/echo/v4"
)

func TestOnlyWritesHaveABoundedWait(t *testing.T) {
	t.Parallel()
	if waitTime <= 30*time.Second || waitTime >= writeTime {
		t.Errorf("a write waits for %s: longer than for another one, and not until the server hangs up", waitTime)
	}
	e := echo.New()
	e.Any("/", func(c echo.Context) error {
		ctx := c.Request().Context()
		if _, bounded := ctx.Deadline(); !bounded {
			return c.NoContent(http.StatusOK)
		}
		<-ctx.Done()
		return c.NoContent(http.StatusServiceUnavailable)
	})
	for method, want := range map[string]int{"GET": 200, "HEAD": 200, "POST": 503, "PATCH": 503, "DELETE": 503} {
		rec := httptest.NewRecorder()
		patient(10*time.Millisecond, e).ServeHTTP(rec, httptest.NewRequest(method, "/", http.NoBody))
		if rec.Code != want {
			t.Errorf("%s: status %d, want %d", method, rec.Code, want)
		}
	}
}
