package middleware

import (
	"bytes"
	"cmp"
	"net/http"
	"slices"
	"strconv"
	"time"

	"portal/api/clock"
	"portal/api/compress"
	"portal/api/developer"
	"portal/api/fault"
	"portal/api/operation"
	"portal/api/ratelimit"
	"portal/api/redact"
	"portal/api/texts"
)

// Request is the state of one request until its answer has left.
type Request struct {
	*Middleware
	Writer  http.ResponseWriter
	HTTP    *http.Request
	Address string // of the client
	ID      string
	Began   time.Time
	Caller  *developer.Caller // nil without a valid key
	Limit   ratelimit.Decision
	Fault   *fault.Error
	Status  int // 0 until the answer begins
	Bytes   int
	Cost    int           // what the rate limit has taken for it
	First   time.Duration // until an answer began that goes on for long, else 0

	abandoned bool // the client went away before its answer

	Operation string // for the log; "" where no operation has the path
	Keep      bool   // the log keeps headers and bodies, as it does of every error
	// Secrets tell whether the answer holds a secret, which leaves it uncompressed.
	Secrets []*operation.Secrets
	// Complete adds to the line of the log what only the surface knows; may be nil.
	Complete func(*developer.Request)

	body    []byte // that was read
	release func() // gives the room of a large body back; nil for a small one
	answer  []byte // that was sent, where it is kept, before it was compressed
	plain   int    // its size in bytes then, whether it is kept or not
}

// Run answers the request: answer writes or returns why it cannot. Whatever happens,
// the answer is in the envelope and the request is recorded.
func (x *Request) Run(answer func() error) {
	defer func() {
		x.end()
		if x.release != nil {
			x.release()
		}
	}()
	x.headers()
	if err := Contain(answer); err != nil {
		x.Refuse(fault.From(err))
	}
}

// headers sets what every answer of an API carries. The names go out as they are
// spelled here, as the reference spells them.
func (x *Request) headers() {
	h := x.Writer.Header()
	h["X-Request-Id"] = []string{x.ID}
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
func (x *Request) count(d ratelimit.Decision) {
	x.Limit = d
	h := x.Writer.Header()
	h["X-RateLimit-Limit"] = []string{strconv.Itoa(d.Limit)}
	h["X-RateLimit-Remaining"] = []string{strconv.Itoa(d.Remaining)}
	h["X-RateLimit-Reset"] = []string{strconv.FormatInt(d.Reset, 10)}
}

// Send answers with a body that is made for this request, compressed where the client takes
// that and no secret is in it.
func (x *Request) Send(status int, body []byte) {
	x.note(status, body)
	x.write(x.compressed(body))
}

// SendDocument answers with a document that has no secret.
func (x *Request) SendDocument(d *compress.Document) {
	plain := d.In("")
	x.note(http.StatusOK, plain)
	x.write(d.In(compress.Negotiate(x.Writer.Header(), x.accepts(), len(plain), compress.Brotli, compress.Gzip)))
}

// note keeps what the log keeps of an answer.
func (x *Request) note(status int, body []byte) {
	x.Status, x.plain = status, len(body)
	if x.kept() && x.HTTP.Method != http.MethodHead {
		x.answer = bytes.Clone(body)
	}
}

func (x *Request) accepts() []string { return x.HTTP.Header["Accept-Encoding"] }

func (x *Request) compressed(body []byte) []byte {
	accept := x.accepts()
	if accept != nil && slices.ContainsFunc(x.Secrets, func(s *operation.Secrets) bool { return s.In(body) }) {
		return body
	}
	if compress.Negotiate(x.Writer.Header(), accept, len(body), compress.Gzip) == "" {
		return body
	}
	return compress.Fast(body)
}

// write sends the body with its length, so that it leaves in one piece. An answer without a
// body has no type.
func (x *Request) write(body []byte) {
	x.Bytes = len(body)
	status, h := x.Status, x.Writer.Header()
	if len(body) == 0 {
		delete(h, "Content-Type")
	}
	if status != http.StatusNoContent {
		h["Content-Length"] = []string{strconv.Itoa(len(body))}
	}
	x.Writer.WriteHeader(status)
	if x.HTTP.Method != http.MethodHead {
		_, _ = x.Writer.Write(body) //nolint:gosec // G705: it is JSON; a client that went away is not our fault
	}
}

// end records the request.
func (x *Request) end() {
	took := x.Now().Sub(x.Began)
	if x.abandoned {
		x.Status, x.Bytes = clientClosedRequest, 0
	}
	x.Observe(x.Operation, x.Status, cmp.Or(x.First, took))
	r := x.HTTP
	line := developer.Request{
		ID:        x.ID,
		At:        clock.At(x.Began),
		Operation: x.Operation,
		Method:    texts.ClipBytes(r.Method, 20),
		Path:      redact.Text(texts.ClipBytes(r.URL.Path, 500)),
		Query:     redact.Query(texts.ClipBytes(r.URL.RawQuery, 1000)),
		Status:    x.Status,
		Duration:  took,
		First:     x.First,
		Bytes:     int64(x.Bytes),
		Address:   texts.ClipBytes(x.Address, 64),
		UserAgent: redact.Text(texts.ClipBytes(r.UserAgent(), 300)),
	}
	if x.Caller != nil {
		line.Cost = x.Cost
		line.AccountID, line.KeyID, line.PortfolioID = x.Caller.AccountID, x.Caller.Key.ID, x.Caller.Portfolio.ID
	}
	if x.Fault != nil {
		line.Code, line.Param = string(x.Fault.Code), redact.Text(texts.ClipBytes(x.Fault.Param, 200))
	}
	if x.Complete != nil {
		x.Complete(&line)
	}
	x.Recorder.Record(line, x.sent())
}

// kept reports whether the log keeps headers, body and answer of the request: of writes and
// errors of a valid key (docs/operations.md).
func (x *Request) kept() bool {
	return x.Caller != nil && (x.Keep || x.Fault != nil || x.Status >= http.StatusBadRequest)
}

// sent is what is kept, nil where nothing is.
func (x *Request) sent() *developer.Sent {
	if !x.kept() {
		return nil
	}
	r := x.HTTP
	s := &developer.Sent{Target: r.URL.EscapedPath(),
		Request: developer.SentMessage{Headers: lines(r.Header), Body: x.body, Size: int64(len(x.body))},
		Answer:  developer.SentMessage{Headers: lines(x.Writer.Header()), Body: x.answer, Size: int64(x.plain)}}
	if r.URL.RawQuery != "" {
		s.Target += "?" + r.URL.RawQuery
	}
	if x.body == nil && r.ContentLength != 0 {
		s.Request.Unread, s.Request.Size = true, r.ContentLength
	}
	return s
}

// lines are the lines of a header in the order of their names. The map is not kept: others
// may write to it when the request is over.
func lines(h http.Header) []developer.Header {
	all := make([]developer.Header, 0, len(h))
	for name, values := range h {
		for _, v := range values {
			all = append(all, developer.Header{Name: name, Value: v})
		}
	}
	slices.SortStableFunc(all, func(a, b developer.Header) int { return cmp.Compare(a.Name, b.Name) })
	return all
}
