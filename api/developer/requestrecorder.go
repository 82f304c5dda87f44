package developer

import (
	"cmp"
	"context"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/secret"
	"portal/api/texts"
)

// How much waits at most: lines, and bytes of what was sent with them. Where the database
// does not keep up, what was sent is dropped long before lines are.
const (
	maxRequests  = 50_000
	maxSentBytes = 16 << 20
)

// RequestRecorder writes the request log behind the requests' back.
type RequestRecorder struct {
	log     RequestLog
	lines   *Recorder[logLine]
	unkeyed *unkeyed
	packer  *exchangeSealer // used by Run alone

	sent    atomic.Int64 // bytes that wait
	dropped atomic.Int64 // exchanges
}

// logLine is a request, or a count that has grown since it was written.
type logLine struct {
	Request
	tally *unkeyedCount // nil for a request
	sent  *waiting
}

// waiting is an exchange that waits to be written, sealed once a write was tried.
type waiting struct {
	Sent
	sealed []byte
	size   int
}

// NewRecorder makes the recorder of the request log; Run must be running.
func NewRecorder(log RequestLog, box *secret.Box, lines *slog.Logger) *RequestRecorder {
	r := &RequestRecorder{
		log:     log,
		unkeyed: &unkeyed{tallies: map[clientMinute]*unkeyedCount{}},
		packer:  &exchangeSealer{box: box, words: exchangeDict()},
	}
	r.lines = newRecorder(recorderTarget[logLine]{
		write: r.write,
		size:  func(*logLine) int { return 1 },
		room:  maxRequests,
		failed: func(n int, err error) {
			lines.Error("request log not written yet", "requests", n, "error", err)
		},
		lost: r.forget,
	})
	return r
}

// Record takes a request, and what is kept of what was sent with it, nil for nothing. It
// never waits. One without a valid key is shortened, and beyond the first ten of its client
// in a minute only counted.
func (r *RequestRecorder) Record(line Request, sent *Sent) {
	if line.AccountID != "" {
		r.keyed(line, sent)
		return
	}
	tally, own := r.unkeyed.admit(&line)
	switch {
	case own:
		line.shorten()
		r.lines.Record(logLine{Request: line})
	case tally != nil && !r.lines.Record(logLine{tally: tally}):
		r.unkeyed.postpone(tally)
	}
}

func (r *RequestRecorder) keyed(line Request, sent *Sent) {
	one := logLine{Request: line}
	if sent != nil {
		one.sent = r.admit(sent)
	}
	if !r.lines.Record(one) {
		r.forget(&one)
	}
}

// admit lets an exchange wait, if there is room for it.
func (r *RequestRecorder) admit(sent *Sent) *waiting {
	size := sent.size()
	if r.sent.Add(int64(size)) > maxSentBytes {
		r.sent.Add(-int64(size))
		r.dropped.Add(1)
		return nil
	}
	return &waiting{Sent: *sent, size: size}
}

// forget makes the room of a line's exchange free that is never written.
func (r *RequestRecorder) forget(line *logLine) {
	if line.sent != nil {
		r.sent.Add(-int64(line.sent.size))
		r.dropped.Add(1)
	}
}

// Run writes what was recorded until the context ends, and then the rest.
func (r *RequestRecorder) Run(ctx context.Context) { r.lines.Run(ctx) }

// Dropped counts the lines that found no room.
func (r *RequestRecorder) Dropped() int64 { return r.lines.Dropped() }

// DroppedExchanges counts the exchanges that found no room.
func (r *RequestRecorder) DroppedExchanges() int64 { return r.dropped.Load() }

func (r *RequestRecorder) write(ctx context.Context, lines []logLine) error {
	b := LogBatch{Requests: make([]Request, 0, len(lines))}
	read := map[*unkeyedCount]bool{} // one may come again behind a batch that failed
	for i := range lines {
		line := &lines[i]
		switch t := line.tally; {
		case t == nil:
			b.Requests = append(b.Requests, line.Request)
		case !read[t]:
			read[t] = true
			b.Counts = append(b.Counts, r.unkeyed.read(t))
		}
		if line.sent != nil {
			b.Exchanges = append(b.Exchanges, SealedExchange{line.ID, line.PortfolioID, r.seal(line.sent)})
		}
	}
	if err := r.log.AddLog(ctx, b); err != nil {
		return err
	}
	for i := range lines {
		if w := lines[i].sent; w != nil {
			r.sent.Add(-int64(w.size))
		}
	}
	return nil
}

// seal seals an exchange once, however often it must be written; then it takes less room.
func (r *RequestRecorder) seal(w *waiting) []byte {
	if w.sealed == nil {
		w.sealed = r.packer.seal(&w.Sent)
		w.Sent = Sent{}
		r.sent.Add(int64(len(w.sealed) - w.size))
		w.size = len(w.sealed)
	}
	return w.sealed
}

// What requests without a valid key take of the log (docs/operations.md). Anybody can send
// them, so their rows are short and few: ten of a client in a minute, and behind them one
// row that counts. Of all clients together a process writes at most unkeyedBurst rows of
// either kind at once and unkeyedRate a minute in the long run; beyond that one row a
// minute counts for all other clients. So a process adds at most 2 × (600 + 1,440 × 100)
// + 1,440 rows of 300 bytes a day, 87 MB, however many addresses there are.
const (
	ownRows      = 10
	unkeyedBurst = 600
	unkeyedRate  = 100
	unkeyedText  = 105 // bytes of text in a row; with what surrounds it, it stays within 300
	unkeyedCodes = 5   // counted by their names in one row; the sum of all others stands for them
)

// OtherClients is the client of a count of all those who have no row of their own.
const OtherClients = ""

// RequestCount is how many requests without a valid key and without a row of their own a
// client sent in a minute. A process counts for itself: counts of the same client and
// minute add up.
type RequestCount struct {
	ID     string // of the first request that is counted
	Client string // as package network has it, or OtherClients
	Total  int64
	Codes  []CodeCount // the most frequent ones first
}

// CodeCount is how many requests had a code. It is "" for answers without a fault, and
// OtherCodes for the rare ones.
type CodeCount struct {
	Code  string
	Count int64
}

// OtherCodes stands for the codes that are not counted by name.
const OtherCodes = "other"

// clientMinute is a client in a minute since 1970.
type clientMinute struct {
	client string
	minute clock.Time
}

// unkeyedCount is what is known of a client in a minute.
type unkeyedCount struct {
	id       string // of the first request that was counted, "" while none was
	client   string
	own      int // requests with a row of their own
	codes    map[string]int64
	recorded bool // waits to be written
}

// unkeyed decides which requests without a valid key get a row of their own, and counts
// the others.
type unkeyed struct {
	mu           sync.Mutex
	latest       clock.Time // minute
	tallies      map[clientMinute]*unkeyedCount
	rows, counts allowance
}

const aMinute = clock.Time(60_000)

// admit reports whether a request gets a row of its own. Else it is counted, and the count
// is given back if it does not wait to be written yet.
func (u *unkeyed) admit(r *Request) (_ *unkeyedCount, own bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	at := clientMinute{access.ParseClient(r.Address), r.At / aMinute}
	u.forget(at.minute)
	t := u.tallies[at]
	if (t == nil || t.own < ownRows) && u.rows.take(r.At) {
		if t == nil {
			t = u.add(at)
		}
		t.own++
		return nil, true
	}
	if t == nil || t.id == "" {
		t = u.counting(at, t, r)
	}
	t.codes[r.Code]++
	if t.recorded {
		return nil, false
	}
	t.recorded = true
	return t, false
}

// counting is the count in which a request is counted: its client's, or that of all
// others where too many clients are counted already.
func (u *unkeyed) counting(at clientMinute, t *unkeyedCount, r *Request) *unkeyedCount {
	if u.counts.take(r.At) {
		if t == nil {
			t = u.add(at)
		}
	} else if at.client = OtherClients; u.tallies[at] != nil {
		return u.tallies[at]
	} else {
		t = u.add(at)
	}
	t.id, t.codes = r.ID, map[string]int64{}
	return t
}

func (u *unkeyed) add(at clientMinute) *unkeyedCount {
	t := &unkeyedCount{client: at.client}
	u.tallies[at] = t
	return t
}

// forget drops what is known of minutes that are over. A request is recorded when it has
// been answered, which takes less than a minute.
func (u *unkeyed) forget(minute clock.Time) {
	if minute <= u.latest {
		return
	}
	u.latest = minute
	maps.DeleteFunc(u.tallies, func(at clientMinute, _ *unkeyedCount) bool { return at.minute < minute-1 })
}

// postpone lets a count that found no capacity be recorded with its next request.
func (u *unkeyed) postpone(t *unkeyedCount) {
	u.mu.Lock()
	defer u.mu.Unlock()
	t.recorded = false
}

// read is what a count has until now.
func (u *unkeyed) read(t *unkeyedCount) RequestCount {
	u.mu.Lock()
	defer u.mu.Unlock()
	t.recorded = false
	c := RequestCount{ID: t.id, Client: t.client}
	for code, n := range t.codes {
		c.Total += n
		c.Codes = append(c.Codes, CodeCount{code, n})
	}
	slices.SortFunc(
		c.Codes,
		func(a, b CodeCount) int { return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Code, b.Code)) },
	)
	if len(c.Codes) > unkeyedCodes {
		rest := CodeCount{Code: OtherCodes}
		for _, one := range c.Codes[unkeyedCodes:] {
			rest.Count += one.Count
		}
		c.Codes = append(c.Codes[:unkeyedCodes], rest)
	}
	return c
}

// allowance is a bucket of unkeyedBurst rows that fills at unkeyedRate a minute.
type allowance struct {
	used float64
	at   clock.Time
}

func (a *allowance) take(now clock.Time) bool {
	if past := now - a.at; past > 0 {
		a.used, a.at = max(0, a.used-float64(past)*unkeyedRate/float64(aMinute)), now
	}
	if a.used+1 > unkeyedBurst {
		return false
	}
	a.used++
	return true
}

// shorten makes of a request what is kept where it came without a valid key.
func (r *Request) shorten() {
	r.Param, r.IdempotencyKey = "", ""
	room := max(0, unkeyedText-len(r.Operation)-len(r.Method)-len(r.Code)-len(r.Address))
	r.UserAgent = texts.ClipBytes(r.UserAgent, room/4)
	r.Query = texts.ClipBytes(r.Query, room/4)
	r.Path = texts.ClipBytes(r.Path, room-len(r.UserAgent)-len(r.Query))
}

// How much of a minute is read and shown. A minute of one process has at most some 1,400
// rows.
const (
	mostUnkeyedRead  = 10_000
	mostUnkeyedShown = 200
)

// UnkeyedMinute is what is known of the requests without a valid key of a minute.
type UnkeyedMinute struct {
	From     clock.Time
	Requests []Request      // those with a row of their own, the oldest first
	Counts   []RequestCount // of all others, the most frequent first
}

// UnkeyedMinute answers a look-up of a request that has no row of its own, by the minute
// that its id tells. address narrows to the client at an address, "" is all.
func (s *Service) UnkeyedMinute(ctx context.Context, requestID, address string) (m UnkeyedMinute, err error) {
	at, ok := id.Time(requestID)
	if !ok || !id.Valid(id.Request, requestID) || clock.At(at) < s.requestsSince() {
		return m, fault.Of(fault.NoRecord)
	}
	m.From = clock.At(at) / aMinute * aMinute
	client := ""
	if address != "" {
		client = access.ParseClient(address)
	}
	if m.Requests, err = s.store.UnkeyedRequests(ctx, m.From, m.From+aMinute, mostUnkeyedRead); err != nil {
		return m, err
	}
	m.Requests = slices.DeleteFunc(m.Requests, func(r Request) bool {
		return client != "" &&
			access.ParseClient(r.Address) != client
	})
	m.Requests = m.Requests[:min(len(m.Requests), mostUnkeyedShown)]
	m.Counts, err = s.store.RequestCounts(ctx, m.From, m.From+aMinute, client, mostUnkeyedShown)
	return m, err
}
