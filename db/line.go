package db

import (
	"context"
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"portal/api/access"
	"portal/api/change"
	"portal/api/fault"
)

// mostWait is how long the writes may take that a write would wait for. One that would wait longer is refused,
// unless it must not be lost.
const mostWait = 2 * time.Second

// standing is what a write is, to those it waits with.
type standing struct {
	portfolio int64 // 0 for a write of none, such as a sign-in
	class     class
	refusable bool // its caller can ask again
}

// class tells writes that go first from those that go behind all of them.
type class int

// The classes. Writes of no portfolio are among the first: sign-ins, deliveries, the log of requests.
const (
	liveWrites class = iota
	testWrites
	unhurriedWrites
	classes
)

// classOf is the class of the writes of a portfolio.
func classOf(in access.Portfolio) class {
	if in.Mode == access.Test {
		return testWrites
	}
	return liveWrites
}

type portfolioKey struct{}

// standingOf is the standing of a write that is asked for with a context: of the portfolio that it holds, or of
// the one that a preview is for. Nothing else is of a portfolio: it waits as long as it takes.
func standingOf(ctx context.Context) standing {
	in, held := ctx.Value(portfolioKey{}).(access.Portfolio)
	if !held && change.IsDryRun(ctx) {
		in = access.From(ctx).Portfolio
	}
	s := standing{in.ID, classOf(in), in.ID != 0 && change.IsRefusable(ctx)}
	if change.IsUnhurried(ctx) {
		s.class = unhurriedWrites
	}
	return s
}

// pace is how long writes took lately, by which the time is estimated that others will take: each one, and each
// transaction that some of them share, its commit above all.
type pace struct {
	writes  [classes]average
	commits average
	most    int           // that share a transaction
	span    time.Duration // in which they may join one
}

// of is how long some writes of each class will take, one after the other.
func (p *pace) of(writes [classes]int) time.Duration {
	all, took := 0, time.Duration(0)
	for c, n := range writes {
		all += n
		took += p.writes[c].of(n)
	}
	return took + p.commits.of(max((all+p.most-1)/p.most, int(took/p.span)))
}

// average is of spans, those of late above all.
type average struct {
	total time.Duration
	spans float64
	since time.Time
}

// An average forgets half of what it knows in this time. A span that is longer than the longest, such as that of
// an import, says little about others, and counts as that. So do a few spans: they are averaged with some that
// are expected.
const (
	halfTime      = time.Second
	longest       = 100 * time.Millisecond
	expected      = time.Millisecond
	expectedSpans = 10
)

func (a *average) note(span time.Duration) {
	now := time.Now() //nolint:forbidigo // a measured span, not a moment anybody sees
	for ; now.Sub(a.since) > halfTime && a.spans > 1; a.since = a.since.Add(halfTime) {
		a.total, a.spans = a.total/2, a.spans/2
	}
	if a.spans <= 1 {
		a.since = now
	}
	a.total += min(span, longest)
	a.spans++
}

// of is how long so many take.
func (a *average) of(n int) time.Duration {
	mean := float64(a.total+expectedSpans*expected) / (a.spans + expectedSpans)
	return time.Duration(mean * float64(n))
}

// share is the part of the time that some writes take of late.
type share struct {
	taken, span time.Duration
	noted       time.Time
}

func (s *share) note(taken time.Duration) {
	now := time.Now() //nolint:forbidigo // a measured span, not a moment anybody sees
	if !s.noted.IsZero() {
		s.span += now.Sub(s.noted)
		s.taken += taken
	}
	for s.noted = now; s.span > 2*halfTime; {
		s.taken, s.span = s.taken/2, s.span/2
	}
}

// without is how long something takes in what they leave of the time, of which some is always left.
func (s *share) without(span time.Duration) time.Duration {
	const most = 0.95
	if s.span == 0 {
		return span
	}
	return time.Duration(float64(span) / (1 - min(most, float64(s.taken)/float64(s.span))))
}

// tooMany refuses a write that would wait so long for others. Nothing of it was done.
func tooMany(wait time.Duration) error {
	seconds := int(math.Ceil(wait.Seconds()))
	f := fault.New(fault.Unavailable, "Too many changes are waiting. Nothing was changed. Try again in %d seconds.",
		seconds)
	f.Retry = seconds
	return f
}

// line are the writes that wait for the one connection that writes. Those of live portfolios go before those of
// demo portfolios, and these before the parts of imports. Portfolios take turns within each class.
type line struct {
	mu      sync.Mutex
	most    time.Duration // that a write waits before it is refused
	ready   chan struct{} // tells that something waits, or that the line is closed
	turns   [classes][]*turn
	waiting [classes]int
	pace    pace
	live    share
	spent   time.Duration // on all writes so far
	closed  bool

	length, refused atomic.Int64
}

// turn are the writes of a portfolio that wait, the oldest in front; there is at least one.
type turn struct {
	portfolio int64
	writes    []*write
}

func newLine() *line {
	return &line{most: mostWait, ready: make(chan struct{}, 1), pace: pace{most: groupSize, span: groupTime}}
}

// add puts a write into the line, or refuses it.
func (l *line) add(w *write) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return errClosed
	}
	if err := l.judge(w.standing); err != nil {
		return err
	}
	w.came = l.spent
	l.put(w)
	l.signal()
	return nil
}

// admit refuses a write of a standing that would wait for too long.
func (l *line) admit(s standing) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.judge(s)
}

func (l *line) judge(s standing) error {
	if wait := l.wait(s); s.refusable && wait > l.most {
		l.refused.Add(1)
		return tooMany(wait)
	}
	return nil
}

// wait is how long the writes will take that go before one of a standing which comes now.
func (l *line) wait(s standing) time.Duration {
	own := 0
	if t := l.turn(s); t != nil {
		own = len(t.writes)
	}
	ahead := l.waiting
	for c := s.class; c < classes; c++ {
		ahead[c] = 0
	}
	ahead[s.class] = own
	for _, t := range l.turns[s.class] {
		if t.portfolio != s.portfolio {
			ahead[s.class] += min(len(t.writes), own+1)
		}
	}
	wait := l.pace.of(ahead)
	if s.class > liveWrites { // behind those too that come meanwhile
		wait = l.live.without(wait)
	}
	return wait
}

// turn is that of a portfolio, nil where none of its writes waits.
func (l *line) turn(s standing) *turn {
	for _, t := range l.turns[s.class] {
		if t.portfolio == s.portfolio {
			return t
		}
	}
	return nil
}

func (l *line) put(w *write) {
	t := l.turn(w.standing)
	if t == nil {
		t = &turn{portfolio: w.portfolio}
		l.turns[w.class] = append(l.turns[w.class], t)
	}
	t.writes = append(t.writes, w)
	l.count(w.class, 1)
}

func (l *line) count(c class, n int) {
	l.waiting[c] += n
	l.length.Add(int64(n))
}

func (l *line) signal() {
	select {
	case l.ready <- struct{}{}:
	default:
	}
}

// first waits for a write and takes it; nil says that the line is closed and nothing waits any more.
func (l *line) first() *write {
	for {
		l.mu.Lock()
		w, closed := l.take(classes-1), l.closed
		l.mu.Unlock()
		if w != nil || closed {
			return w
		}
		<-l.ready
	}
}

// next takes a write that waits already and goes no further behind than a class, nil for none.
func (l *line) next(last class) *write {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.take(last)
}

func (l *line) take(last class) *write {
	for c := range last + 1 {
		if len(l.turns[c]) == 0 {
			continue
		}
		t := l.turns[c][0]
		l.turns[c] = l.turns[c][1:]
		w := t.writes[0]
		if t.writes = t.writes[1:]; len(t.writes) > 0 {
			l.turns[c] = append(l.turns[c], t)
		}
		l.count(c, -1)
		return w
	}
	return nil
}

// leave takes a write out whose caller has left.
func (l *line) leave(w *write) {
	l.mu.Lock()
	defer l.mu.Unlock()
	t := l.turn(w.standing)
	if t == nil || !slices.Contains(t.writes, w) {
		return // its turn has come
	}
	l.remove(t, w)
}

func (l *line) remove(t *turn, w *write) {
	t.writes = slices.DeleteFunc(t.writes, func(o *write) bool { return o == w })
	if len(t.writes) == 0 {
		l.turns[w.class] = slices.DeleteFunc(l.turns[w.class], func(o *turn) bool { return o == t })
	}
	l.count(w.class, -1)
}

// note counts what writes took that were committed together, beside what the beginning and the end of their
// transaction took, and looks for those that wait in vain.
func (l *line) note(members []*write, commit time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.pace.commits.note(commit)
	l.spent += min(commit, longest)
	live, commits := time.Duration(0), time.Duration(0)
	for _, w := range members {
		l.pace.writes[w.class].note(w.took)
		l.spent += w.took
		if w.class == liveWrites {
			live, commits = live+w.took, commit // without it there would have been none yet
		}
	}
	l.live.note(live + commits)
	for c := range classes {
		for _, t := range slices.Clone(l.turns[c]) {
			l.overtaken(t)
		}
	}
}

// overtaken looks at the writes of a portfolio which have waited for longer than was to be expected when they
// came, since others that came later went first: they are refused, or go first from now on.
func (l *line) overtaken(t *turn) {
	for _, w := range slices.Clone(t.writes) {
		if l.spent-w.came <= l.most+l.most/4 {
			return
		}
		switch {
		case !w.refusable && w.class != liveWrites:
			l.remove(t, w)
			w.standing = standing{w.portfolio, liveWrites, false}
			l.put(w)
		case w.refusable && w.taken.CompareAndSwap(false, true):
			l.remove(t, w)
			l.refused.Add(1)
			w.err = tooMany(l.most)
			close(w.done)
		}
	}
}

// close refuses what comes from now on. What waits is written.
func (l *line) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
	l.signal()
}

// Admit refuses a change of a portfolio that would wait for others for too long, before anything is read for it.
// Its caller asks again when it comes to write.
func (d *DB) Admit(ctx context.Context, in access.Portfolio) error {
	s := standing{in.ID, classOf(in), change.IsRefusable(ctx)}
	if d.pg != nil {
		return d.exclusive.foresee(s)
	}
	return d.lite.group.line.admit(s)
}

// Patience has writes wait for others for so long before they are refused, and each count as one that lately took
// so long. It is for tests, in which many do at once what takes long where others test too.
func (d *DB) Patience(most, took time.Duration) {
	mu, wait, p := &d.exclusive.mu, &d.exclusive.most, &d.exclusive.pace
	if d.lite != nil {
		l := d.lite.group.line
		mu, wait, p = &l.mu, &l.most, &l.pace
	}
	mu.Lock()
	defer mu.Unlock()
	*wait = most
	now := time.Now() //nolint:forbidigo // a measured span, not a moment anybody sees
	for c := range p.writes {
		p.writes[c] = average{total: 1000 * took, spans: 1000, since: now}
	}
}

// WritesWaiting is how many writes wait for others before they begin.
func (d *DB) WritesWaiting() int64 {
	if d.lite != nil {
		return d.lite.group.line.length.Load()
	}
	return d.exclusive.length.Load()
}

// WritesRefused is how many writes were refused since they would have waited for too long.
func (d *DB) WritesRefused() int64 {
	if d.lite != nil {
		return d.lite.group.line.refused.Load()
	}
	return d.exclusive.refused.Load()
}
