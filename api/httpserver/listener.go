package httpserver

import (
	"context"
	"errors"
	"net"
	"net/http"
	"os"
	"slices"
	"time"
)

// Listen listens on an address such as 127.0.0.1:8080. It takes TCP alone: a listener of multipath
// TCP, which Go makes by default, lets nobody refuse handshakes before it is closed, so that a stop
// would reset connections that clients have just made.
func Listen(ctx context.Context, address string) (net.Listener, error) {
	var c net.ListenConfig
	c.SetMultipathTCP(false)
	return c.Listen(ctx, "tcp", address)
}

// listener makes the connections of the server.
type listener struct {
	net.Listener
	server *Server
}

// Accept is net.Listener's. While the server closes it, it still gives the connections
// that clients have made already.
func (l *listener) Accept() (net.Conn, error) {
	accepted, err := l.Listener.Accept()
	if errors.Is(err, os.ErrDeadlineExceeded) {
		if accepted, err = l.pending(); err != nil {
			return nil, http.ErrServerClosed
		}
	}
	if err != nil {
		return nil, err
	}
	return l.server.admit(accepted), nil
}

// pending is a connection that waits to be accepted. Whether there is one does not depend
// on how soon this process gets to look, as a deadline in the near future would.
func (l *listener) pending() (net.Conn, error) {
	d, is := l.Listener.(interface{ SetDeadline(time.Time) error })
	if !is || !readable(l.Listener) {
		return nil, net.ErrClosed
	}
	if err := d.SetDeadline(l.server.Now().Add(lastLook)); err != nil {
		return nil, err
	}
	accepted, err := l.Listener.Accept()
	return accepted, errors.Join(err, d.SetDeadline(longAgo)) // which ends the next call at once
}

// admit counts a new connection. Where it is one too many, the one that has been idle for
// the longest time is closed: of its address, or of all.
func (s *Server) admit(accepted net.Conn) *conn {
	now := s.touch()
	c := &conn{
		Conn:    accepted,
		server:  s,
		since:   now,
		last:    now,
		address: host(accepted.RemoteAddr()),
	}
	c.network = s.Network(c.address)
	s.mu.Lock()
	s.open[c] = struct{}{}
	s.mu.Unlock()
	s.keep(c, 1)
	s.makeRoom(c)
	s.catchUp()
	return c
}

// catchUp waits until connections that are told to close are closed, where there are many:
// each still has its descriptor.
func (s *Server) catchUp() {
	late := time.NewTimer(lingers)
	defer late.Stop()
	for s.Counts().Open > s.Limits.Connections+s.Limits.Reserve {
		select {
		case <-s.released:
		case <-late.C:
			return
		}
	}
}

func host(a net.Addr) string {
	name, _, err := net.SplitHostPort(a.String())
	if err != nil {
		return a.String()
	}
	return name
}

// keep counts a connection as one more or one less that is kept.
func (s *Server) keep(c *conn, n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.kept += n
	if c.network == "" {
		return
	}
	s.networks[c.network] += n
	if s.networks[c.network] == 0 {
		delete(s.networks, c.network)
	}
}

// excess counts connections over the limit of a network ("" for none) and over the limit of all.
func (s *Server) excess(network string) (ofNetwork, inAll int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if network != "" {
		ofNetwork = s.networks[network] - s.Limits.Address
	}
	return ofNetwork, s.kept - s.Limits.Connections
}

// makeRoom closes what is beyond the limits, the newcomer apart: one connection, or more where
// there was none to close when others came.
func (s *Server) makeRoom(newcomer *conn) {
	for n, _ := s.excess(newcomer.network); n > 0; n-- {
		if !s.evict(newcomer, true) {
			newcomer.surplus = true
			break
		}
	}
	for _, n := s.excess(""); n > 0; n-- {
		if !s.evict(newcomer, false) {
			break
		}
	}
}

// forget is for a connection that is closed.
func (s *Server) forget(c *conn) {
	c.mu.Lock()
	told := c.told
	c.mu.Unlock()
	if !told {
		s.keep(c, -1)
	}
	s.mu.Lock()
	delete(s.open, c)
	s.mu.Unlock()
	select {
	case s.released <- struct{}{}:
	default:
	}
}

// beyond reports whether a connection was and is one too many of its address.
func (s *Server) beyond(c *conn) bool {
	if !c.surplus {
		return false
	}
	n, _ := s.excess(c.network)
	return n > 0
}

// evict closes the connection that has waited for the longest time without a request that
// is with the handler: of the network of a newcomer, or of all; never the newcomer itself.
// It reports whether there was one.
func (s *Server) evict(newcomer *conn, ofNetwork bool) bool {
	var idle []waiting
	for _, c := range s.connections() {
		if c == newcomer || ofNetwork && c.network != newcomer.network {
			continue
		}
		if since, waits := c.waits(); waits {
			idle = append(idle, waiting{c, since})
		}
	}
	slices.SortFunc(idle, func(a, b waiting) int { return a.since.Compare(b.since) })
	for _, w := range idle {
		if !w.tell(0) && !w.cut() { // its request has come meanwhile
			continue
		}
		if ofNetwork {
			s.closedForAddress.Add(1)
		} else {
			s.closedForAll.Add(1)
		}
		return true
	}
	return false
}

// waiting is a connection that waits for a request.
type waiting struct {
	*conn
	since time.Time
}

// slow is how long a partial request head may take before its connection can be closed to make
// space for another. A newer head may be complete already, with its request about to be handled.
const slow = 100 * time.Millisecond

// cut has a connection closed that is in the midst of a head that takes its time, and tells
// whether it was. What has come of it meanwhile is still read, and answered if it is whole.
func (c *conn) cut() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.partial || c.handling || c.told || c.closed || c.server.Now().Sub(c.began) < slow {
		return false
	}
	c.end()
	return true
}

// waits tells since when a connection has waited for a request that is whole.
func (c *conn) waits() (since time.Time, waits bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.since, !c.handling && !c.told && !c.closed
}

func (s *Server) connections() []*conn {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := make([]*conn, 0, len(s.open))
	for c := range s.open {
		all = append(all, c)
	}
	return all
}

// Counts are what the metrics show.
type Counts struct {
	Open             int   // connections
	ClosedForAll     int64 // so far, to make room below the limit of all connections
	ClosedForAddress int64 // so far, to make room below the limit of an address
}

// Idle is how many connections wait for a request.
func (s *Server) Idle() (n int) {
	for _, c := range s.connections() {
		if _, waits := c.waits(); waits {
			n++
		}
	}
	return n
}

// Counts are the connections as they are now.
func (s *Server) Counts() Counts {
	s.mu.Lock()
	defer s.mu.Unlock()
	return Counts{len(s.open), s.closedForAll.Load(), s.closedForAddress.Load()}
}

// touch notes that something happens, and is when.
func (s *Server) touch() time.Time {
	now := s.Now()
	s.active.Store(now.UnixNano())
	return now
}
