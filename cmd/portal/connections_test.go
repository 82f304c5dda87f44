package main

import (
	"bufio"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"net"
	"net/http"
	"os/exec"
	"strings"
	"testing"
	"time"

	"portal/api/httpserver"
)

// startLimited starts a server that takes so many connections.
func startLimited(t *testing.T, l httpserver.Limits, env ...string) *httpServer {
	t.Helper()
	h := home{data: t.TempDir()}
	h.env = append([]string{"PORTAL_DATA=" + h.data}, env...)
	return h.startHTTP(t, func(s *server) { s.http.Limits = l })
}

// from opens a connection to the server from an address of the loopback.
func (s *httpServer) from(t *testing.T, address string) net.Conn {
	t.Helper()
	d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(address)}}
	conn, err := d.DialContext(t.Context(), "tcp", s.address)
	orFail(t, err)
	t.Cleanup(func() { conn.Close() })
	orFail(t, conn.SetDeadline(time.Now().Add(patience)))
	return conn
}

// asks sends a request over a connection and reads the answer.
func asks(t *testing.T, conn net.Conn, path, headers string) rawAnswer {
	t.Helper()
	_, err := io.WriteString(conn, request("GET", path, headers, ""))
	orFail(t, err)
	return readReply(t, bufio.NewReader(conn), http.MethodGet)
}

// isClosed waits until the server has closed a connection that is idle.
func isClosed(t *testing.T, conn net.Conn) {
	t.Helper()
	if n, err := conn.Read(make([]byte, 1)); n != 0 || err == nil || strings.Contains(err.Error(), "timeout") {
		t.Errorf("the connection is open: %d bytes, %v", n, err)
	}
}

func TestAddressConnectionLimitClosesLongestIdle(t *testing.T) {
	t.Parallel()
	s := startLimited(t, httpserver.Limits{Connections: 20, Address: 5, Reserve: 2})
	other := s.from(t, "127.0.0.2")
	eventually(t, "the other one is taken", func() bool { return s.http.Idle() == 1 })
	var all []net.Conn
	for i := range 15 {
		conn := s.from(t, "127.0.0.3")
		asks(t, conn, "/healthz", "Accept: */*")
		eventually(t, "the connection is idle", func() bool { return s.http.Idle() == 1+min(i+1, 5) })
		all = append(all, conn)
	}
	for _, conn := range all[:10] {
		isClosed(t, conn)
	}
	for _, conn := range append(all[10:], other) {
		if a := asks(t, conn, "/healthz", "Accept: */*"); a.StatusCode != http.StatusOK {
			t.Errorf("a connection within the limit: %s", a.Status)
		}
	}
	eventually(t, "what is closed is forgotten", func() bool { return s.http.Counts().Open <= 6 })
	if c := s.http.Counts(); c.Open != 6 || c.ClosedForAddress != 10 || c.ClosedForAll != 0 {
		t.Errorf("counted is %+v", c)
	}
}

func TestTotalConnectionLimitClosesSlowHeadersThenLongestIdle(t *testing.T) {
	t.Parallel()
	// Connections of trusted proxies count only towards the limit of all.
	s := startLimited(t, httpserver.Limits{
		Connections: 10,
		Address:     2,
		Reserve:     2,
	}, "PORTAL_TRUSTED_PROXIES=127.0.0.0/8")
	slow := s.dial(t)
	_, err := io.WriteString(slow, "GET / HTTP/1.1\r\nHost:")
	orFail(t, err)
	eventually(t, "the slow head has come", func() bool { return s.http.Idle() == 1 })
	began := time.Now()
	eventually(t, "it takes its time", func() bool { return time.Since(began) > time.Second/4 })
	var all []net.Conn
	for i := range 12 {
		conn := s.dial(t)
		asks(t, conn, "/healthz", "Accept: */*")
		eventually(t, "the connection is idle", func() bool { return s.http.Idle() == min(i+2, 10) })
		all = append(all, conn)
	}
	for _, conn := range []net.Conn{slow, all[0], all[1]} {
		isClosed(t, conn)
	}
	for _, conn := range all[2:] {
		if a := asks(t, conn, "/healthz", "Accept: */*"); a.StatusCode != http.StatusOK {
			t.Errorf("a connection within the limit: %s", a.Status)
		}
	}
	eventually(t, "what is closed is forgotten", func() bool { return s.http.Counts().Open <= 10 })
	if c := s.http.Counts(); c.Open != 10 || c.ClosedForAddress != 0 || c.ClosedForAll != 3 {
		t.Errorf("counted is %+v", c)
	}
}

// allowsStyle reports whether a policy has the hash of the style of a page, and allows no other.
func allowsStyle(policy, page string) bool {
	_, style, _ := strings.Cut(page, "<style>")
	style, _, _ = strings.Cut(style, "</style>")
	sum := sha256.Sum256([]byte(style))
	return strings.Contains(policy, "style-src 'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"';")
}

func TestBusyServerAnswersHealthChecksAndRejectsOthers(t *testing.T) {
	t.Parallel()
	s := startLimited(t, httpserver.Limits{Connections: 10, Address: 4, Reserve: 2})
	busy := func(address string) {
		before := s.running.Load()
		_, err := fmt.Fprintf(
			s.from(t, address),
			"POST /api/v1/external/properties HTTP/1.1\r\nHost: portal\r\nAuthorization: Bearer "+
				"%s\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{",
			s.demo.TestKey,
		)
		orFail(t, err)
		eventually(t, "the request is with its handler", func() bool { return s.running.Load() > before })
	}
	is := func(address, path, status, code string) {
		t.Helper()
		a := asks(t, s.from(t, address), path, "Authorization: Bearer "+s.demo.TestKey)
		if a.Status != status || !strings.Contains(a.body, code) ||
			code != "" && (a.Header.Get("Retry-After") != "1" || a.Header.Get("X-RateLimit-Limit") == "" || !a.Close) {
			t.Errorf("%s from %s: %s %v %s", path, address, a.Status, a.Header, a.body)
		}
	}
	browses := func(address string, status int) {
		t.Helper()
		for path, page := range map[string]bool{"/sign-in": true, "/api/v1/external/me": false} {
			a := asks(t, s.from(t, address), path, "Accept: text/html,application/xhtml+xml,*/*;q=0.8")
			if a.StatusCode != status || a.Header.Get("Retry-After") != "1" || !a.Close ||
				strings.HasPrefix(a.Header.Get("Content-Type"), "text/html") != page ||
				strings.Contains(a.body, "<h1>Too many requests right now</h1>") != page ||
				page && !allowsStyle(a.Header.Get("Content-Security-Policy"), a.body) {
				t.Errorf("a browser at %s from %s: %s %v %s", path, address, a.Status, a.Header, a.body)
			}
		}
	}
	for range 4 {
		busy("127.0.0.2")
	}
	is("127.0.0.2", "/api/v1/external/me", "429 Too Many Requests", `"rate_limited"`)
	browses("127.0.0.2", http.StatusTooManyRequests)
	is("127.0.0.2", "/readyz", "200 OK", "")
	is("127.0.0.3", "/api/v1/external/me", "200 OK", "")
	for range 4 {
		busy("127.0.0.3")
	}
	is("127.0.0.4", "/api/v1/external/me", "503 Service Unavailable", `"unavailable"`)
	browses("127.0.0.4", http.StatusServiceUnavailable)
	is("127.0.0.4", "/healthz", "200 OK", "")
	s.noErrors(t)
}

func TestConnectionLimitFollowsDescriptorLimit(t *testing.T) {
	t.Parallel()
	for limit, want := range map[uint64][2]int{
		16:        {16, 8},
		64:        {16, 8},
		1024:      {496, 248},
		1 << 20:   {10_000, 5_000},
		1<<64 - 1: {10_000, 5_000},
	} {
		l := connectionLimits(limit)
		if got := [2]int{l.Connections, l.Address}; got != want || l.Reserve != reservedConnections {
			t.Errorf("%d descriptors make %v, want %v", limit, got, want)
		}
	}
}

// TestIdleConnectionsDoNotStarveHealthCheck is about a process that may
// have 64 descriptors open.
func TestIdleConnectionsDoNotStarveHealthCheck(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	path, err := h.build()
	orFail(t, err)
	p := &process{
		Cmd:  exec.CommandContext(t.Context(), "/bin/sh", "-c", `ulimit -n 64 && exec "$0" serve`, path),
		over: make(chan struct{}),
	}
	p.Env, p.Stdout, p.Stderr = h.env, &p.out, &p.err
	p.begin(t)
	eventually(t, "the server listens", func() bool { return strings.Contains(p.err.String(), `"serving"`) })
	for range 150 {
		conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", h.last("PORTAL_ADDR"))
		orFail(t, err)
		defer conn.Close()
	}
	for range 5 {
		h.do(t, "health")
	}
	if said := p.err.String(); strings.Contains(said, "too many open files") {
		t.Errorf("the log has %s", said)
	}
	p.signalAndEnd(t)
}
