package mcp_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/labstack/echo/v4"

	"portal/api/access"
	"portal/api/agreement"
	"portal/api/audit"
	"portal/api/clock"
	"portal/api/developer"
	"portal/api/idempotency"
	"portal/api/mcp"
	"portal/api/middleware"
	"portal/api/portfolio"
	"portal/api/portfolio/demo"
	"portal/api/portfolio/imports"
	"portal/api/portfolio/ledger/report"
	"portal/api/portfolio/records"
	"portal/api/portfolio/upload"
	"portal/api/ratelimit"
	"portal/api/secret"
	"portal/db"
	"portal/db/dbtest"
	"portal/db/developerstore"
	"portal/db/portfoliostore"
	"portal/db/reportstore"
	"portal/db/servicestore"
)

// base is the public address of the service.
const base = "https://portal.example.com"

// noon is where a test's clock stands until the test moves it.
var noon = time.Date(2026, 11, 2, 17, 0, 0, 0, time.UTC)

// logBuffer is a log that a test reads while others write.
type logBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (j *logBuffer) Write(b []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.buf.Write(b)
}

func (j *logBuffer) String() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.buf.String()
}

// fixture is the endpoint on loopback over a real database, with a landlord whose demo and
// live portfolios hold the same records, and a clock that the test holds.
type fixture struct {
	t         testing.TB
	db        *db.DB
	developer *developer.Service
	portfolio *records.Service
	imports   *imports.Service
	limiter   *ratelimit.Memory
	clock     atomic.Int64 // nanoseconds since 1970
	log       logBuffer
	endpoint  *mcp.Endpoint
	server    *httptest.Server
}

const ada = "ada@example.com"

// alone runs a promise of the endpoint over SQLite.
func alone(t *testing.T, promise func(t *testing.T, r *fixture)) {
	t.Parallel()
	promise(t, sqliteFixture(t))
}

// both runs a promise of the endpoint over each database.
func both(t *testing.T, promise func(t *testing.T, r *fixture)) {
	seed.Both(t, func(t *testing.T, d *db.DB) { promise(t, fixtureOver(t, d)) })
}

func sqliteFixture(t testing.TB) *fixture { return fixtureOver(t, seed.SQLite(t)) }

// seed is a landlord whose demo and live portfolios hold the records of a demo.
var seed = dbtest.Seed{Make: func(t testing.TB, d *db.DB) {
	r := unserved(t, d)
	r.landlord(ada)
	must(t, r.fill(t.Context(), r.caller(r.key(access.Live)).Portfolio, time.UTC))
}}

func TestMain(m *testing.M) { os.Exit(seed.Main(m)) }

func fixtureOver(t testing.TB, d *db.DB) *fixture {
	t.Helper()
	r := unserved(t, d)
	r.serve()
	return r
}

// unserved is the fixture without its endpoint.
func unserved(t testing.TB, d *db.DB) *fixture {
	r := &fixture{t: t, db: d}
	r.clock.Store(noon.UnixNano())
	r.developer = developer.New(developerstore.New(d), r.now, r.fill)
	r.developer.PasswordCost = secret.Cost{Memory: 64, Passes: 1, Lanes: 1}
	r.portfolio = records.New(portfoliostore.New(d), r.now).Use(portfolio.Parts{BaseURL: base})
	r.limiter = ratelimit.NewMemory(r.now)
	return r
}

func (r *fixture) now() time.Time { return time.Unix(0, r.clock.Load()).UTC() }

func (r *fixture) fill(ctx context.Context, in access.Portfolio, zone *time.Location) error {
	book := demo.Book(noon, zone)
	return portfoliostore.New(r.db).Add(ctx, in, &book)
}

// serve does as cmd/portal does.
func (r *fixture) serve() {
	log := slog.New(slog.NewJSONHandler(&r.log, nil))
	box, err := secret.NewBox(bytes.Repeat([]byte{7}, secret.KeySize))
	must(r.t, err)
	recorder := developer.NewRecorder(developerstore.New(r.db), box, log)
	activity := developer.NewActivity(developerstore.New(r.db), log)
	r.portfolio.Documents = agreement.New(r.portfolio, portfoliostore.New(r.db), box)
	r.imports = &imports.Service{Uploads: &upload.Service{
		Store: portfoliostore.New(r.db),
		Box:   box,
		Clock: clock.ForAll(r.now),
		Trail: audit.Log{Store: servicestore.NewTrail(r.db), Now: r.now},
	}}
	r.endpoint = mcp.New(mcp.Config{
		Middleware: middleware.New(middleware.Config{
			BaseURL:   base,
			Developer: r.developer,
			Limiter:   r.limiter,
			Recorder:  recorder,
			Now:       r.now,
			Log:       log,
			Observe:   func(string, int, time.Duration) {},
		}),
		Store:       r.db,
		Portfolio:   r.portfolio,
		Imports:     r.imports,
		Reports:     report.New(r.portfolio, reportstore.New(r.db)),
		Idempotency: idempotency.New(servicestore.NewAnswers(r.db), box, r.now),
		Activity:    activity,
		Version:     "test",
	})
	e := echo.New()
	e.IPExtractor = echo.ExtractIPDirect()
	r.endpoint.Mount(e)
	r.server = httptest.NewServer(e)
	r.background(recorder.Run, activity.Run)
}

// background runs until the server has stopped, and then until everything is written.
func (r *fixture) background(all ...func(context.Context)) {
	running, cancel := context.WithCancel(context.Background())
	var done sync.WaitGroup
	for _, run := range all {
		done.Go(func() { run(running) })
	}
	r.t.Cleanup(func() {
		r.server.Close()
		cancel()
		done.Wait()
	})
}

// landlord makes an account with approved access that no limit stops.
func (r *fixture) landlord(email string) {
	r.t.Helper()
	ctx := context.Background()
	_, err := r.developer.AddUser(ctx, email, "Harbor Lane Rentals", "correct horse battery", developer.Landlord)
	must(r.t, err)
	r.plan(email, 1_000_000, 1_000_000)
	_, err = r.developer.Reviews.Approve(ctx, email, nil)
	must(r.t, err)
}

func (r *fixture) plan(email string, sustained, burst int) {
	r.t.Helper()
	must(r.t, r.developer.SetPlan(context.Background(), email, developer.Plan{
		Tier:      developer.Prime,
		Sustained: &sustained,
		Burst:     &burst,
	}))
}

// key makes a key of ada's; it is read-only if no scope is named.
func (r *fixture) key(mode access.Mode, scopes ...string) string {
	r.t.Helper()
	return r.keyOf(ada, mode, scopes...)
}

func (r *fixture) keyOf(email string, mode access.Mode, scopes ...string) string {
	r.t.Helper()
	k, err := r.developer.CreateKey(context.Background(), email, developer.KeyCreate{
		Name:   "Assistant",
		Mode:   mode,
		Scopes: scopes,
	})
	must(r.t, err)
	return *k.Plaintext
}

func (r *fixture) caller(key string) *developer.Caller {
	r.t.Helper()
	c, err := r.developer.Authenticate(context.Background(), "Bearer "+key)
	must(r.t, err)
	return c
}

// answer is an answer of the endpoint.
type answer struct {
	status int
	header http.Header
	body   string
}

// post sends a body with headers, two and two their names and values.
func (r *fixture) post(key, body string, headers ...string) answer {
	r.t.Helper()
	return r.send(http.MethodPost, key, body, headers...)
}

// send sends a request. A header that is named twice is sent twice, one without a value
// not at all.
func (r *fixture) send(method, key, body string, headers ...string) answer {
	r.t.Helper()
	req, err := http.NewRequest(method, r.server.URL+mcp.Path, strings.NewReader(body))
	must(r.t, err)
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	if key != "" {
		req.Header.Set("Authorization", "Bearer "+key)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		if headers[i+1] == "" {
			req.Header.Del(headers[i])
			continue
		}
		if headers[i] == "Content-Type" || headers[i] == "Authorization" {
			req.Header.Del(headers[i])
		}
		req.Header.Add(headers[i], headers[i+1])
	}
	res, err := r.server.Client().Do(req)
	must(r.t, err)
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	must(r.t, err)
	return answer{res.StatusCode, res.Header, string(text)}
}

// besides are what any call may touch: the logs, the state of the limits, and the time at
// which a key was last used.
var besides = map[string]string{
	"requests":          "*",
	"request_exchanges": "*",
	"request_counts":    "*",
	"demo_growth":       "*", // of which the logs are a part
	"demo_usage":        "*",
	"key_days":          "*",
	"request_hours":     "*",
	"tool_calls":        "*",
	"assistant_clients": "*",
	"rate_limits":       "*",
	"api_keys":          "last_used_at",
	"portfolios":        "revision",
}

// dump is every row of every table, but for what any call may touch.
func (r *fixture) dump() map[string][]string {
	r.t.Helper()
	return dbtest.Dump(r.t, r.db, besides)
}

// outcome is the result of a call of a tool.
type outcome struct {
	Content []struct{ Type, Text string }
	Data    json.RawMessage `json:"structuredContent"`
	IsError bool            `json:"isError"`
	Meta    struct {
		Type, Code string
		Param      *string
		RequestID  string `json:"request_id"`
		Replayed   bool   `json:"idempotent_replayed"`
	} `json:"_meta"`
}

// call calls a tool with arguments as JSON.
func (r *fixture) call(key, tool, arguments string) outcome {
	r.t.Helper()
	a := r.post(
		key,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"`+tool+`","arguments":`+arguments+`}}`,
	)
	var response struct {
		Result *outcome
		Error  json.RawMessage
	}
	must(r.t, json.Unmarshal([]byte(a.body), &response))
	if a.status != http.StatusOK || response.Result == nil {
		r.t.Fatalf("%s: %d %s", tool, a.status, a.body)
	}
	return *response.Result
}

// ok is call for what must succeed; it reads the structured answer.
func ok[T any](r *fixture, key, tool, arguments string) T {
	r.t.Helper()
	o := r.call(key, tool, arguments)
	var v T
	if o.IsError {
		r.t.Fatalf("%s %s: %s", tool, arguments, o.Content[0].Text)
	}
	must(r.t, json.Unmarshal(o.Data, &v))
	return v
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
