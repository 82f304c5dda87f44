package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// malformed are requests that are not HTTP/1.1 as RFC 9112 has it, by what is wrong with them.
var malformed = map[string]string{
	"no request line":               "BLAH\r\n\r\n",
	"an empty method":               " / HTTP/1.1\r\nHost: x\r\n\r\n",
	"a method with a space":         "G ET / HTTP/1.1\r\nHost: x\r\n\r\n",
	"a control character as method": "\x01 / HTTP/1.1\r\nHost: x\r\n\r\n",
	"HTTP/0.9":                      "GET /\r\n\r\n",
	"HTTP/2.0":                      "GET / HTTP/2.0\r\nHost: x\r\n\r\n",
	"HTTP/3.7":                      "GET / HTTP/3.7\r\nHost: x\r\n\r\n",
	"HTTP/1.x":                      "GET / HTTP/1.x\r\nHost: x\r\n\r\n",
	"the preface of HTTP/2":         "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
	"a hello of TLS":                "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
	"a bad escape":                  "GET /%zz HTTP/1.1\r\nHost: x\r\n\r\n",
	"no path":                       "GET nothing HTTP/1.1\r\nHost: x\r\n\r\n",
	"a space in the path":           "GET /a b HTTP/1.1\r\nHost: x\r\n\r\n",
	"no host":                       "GET / HTTP/1.1\r\n\r\n",
	"two hosts":                     "GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n",
	"a host that is none":           "GET / HTTP/1.1\r\nHost: x y\r\n\r\n",
	"a header without a colon":      "GET / HTTP/1.1\r\nHost: x\r\nBlah\r\n\r\n",
	"a header with a space":         "GET / HTTP/1.1\r\nHost: x\r\nX Y: z\r\n\r\n",
	"a header with a zero":          "GET / HTTP/1.1\r\nHost: x\r\nX: a\x00b\r\n\r\n",
	"a header that is folded first": "GET / HTTP/1.1\r\n Host: x\r\n\r\n",
	"a large header":                "GET / HTTP/1.1\r\nHost: x\r\nX: " + strings.Repeat("a", 100<<10) + "\r\n\r\n",
	"many headers":                  "GET / HTTP/1.1\r\nHost: x\r\n" + strings.Repeat("X: aaaaaaaa\r\n", 9000) + "\r\n",
	"a long path":                   "GET /" + strings.Repeat("a", 100<<10) + " HTTP/1.1\r\nHost: x\r\n\r\n",
	"an unknown expectation":        "GET / HTTP/1.1\r\nHost: x\r\nExpect: tea\r\n\r\n",
	"an unknown encoding":           "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: tea\r\n\r\n",
	"two encodings":                 "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
	"the encoding twice": "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: " +
		"chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
	"two lengths":                 "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
	"a negative length":           "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
	"a length that is no number":  "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1a\r\n\r\na",
	"a length beyond all numbers": "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999999999999\r\n\r\na",
	"much behind a bad line":      "BLAH\r\n\r\n" + strings.Repeat("x", 200<<10),
	"chunks that are none": "POST /api/v1/external/properties HTTP/1.1\r\nHost: x\r\nAuthorization: " +
		"Bearer KEY\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n",
}

func TestMalformedHTTPGetsErrorEnvelopeWithRateLimitHeaders(t *testing.T) {
	eachDatabase(t, func(t *testing.T, s *httpServer) {
		for name, request := range malformed {
			t.Run(name, func(t *testing.T) {
				conn := s.dial(t)
				go func() { _, _ = io.WriteString(conn, strings.ReplaceAll(request, "KEY", s.demo.TestKey)) }()
				in := bufio.NewReader(conn)
				a := readReply(t, in, http.MethodGet)
				a.isMalformed(t)
				if _, err := in.ReadByte(); !errors.Is(err, io.EOF) && !errors.Is(err, syscall.ECONNRESET) {
					t.Errorf("the connection goes on: %v", err)
				}
			})
		}
		s.noErrors(t)
	})
}

// isMalformed fails the test where the answer is not the refusal of what is no HTTP.
func (a rawAnswer) isMalformed(t *testing.T) {
	t.Helper()
	var envelope struct {
		Error struct {
			Type, Code, Message string
			Param               *string
			Errors              []any
			RequestID           string `json:"request_id"`
			DocURL              string `json:"doc_url"`
		}
	}
	if err := json.Unmarshal([]byte(a.body), &envelope); err != nil {
		t.Fatalf("%s %.300s: %v", a.Status, a.body, err)
	}
	e := envelope.Error
	if a.StatusCode != http.StatusBadRequest || e.Type != "validation_error" ||
		e.Code != "malformed_request" || e.Errors == nil || e.Param != nil {
		t.Errorf("%s %s", a.Status, a.body)
	}
	if e.RequestID == "" || e.RequestID != a.Header.Get("X-Request-Id") ||
		!strings.HasSuffix(e.DocURL, "/docs/errors#malformed_request") {
		t.Errorf("the id is %q, %q; the reference %q", e.RequestID, a.Header.Get("X-Request-Id"), e.DocURL)
	}
	for _, name := range []string{"Limit", "Remaining", "Reset"} {
		if _, err := strconv.Atoi(a.Header.Get("X-RateLimit-" + name)); err != nil {
			t.Errorf("X-RateLimit-%s is %q", name, a.Header.Get("X-RateLimit-"+name))
		}
	}
	if !a.Close || a.Header.Get("Content-Type") != "application/json" || a.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("headers %v, closes: %v", a.Header, a.Close)
	}
}

func TestContentLengthWithChunkedReadsChunksAndCloses(t *testing.T) {
	t.Parallel()
	s := startHTTP(t)
	const chunks = "2\r\n{}\r\n0\r\n\r\n"
	for name, c := range map[string]struct {
		headers string
		closes  bool
	}{
		"length and chunks":              {"Content-Length: 3\r\nTransfer-Encoding: chunked\r\n", true},
		"chunks and length":              {"Transfer-Encoding: chunked\r\nContent-Length: 3\r\n", true},
		"in other letters":               {"tRANSFER-eNCODING: Chunked\r\nX: y\r\ncontent-length:3\r\n", true},
		"chunks alone":                   {"Transfer-Encoding: chunked\r\n", false},
		"chunks and a name that is none": {"Transfer-Encoding: chunked\r\nX-Content-Length: 3\r\n", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			conn := s.dial(t)
			in := bufio.NewReader(conn)
			for range 2 { // a kept connection too
				_, err := io.WriteString(
					conn,
					"GET /api/v1/external/me HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer "+s.demo.TestKey+"\r\n\r\n",
				)
				orFail(t, err)
				if a := readReply(t, in, http.MethodGet); a.Close || a.StatusCode != http.StatusOK {
					t.Fatalf("before: %s, closes: %v", a.Status, a.Close)
				}
			}
			for _, piece := range []string{
				"POST /api/v1/external/properties HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " +
					s.demo.TestKey + "\r\nContent-Type: application/json\r\n" + c.headers[:9],
				c.headers[9:] + "\r\n" + chunks,
			} {
				_, err := io.WriteString(conn, piece)
				orFail(t, err)
			}
			a := readReply(t, in, http.MethodPost)
			if a.StatusCode != http.StatusBadRequest || !strings.Contains(a.body, "street_address") {
				t.Errorf("it was not read as chunks: %s %s", a.Status, a.body)
			}
			if a.Close != c.closes {
				t.Errorf("closes: %v, want %v", a.Close, c.closes)
			}
			if !c.closes {
				return
			}
			if _, err := in.ReadByte(); !errors.Is(err, io.EOF) {
				t.Errorf("the connection goes on: %v", err)
			}
		})
	}
}
