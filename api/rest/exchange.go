package rest

import (
	"cmp"
	"fmt"
	"net/http"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/labstack/echo/v4"

	"portal/api/clock"
	"portal/api/developer"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/idempotency"
	"portal/api/operation"
	"portal/api/ratelimit"
	"portal/api/redact"
)

// exchange is one request and its answer.
type exchange struct {
	*API
	c       echo.Context
	op      *operation.Operation // nil where no operation has the path
	id      string
	began   time.Time
	caller  *developer.Caller // nil without a valid key
	limit   ratelimit.Decision
	counted bool
	fault   *fault.Error
	status  int
	bytes   int
	first   time.Duration // until an answer began that goes on for long, else 0

	dry      bool // nothing was saved, on the caller's wish
	replayed bool // the answer is one that was given before
}

// buffers are for the bodies of answers.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

// keptBuffer is the largest buffer that is kept.
const keptBuffer = 1 << 20

// serve is the handler of an operation. Whatever happens, it answers in the
// envelope and records the request.
func (a *API) serve(op *operation.Operation) echo.HandlerFunc {
	return func(c echo.Context) error {
		for _, v := range c.ParamValues() {
			if strings.Contains(v, "/") { // echo gives the last parameter all that is left of a path
				return a.NoRoute(c)
			}
		}
		return a.exchange(c, op, (*exchange).operate)
	}
}

// exchange runs a request: answer writes the answer or returns why it cannot.
func (a *API) exchange(c echo.Context, op *operation.Operation, answer func(*exchange) error) error {
	now := a.Now()
	x := &exchange{API: a, c: c, op: op, id: id.New(id.Request, now), began: now}
	defer x.end()
	x.headers()
	if err := x.contain(answer); err != nil {
		x.refuse(fault.From(err))
	}
	return nil
}

// contain turns a panic into a fault, with its stack as the hidden cause.
func (x *exchange) contain(answer func(*exchange) error) (err error) {
	defer func() {
		if caught := recover(); caught != nil {
			err = fmt.Errorf("panic: %v\n%s", caught, debug.Stack())
		}
	}()
	return answer(x)
}

// headers sets what every answer of an API carries. The names go out as they are
// spelled here, as the reference spells them.
func (x *exchange) headers() {
	h := x.c.Response().Header()
	h["X-Request-Id"] = []string{x.id}
	h["Content-Type"] = jsonType
	h["Cache-Control"] = noStore
	h["X-Content-Type-Options"] = noSniff
	if len(x.BaseURL) > 5 && x.BaseURL[:6] == "https:" {
		h["Strict-Transport-Security"] = forTwoYears
	}
}

var (
	jsonType    = []string{"application/json"}
	noStore     = []string{"no-store"}
	noSniff     = []string{"nosniff"}
	forTwoYears = []string{"max-age=63072000; includeSubDomains"}
)

// count sets the rate-limit headers.
func (x *exchange) count(d ratelimit.Decision) {
	x.limit, x.counted = d, true
	h := x.c.Response().Header()
	h["X-RateLimit-Limit"] = []string{strconv.Itoa(d.Limit)}
	h["X-RateLimit-Remaining"] = []string{strconv.Itoa(d.Remaining)}
	h["X-RateLimit-Reset"] = []string{strconv.FormatInt(d.Reset, 10)}
}

// send writes the answer with its length, so that it leaves in one piece.
func (x *exchange) send(status int, body []byte) {
	x.status, x.bytes = status, len(body)
	h := x.c.Response().Header()
	if status == http.StatusNoContent {
		delete(h, "Content-Type")
	} else {
		h["Content-Length"] = []string{strconv.Itoa(len(body))}
	}
	x.c.Response().WriteHeader(status)
	if x.c.Request().Method != http.MethodHead {
		_, _ = x.c.Response().Write(body) // a client that went away is not our fault
	}
}

// end records the request. What an address without a key sends beyond its limit is
// only counted: it must not fill the log.
func (x *exchange) end() {
	took := x.Now().Sub(x.began)
	name := ""
	if x.op != nil {
		name = x.op.Name
	}
	x.Observe(name, x.status, cmp.Or(x.first, took))
	if x.caller == nil && x.fault != nil && x.fault.Code == fault.RateLimited {
		return
	}
	r := x.c.Request()
	line := developer.Request{ID: x.id, At: clock.At(x.began), Operation: name, Method: clip(r.Method, 20), Path: redact.Text(clip(r.URL.Path, 500)),
		Query: redact.Text(clip(r.URL.RawQuery, 1000)), Status: x.status, Duration: took, Bytes: int64(x.bytes),
		Address: clip(x.c.RealIP(), 64), UserAgent: redact.Text(clip(r.UserAgent(), 300))}
	if x.caller != nil {
		line.AccountID, line.KeyID, line.PortfolioID = x.caller.AccountID, x.caller.Key.ID, x.caller.Portfolio.ID
	}
	if x.op != nil && x.op.Changes {
		line.IdempotencyKey = redact.Text(clip(x.c.Request().Header.Get(idempotencyKey), idempotency.Longest))
		line.Replayed, line.DryRun = x.replayed, x.dry
	}
	if x.fault != nil {
		line.Code, line.Param = string(x.fault.Code), redact.Text(clip(x.fault.Param, 200))
	}
	x.Recorder.Record(line)
}
