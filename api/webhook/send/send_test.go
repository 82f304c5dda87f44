package send

import (
	"bytes"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unicode/utf8"

	"golang.org/x/net/http2"

	"portal/api/webhook/signature"
)

func TestAttemptSendsGivenRequestWithoutCompression(t *testing.T) {
	t.Parallel()
	for name, at := range map[string]func(do http.HandlerFunc) string{
		"http":   func(do http.HandlerFunc) string { return server(t, nil, do) },
		"http/2": func(do http.HandlerFunc) string { return server(t, trusted.config(), do) },
		"https":  func(do http.HandlerFunc) string { return server(t, trusted.config("http/1.1"), do) },
	} {
		var got *http.Request
		var body []byte
		url := at(func(_ http.ResponseWriter, r *http.Request) {
			got = r
			body, _ = io.ReadAll(r.Body)
		})
		s, p := sender(t, 5*time.Second), post(url+"?a=b%20c")
		signature.Sign(p.Header, "evt_1", time.Date(2026, 11, 2, 12, 0, 0, 0, time.UTC), p.Body, signature.Secrets{
			Present: "whsec_aaaa",
		})
		a := s.Send(t.Context(), p, nil)
		if !a.Acknowledged() || a.StatusCode != 200 || a.Error != "" || a.Body != nil || a.Duration <= 0 {
			t.Fatalf("%s: %+v", name, a)
		}
		p.Header["Content-Length"] = []string{"14"}
		if got.Method != "POST" || got.RequestURI != "/hook?a=b%20c" || string(body) != string(p.Body) ||
			!reflect.DeepEqual(got.Header, p.Header) {
			t.Errorf("%s: %s %s %q %v", name, got.Method, got.RequestURI, body, got.Header)
		}
		if (got.ProtoMajor == 2) != (name == "http/2") || got.UserAgent() != "portal-test" {
			t.Errorf("%s: %s, %s", name, got.Proto, got.UserAgent())
		}
	}
}

// Many times, as net/http most often notices by itself before it writes.
func TestAttemptCanceledAtStartWritesNothing(t *testing.T) {
	t.Parallel()
	const tries = 500
	for name, config := range map[string]*tls.Config{
		"http":   nil,
		"http/2": trusted.config(),
		"https":  trusted.config("http/1.1"),
	} {
		var got atomic.Int32
		url := server(t, config, func(http.ResponseWriter, *http.Request) { got.Add(1) })
		s := sender(t, 5*time.Second)
		for range tries {
			ctx, end := context.WithCancel(t.Context())
			if a := s.Send(ctx, post(url), starts(end)); a.Acknowledged() {
				t.Errorf("%s: %+v", name, a)
			}
			if a := s.Send(t.Context(), post(url), nil); !a.Acknowledged() {
				t.Errorf("%s: after one that ended: %+v", name, a)
			}
		}
		if n := got.Load(); n != tries {
			t.Errorf("%s: %d attempts arrived, %d were to", name, n, tries)
		}
	}
}

func TestLocalReceiverIsReachableByEveryName(t *testing.T) {
	t.Parallel()
	s := sender(t, 5*time.Second)
	for _, config := range []string{"http://", "https://"} {
		url := server(t, nil, func(http.ResponseWriter, *http.Request) {})
		if config == "https://" {
			url = server(t, trusted.config(), func(http.ResponseWriter, *http.Request) {})
		}
		for _, host := range []string{"127.0.0.1", "localhost"} {
			if a := s.Send(t.Context(), post(strings.Replace(url, "127.0.0.1", host, 1)), nil); !a.Acknowledged() {
				t.Errorf("%s%s: %+v", config, host, a)
			}
		}
	}
}

func TestEnvironmentProxyIsIgnored(t *testing.T) {
	t.Parallel()
	if newTransport(newDialer(newGuard(false), Total).DialContext).Proxy != nil {
		t.Error("there is a proxy")
	}
}

func TestConnectionRefusedIsReported(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	s := sender(t, 5*time.Second)
	a := s.Send(t.Context(), post("http://"+l.Addr().String()+"/"), nil)
	if a.Error != "connection_refused: 127.0.0.1 refused the connection; nothing listens there." {
		t.Errorf("%+v", a)
	}
}

func TestAttemptStartsOnceBeforeSending(t *testing.T) {
	t.Parallel()
	var seen, begun, at atomic.Int32
	url := server(t, nil, func(http.ResponseWriter, *http.Request) { seen.Add(1) })
	s := sender(t, 5*time.Second)
	for i := range int32(3) {
		s.Send(t.Context(), post(url), starts(func() { begun.Add(1); at.Store(seen.Load()) }))
		if begun.Load() != i+1 || at.Load() != i || seen.Load() != i+1 {
			t.Errorf("%d starts, at %d, %d requests", begun.Load(), at.Load(), seen.Load())
		}
	}
	for _, url := range []string{"https://10.0.0.1/", "https://[::1/", "http://127.0.0.1:1/"} {
		a := s.Send(t.Context(), post(url), starts(func() { t.Errorf("%s was started", url) }))
		if a.Error == "" || a.Acknowledged() {
			t.Errorf("%+v", a)
		}
	}
}

func TestAttemptEndsImmediatelyOnContextCancel(t *testing.T) {
	t.Parallel()
	s := sender(t, 10*time.Second)
	url := receive(t, nil, takes).url
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	began := time.Now()
	for range 2 { // during the attempt, and before it
		a := s.Send(ctx, post(url), starts(cancel))
		if a.Error != "interrupted: This service stopped before the receiver answered." ||
			time.Since(began) > 3*time.Second {
			t.Errorf("after %s: %+v", time.Since(began), a)
		}
	}
}

func TestUnreadRequestBodyIsExplained(t *testing.T) {
	t.Parallel()
	s, p := sender(t, time.Second), post(receive(t, nil, func(_ net.Conn, over <-chan struct{}) { <-over }).url)
	p.Body = make([]byte, 32<<20)
	if a := s.Send(t.Context(), p, nil); a.Error != "timeout: The receiver did not take the request within 1s." {
		t.Errorf("%+v", a)
	}
}

func TestStatusIsSuccessOrReason(t *testing.T) {
	t.Parallel()
	url := server(t, nil, func(w http.ResponseWriter, r *http.Request) {
		status, _ := strconv.Atoi(r.URL.RawQuery)
		w.WriteHeader(status)
	})
	s := sender(t, 5*time.Second)
	for status, want := range map[int]string{
		200: "",
		201: "",
		202: "",
		204: "",
		205: "",
		226: "",
		299: "",
		304: "redirect_not_followed: The receiver answered 304 Not Modified, and redirects are not followed.",
		400: "status: The receiver answered 400 Bad Request.",
		410: "status: The receiver answered 410 Gone.",
		429: "status: The receiver answered 429 Too Many Requests.",
		503: "status: The receiver answered 503 Service Unavailable.",
		599: "status: The receiver answered 599.",
		999: "status: The receiver answered 999.",
	} {
		a := s.Send(t.Context(), post(fmt.Sprintf("%s?%d", url, status)), nil)
		if a.StatusCode != status || a.Error != want || a.Acknowledged() != (want == "") || a.Body != nil {
			t.Errorf("%d: %+v", status, a)
		}
	}
}

func TestAtMost4KiBOfBodyAreKeptVerbatim(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("\x00\xff", 1<<20)
	url := server(t, nil, func(w http.ResponseWriter, r *http.Request) {
		size, _ := strconv.Atoi(r.URL.RawQuery)
		w.Header().Set("Content-Encoding", "gzip")
		w.WriteHeader(500)
		say(w, long[:size])
	})
	s := sender(t, 5*time.Second)
	for _, size := range []int{1, 500, 4095, 4096, 4097, 1 << 20} {
		a := s.Send(t.Context(), post(fmt.Sprintf("%s?%d", url, size)), nil)
		if string(a.Body) != long[:min(size, 4096)] {
			t.Errorf("%d: %d bytes were kept", size, len(a.Body))
		}
	}
}

func TestResponseHeadersAreBoundedAndValidUTF8(t *testing.T) {
	t.Parallel()
	s := sender(t, 5*time.Second)
	few := s.Send(
		t.Context(),
		post(
			receive(
				t,
				nil,
				says(ok+"Connection: close\r\nContent-Length: 0\r\nA: b\r\na: c\r\nX: caf\xe9\r\n\r\n"),
			).url,
		),
		nil,
	)
	if want := map[string][]string{
		"Content-Length": {"0"},
		"A":              {"b", "c"},
		"X":              {"caf\ufffd"},
	}; !reflect.DeepEqual(few.Header, want) {
		t.Errorf("%q", few.Header)
	}
	text := ok + "Connection: close\r\nContent-Length: 0\r\n"
	for i := range 200 {
		text += fmt.Sprintf("H%03d: %s\r\n", i, strings.Repeat("a", i)+"\xff")
	}
	url := receive(t, nil, says(text+"\r\n")).url
	many, again := s.Send(t.Context(), post(url), nil), s.Send(t.Context(), post(url), nil)
	size := 0
	for name, values := range many.Header {
		size += len(name) + len(values[0])
		if !utf8.ValidString(values[0]) {
			t.Errorf("%s is %q", name, values)
		}
	}
	if size > longestHeader || size < longestHeader-500 || !reflect.DeepEqual(many.Header, again.Header) {
		t.Errorf("%d bytes of headers were kept", size)
	}
}

func TestRetryAfterIsParsed(t *testing.T) {
	t.Parallel()
	const date = "Mon, 02 Nov 2026 12:00:00 GMT"
	for _, c := range []struct {
		status     int
		after, now string
		want       time.Duration
	}{
		{429, "120", "", 2 * time.Minute},
		{503, "1", date, time.Second},
		{503, "0", "", 0},
		{429, "99999999999999999", "", 24 * time.Hour},
		{429, "99999999999999999999999999", "", 0},
		{429, "Mon, 02 Nov 2026 12:03:00 GMT", date, 3 * time.Minute},
		{429, "Monday, 02-Nov-26 12:03:00 GMT", date, 3 * time.Minute},
		{429, "Mon Nov  2 12:03:00 2026", date, 3 * time.Minute},
		{503, "Mon, 02 Nov 2026 11:03:00 GMT", date, 0},
		{503, "Fri, 31 Dec 9999 23:59:59 GMT", date, 24 * time.Hour},
		{503, "Fri, 31 Dec 9999 23:59:59 GMT", "", 24 * time.Hour},
		{503, "Sat, 01 Jan 2000 00:00:00 GMT", "yesterday", 0},
		{429, "", "", 0},
		{429, "-1", "", 0},
		{429, "1.5", "", 0},
		{429, "soon", "", 0},
		{429, "1s", "", 0},
		{429, "0x10", "", 0},
		{500, "120", "", 0},
		{200, "120", "", 0},
		{302, "120", "", 0},
		{410, "120", "", 0},
	} {
		h := http.Header{"Retry-After": {c.after}, "Date": {c.now}}
		if got := retryAfter(&http.Response{StatusCode: c.status, Header: h}); got != c.want {
			t.Errorf("%d, %q at %q: %s", c.status, c.after, c.now, got)
		}
	}
	url := server(t, nil, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "7")
		w.WriteHeader(503)
	})
	if a := sender(t, 5*time.Second).Send(t.Context(), post(url), nil); a.RetryAfter != 7*time.Second {
		t.Errorf("%+v", a)
	}
}

func TestConnectionIsReusedAcrossAttempts(t *testing.T) {
	t.Parallel()
	for _, protocol := range []string{"", "http/1.1", "h2"} {
		var conns atomic.Int32
		u := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch r.URL.RawQuery {
			case "0":
				w.WriteHeader(204)
			case "1":
				say(w, strings.Repeat("a", 4095))
			case "2":
				say(w, "some")
				w.(http.Flusher).Flush()
				say(w, "more")
			case "3":
				http.Error(w, "no", 500)
			}
		}))
		u.Config.ConnState = func(_ net.Conn, s http.ConnState) {
			if s == http.StateNew {
				conns.Add(1)
			}
		}
		if protocol == "" {
			u.Start()
		} else {
			u.TLS, u.EnableHTTP2 = trusted.config(protocol), protocol == "h2"
			u.StartTLS()
		}
		t.Cleanup(u.Close)
		s := sender(t, 5*time.Second)
		for i := range 40 {
			if a := s.Send(t.Context(), post(fmt.Sprintf("%s/?%d", u.URL, i%4)), nil); a.StatusCode == 0 {
				t.Errorf("%+v", a)
			}
		}
		if conns.Load() != 1 {
			t.Errorf("%q: %d connections", protocol, conns.Load())
		}
	}
}

// once answers the first request of each connection and ends it with the second.
func once(c net.Conn, _ <-chan struct{}) { answer(c, func() {}) }

// answer is once, and tells before it answers that a connection has its request, or ended without one.
func answer(c net.Conn, used func()) {
	is := take(c)
	used()
	if is {
		_, _ = io.CopyN(io.Discard, c, int64(len(post("").Body)))
		say(c, ok+"Content-Length: 0\r\n\r\n")
		take(c)
	}
}

func TestAttemptIsRepeatedWhenConnectionEnds(t *testing.T) {
	t.Parallel()
	breaks := over2(func(f *http2.Framer, stream uint32, _ <-chan struct{}) {
		if stream == 1 {
			_ = f.WriteHeaders(http2.HeadersFrameParam{
				StreamID:      stream,
				BlockFragment: []byte(acknowledged),
				EndHeaders:    true,
				EndStream:     true,
			})
		} else {
			_ = f.WriteRawFrame(http2.FrameData, 0, 0, nil) // belongs to no stream, and ends the connection
		}
	})
	for name, r := range map[string]*receiver{
		"http":   receive(t, nil, once),
		"https":  receive(t, trusted.config(), once),
		"http/2": receive(t, trusted.config("h2"), breaks),
	} {
		s := sender(t, 5*time.Second)
		begun, repeats := 0, 0
		for range 20 {
			a := s.Send(t.Context(), post(r.url), starts(func() { begun++ }))
			if a.Repeat {
				repeats++
				p := post(r.url)
				p.Fresh = true
				a = s.Send(t.Context(), p, starts(func() { begun++ }))
			}
			if !a.Acknowledged() || a.Repeat {
				t.Errorf("%s: %+v", name, a)
			}
		}
		if n := len(r.noted()); n < 10 || n > 40 || repeats == 0 || begun != 20+repeats {
			t.Errorf("%s: %d connections, %d starts, %d repeats", name, n, begun, repeats)
		}
	}
}

func TestAttemptSucceedsWhenAllPooledConnectionsEnded(t *testing.T) {
	t.Parallel()
	var came, used atomic.Int32
	five := make(chan struct{})
	r := receive(t, nil, func(c net.Conn, _ <-chan struct{}) {
		if came.Add(1) == 5 {
			close(five)
		}
		<-five
		answer(c, func() { used.Add(1) })
	})
	s := sender(t, 5*time.Second)
	var all sync.WaitGroup
	for range 5 {
		all.Go(func() { s.Send(t.Context(), post(r.url), nil) })
	}
	all.Wait()
	for int(used.Load()) < len(r.noted()) { // one was dialed for a request that went by another, as that was free first
		s.Send(t.Context(), post(r.url), nil)
	}
	a := s.Send(t.Context(), post(r.url), nil)
	if a.Repeat {
		p := post(r.url)
		p.Fresh = true
		a = s.Send(t.Context(), p, nil)
	}
	if !a.Acknowledged() || len(r.noted()) < 6 {
		t.Errorf("%d connections: %+v", len(r.noted()), a)
	}
}

func TestConnectionClosedByReceiverFailsNoAttempt(t *testing.T) {
	t.Parallel()
	url := server(t, nil, func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		c, b, _ := http.NewResponseController(w).Hijack()
		say(b, ok+"Content-Length: 0\r\n\r\n")
		_ = b.Flush()
		c.Close()
	})
	s := sender(t, 5*time.Second)
	for i := range 200 {
		p := post(url)
		if i%2 == 0 {
			p.Body = large
		}
		if a := s.Send(t.Context(), p, nil); !a.Acknowledged() && !a.Repeat {
			t.Errorf("%d: %+v", i, a)
		}
	}
}

// starts is told when an attempt starts, and admits it.
type starts func()

func (s starts) Connected(context.Context) {}
func (s starts) Begin() bool               { s(); return true }
func (s starts) Begun(bool)                {}

// A receiver over HTTP/2 that keeps to no limit of its own is told ours.
func TestHTTP2WindowsAreSmall(t *testing.T) {
	t.Parallel()
	told := make(chan http2.Setting, 20)
	url := receive(t, trusted.config("h2"), handshaken(func(c net.Conn, _ <-chan struct{}) {
		greet(c)
		f, err := http2.NewFramer(c, c).ReadFrame()
		if s, is := f.(*http2.SettingsFrame); is && err == nil {
			_ = s.ForeachSetting(func(one http2.Setting) error { told <- one; return nil })
		}
	})).url
	sender(t, 5*time.Second).Send(t.Context(), post(url), nil)
	close(told)
	got := map[http2.SettingID]uint32{}
	for one := range told {
		got[one.ID] = one.Val
	}
	if got[http2.SettingInitialWindowSize] != 16<<10 || got[http2.SettingMaxHeaderListSize] > 33<<10 ||
		got[http2.SettingMaxHeaderListSize] == 0 {
		t.Errorf("told %v", got)
	}
}

func TestConcurrentAttemptsToOneReceiver(t *testing.T) {
	t.Parallel()
	for _, url := range []string{server(t, nil, echo), server(t, trusted.config(), echo)} {
		s := sender(t, 10*time.Second)
		var all sync.WaitGroup
		for range 10 {
			all.Go(func() {
				for range 50 {
					if a := s.Send(t.Context(), post(url), nil); string(a.Body) != `{"id":"evt_1"}` {
						t.Errorf("%+v", a)
					}
				}
			})
		}
		all.Wait()
	}
}

// TestConnectionsToOneHostAreKeptForAllEndpoints: five endpoints of a host have ten attempts in flight each.
func TestConnectionsToOneHostAreKeptForAllEndpoints(t *testing.T) {
	t.Parallel()
	const flight, rounds = 50, 5
	var conns atomic.Int32
	here := make(chan struct{}, flight)
	answers := make(chan struct{})
	u := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		here <- struct{}{}
		<-answers
		w.WriteHeader(http.StatusNoContent)
	}))
	u.TLS = trusted.config("http/1.1")
	u.Config.ConnState = func(_ net.Conn, s http.ConnState) {
		if s == http.StateNew {
			conns.Add(1)
		}
	}
	u.StartTLS()
	t.Cleanup(u.Close)
	s := sender(t, 10*time.Second)
	for range rounds {
		var all sync.WaitGroup
		for range flight {
			all.Go(func() {
				if a := s.Send(t.Context(), post(u.URL), nil); a.StatusCode != http.StatusNoContent {
					t.Errorf("%+v", a)
				}
			})
		}
		for range flight { // all of them are in flight at once
			<-here
		}
		for range flight {
			answers <- struct{}{}
		}
		all.Wait()
	}
	if n := conns.Load(); n > 2*flight {
		t.Errorf("%d connections for %d attempts of which %d are in flight at once", n, rounds*flight, flight)
	}
}

func echo(w http.ResponseWriter, r *http.Request) { io.Copy(w, r.Body) }

func BenchmarkSend(b *testing.B) {
	url := server(b, nil, func(w http.ResponseWriter, r *http.Request) { io.Copy(io.Discard, r.Body) })
	body := bytes.Repeat([]byte("a"), 1500)
	b.Run("send", func(b *testing.B) {
		s := NewSender(true, "portal-test")
		defer s.Close()
		b.ReportAllocs()
		for b.Loop() {
			if a := s.Send(b.Context(), Post{URL: url, Header: http.Header{}, Body: body}, nil); !a.Acknowledged() {
				b.Fatal(a.Error)
			}
		}
	})
	b.Run("bare", func(b *testing.B) {
		c := http.Client{Transport: &http.Transport{}}
		defer c.CloseIdleConnections()
		b.ReportAllocs()
		for b.Loop() {
			resp, err := c.Post(url, "application/json", bytes.NewReader(body))
			if err != nil {
				b.Fatal(err)
			}
			io.Copy(io.Discard, resp.Body)
			resp.Body.Close()
		}
	})
}
