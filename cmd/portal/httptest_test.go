package main

import (
	"bufio"
	"encoding/base64"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"portal/api/httpserver"
	"portal/db/dbtest"
)

// httpServer is the whole service with its demo, served on a port by this process.
type httpServer struct {
	*server
	home    home
	demo    demoSecrets
	address string
	log     *words
	running atomic.Int64 // requests that are with the handler
}

// eachDatabase runs a test against a server on each kind of database.
func eachDatabase(t *testing.T, test func(*testing.T, *httpServer), env ...string) {
	t.Parallel()
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		test(t, startHTTP(t, env...))
	})
	t.Run("postgres", func(t *testing.T) {
		t.Parallel()
		url := dbtest.NewPostgres(t).Migrated(t)
		key := base64.StdEncoding.EncodeToString(make([]byte, 32))
		test(t, startHTTP(t, append(slices.Clone(env), "DATABASE_URL="+url, "PORTAL_SECRET_KEY="+key)...))
	})
}

func startHTTP(t *testing.T, env ...string) *httpServer {
	t.Helper()
	h := home{data: filepath.Join(t.TempDir(), "data")}
	h.env = append([]string{"PORTAL_DATA=" + h.data}, env...)
	h.withDemo(t)
	return h.startHTTP(t)
}

// again starts a server over the data of one that has stopped.
func (s *httpServer) again(t *testing.T) *httpServer {
	t.Helper()
	return s.home.startHTTP(t)
}

// startHTTP starts a server over a home, prepared before it accepts a connection.
func (h home) startHTTP(t *testing.T, prepare ...func(*server)) *httpServer {
	t.Helper()
	listener, err := httpserver.Listen(t.Context(), "127.0.0.1:0")
	orFail(t, err)
	s := &httpServer{address: listener.Addr().String(), log: &words{}}
	s.home = h.with("PORTAL_BASE_URL=http://" + s.address)
	c, err := configure(s.home.getenv)
	orFail(t, err)
	p, err := openProduct(t.Context(), c)
	orFail(t, err)
	s.demo, err = p.demo(t.Context())
	orFail(t, err)
	s.server, err = newServer(t.Context(), p, newLog(s.log))
	orFail(t, err)
	s.server.http.Config.Times.StopIdle = time.Second // except where a test is about it
	for _, do := range prepare {
		do(s.server)
	}
	handler := s.server.http.Handler
	s.server.http.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.running.Add(1)
		defer s.running.Add(-1)
		handler.ServeHTTP(w, r)
	})
	go func() { _ = s.server.http.Serve(listener) }()
	t.Cleanup(func() { _ = s.stop(t.Context()) })
	return s
}

// noErrors fails the test where the server has logged an error.
func (s *httpServer) noErrors(t *testing.T) {
	t.Helper()
	for line := range strings.Lines(s.log.String()) {
		if strings.Contains(line, `"level":"ERROR"`) {
			t.Errorf("the log has %.600s", line)
		}
	}
}

// dial opens a connection to the server that is closed with the test.
func (s *httpServer) dial(t *testing.T) net.Conn {
	t.Helper()
	conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", s.address)
	orFail(t, err)
	t.Cleanup(func() { conn.Close() })
	orFail(t, conn.SetDeadline(time.Now().Add(patience)))
	return conn
}

// rawAnswer is an answer that was read whole.
type rawAnswer struct {
	*http.Response
	body string
}

// readReply reads the answer to a request of a method.
func readReply(t *testing.T, in *bufio.Reader, method string) rawAnswer {
	t.Helper()
	response, err := http.ReadResponse(in, &http.Request{Method: method})
	orFail(t, err)
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	orFail(t, err)
	return rawAnswer{response, string(body)}
}

// send sends a request and reads the answer; redirects are not followed.
func (s *httpServer) send(t *testing.T, method, path, body string, headers http.Header) rawAnswer {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, "http://"+s.address+path, strings.NewReader(body))
	orFail(t, err)
	r.Header = headers
	response, err := http.DefaultTransport.RoundTrip(r)
	orFail(t, err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	orFail(t, err)
	return rawAnswer{response, string(text)}
}
