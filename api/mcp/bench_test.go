package mcp_test

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/operation"
	"portal/api/ratelimit"
	"portal/api/strictjson"
)

// official is a server made with the official SDK that has the same tools over the same
// data: it asks for the key and the limit, decodes, calls and encodes as ours does, and
// leaves the protocol to the SDK. Nothing of it is recorded, which ours does besides.
func (r *fixture) official() http.Handler {
	s := sdk.NewServer(&sdk.Implementation{Name: "official", Version: "1"}, nil)
	for _, t := range r.endpoint.Tools() {
		sdk.AddTool(s, &sdk.Tool{
			Name:         t.Name,
			Title:        t.Title,
			Description:  t.Description,
			InputSchema:  t.InputSchema(2026),
			OutputSchema: t.OutputSchema(2026),
		}, r.handler(t))
	}
	serve := sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return s }, &sdk.StreamableHTTPOptions{
		Stateless:    true,
		JSONResponse: true,
	})
	return http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		c, err := r.developer.Authenticate(q.Context(), q.Header.Get("Authorization"))
		if err != nil || !r.limiter.Take(q.Context(), c.Key.ID, ratelimit.Limit{
			Sustained: 1_000_000,
			Burst:     1_000_000,
		}, 1).Admitted {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		serve.ServeHTTP(w, q.WithContext(access.With(q.Context(), c.Actor())))
	})
}

func (r *fixture) handler(t *operation.Tool) sdk.ToolHandlerFor[json.RawMessage, json.RawMessage] {
	return func(
		ctx context.Context, _ *sdk.CallToolRequest, in json.RawMessage,
	) (*sdk.CallToolResult, json.RawMessage, error) {
		args, err := strictjson.Parse(in)
		if err != nil {
			return nil, nil, err
		}
		decoded, err := t.Decode(&args, clock.DateOf(r.now(), time.UTC))
		if err != nil {
			return nil, nil, err
		}
		out, err := t.Call(ctx, decoded)
		if err != nil {
			return nil, nil, err
		}
		return nil, t.Render(nil, out), nil
	}
}

// answerHead is an answer of which only the beginning is kept, and whether it tells an error.
type answerHead struct {
	header http.Header
	status int
	begins []byte
	wrong  bool
}

func (s *answerHead) Header() http.Header    { return s.header }
func (s *answerHead) WriteHeader(status int) { s.status = status }
func (s *answerHead) Write(b []byte) (int, error) {
	s.begins = append(s.begins, b[:min(len(b), 200-len(s.begins))]...)
	s.wrong = s.wrong || bytes.Contains(b, []byte(`"isError":true`))
	return len(b), nil
}
func (s *answerHead) Flush() {}

// once sends a message to a handler, past the network.
func once(b *testing.B, h http.Handler, key, body string) {
	q, err := http.NewRequestWithContext(b.Context(), http.MethodPost, "/mcp", strings.NewReader(body))
	if err != nil {
		b.Fatal(err)
	}
	q.Header.Set("Authorization", "Bearer "+key)
	q.Header.Set("Content-Type", "application/json")
	q.Header.Set("Accept", "application/json, text/event-stream")
	q.Header.Set("Mcp-Protocol-Version", "2025-06-18")
	w := &answerHead{header: http.Header{}, status: 200, begins: make([]byte, 0, 200)}
	h.ServeHTTP(w, q)
	if w.status != 200 || !bytes.Contains(w.begins, []byte(`"result":`)) || w.wrong {
		b.Fatalf("%d %s", w.status, w.begins)
	}
}

// cost is what a message costs.
type cost struct {
	time  time.Duration
	bytes uint64
}

func costs(b *testing.B, n int, h http.Handler, key, body string) (c cost) {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	began := time.Now()
	for range n {
		once(b, h, key, body)
	}
	c.time = time.Since(began) / time.Duration(n)
	runtime.ReadMemStats(&after)
	c.bytes = (after.TotalAlloc - before.TotalAlloc) / uint64(n)
	return c
}

// BenchmarkBesideTheOfficialSDK compares a message here with the same message to a server
// made with the official Go SDK, in turns, one at a time.
func BenchmarkBesideTheOfficialSDK(b *testing.B) {
	r := sqliteFixture(b)
	key := r.key(access.Live)
	ours := http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) { r.endpoint.Serve(w, q, "127.0.0.1") })
	theirs := r.official()
	call := func(tool, arguments string) string {
		return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + tool + `","arguments":` +
			arguments + `}}`
	}
	for name, body := range map[string]string{
		"list_tools":            `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`,
		"get_property":          call("get_property", `{"property_id":"`+r.anyID(key, "list_properties")+`"}`),
		"list_properties":       call("list_properties", `{}`),
		"list_leases":           call("list_leases", `{"status":"active"}`),
		"get_portfolio_summary": call("get_portfolio_summary", `{}`),
	} {
		b.Run(name, func(b *testing.B) {
			var a, o cost
			const turns = 4
			for b.Loop() {
				for range turns {
					x, y := costs(b, 200, ours, key, body), costs(b, 50, theirs, key, body)
					a.time, a.bytes, o.time, o.bytes = a.time+x.time, a.bytes+x.bytes, o.time+y.time, o.bytes+y.bytes
				}
			}
			n := float64(b.N * turns)
			b.ReportMetric(float64(a.time.Microseconds())/n, "µs/call")
			b.ReportMetric(float64(o.time.Microseconds())/n, "sdk-µs/call")
			b.ReportMetric(float64(a.bytes)/n, "B/call")
			b.ReportMetric(float64(o.bytes)/n, "sdk-B/call")
			b.ReportMetric(float64(o.time)/float64(a.time), "times-as-fast")
			b.ReportMetric(float64(o.bytes)/float64(a.bytes), "times-less-memory")
			b.ReportMetric(0, "ns/op")
		})
	}
}
