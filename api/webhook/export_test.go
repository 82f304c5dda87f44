package webhook

import (
	"context"
	"net"
)

// GiveUpOn is what a dispatcher does when nothing but failures comes of an endpoint.
var GiveUpOn = (*Service).giveUpOn

// Record tells of the bytes that a sender writes, before it does.
func (s *Sender) Record(writes func(b []byte)) {
	connect := s.connect
	s.connect = func(ctx context.Context, network, address string) (net.Conn, error) {
		c, err := connect(ctx, network, address)
		if err != nil {
			return nil, err
		}
		return &recorded{c, writes}, nil
	}
}

type recorded struct {
	net.Conn
	writes func(b []byte)
}

func (r *recorded) Write(b []byte) (int, error) {
	r.writes(b)
	return r.Conn.Write(b)
}

// StartTime is how long after a claim its attempts may start.
const StartTime = startTime

// Ask has other processes stop their attempts at an endpoint.
func (d *Dispatcher) Ask(ctx context.Context, endpoint string, processes []string) <-chan struct{} {
	return d.ask(ctx, endpoint, processes)
}
