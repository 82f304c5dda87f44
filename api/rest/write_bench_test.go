package rest_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/labstack/echo/v4"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/id"
	"portal/api/rest"
	"portal/db/servicestore"
)

// BenchmarkWrite has 16 clients write over HTTP on SQLite with synchronous=FULL, each
// write with an Idempotency-Key of its own: they change the city of a property, and open
// tickets. Beside it the same clients ask a bare Echo handler, on the same database, that
// inserts one row and answers as many bytes. Every row is durable before its answer.
func BenchmarkWrite(b *testing.B) {
	const clients, writes = 16, 1600
	r := newFixture(b, setting{})
	r.landlord("ada@example.com", unlimited())
	key := *r.key("ada@example.com", access.Test, "write").Plaintext
	property, bareURL, api := r.first("/properties", key), r.bareInsert(b), r.server.URL+rest.Base
	for _, kind := range []struct{ name, method, url, body string }{
		{"update_property", http.MethodPatch, api + "/properties/" + property, `{"city":"Town %d"}`},
		{
			"create_ticket", http.MethodPost, api + "/maintenance/tickets",
			`{"property_id":"` + property + `","description":"The kitchen tap drips all night, says %d."}`,
		},
	} {
		b.Run(kind.name, func(b *testing.B) {
			var bare, whole time.Duration
			for b.Loop() {
				bare += together(clients, writes/clients, func(n int) error {
					return write(b.Context(), http.MethodPost, bareURL, key, "bare", kind.body)
				}, b)
				whole += together(clients, writes/clients, func(n int) error {
					return write(
						b.Context(),
						kind.method,
						kind.url,
						key,
						id.New("key", time.Now()),
						fmt.Sprintf(kind.body, n),
					)
				}, b)
			}
			n := float64(b.N * writes)
			b.ReportMetric(n/bare.Seconds(), "bare/s")
			b.ReportMetric(n/whole.Seconds(), "writes/s")
			b.ReportMetric(bare.Seconds()/whole.Seconds(), "ratio")
		})
	}
}

// together lets some clients do something so many times each, and tells how long it
// took all of them.
func together(clients, times int, do func(n int) error, b *testing.B) time.Duration {
	began := time.Now()
	var all sync.WaitGroup
	for client := range clients {
		all.Go(func() {
			for n := range times {
				if err := do(client*times + n); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	all.Wait()
	return time.Since(began)
}

// first is the id of the first record of a list.
func (r *fixture) first(path, key string) string {
	r.t.Helper()
	var p struct{ Data []struct{ ID string } }
	r.get(path+"?limit=1", key).ok(r.t, &p)
	return p.Data[0].ID
}

// bareInsert serves a handler that does nothing but insert one row.
func (r *fixture) bareInsert(b *testing.B) string {
	answer := []byte(strings.Repeat("x", 1200)) // as long as a ticket
	e := echo.New()
	e.POST("/", func(c echo.Context) error {
		body, err := io.ReadAll(c.Request().Body)
		if err == nil {
			err = servicestore.NewLimits(r.db).SaveLimits(c.Request().Context(), map[string][]byte{
				id.New("key", time.Now()): body,
			}, clock.At(time.Now()))
		}
		if err != nil {
			return err
		}
		return c.Blob(http.StatusCreated, "application/json", answer)
	})
	server := httptest.NewServer(e)
	b.Cleanup(server.Close)
	return server.URL
}

// sixteen keeps a connection for each of 16 clients, which take answers as they are.
var sixteen = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 16, DisableCompression: true}}

func write(ctx context.Context, method, url, key, idempotencyKey, body string) error {
	req, err := http.NewRequestWithContext(ctx, method, url, strings.NewReader(body))
	if err != nil {
		return err
	}
	req.Header = http.Header{
		"Authorization":   {"Bearer " + key},
		"Content-Type":    {"application/json"},
		"Idempotency-Key": {idempotencyKey},
	}
	res, err := sixteen.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if _, err := io.Copy(io.Discard, res.Body); err != nil || res.StatusCode >= 300 {
		return fmt.Errorf("%s answered %s: %w", url, res.Status, err)
	}
	return nil
}
