package rest_test

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/labstack/echo/v4"

	"portal/api/access"
	"portal/api/agreement"
	"portal/api/agreement/ceremony"
	"portal/api/agreement/document/documenttest"
	"portal/api/audit"
	"portal/api/clock"
	"portal/api/developer"
	"portal/api/idempotency"
	"portal/api/mail"
	"portal/api/middleware"
	"portal/api/payment/simulated"
	"portal/api/portfolio"
	"portal/api/portfolio/imports"
	"portal/api/portfolio/lease/application"
	"portal/api/portfolio/records"
	"portal/api/portfolio/simulate"
	"portal/api/portfolio/upload"
	"portal/api/ratelimit"
	"portal/api/rest"
	"portal/api/secret"
	"portal/api/tenantportal"
	"portal/api/triage"
	"portal/api/webhook"
	"portal/db"
	"portal/db/dbtest"
	"portal/db/developerstore"
	"portal/db/mailstore"
	"portal/db/portfoliostore"
	"portal/db/servicestore"
	"portal/db/webhookstore"
)

// base is the public address that the answers speak of.
const base = "https://portal.example.com"

// noon is where a test's clock stands until the test moves it.
var noon = time.Date(2026, 11, 2, 17, 0, 0, 482_000_000, time.UTC)

// testClock is a clock that stands until a test moves it.
type testClock struct{ ns atomic.Int64 }

func (c *testClock) now() time.Time { return time.Unix(0, c.ns.Load()).UTC() }

func (c *testClock) add(d time.Duration) { c.ns.Add(int64(d)) }

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

// fixture is the surface on loopback, mounted as the binary does, over a real database
// and a clock that the test holds.
type fixture struct {
	t         testing.TB
	db        *db.DB
	folder    string // of the SQLite database; "" on PostgreSQL
	developer *developer.Service
	portfolio *records.Service
	limiter   *ratelimit.Memory
	recorder  *developer.RequestRecorder
	clock     *testClock
	log       *logBuffer
	box       *secret.Box
	api       *rest.API
	demo      *simulate.Simulator
	uploads   *upload.Service
	orders    *ordered
	server    *httptest.Server
	fills     *atomic.Int32
	units     *atomic.Int32 // numbers that were given to new units
	answers   *atomic.Int64 // that Observe was told of
	settled   func()        // ends the recorder, which writes all that waits
}

// setting changes how a fixture is made.
type setting struct {
	tenants func(records.Store) records.Store // takes the place of the store of tenants
	fill    func(r *fixture, ctx context.Context, in access.Portfolio, zone *time.Location) error
	address echo.IPExtractor
	log     developer.RequestLog
	triage  triage.Classifier
	silent  bool // no recorder runs
}

// alone runs a promise of the surface over SQLite.
func alone(t *testing.T, promise func(t *testing.T, r *fixture)) {
	t.Parallel()
	promise(t, newFixture(t, setting{}))
}

// both runs a promise of the surface over each database.
func both(t *testing.T, promise func(t *testing.T, r *fixture)) {
	t.Helper()
	bothWith(t, setting{}, promise)
}

func bothWith(t *testing.T, s setting, promise func(t *testing.T, r *fixture)) {
	t.Parallel()
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		promise(t, newFixture(t, s))
	})
	t.Run("postgres", func(t *testing.T) {
		t.Parallel()
		promise(t, postgresFixture(t, s))
	})
}

func newFixture(t testing.TB, s setting) *fixture {
	t.Helper()
	folder := t.TempDir()
	return fixtureOver(t, dbtest.SQLiteIn(t, folder), folder, s)
}

func postgresFixture(t testing.TB, s setting) *fixture {
	t.Helper()
	return fixtureOver(t, dbtest.OnPostgres(t), "", s)
}

func fixtureOver(t testing.TB, d *db.DB, folder string, s setting) *fixture {
	t.Helper()
	r := &fixture{
		t:       t,
		db:      d,
		folder:  folder,
		clock:   &testClock{},
		log:     &logBuffer{},
		fills:   new(atomic.Int32),
		units:   new(atomic.Int32),
		answers: new(atomic.Int64),
	}
	r.clock.ns.Store(noon.UnixNano())
	r.start(s)
	return r
}

func (r *fixture) start(s setting) {
	log := slog.New(slog.NewJSONHandler(r.log, nil))
	var stores records.Store = portfoliostore.New(r.db)
	if s.tenants != nil {
		stores = s.tenants(stores)
	}
	fill := func(ctx context.Context, in access.Portfolio, zone *time.Location) error { return r.fixture(ctx, in) }
	if s.fill != nil {
		fill = func(ctx context.Context, in access.Portfolio, zone *time.Location) error {
			return s.fill(r, ctx, in, zone)
		}
	}
	var lines developer.RequestLog = developerstore.New(r.db)
	if s.log != nil {
		lines = s.log
	}
	r.developer = developer.New(developerstore.New(r.db), r.clock.now, fill)
	r.developer.PasswordCost = secret.Cost{Memory: 64, Passes: 1, Lanes: 1}
	r.limiter = ratelimit.NewMemory(r.clock.now)
	box, err := secret.NewBox(bytes.Repeat([]byte{7}, secret.KeySize))
	must(r.t, err)
	hooks := webhook.New(webhookstore.New(r.db), box, r.clock.now, false)
	r.box, r.recorder = box, developer.NewRecorder(lines, box, log)
	post := mail.New(mail.Config{Store: mailstore.New(r.db), Box: box, Now: r.clock.now})
	r.portfolio = records.New(stores, r.clock.now).Use(portfolio.Parts{
		// The mail service keeps all mail.
		BaseURL: base,
		Triage:  s.triage,
		Events:  hooks,
		Post:    post,
	})
	agreements := agreement.New(r.portfolio, portfoliostore.New(r.db), box)
	r.portfolio.Documents = agreements
	signings := ceremony.New(r.portfolio, agreements, portfoliostore.New(r.db), box)
	agreements.Sealer, agreements.Offers = documenttest.Sealer(r.t), signings
	r.demo = &simulate.Simulator{
		Store:      portfoliostore.New(r.db),
		Portfolio:  r.portfolio,
		Agreements: agreements,
		Signings:   signings,
		Tenants:    tenantportal.New(r.portfolio, agreements, portfoliostore.New(r.db), box),
		Mail:       post,
		Payments:   simulated.Open(r.portfolio.Common, r.portfolio.Ledger, portfoliostore.New(r.db), nil),
		Trail:      audit.Log{Store: servicestore.NewTrail(r.db), Now: r.clock.now},
	}
	r.orders = &ordered{}
	r.uploads = &upload.Service{
		Store: portfoliostore.New(r.db),
		Box:   box,
		Queue: r.orders,
		Clock: clock.ForAll(r.clock.now),
		Trail: audit.Log{Store: servicestore.NewTrail(r.db), Now: r.clock.now},
	}
	r.api = rest.New(rest.Config{
		Imports:     &imports.Service{Uploads: r.uploads},
		FileWait:    time.Minute, // a storm of requests has files wait for all that others do
		Store:       r.db,
		Idempotency: idempotency.New(servicestore.NewAnswers(r.db), box, r.clock.now),
		Portfolio:   r.portfolio,
		Invitations: application.New(r.portfolio, portfoliostore.New(r.db)).Invitations,
		Agreements:  agreements,
		Webhook:     hooks,
		Demo:        r.demo,
		Middleware: middleware.New(middleware.Config{
			BaseURL:   base,
			Developer: r.developer,
			Limiter:   r.limiter,
			Recorder:  r.recorder,
			Now:       r.clock.now,
			Log:       log,
			Observe:   func(string, int, time.Duration) { r.answers.Add(1) },
		}),
	})
	r.mount(s, log)
	running, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		if !s.silent {
			r.recorder.Run(running)
		}
	}()
	r.settled = func() {
		cancel()
		<-done
	}
	r.t.Cleanup(func() {
		r.server.Close()
		r.settled()
	})
}

// mount does as cmd/portal does.
func (r *fixture) mount(s setting, log *slog.Logger) {
	e := echo.New()
	e.IPExtractor = echo.ExtractIPDirect()
	if s.address != nil {
		e.IPExtractor = s.address
	}
	e.HTTPErrorHandler = func(err error, c echo.Context) {
		switch {
		case c.Response().Committed:
		case rest.Owns(c.Request().URL.Path):
			err = r.api.NoRoute(c)
		default:
			err = c.String(http.StatusNotFound, "a page")
		}
		if err != nil {
			log.Error("answer failed", "error", err)
		}
	}
	r.api.Mount(e)
	r.server = httptest.NewUnstartedServer(e)
	r.server.Config.ErrorLog = slog.NewLogLogger(slog.NewJSONHandler(r.log, nil), slog.LevelError)
	r.server.Start()
}

// landlord makes an account on a plan, with approved access.
func (r *fixture) landlord(email string, plan developer.Plan) {
	r.t.Helper()
	ctx := context.Background()
	_, err := r.developer.AddUser(ctx, email, "Harbor Lane Rentals", "correct horse battery", developer.Landlord)
	must(r.t, err)
	must(r.t, r.developer.SetPlan(ctx, email, plan))
	_, err = r.developer.Reviews.Approve(ctx, email, nil)
	must(r.t, err)
}

// key makes a key of a landlord; it is read-only if no scope is named.
func (r *fixture) key(email string, mode access.Mode, scopes ...string) developer.Key {
	r.t.Helper()
	k, err := r.developer.CreateKey(context.Background(), email, developer.KeyCreate{
		Name:   "Accounting sync",
		Mode:   mode,
		Scopes: scopes,
	})
	must(r.t, err)
	return k
}

// unlimited is a plan that no test reaches the end of.
func unlimited() developer.Plan {
	return developer.Plan{Tier: developer.Prime, Sustained: new(1_000_000), Burst: new(1_000_000)}
}

// someone is a landlord with a key that no limit stops.
func (r *fixture) someone() string {
	r.landlord("ada@example.com", unlimited())
	return *r.key("ada@example.com", access.Test).Plaintext
}

// do sends a request as net/http would, the path behind the base of the API.
func (r *fixture) do(method, path, key string, headers ...string) answer {
	r.t.Helper()
	return r.send(method, path, key, "", headers...)
}

// send is do with a body, which is declared as JSON.
func (r *fixture) send(method, path, key, body string, headers ...string) answer {
	r.t.Helper()
	a, err := r.try(method, path, key, body, headers...)
	must(r.t, err)
	r.listed(a)
	return a
}

// try sends a request. A header that is named twice is sent twice.
func (r *fixture) try(method, path, key, body string, headers ...string) (answer, error) {
	req, err := http.NewRequest(method, r.server.URL+rest.Base+path, strings.NewReader(body))
	if err != nil {
		return answer{}, err
	}
	for i := 0; i+1 < len(headers); i += 2 {
		req.Header.Add(headers[i], headers[i+1])
	}
	if _, given := req.Header["Content-Type"]; !given && body != "" {
		req.Header.Set("Content-Type", "application/json")
		if strings.HasPrefix(body, boundary) {
			req.Header.Set("Content-Type", "multipart/form-data; boundary="+boundary[2:])
		}
	}
	if req.Header.Get("Authorization") == "" && key != "" {
		req.Header.Set("Authorization", "Bearer "+key)
	}
	res, err := r.server.Client().Do(req)
	if err != nil {
		return answer{}, err
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	return answer{method + " " + path, res.StatusCode, res.Header, text}, err
}

func (r *fixture) get(path, key string) answer {
	r.t.Helper()
	return r.do(http.MethodGet, path, key)
}

// raw sends bytes and gives back every byte of the answer.
func (r *fixture) raw(request string) string {
	r.t.Helper()
	conn, err := net.Dial("tcp", r.server.Listener.Addr().String())
	must(r.t, err)
	defer conn.Close()
	must(r.t, conn.SetDeadline(time.Now().Add(30*time.Second)))
	_, err = io.WriteString(conn, request)
	must(r.t, err)
	all, err := io.ReadAll(bufio.NewReader(conn))
	must(r.t, err)
	return string(all)
}
