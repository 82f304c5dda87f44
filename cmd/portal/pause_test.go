package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"syscall"
	"testing"
	"time"
)

// TestShutdownWaitsForClientsPausingBetweenRequests has clients ask over kept connections
// with pauses of one and of four and a half seconds. Each is answered after the stop has begun,
// and told that its connection ends; the slower ones when no new connection is taken any more.
func TestShutdownWaitsForClientsPausingBetweenRequests(t *testing.T) {
	t.Parallel()
	s := startHTTP(t)
	// Pauses that the service waits for, with three times its patience: a busy machine wakes a client up late.
	patient := 3 * stopIdle
	s.http.Config.Times.StopIdle = patient
	var answered, clients sync.WaitGroup
	stopping := make(chan struct{})
	for i := range 110 {
		pause := 1050 * time.Millisecond
		if i%11 == 0 {
			pause = stopIdle - 500*time.Millisecond
		}
		conn := s.dial(t)
		answered.Add(1)
		clients.Go(func() {
			if err := askTwice(conn, answered.Done, func() {
				<-stopping
				<-time.After(pause)
			}); err != nil {
				t.Errorf("a client that pauses %s: %v", pause, err)
			}
		})
	}
	answered.Wait()
	idle := s.dial(t)
	began, stopped := time.Now(), make(chan error, 1)
	go func() { stopped <- s.stop(context.WithoutCancel(t.Context())) }()
	eventually(t, "the server stops", s.http.Stopping)
	close(stopping)
	eventually(t, "no new connection is taken", func() bool {
		conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", s.address)
		if err == nil {
			_ = conn.Close()
		}
		return errors.Is(err, syscall.ECONNREFUSED)
	})
	if took := time.Since(began); took >= patient {
		t.Errorf("the listener was closed after %s", took)
	}
	clients.Wait()
	if _, err := bufio.NewReader(idle).ReadByte(); !errors.Is(err, io.EOF) {
		t.Errorf("a connection on which nothing came ends with %v", err)
	}
	orFail(t, <-stopped)
	s.noErrors(t)
}

// askTwice sends a request, and another one after a pause. The second answer says that the
// connection ends.
func askTwice(conn net.Conn, first, pause func()) error {
	in := bufio.NewReader(conn)
	for n := range 2 {
		_, err := io.WriteString(conn, request("GET", "/healthz", "Accept: */*", ""))
		if err != nil {
			return err
		}
		response, err := http.ReadResponse(in, nil)
		if n == 0 {
			first()
		}
		if err != nil {
			return fmt.Errorf("answer %d: %w", n+1, err)
		}
		_, err = io.Copy(io.Discard, response.Body)
		err = errors.Join(err, response.Body.Close())
		if err != nil || response.StatusCode != http.StatusOK || response.Close != (n == 1) {
			return fmt.Errorf("answer %d: %s, closes: %v, %w", n+1, response.Status, response.Close, err)
		}
		if n == 0 {
			pause()
		}
	}
	return nil
}
