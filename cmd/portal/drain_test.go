package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"portal/api/sampled"
)

// stopsUnderLoad is how often a server is stopped under load: PORTAL_PROVE=1 does it as
// often as is promised.
func stopsUnderLoad() int {
	if sampled.Whole {
		return 50 // on each database
	}
	return 1
}

// busyClients is how many clients ask all the time.
const busyClients = 48

// TestShutdownUnderLoadDropsNoRequest stops servers while clients read, write and call tools
// over connections that they keep, and open new ones when they are told that one ends.
func TestShutdownUnderLoadDropsNoRequest(t *testing.T) {
	eachDatabase(t, func(t *testing.T, s *httpServer) {
		for n := range stopsUnderLoad() {
			if n > 0 {
				s = s.again(t)
			}
			s.stopUnderLoad(t)
		}
	})
}

func (s *httpServer) stopUnderLoad(t *testing.T) {
	t.Helper()
	s.http.Config.Times.Accept = 500 * time.Millisecond // there is no load balancer that has to notice
	l := &load{address: s.address, key: s.demo.TestKey}
	var clients sync.WaitGroup
	for i := range busyClients {
		clients.Go(func() { l.client(t.Context(), i) })
	}
	eventually(t, "the clients are answered", func() bool { return t.Failed() || l.answered.Load() > 20*busyClients })
	began := time.Now()
	orFail(t, s.stop(context.WithoutCancel(t.Context())))
	took := time.Since(began)
	clients.Wait()
	if n := l.dropped.Load(); n > 0 {
		t.Errorf("%d requests were dropped, of %d: %v", n, l.answered.Load(), l.why.Load())
	}
	if l.told.Load() == 0 || l.unready.Load() == 0 {
		t.Errorf("%d answers said that their connection ends, /readyz answered 503 %d times",
			l.told.Load(), l.unready.Load())
	}
	t.Logf("%d answers, %d told that the connection ends, a stop of %s", l.answered.Load(), l.told.Load(), took)
	s.noErrors(t)
}

// load is what busy clients have seen.
type load struct {
	address, key                     string
	answered, told, dropped, unready atomic.Int64
	why                              atomic.Value // of a request that was dropped
}

// client asks over one connection after the other until none can be made.
func (l *load) client(ctx context.Context, i int) {
	for {
		conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", l.address)
		if err != nil {
			return
		}
		err = l.converse(conn, i)
		_ = conn.Close()
		if err != nil {
			l.dropped.Add(1)
			l.why.Store(err.Error())
			return
		}
	}
}

// converse asks over a connection until it is told that the connection ends.
func (l *load) converse(conn net.Conn, i int) error {
	in, key := bufio.NewReader(conn), "Authorization: Bearer "+l.key
	for n := i; ; n++ {
		message := request("GET", "/api/v1/external/properties?limit=1", key, "")
		switch n % 4 {
		case 1:
			message = request(
				"POST",
				"/api/v1/external/maintenance/tickets",
				key+"\r\nContent-Type: application/json",
				`{"property_id":"prop_1","description":"A tap drips."}`,
			)
		case 2:
			message = request(
				"POST",
				"/mcp",
				key+"\r\nContent-Type: application/json",
				`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`,
			)
		case 3:
			message = request("GET", "/readyz", "Accept: */*", "")
		}
		if _, err := io.WriteString(conn, message); err != nil {
			return err
		}
		response, err := http.ReadResponse(in, nil)
		if err != nil {
			return err
		}
		_, err = io.Copy(io.Discard, response.Body)
		if err = errors.Join(err, response.Body.Close()); err != nil {
			return err
		}
		l.answered.Add(1)
		if response.StatusCode == http.StatusServiceUnavailable && n%4 == 3 {
			l.unready.Add(1)
		} else if response.StatusCode >= 500 {
			return fmt.Errorf("status %s", response.Status)
		}
		if response.Close {
			l.told.Add(1)
			return nil
		}
	}
}

func TestShutdownEndsStreamWithReason(t *testing.T) {
	t.Parallel()
	s := startHTTP(t)
	conn := s.dial(t)
	_, err := io.WriteString(
		conn,
		request("GET", "/api/v1/external/events/stream", "Authorization: Bearer "+s.demo.TestKey, ""),
	)
	orFail(t, err)
	response, err := http.ReadResponse(bufio.NewReader(conn), nil)
	orFail(t, err)
	defer response.Body.Close()
	stopped := make(chan error, 1)
	go func() { stopped <- s.stop(context.WithoutCancel(t.Context())) }()
	said, err := io.ReadAll(response.Body)
	if err != nil || !strings.Contains(string(said), ": ended: ") {
		t.Errorf("the stream ended with %q, %v", said, err)
	}
	orFail(t, <-stopped)
}

func TestBacklogConnectionIsServedBeforeShutdown(t *testing.T) {
	t.Parallel()
	s := startHTTP(t)
	idle, last := s.dial(t), s.dial(t)
	// The server takes new connections for a second after the last request, so there is one.
	_, err := io.WriteString(idle, request("GET", "/healthz", "Accept: */*", ""))
	orFail(t, err)
	if a := readReply(t, bufio.NewReader(idle), http.MethodGet); a.StatusCode != http.StatusOK || a.Close {
		t.Errorf("%s, closes: %v", a.Status, a.Close)
	}
	stopped := make(chan error, 1)
	go func() { stopped <- s.stop(context.WithoutCancel(t.Context())) }()
	eventually(t, "the server stops", s.http.Stopping)
	for _, conn := range []net.Conn{last, s.dial(t)} {
		_, err := io.WriteString(conn, request("GET", "/healthz", "Accept: */*", ""))
		orFail(t, err)
		if a := readReply(t, bufio.NewReader(conn), http.MethodGet); a.StatusCode != http.StatusOK || !a.Close {
			t.Errorf("%s, closes: %v", a.Status, a.Close)
		}
	}
	if _, err := bufio.NewReader(idle).ReadByte(); !errors.Is(err, io.EOF) {
		t.Errorf("the idle connection ends with %v", err)
	}
	orFail(t, <-stopped)
	if _, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", s.address); !errors.Is(err, syscall.ECONNREFUSED) {
		t.Errorf("a new connection: %v", err)
	}
}

func TestEndlessRequestDoesNotBlockShutdown(t *testing.T) {
	t.Parallel()
	if answerTime != 30*time.Second {
		t.Errorf("requests under way get %s", answerTime)
	}
	s := startHTTP(t)
	s.patience = 300 * time.Millisecond
	conn := s.dial(t)
	_, err := fmt.Fprintf(
		conn,
		"POST /api/v1/external/properties HTTP/1.1\r\nHost: portal\r\nAuthorization: Bearer %s\r\nContent-Type: "+
			"application/json\r\nContent-Length: 9\r\n\r\n{",
		s.demo.TestKey,
	)
	orFail(t, err)
	eventually(t, "the request is with its handler", func() bool { return s.running.Load() == 1 })
	orFail(t, s.stop(context.WithoutCancel(t.Context())))
	if said := s.log.String(); !strings.Contains(said, "did not finish in time") {
		t.Errorf("the log says %s", said)
	}
	s.noErrors(t)
}
