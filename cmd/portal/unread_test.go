package main

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
)

// TestLargeUploadsThatAreRefusedAreAnswered sends each upload whole before it reads, as browsers
// do: they would show a broken connection, and no sentence.
func TestLargeUploadsThatAreRefusedAreAnswered(t *testing.T) {
	t.Parallel()
	s := startHTTP(t)
	const size = 24 << 20
	head := "Content-Type: multipart/form-data; boundary=b\r\n"
	json := "Content-Type: application/json\r\nAuthorization: Bearer " + s.demo.TestKey + "\r\n"
	for _, c := range []struct {
		path, headers string
		status        string
	}{
		{"/verify", head, "403"},
		{"/test/import", head, "303"},
		{"/test/import", head + "Origin: https://other.example.com\r\nSec-Fetch-Site: cross-site\r\n", "403"},
		{"/tenant/unknown/tickets", head, "404"},
		{"/verify", head + "Sec-Fetch-Site: cross-site\r\n", "403"},
		{"/nothing", head, "404"},
		{"/api/v1/external/properties", json, "413"},
		{"/api/v1/external/properties", "Content-Type: application/json\r\n", "401"},
		{"/mcp", json, "413"},
		{"/mcp/", json, "404"},
	} {
		if a := s.sendWhole(t, c.path, c.headers, size); !strings.HasPrefix(a.Status, c.status) ||
			a.body == "" && c.status != "303" {
			t.Errorf("%s with %q: %s, want %s: %.200s", c.path, c.headers, a.Status, c.status, a.body)
		}
	}
	for range 12 { // the address has sent more files than a minute has room for
		if a := s.sendWhole(t, "/verify", head, size); a.StatusCode == http.StatusTooManyRequests {
			if !strings.Contains(a.body, "files per minute") {
				t.Errorf("the page does not say why: %.500s", a.body)
			}
			return
		}
	}
	t.Error("no upload was refused with 429")
}

// sendWhole posts a file of zeros to its end, then reads the answer.
func (s *httpServer) sendWhole(t *testing.T, path, headers string, size int64) rawAnswer {
	t.Helper()
	conn := s.dial(t)
	file := "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.pdf\"\r\n\r\n"
	const end = "\r\n--b--\r\n"
	_, err := fmt.Fprintf(conn,
		"POST %s HTTP/1.1\r\nHost: %s\r\nAccept: text/html\r\nContent-Length: %d\r\n%s\r\n%s",
		path, s.address, int64(len(file)+len(end))+size, headers, file)
	orFail(t, err)
	if _, err = io.CopyN(conn, zeros{}, size); err != nil {
		t.Fatalf("%s: the upload broke off: %v", path, err)
	}
	_, err = io.WriteString(conn, end)
	orFail(t, err)
	return readReply(t, bufio.NewReader(conn), http.MethodPost)
}

type zeros struct{}

// Read is io.Reader's.
func (zeros) Read(b []byte) (int, error) { return len(b), nil }
