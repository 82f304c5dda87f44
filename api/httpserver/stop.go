package httpserver

import (
	"context"
	"errors"
	"net"
	"time"
)

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
			return errors.Join(ctx.Err(), s.closeAll())
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

// closeAll cuts off what is under way.
func (s *Server) closeAll() error {
	for _, c := range s.connections() {
		_ = c.Conn.Close() // its reader and writer notice
	}
	return s.http.Close()
}
