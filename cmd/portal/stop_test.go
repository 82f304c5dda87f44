package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"

	"portal/cmd/portal/cli"
)

// slow is a request that the server has admitted and cannot answer yet: the last
// byte of its body is not sent.
type slow struct{ net.Conn }

func (s *service) slowly(t *testing.T) slow {
	t.Helper()
	key := s.vars["PORTAL_TEST_KEY"]
	conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", strings.TrimPrefix(s.vars["PORTAL_URL"], "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	fmt.Fprintf(
		conn,
		"GET /api/v1/external/properties HTTP/1.1\r\nHost: portal\r\nAuthorization: Bearer %s\r\nContent-Type: "+
			"application/json\r\nContent-Length: 2\r\n\r\n{",
		key,
	)
	asked := 0
	eventually(t, "the slow request is admitted", func() bool {
		asked++
		return s.me(t, key).Header.Get("X-RateLimit-Remaining") == fmt.Sprint(600-asked-1)
	})
	return slow{conn}
}

// finish sends what is missing and reads the answer.
func (s slow) finish(t *testing.T) (status int, body string) {
	t.Helper()
	if _, err := s.Write([]byte("}")); err != nil {
		t.Fatal(err)
	}
	response, err := http.ReadResponse(bufio.NewReader(s), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(text)
}

// stopping sends a first signal and waits until the server has taken it.
func (s *service) stopping(t *testing.T, with syscall.Signal) {
	t.Helper()
	s.signal(t, with)
	eventually(
		t,
		"the server says that it stops",
		func() bool { return strings.Contains(s.err.String(), `"stopping"`) },
	)
}

func TestInFlightResponseFinishesBeforeShutdown(t *testing.T) {
	t.Parallel()
	for _, with := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT} {
		t.Run(with.String(), func(t *testing.T) {
			t.Parallel()
			s := newHome(t).serve(t)
			request := s.slowly(t)
			began := time.Now()
			s.stopping(t, with)
			status, body := request.finish(t)
			if status != http.StatusOK || !strings.Contains(body, `"object":"list"`) || !strings.HasSuffix(body, "}") {
				t.Errorf("the answer in flight: %d %s", status, body)
			}
			if code := s.end(t); code != cli.ExitDone {
				t.Errorf("exit code %d: %s", code, &s.err)
			}
			if took := time.Since(began); took > stopTime {
				t.Errorf("the stop took %s", took)
			}
		})
	}
}

func TestSecondSignalExitsImmediately(t *testing.T) {
	t.Parallel()
	s := newHome(t).serve(t)
	s.slowly(t)
	s.stopping(t, syscall.SIGTERM)
	began := time.Now()
	s.signal(t, syscall.SIGTERM)
	s.end(t)
	if status := s.ProcessState.Sys().(syscall.WaitStatus); !status.Signaled() || status.Signal() != syscall.SIGTERM {
		t.Errorf("it did not die of the signal: %s", s.ProcessState)
	}
	if took := time.Since(began); took > answerTime/2 {
		t.Errorf("the end took %s", took)
	}
}
