package developer

import (
	"cmp"
	"maps"
	"slices"
	"sync"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/texts"
)

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

func newUnkeyed() *unkeyed { return &unkeyed{tallies: map[clientMinute]*unkeyedCount{}} }

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
