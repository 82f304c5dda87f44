package main

import (
	"bufio"
	"encoding/json"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"portal/api/fault"
)

func TestWhatNetHTTPRefusesComesInTheEnvelopeToo(t *testing.T) {
	t.Parallel()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{ReadHeaderTimeout: time.Minute, MaxHeaderBytes: 8 << 10,
		Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("handled")) })}
	go func() { _ = server.Serve(enveloped{listener, "https://portal.example.com/docs/errors#"}) }()
	t.Cleanup(func() { _ = server.Close() })

	for name, c := range map[string]struct {
		request string
		status  int
		kind    fault.Type
	}{
		"no request line":   {"BLAH\r\n\r\n", 400, fault.Validation},
		"a bad escape":      {"GET /%zz HTTP/1.1\r\nHost: x\r\n\r\n", 400, fault.Validation},
		"no host":           {"GET / HTTP/1.1\r\n\r\n", 400, fault.Validation},
		"a large header":    {"GET / HTTP/1.1\r\nHost: x\r\nX: " + strings.Repeat("a", 20<<10) + "\r\n\r\n", 431, fault.Validation},
		"an expectation":    {"GET / HTTP/1.1\r\nHost: x\r\nExpect: tea\r\n\r\n", 417, fault.Validation},
		"an odd encoding":   {"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: tea\r\n\r\n", 501, fault.Server},
		"an odd protocol":   {"GET / HTTP/3.7\r\nHost: x\r\n\r\n", 505, fault.Server},
		"a decent request":  {"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", 200, ""},
		"an older protocol": {"GET / HTTP/1.0\r\n\r\n", 200, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", listener.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			if _, err := conn.Write([]byte(c.request)); err != nil {
				t.Fatal(err)
			}
			response, err := http.ReadResponse(bufio.NewReader(conn), nil)
			if err != nil {
				t.Fatal(err)
			}
			defer response.Body.Close()
			if response.StatusCode != c.status {
				t.Fatalf("status %s, want %d", response.Status, c.status)
			}
			if c.kind == "" {
				return
			}
			var answer struct {
				Error struct {
					Type      fault.Type
					RequestID string `json:"request_id"`
					DocURL    string `json:"doc_url"`
				}
			}
			if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
				t.Fatal(err)
			}
			if answer.Error.Type != c.kind || answer.Error.RequestID == "" || answer.Error.RequestID != response.Header.Get("X-Request-Id") ||
				!strings.HasPrefix(answer.Error.DocURL, "https://portal.example.com/docs/errors#") {
				t.Errorf("answered %+v", answer)
			}
		})
	}
}
