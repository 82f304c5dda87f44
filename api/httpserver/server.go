// Package httpserver is the HTTP/1.1 server below the surfaces: how many connections it
// keeps, what it answers where net/http refuses a request by itself, and how it stops
// without dropping one.
//
// It knows no route, no key and no database.
package httpserver

import (
	"context"
	"errors"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"portal/api/clock"
)

// Config is what a server is made of.
type Config struct {
	Handler http.Handler
	// Refusal is the whole answer to a client at an address that sent what is not HTTP,
	// with the reason: part of a sentence.
	Refusal func(address, reason string) []byte
	// Overloaded answers a request that is one too many: of its address, or of all.
	Overloaded func(w http.ResponseWriter, r *http.Request, ofAddress bool)
	// Vital requests are answered even where others are one too many.
	Vital func(*http.Request) bool
	// Network is what an address counts as; "" for one whose connections count only among
	// those of all, such as a proxy's.
	Network func(address string) string
	Limits  Limits
	Times   Times
	Now     clock.Clock
}

// Limits are how many connections there may be at once. What is beyond closes the one that
// has been idle for the longest time.
type Limits struct {
	Connections int // in all
	Address     int // of one address
	Reserve     int // of those in all, kept for vital requests
}

// Times are how long things take at most.
type Times struct {
	Header time.Duration // reading the head of a request
	Read   time.Duration // reading a request
	Write  time.Duration // answering
	Idle   time.Duration // between two requests

	// Quiet is how long nobody has to ask anything before a server that stops takes no new
	// connections any more.
	Quiet time.Duration
	// Accept is for how long a server that stops takes new connections while it is asked.
	Accept time.Duration
	// StopIdle is how long nothing has to come on a connection before a server that stops
	// closes it: a client that is busy sends its next request before, and is told with the
	// answer that the connection ends.
	StopIdle time.Duration
}

// headerSize is what the head of a request has at most, in bytes.
const headerSize = 64 << 10

// Server serves the connections of a listener.
type Server struct {
	Config
	http     *http.Server
	stopping atomic.Bool
	active   atomic.Int64 // when something last came or was answered, in Unix nanoseconds
	handling atomic.Int64 // requests that are with the handler
	stopped  []func()

	mu       sync.Mutex
	open     map[*conn]struct{}
	kept     int            // of those, the ones that are not told to close
	networks map[string]int // kept connections by network
	listener net.Listener
	released chan struct{} // gets one when a connection is closed
	served   chan struct{} // closed when the listener is accepted from no more

	closedForAll, closedForAddress atomic.Int64
}

// New makes a server.
func New(c Config) *Server {
	s := &Server{
		Config:   c,
		open:     map[*conn]struct{}{},
		networks: map[string]int{},
		released: make(chan struct{}, 1),
		served:   make(chan struct{}),
	}
	s.http = &http.Server{
		Handler:           http.HandlerFunc(s.serve),
		ReadHeaderTimeout: c.Times.Header,
		ReadTimeout:       c.Times.Read,
		WriteTimeout:      c.Times.Write,
		IdleTimeout:       c.Times.Idle,
		MaxHeaderBytes:    headerSize,
		ConnContext: func(ctx context.Context, c net.Conn) context.Context {
			return context.WithValue(ctx, connKey{}, c)
		},
		ConnState: func(c net.Conn, state http.ConnState) {
			if state == http.StateIdle {
				c.(*conn).idle()
			}
		},

		DisableGeneralOptionsHandler: true, // it answers OPTIONS * without asking the handler
	}
	return s
}

// OnStop has something done when the server begins to stop.
func (s *Server) OnStop(do func()) { s.stopped = append(s.stopped, do) }

// Serve serves a listener until the server stops, which is no error. A server serves one.
func (s *Server) Serve(l net.Listener) error {
	s.mu.Lock()
	s.listener = l
	s.mu.Unlock()
	defer close(s.served)
	err := s.http.Serve(&listener{Listener: l, server: s})
	if errors.Is(err, http.ErrServerClosed) || s.stopping.Load() {
		return nil
	}
	return err
}

// Stopping reports whether the server has begun to stop.
func (s *Server) Stopping() bool { return s.stopping.Load() }

type connKey struct{}

// serve hands a request to the handler.
func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	c, _ := r.Context().Value(connKey{}).(*conn)
	if c == nil {
		s.Handler.ServeHTTP(w, r)
		return
	}
	w = c.begin(w, r)
	running := s.handling.Add(1)
	defer s.handling.Add(-1)
	switch room := s.Limits.Connections - s.Limits.Reserve; {
	case r.ProtoMajor != 1: // net/http lets the preface of HTTP/2 through
		c.refuse("its version is not HTTP/1.1 or HTTP/1.0")
		panic(http.ErrAbortHandler)
	case s.Vital(r) || running <= int64(room) && !s.beyond(c):
		s.Handler.ServeHTTP(w, r)
		c.writer.begin() // of a handler that wrote nothing
	default:
		w.Header().Set("Connection", "close")
		s.Overloaded(w, r, running <= int64(room))
	}
}

const (
	// lookAgain is between two looks at what is still under way.
	lookAgain = 5 * time.Millisecond
	// handshakes is how long clients get at most to finish the handshakes of connections that
	// the server does not refuse any more.
	handshakes = 100 * time.Millisecond
)

// Stop ends the server without dropping a request. From now on every answer ends its
// connection. New connections are taken until nobody has asked anything for a while, or
// Times.Accept has passed; those that clients have made by then are answered too. Idle ones
// are closed once nothing has come on them for Times.StopIdle, which the listener does not
// wait for. It returns when all are closed, or with the context's error after it has cut off
// what was still under way.
func (s *Server) Stop(ctx context.Context) error {
	s.stopping.Store(true)
	for _, do := range s.stopped {
		do()
	}
	began, tick := s.Now(), time.NewTicker(lookAgain)
	defer tick.Stop()
	accepts := true
	for {
		now := s.Now()
		busy := s.sweep()
		quiet := busy == 0 && now.Sub(time.Unix(0, s.active.Load())) >= s.Times.Quiet
		if accepts && (quiet || now.Sub(began) >= s.Times.Accept) {
			accepts = false
			s.closeListener()
			continue
		}
		if !accepts && len(s.connections()) == 0 {
			return s.http.Close()
		}
		select {
		case <-ctx.Done():
			for _, c := range s.connections() {
				_ = c.Conn.Close() // its reader and writer notice
			}
			return errors.Join(ctx.Err(), s.http.Close())
		case <-tick.C:
		}
	}
}

// sweep closes connections that have been idle for Times.StopIdle, and counts those on which a
// request is under way.
func (s *Server) sweep() (busy int) {
	for _, c := range s.connections() {
		if !c.tell(s.Times.StopIdle) && c.underWay() {
			busy++
		}
	}
	return busy
}

// closeListener closes the listener once all connections are accepted that clients have
// made. To close it before resets those.
func (s *Server) closeListener() {
	s.mu.Lock()
	l := s.listener
	s.mu.Unlock()
	if l == nil {
		return
	}
	d, is := l.(*net.TCPListener)
	if is && refuseHandshakes(d) == nil {
		tick := time.NewTicker(lookAgain)
		defer tick.Stop()
		waited, halfOpen := time.Duration(0), true
		for ; halfOpen && waited < handshakes; halfOpen = handshaking(d) {
			<-tick.C
			waited += lookAgain
		}
	}
	if is && d.SetDeadline(longAgo) == nil {
		<-s.served
	}
	_ = l.Close() // closed already, at worst
}
