// Package live tells open pages what happens, as server-sent events: a stream asks its feed every second
// whether there is something new for its reader, and sends it as HTML. That works on several nodes and on
// both databases, and needs nothing between them. A page is whole without its stream.
//
// It knows no page: sections give it their feeds.
package live

import (
	"net/http"
	"sync"
	"time"

	"portal/api/fault"
	"portal/web/page"
)

// Pace is how a stream goes on.
type Pace struct {
	Look     time.Duration // between two looks at the feed
	Beat     time.Duration // between two signs of life
	Recheck  time.Duration // between two looks at the session and the membership
	End      time.Duration // after which the browser is to connect again
	Patience time.Duration // with a reader who takes nothing
}

// usual is the pace of the service.
var usual = Pace{
	Look:     time.Second,
	Beat:     15 * time.Second,
	Recheck:  20 * time.Second,
	End:      10 * time.Minute,
	Patience: 5 * time.Second,
}

// How many streams may be open in this process. A browser has six connections to a server that speaks
// HTTP/1.1, and closes the streams of the tabs that are not looked at.
const (
	perSession = 4
	perProcess = 500
)

// Streams are those that are open in this process.
type Streams struct {
	Pace  Pace
	ended chan struct{} // closed when the server stops
	end   func()
	mu    sync.Mutex
	count int
	open  map[string]int // by session
}

// New makes them, with none open.
func New() *Streams {
	ended := make(chan struct{})
	return &Streams{
		Pace:  usual,
		ended: ended,
		end:   sync.OnceFunc(func() { close(ended) }),
		open:  map[string]int{},
	}
}

// Stop ends the streams that are open and opens no more: a server that stops waits for no reader.
func (s *Streams) Stop() { s.end() }

// Open is how many are open.
func (s *Streams) Open() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.count
}

// enter admits one more stream of a session. The caller calls leave when it ends.
func (s *Streams) enter(session string) (leave func(), err error) {
	select {
	case <-s.ended:
		return nil, refusal(http.StatusServiceUnavailable, "The service restarts.")
	default:
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.count >= perProcess || s.open[session] >= perSession {
		return nil, refusal(http.StatusTooManyRequests, "Too many pages are updated live at the same time.")
	}
	s.count++
	s.open[session]++
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.count--
		if s.open[session]--; s.open[session] == 0 {
			delete(s.open, session)
		}
	}, nil
}

func refusal(status int, words string) error {
	return page.Refusal{Status: status, Title: "No live updates", Words: words}
}

// valid reports whether a cursor may be one of ours.
func valid(cursor string) bool {
	for _, c := range []byte(cursor) {
		if c <= ' ' || c > '~' {
			return false
		}
	}
	return len(cursor) <= mostCursor
}

const mostCursor = 100

// begins is the cursor from which a reader wants to go on: that of the last event that they had, or that of
// the page that they opened.
func begins(v *page.Request) (string, error) {
	cursor := v.Request().Header.Get("Last-Event-ID")
	if cursor == "" {
		cursor = v.QueryParam(Cursor)
	}
	if !valid(cursor) {
		return "", fault.New(fault.InvalidCursor, "This isn’t a position in a stream.")
	}
	return cursor, nil
}

// Cursor is the parameter of a stream's address that says from where it begins.
const Cursor = "cursor"
