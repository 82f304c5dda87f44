package main

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"

	"portal/static"
)

// nonces differ between two answers that are the same otherwise.
var nonces = regexp.MustCompile(`nonce="[^"]*"`)

// decoded is the body of an answer, without what differs from answer to answer.
func (a rawAnswer) decoded(t *testing.T) string {
	t.Helper()
	var in io.Reader = strings.NewReader(a.body)
	switch a.Header.Get("Content-Encoding") {
	case "br":
		in = brotli.NewReader(in)
	case "gzip":
		unzipped, err := gzip.NewReader(in)
		orFail(t, err)
		in = unzipped
	}
	text, err := io.ReadAll(in)
	orFail(t, err)
	return nonces.ReplaceAllString(string(text), "")
}

// encoded is one answer that may come compressed.
type encoded struct {
	*httpServer
	method, path, body string
	once               bool // it is made for the request, so brotli is not offered
}

// ask asks for the answer with an Accept-Encoding and further headers, names and values.
func (e encoded) ask(t *testing.T, method, accept string, more ...string) rawAnswer {
	t.Helper()
	h := http.Header{"Content-Type": {"application/json"}, "Accept-Encoding": {accept}}
	if strings.HasPrefix(e.path, "/api/") || e.path == "/mcp" {
		h.Set("Authorization", "Bearer "+e.demo.TestKey)
	}
	for i := 0; i < len(more); i += 2 {
		h.Set(more[i], more[i+1])
	}
	return e.send(t, method, e.path, e.body, h)
}

// best is the encoding that a client gets who takes gzip and brotli alike.
func (e encoded) best() string {
	if e.once {
		return "gzip"
	}
	return "br"
}

func TestResponsesAreCompressedWhenAccepted(t *testing.T) {
	t.Parallel()
	s := startHTTP(t)
	for _, e := range []encoded{
		{s, "GET", "/api/v1/external/properties?limit=100", "", true},
		{s, "GET", "/api/v1/external/maintenance/tickets", "", true},
		{s, "GET", "/api/v1/external/openapi.json", "", false},
		{s, "POST", "/mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, true},
		{s, "POST", "/mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_properties"}}`, true},
		{s, "GET", "/openapi.json", "", false},
		{s, "GET", "/llms.txt", "", false},
		{s, "GET", "/llms-full.txt", "", false},
		{s, "GET", "/docs", "", true},
		{s, "GET", "/docs/quickstart.md", "", false},
		{s, "GET", "/", "", true},
		{s, "GET", static.URL("style.css"), "", false},
		{s, "GET", static.URL("page.js"), "", false},
	} {
		t.Run(e.method+" "+e.path, func(t *testing.T) {
			t.Parallel()
			plain := e.plain(t)
			for accept, want := range map[string]string{
				"gzip":                    "gzip",
				"gzip, deflate, br, zstd": e.best(),
				"gzip;q=1, br;q=0.5":      "gzip",
				"*":                       e.best(),
				"br;q=0, gzip;q=0":        "",
				"deflate":                 "",
				"identity":                "",
				"gzip;q=0.5, identity":    "",
				"identity;q=0, gzip":      "gzip",
			} {
				e.compare(t, accept, want, plain)
			}
			if e.method == http.MethodGet {
				e.head(t)
				e.again(t, plain)
			}
		})
	}
}

// plain is the answer as it is for a client that takes no encoding.
func (e encoded) plain(t *testing.T) rawAnswer {
	t.Helper()
	a := e.ask(t, e.method, "identity")
	if a.StatusCode != http.StatusOK || a.Header.Get("Content-Encoding") != "" || len(a.body) < 1024 {
		t.Fatalf("%s, %d bytes, encoded %q", a.Status, len(a.body), a.Header.Get("Content-Encoding"))
	}
	return a
}

func (e encoded) compare(t *testing.T, accept, want string, plain rawAnswer) {
	t.Helper()
	a := e.ask(t, e.method, accept)
	if a.Header.Get("Content-Encoding") != want || !slices.Contains(a.Header.Values("Vary"), "Accept-Encoding") {
		t.Errorf("%s: encoded %q, Vary %q", accept, a.Header.Get("Content-Encoding"), a.Header.Values("Vary"))
	}
	if ours, theirs := a.decoded(t), plain.decoded(t); ours != theirs && e.path != "/mcp" || len(ours) != len(theirs) {
		t.Errorf("%s: the body is another", accept)
	}
	n := a.Header.Get("Content-Length")
	if want != "" && (n != strconv.Itoa(len(a.body)) || len(a.body) > len(plain.body)*2/3) {
		t.Errorf("%s: Content-Length %s, %d bytes instead of %d", accept, n, len(a.body), len(plain.body))
	}
}

// head asks for the headers alone, which are those of the whole answer.
func (e encoded) head(t *testing.T) {
	t.Helper()
	head, whole := e.ask(t, http.MethodHead, "gzip"), e.ask(t, http.MethodGet, "gzip")
	for _, name := range []string{"Content-Type", "Content-Encoding", "ETag", "Vary"} {
		if head.body != "" || head.Header.Get(name) != whole.Header.Get(name) {
			t.Errorf("HEAD: %d bytes, %s is %q, GET has %q", len(head.body), name, head.Header.Get(name),
				whole.Header.Get(name))
		}
	}
	if head.Header.Get("Content-Length") == "" {
		t.Error("HEAD tells no length")
	}
}

// again asks once more with the tag of an answer, where it has one, and for a part of it.
func (e encoded) again(t *testing.T, plain rawAnswer) {
	t.Helper()
	whole := e.ask(t, http.MethodGet, "gzip")
	tag := whole.Header.Get("ETag")
	if strings.HasPrefix(e.path, static.Root) {
		e.part(t, whole)
	}
	if tag == "" {
		return
	}
	if tag == plain.Header.Get("ETag") {
		t.Errorf("the tag %s is the same for both", tag)
	}
	a := e.ask(t, http.MethodGet, "gzip", "If-None-Match", tag)
	if a.StatusCode != http.StatusNotModified || a.body != "" || a.Header.Get("Content-Encoding") != "" ||
		a.Header.Get("ETag") != tag ||
		!slices.Contains(a.Header.Values("Vary"), "Accept-Encoding") {
		t.Errorf("asked again: %s %v", a.Status, a.Header)
	}
	if a := e.ask(t, http.MethodGet, "identity", "If-None-Match", tag); a.StatusCode != http.StatusOK {
		t.Errorf("asked for another encoding: %s", a.Status)
	}
}

// part asks for a part, which is one of the bytes that a whole answer has.
func (e encoded) part(t *testing.T, whole rawAnswer) {
	t.Helper()
	a := e.ask(t, http.MethodGet, "gzip", "Range", "bytes=10-19")
	want := fmt.Sprintf("bytes 10-19/%d", len(whole.body))
	if a.StatusCode != http.StatusPartialContent || a.body != whole.body[10:20] ||
		a.Header.Get("Content-Range") != want || a.Header.Get("Content-Length") != "10" {
		t.Errorf("a part: %s, %d bytes, %v", a.Status, len(a.body), a.Header)
	}
}

func TestSecretAndSmallResponsesAreNeverCompressed(t *testing.T) {
	t.Parallel()
	s := startHTTP(t)
	both := []string{"gzip, br"}
	key := http.Header{
		"Authorization":   {"Bearer " + s.demo.TestKey},
		"Content-Type":    {"application/json"},
		"Accept-Encoding": both,
	}
	repeated := key.Clone()
	repeated.Set("Idempotency-Key", "once")
	endpoint := fmt.Sprintf(`{"url":"https://example.com/%s"}`, strings.Repeat("x", 1200))
	made := s.send(t, "POST", "/api/v1/external/webhooks/endpoints", endpoint, repeated)
	if made.StatusCode != http.StatusCreated || !strings.Contains(made.body, "whsec_") || len(made.body) < 1024 {
		t.Fatalf("%s %s", made.Status, made.body)
	}
	at := "/api/v1/external/webhooks/endpoints/" + made.body[strings.Index(made.body, "we_"):][:29]
	again := s.send(t, "POST", "/api/v1/external/webhooks/endpoints", endpoint, repeated)
	if again.body != made.body || again.Header.Get("Idempotent-Replayed") != "true" {
		t.Errorf("the replay is another: %s %s", again.Status, again.body)
	}
	preview := key.Clone()
	preview.Set("Dry-Run", "true")
	browser := newPlainBrowser(t, s.server.http.Handler, demoLandlord, s.demo.Password)
	var cookies []string
	for _, c := range browser.cookies {
		cookies = append(cookies, c.Name+"="+c.Value)
	}
	signedIn := http.Header{"Cookie": {strings.Join(cookies, "; ")}, "Accept-Encoding": both}
	for name, a := range map[string]rawAnswer{
		"a secret":                 made,
		"its replay":               again,
		"a preview":                s.send(t, "POST", "/api/v1/external/webhooks/endpoints", endpoint, preview),
		"a new secret":             s.send(t, "POST", at+"/rotate_secret", `{}`, key),
		"endpoints with addresses": s.send(t, "GET", "/api/v1/external/webhooks/endpoints", "", key),
		"a page of a person":       s.send(t, "GET", "/test/properties", "", signedIn),
		"docs with their key":      s.send(t, "GET", "/docs", "", signedIn),
		"a form for a guest":       s.send(t, "GET", "/sign-in", "", http.Header{"Accept-Encoding": both}),
		"a small answer":           s.send(t, "GET", "/api/v1/external/properties?limit=1", "", key),
		"a health check":           s.send(t, "GET", "/healthz", "", http.Header{"Accept-Encoding": both}),
	} {
		if a.Header.Get("Content-Encoding") != "" || a.StatusCode >= 300 {
			t.Errorf("%s: %s, encoded %q", name, a.Status, a.Header.Get("Content-Encoding"))
		}
	}
	gone := s.send(t, "DELETE", at, "", key)
	if gone.StatusCode != http.StatusNoContent || gone.Header.Get("Content-Encoding") != "" ||
		gone.Header.Get("Vary") != "" {
		t.Errorf("without a body: %s %v", gone.Status, gone.Header)
	}
}

// An event that waited for a block of compressed bytes to be full would come too late.
func TestEventStreamIsNotCompressedOrBuffered(t *testing.T) {
	t.Parallel()
	s := startHTTP(t)
	in := s.dial(t)
	fmt.Fprintf(
		in,
		"GET /api/v1/external/events/stream HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nAccept-Encoding: "+
			"gzip, br\r\n\r\n",
		s.address,
		s.demo.TestKey,
	)
	response, err := http.ReadResponse(bufio.NewReader(in), nil)
	orFail(t, err)
	defer response.Body.Close() // reads to the end, which comes with that of the connection
	defer in.Close()
	if response.StatusCode != http.StatusOK || response.Header.Get("Content-Encoding") != "" {
		t.Fatalf("%s %v", response.Status, response.Header)
	}
	lines := bufio.NewReader(response.Body)
	for _, begins := range []string{"retry: 1000\n", "id: evt_"} {
		line, err := lines.ReadString('\n')
		orFail(t, err)
		if !strings.HasPrefix(line, begins) {
			t.Errorf("the stream begins with %q", line)
		}
	}
}

func TestIfMatchWorksWithCompressedResponse(t *testing.T) {
	t.Parallel()
	s := startHTTP(t)
	list := s.send(t, "GET", "/api/v1/external/tenants?limit=1", "", http.Header{
		"Authorization": {"Bearer " + s.demo.TestKey},
	})
	at := "/api/v1/external/tenants/" + list.body[strings.Index(list.body, "ten_"):][:30]
	h := http.Header{
		"Authorization":   {"Bearer " + s.demo.TestKey},
		"Content-Type":    {"application/json"},
		"Accept-Encoding": {"gzip"},
	}
	long := `{"mailing_address":{"street_address":"` + strings.Repeat("1 Elm Street ", 15) + `","city":"` +
		strings.Repeat(
			"Austin ",
			14,
		) + `","state":"TX"},"emergency_contact":{"name":"` + strings.Repeat("Robin ", 20) + `"}}`
	if a := s.send(t, "PATCH", at, long, h); a.StatusCode != http.StatusOK { // so that it is worth the work
		t.Fatalf("%s %s", a.Status, a.body)
	}
	shown := s.send(t, "GET", at, "", h)
	if shown.Header.Get("Content-Encoding") != "gzip" {
		t.Fatalf("%s %v", shown.Status, shown.Header)
	}
	h.Set("If-Match", shown.Header.Get("ETag"))
	if a := s.send(t, "PATCH", at, `{"last_name":"Rivera"}`, h); a.StatusCode != http.StatusOK ||
		a.Header.Get("Content-Encoding") != "gzip" {
		t.Errorf("%s %v", a.Status, a.Header)
	}
	if a := s.send(t, "PATCH", at, `{"last_name":"Santos"}`, h); a.StatusCode != http.StatusConflict {
		t.Errorf("a stale version: %s", a.Status)
	}
}

func TestRequestLogRecordsBytesSent(t *testing.T) {
	t.Parallel()
	s := startHTTP(t)
	h := http.Header{"Authorization": {"Bearer " + s.demo.TestKey}, "Accept-Encoding": {"gzip"}}
	a := s.send(t, "GET", "/api/v1/external/properties?limit=100", "", h)
	if a.Header.Get("Content-Encoding") != "gzip" || !strings.HasPrefix(a.body, "\x1f\x8b") {
		t.Fatalf("%s %v", a.Status, a.Header)
	}
	eventually(t, "the request is in the log", func() bool {
		return s.home.value(
			t,
			"SELECT COALESCE(max(bytes), 0) FROM requests WHERE id = '"+a.Header.Get("X-Request-Id")+"'",
		) == strconv.Itoa(len(a.body))
	})
}
