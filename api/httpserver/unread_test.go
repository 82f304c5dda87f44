package httpserver

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"testing"
	"time"
)

// refusing starts a server that refuses every request before it reads its body.
func refusing(t *testing.T) (address string) {
	t.Helper()
	s := New(Config{
		Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, "Nothing was read of it.", http.StatusForbidden)
		}),
		Vital:   func(*http.Request) bool { return true },
		Network: func(string) string { return "" },
		Limits:  Limits{Connections: 10, Address: 10},
		Times:   Times{Header: time.Minute, Read: time.Minute, Write: time.Minute, Idle: time.Minute},
		Now:     time.Now,
	})
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go func() { _ = s.Serve(l) }()
	t.Cleanup(func() {
		now, cancel := context.WithCancel(context.Background())
		cancel()
		_ = s.Stop(now)
	})
	return l.Addr().String()
}

// send sends a request with a body of a size whole, as browsers do, before anything is read.
func send(t *testing.T, address string, size int64) (net.Conn, error) {
	t.Helper()
	c, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	_ = c.SetDeadline(time.Now().Add(time.Minute))
	fmt.Fprintf(c, "POST / HTTP/1.1\r\nHost: example.com\r\nContent-Length: %d\r\n\r\n", size)
	_, err = io.CopyN(c, endless{}, size)
	return c, err
}

type endless struct{}

// Read is io.Reader's.
func (endless) Read(b []byte) (int, error) { return len(b), nil }

func TestClientThatSendsALargeBodyReadsTheRefusal(t *testing.T) {
	t.Parallel()
	address := refusing(t)
	for _, size := range []int64{1 << 10, 1 << 20, mostUnread - 1<<20} {
		c, err := send(t, address, size)
		if err != nil {
			t.Fatalf("%d bytes were not taken in: %v", size, err)
		}
		response, err := http.ReadResponse(bufio.NewReader(c), nil)
		if err != nil {
			t.Fatalf("no answer to %d bytes: %v", size, err)
		}
		body, err := io.ReadAll(response.Body)
		response.Body.Close()
		if err != nil || response.StatusCode != http.StatusForbidden || string(body) != "Nothing was read of it.\n" {
			t.Errorf("%d bytes: %s %q %v", size, response.Status, body, err)
		}
	}
}

// Who sends on for ever is cut off.
func TestUnreadBodyIsTakenInWithinBounds(t *testing.T) {
	t.Parallel()
	if _, err := send(t, refusing(t), 8*mostUnread); err == nil {
		t.Error("everything was taken in")
	}
}
