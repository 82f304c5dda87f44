package send

import (
	"bytes"
	"compress/gzip"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"regexp"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/net/http2"
)

const (
	ok     = "HTTP/1.1 200 OK\r\n"
	broken = "HTTP/1.1 500 Internal Server Error\r\n"
)

// hostile is a receiver that does what none should, and what is made of it.
type hostile struct {
	name   string
	config *tls.Config
	do     serve
	status int
	words  string // how the error begins
}

func hostiles() []hostile {
	plain := []hostile{
		{"reads nothing", nil, func(_ net.Conn, over <-chan struct{}) { <-over }, 0, "timeout: The receiver did not"},
		{"never answers", nil, takes, 0, "timeout: The receiver did not answer within"},
		{
			"drips its status",
			nil,
			drips("", "HTTP/1.1 200 "+strings.Repeat("O", 999)),
			0,
			"timeout: The receiver did not answer",
		},
		{
			"drips its headers",
			nil,
			drips(ok, strings.Repeat("A: b\r\n", 999)),
			0,
			"timeout: The receiver did not answer",
		},
		{"drips the body of a 200", nil, drips(ok+"\r\n", strings.Repeat("a", 9999)), 200, ""},
		{
			"drips the body of a 500",
			nil,
			drips(broken+"\r\n", strings.Repeat("a", 9999)),
			500,
			"status: The receiver answered 500 Internal Server Error.",
		},
		{
			"drips interim answers",
			nil,
			drips("", strings.Repeat("HTTP/1.1 103 Early Hints\r\n\r\n", 999)),
			0,
			"timeout: The receiver did not answer",
		},
		{"has endless headers", nil, endless(ok, "A: b\r\n"), 0, "protocol: "},
		{"has an endless header", nil, endless(ok+"A: ", "b"), 0, "protocol: "},
		{"has an endless status", nil, endless("HTTP/1.1 200 ", "O"), 0, "protocol: "},
		{"has endless interim answers", nil, endless("", "HTTP/1.1 103 Early Hints\r\n\r\n"), 0, "protocol: "},
		{"has an endless body", nil, endless(ok+"\r\n", "body"), 200, ""},
		{"has an endless body of an error", nil, endless(broken+"\r\n", "body"), 500, "status: "},
		{
			"has an endless chunk",
			nil,
			endless(ok+"Transfer-Encoding: chunked\r\n\r\nffffffffffffff\r\n", "body"),
			200,
			"",
		},
		{"has an endless chunk's size", nil, endless(ok+"Transfer-Encoding: chunked\r\n\r\n1;", "a"), 200, ""},
		{"has endless trailers", nil, endless(ok+"Transfer-Encoding: chunked\r\n\r\n0\r\n", "A: b\r\n"), 200, ""},
		{"is a gzip bomb", nil, endless(ok+"Content-Encoding: gzip\r\n\r\n"+bomb(), "\x00"), 200, ""},
		{"hangs up at once", nil, func(net.Conn, <-chan struct{}) {}, 0, "connection_reset: "},
		{"hangs up", nil, func(c net.Conn, _ <-chan struct{}) { take(c) }, 0, "connection_reset: "},
		{"resets in its headers", nil, resets(ok + "A: b\r\n"), 0, "connection_reset: "},
		{"resets in the body of a 200", nil, resets(ok + "Content-Length: 9\r\n\r\na"), 200, ""},
		{"resets in the body of a 500", nil, resets(broken + "Content-Length: 9\r\n\r\na"), 500, "status: "},
		{"speaks SSH", nil, says("SSH-2.0-OpenSSH_9.7\r\n"), 0, "protocol: "},
		{"speaks TLS where HTTP is asked", nil, says("\x15\x03\x01\x00\x02\x02\x0a"), 0, "protocol: "},
		{"contradicts itself", nil, says(ok + "Content-Length: 1\r\nContent-Length: 2\r\n\r\n"), 0, "protocol: "},
		{"has a negative length", nil, says(ok + "Content-Length: -1\r\n\r\n"), 0, "protocol: "},
		{"has a NUL in a header", nil, says(ok + "A: b\x00\r\n\r\n"), 0, "protocol: "},
		{
			"switches protocols",
			nil,
			says("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: tunnel\r\n\r\n"),
			101,
			"status: The receiver answered 101 Switching Protocols.",
		},
	}
	return append(append(plain, secured()...), multiplexed()...)
}

// secured are hostile in their TLS. What looks like a config and has no certificate
// stands for https alone: the receiver has no TLS at all.
func secured() []hostile {
	stranger := trusted.config()
	expired := trusted.config()
	other := trusted.config()
	old := trusted.config()
	asks := trusted.config()
	stranger.Certificates[0] = newAuthority().leaf(time.Now().Add(time.Hour))
	expired.Certificates[0] = trusted.leaf(time.Now().Add(-time.Minute))
	other.Certificates[0] = trusted.leaf(time.Now().Add(time.Hour), "hooks.example.com")
	old.MinVersion, old.MaxVersion = tls.VersionTLS10, tls.VersionTLS11
	asks.ClientAuth = tls.RequireAnyClientCert
	bare := &tls.Config{}
	return []hostile{
		{
			"shakes no hand",
			bare,
			func(_ net.Conn, over <-chan struct{}) { <-over },
			0,
			"timeout: There was no connection to 127.0.0.1 within",
		},
		{
			"shakes hands endlessly",
			bare,
			drips("\x16\x03\x03\x40\x00", strings.Repeat("\x00", 9999)),
			0,
			"timeout: There was no connection",
		},
		{
			"floods the handshake",
			bare,
			endless("", "\x16\x03\x03\x00\x04\x00\x00\x00\x00"),
			0,
			"tls: The handshake failed: ",
		},
		{"has a huge certificate", bare, endless("\x16\x03\x03\x40\x00\x0b\xff\xff\xff", "\x00"), 0, "tls: "},
		{
			"speaks HTTP where TLS is asked",
			bare,
			says(ok + "\r\n"),
			0,
			"tls: The receiver does not speak TLS on this port.",
		},
		{
			"speaks SSH where TLS is asked",
			bare,
			says("SSH-2.0-OpenSSH_9.7\r\n"),
			0,
			"tls: The receiver does not speak TLS on this port.",
		},
		{"hangs up in the handshake", bare, func(net.Conn, <-chan struct{}) {}, 0, "connection_reset: "},
		{
			"knows TLS 1.1 only",
			old,
			says(ok + "\r\n"),
			0,
			"tls: The handshake failed: protocol version not supported. TLS 1.2",
		},
		{"signs for itself", stranger, says(ok + "\r\n"), 0, "tls: The receiver's certificate is not signed by"},
		{"has expired", expired, says(ok + "\r\n"), 0, "tls: The receiver's certificate has expired"},
		{"is another", other, says(ok + "\r\n"), 0, "tls: The receiver's certificate is for another name."},
		{"asks who we are", asks, says(ok + "\r\n"), 0, "tls: The handshake failed: certificate required."},
		{"never answers over TLS", trusted.config(), takes, 0, "timeout: The receiver did not answer"},
		{"has an endless body over TLS", trusted.config(), endless(ok+"\r\n", "body"), 200, ""},
	}
}

// frames is what a receiver does with a request over HTTP/2.
type frames func(f *http2.Framer, stream uint32, over <-chan struct{})

const acknowledged = "\x88" // :status 200 (RFC 7541, appendix A)

func multiplexed() (all []hostile) {
	block := bytes.Repeat([]byte("\x00\x01a\x7f\x80\x01"+strings.Repeat("b", 255)), 60)
	for _, h := range []struct {
		name   string
		do     frames
		status int
		words  string
	}{
		{
			"never answers a stream",
			func(_ *http2.Framer, _ uint32, over <-chan struct{}) { <-over },
			0,
			"timeout: The receiver did not",
		},
		{"floods a stream", func(f *http2.Framer, stream uint32, _ <-chan struct{}) {
			_ = headers(f, stream, acknowledged, true)
			for f.WriteData(stream, false, block[:8<<10]) == nil {
			}
		}, 200, ""},
		{"has endless headers of a stream", func(f *http2.Framer, stream uint32, _ <-chan struct{}) {
			_ = headers(f, stream, acknowledged, false)
			for f.WriteContinuation(stream, false, block) == nil {
			}
		}, 0, "protocol: "},
		{"has endless empty continuations", func(f *http2.Framer, stream uint32, _ <-chan struct{}) {
			_ = headers(f, stream, acknowledged, false)
			for f.WriteContinuation(stream, false, nil) == nil {
			}
		}, 0, ""},
		{"has endless interim answers of a stream", func(f *http2.Framer, stream uint32, _ <-chan struct{}) {
			for headers(f, stream, "\x08\x03103", true) == nil {
			}
		}, 0, ""},
		{"pings endlessly", func(f *http2.Framer, _ uint32, _ <-chan struct{}) {
			for f.WritePing(false, [8]byte{}) == nil {
			}
		}, 0, ""},
		{"settles endlessly", func(f *http2.Framer, _ uint32, _ <-chan struct{}) {
			for f.WriteSettings() == nil {
			}
		}, 0, ""},
		{"resets the stream", func(f *http2.Framer, stream uint32, over <-chan struct{}) {
			_ = f.WriteRSTStream(stream, http2.ErrCodeInternal)
			<-over
		}, 0, "protocol: "},
		{"refuses the stream", func(f *http2.Framer, stream uint32, over <-chan struct{}) {
			_ = f.WriteRSTStream(stream, http2.ErrCodeRefusedStream)
			<-over
		}, 0, ""},
		{"goes away", func(f *http2.Framer, stream uint32, _ <-chan struct{}) {
			_ = f.WriteGoAway(stream, http2.ErrCodeEnhanceYourCalm, nil)
		}, 0, ""},
		{"resets in the body of a stream", func(f *http2.Framer, stream uint32, over <-chan struct{}) {
			_ = headers(f, stream, acknowledged, true)
			_ = f.WriteRSTStream(stream, http2.ErrCodeInternal)
			<-over
		}, 200, ""},
	} {
		all = append(all, hostile{h.name, trusted.config("h2"), over2(h.do), h.status, h.words})
	}
	mute := func(_ net.Conn, over <-chan struct{}) { <-over }
	return append(all, hostile{
		"says nothing at all over HTTP/2",
		trusted.config("h2"),
		handshaken(mute),
		0,
		"timeout: The receiver did not",
	})
}

func headers(f *http2.Framer, stream uint32, block string, end bool) error {
	return f.WriteHeaders(http2.HeadersFrameParam{StreamID: stream, BlockFragment: []byte(block), EndHeaders: end})
}

func handshaken(do serve) serve {
	return func(c net.Conn, over <-chan struct{}) {
		if c.(*tls.Conn).Handshake() == nil {
			do(c, over)
		}
	}
}

// over2 answers each stream. What the client sends is read all the while.
func over2(do frames) serve {
	return handshaken(func(c net.Conn, over <-chan struct{}) {
		greet(c)
		f := http2.NewFramer(c, c)
		_ = f.WriteSettings()
		gone := make(chan struct{})
		defer func() { <-gone }()
		defer c.Close()
		streams := make(chan uint32, 100)
		go func() {
			defer close(gone)
			for got, err := f.ReadFrame(); err == nil; got, err = f.ReadFrame() {
				if h, is := got.(*http2.HeadersFrame); is {
					streams <- h.StreamID
				}
			}
		}()
		for {
			select {
			case stream := <-streams:
				do(f, stream, gone)
			case <-gone:
				return
			case <-over:
				return
			}
		}
	})
}

// take reads a request but for its body, which the kernel may hold.
func take(c net.Conn) bool {
	head := make([]byte, 0, 2048)
	for b := make([]byte, 1); !bytes.HasSuffix(head, []byte("\r\n\r\n")); head = append(head, b...) {
		if _, err := c.Read(b); err != nil {
			return false
		}
	}
	return true
}

// say writes to whom may have gone.
func say(w io.Writer, text string) { _, _ = io.WriteString(w, text) }

// greet reads how a connection of HTTP/2 begins.
func greet(c io.Reader) { _, _ = io.CopyN(io.Discard, c, int64(len(http2.ClientPreface))) }

// takes reads all there is.
func takes(c net.Conn, _ <-chan struct{}) { io.Copy(io.Discard, c) }

func drips(said, dripped string) serve {
	return reading(func(c net.Conn, over <-chan struct{}) {
		say(c, said)
		drip(c, dripped, over)
	})
}

func says(said string) serve {
	return reading(func(c net.Conn, over <-chan struct{}) {
		say(c, said)
		<-over
	})
}

func endless(said, again string) serve {
	again = strings.Repeat(again, 1+(16<<10)/len(again))
	return reading(func(c net.Conn, _ <-chan struct{}) {
		_, err := io.WriteString(c, said)
		for err == nil {
			_, err = io.WriteString(c, again)
		}
	})
}

func resets(said string) serve {
	return func(c net.Conn, _ <-chan struct{}) {
		take(c)
		say(c, said)
		_ = c.(*net.TCPConn).SetLinger(0)
	}
}

// reading reads what comes beside what a receiver does, which begins once it is asked.
func reading(do serve) serve {
	return func(c net.Conn, _ <-chan struct{}) {
		if _, err := c.Read(make([]byte, 2048)); err != nil {
			return
		}
		gone := make(chan struct{})
		go func() {
			defer close(gone)
			io.Copy(io.Discard, c)
		}()
		do(c, gone)
		c.Close()
		<-gone
	}
}

// bomb is a hundred million bytes in a hundred thousand.
func bomb() string {
	var b bytes.Buffer
	w, _ := gzip.NewWriterLevel(&b, gzip.BestSpeed)
	zeros := strings.Repeat("\x00", 1<<20)
	for range 100 {
		say(w, zeros)
	}
	w.Close()
	return b.String()
}

// open starts a receiver; one without a certificate has no TLS.
func (h *hostile) open(t testing.TB) (url string) {
	if h.config != nil && h.config.Certificates == nil {
		return strings.Replace(receive(t, nil, h.do).url, "http:", "https:", 1)
	}
	return receive(t, h.config, h.do).url
}

var large = bytes.Repeat([]byte("a"), 256<<10)

// sentence is how every error reads; none names an address and port of ours.
var sentence = regexp.MustCompile(`^[a-z_]+: [^\n]{20,300}\.$`)

func (h *hostile) judge(t testing.TB, a Answer, took, total time.Duration) {
	if took > total+2*time.Second || a.Duration > took {
		t.Errorf("%s: it took %s, by its own word %s", h.name, took, a.Duration)
	}
	if a.StatusCode != h.status || !strings.HasPrefix(a.Error, h.words) || (a.Error == "") != a.Acknowledged() {
		t.Errorf("%s: %d %q", h.name, a.StatusCode, a.Error)
	}
	if a.Error != "" && (!sentence.MatchString(a.Error) || strings.Contains(a.Error, "127.0.0.1:")) {
		t.Errorf("%s: the words are %q", h.name, a.Error)
	}
	if len(a.Body) > longestBody || len(a.Header) > 0 && !fits(a.Header) {
		t.Errorf("%s: %d bytes were kept, %d headers", h.name, len(a.Body), len(a.Header))
	}
}

func TestHostileReceiverAttemptEndsInTimeWithReason(t *testing.T) {
	t.Parallel()
	const total = 600 * time.Millisecond
	for _, h := range hostiles() {
		t.Run(strings.ReplaceAll(h.name, " ", "_"), func(t *testing.T) {
			t.Parallel()
			s, p, began := sender(t, total), post(h.open(t)), time.Now()
			h.judge(t, s.Send(t.Context(), p, nil), time.Since(began), total)
		})
	}
}

// This one counts goroutines and memory, so it runs beside no other.
func TestHostileReceiversLeakNoGoroutinesOrMemory(t *testing.T) {
	const total = time.Second
	collects := debug.SetGCPercent(100) // as the service runs, whatever the tests run with
	t.Cleanup(func() { debug.SetGCPercent(collects) })
	s := sender(t, total)
	all := hostiles()
	urls := make([]string, len(all))
	for i := range all {
		urls[i] = all[i].open(t)
	}
	before, peak := memory(), uint64(0)
	stop := make(chan struct{})
	var measured, sent sync.WaitGroup
	measured.Go(func() {
		every(10*time.Millisecond, stop, func() error {
			peak = max(peak, memory())
			return nil
		})
	})
	for i := range 5 * len(all) {
		sent.Go(func() {
			p, began := post(urls[i%len(urls)]), time.Now()
			p.Body = large
			if a := s.Send(t.Context(), p, nil); time.Since(began) > total+5*time.Second || len(a.Body) > longestBody {
				t.Errorf("%s: %s, %d bytes", all[i%len(all)].name, time.Since(began), len(a.Body))
			}
		})
	}
	sent.Wait()
	close(stop)
	measured.Wait()
	t.Logf("%d attempts, %d MB more", 5*len(all), (int64(peak)-int64(before))>>20)
	if peak > before+100<<20 {
		t.Errorf("memory grew from %d MB to %d MB", before>>20, peak>>20)
	}
	s.Close()
	if !eventually(t, func() bool { return s.idle() }) {
		t.Errorf("still at work:\n%s", strings.Join(atWork(), "\n\n"))
	}
}

// memory is what the heap, stacks and all hold of the system.
func memory() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.Sys - m.HeapReleased
}

func (s *Sender) idle() bool {
	s.Close()
	return len(atWork()) == 0
}

// atWork are the goroutines of clients; the receivers of this file use none of net/http.
func atWork() (all []string) {
	b := make([]byte, 16<<20)
	for one := range strings.SplitSeq(string(b[:runtime.Stack(b, true)]), "\n\n") {
		if strings.Contains(one, "net/http.(*") || strings.Contains(one, "net.(*Dialer)") {
			all = append(all, one)
		}
	}
	return all
}

func TestRedirectIsNeverFollowed(t *testing.T) {
	t.Parallel()
	reached := make(chan string, 10)
	target := server(t, nil, func(_ http.ResponseWriter, r *http.Request) { reached <- r.Method })
	s := sender(t, 5*time.Second)
	for _, status := range []int{300, 301, 302, 303, 304, 305, 307, 308} {
		for _, to := range []string{target, "//10.0.0.1/", "/hook", "file:///etc/passwd"} {
			url := server(t, nil, func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Location", to)
				w.WriteHeader(status)
			})
			a := s.Send(t.Context(), post(url), nil)
			want := fmt.Sprintf(
				"redirect_not_followed: The receiver answered %d %s to %s, and redirects are not followed.",
				status,
				http.StatusText(status),
				to,
			)
			if a.StatusCode != status || a.Error != want || a.Acknowledged() || a.Header["Location"][0] != to {
				t.Errorf("%+v", a)
			}
		}
	}
	if len(reached) != 0 {
		t.Error("a redirect was followed")
	}
}

// What may be secret in the address is not shown.
func TestRedirectTargetIsNamedWithoutSecrets(t *testing.T) {
	t.Parallel()
	for to, want := range map[string]string{
		"https://ada:hunter2@example.com/in?token=hunter2#hunter2": "308 Permanent Redirect to https://example.com/in, and",
		"":                             "308 Permanent Redirect, and",
		"https://%zz/":                 "308 Permanent Redirect, and",
		"/" + strings.Repeat("x", 300): strings.Repeat("x", 190),
	} {
		url := server(t, nil, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", to)
			w.WriteHeader(http.StatusPermanentRedirect)
		})
		a := sender(t, 5*time.Second).Send(t.Context(), post(url), nil)
		if !strings.Contains(a.Error, want) || strings.Contains(a.Error, "hunter2") || len(a.Error) > 400 {
			t.Errorf("%q: %s", to, a.Error)
		}
	}
}

func TestAttemptTimesOutAfterTenSeconds(t *testing.T) {
	t.Parallel()
	s := NewSender(true, "portal-test")
	t.Cleanup(s.Close)
	began := time.Now()
	a := s.Send(t.Context(), post(receive(t, nil, drips(ok, strings.Repeat("A: b\r\n", 999))).url), nil)
	took := time.Since(began)
	if took < 10*time.Second || took > 12*time.Second ||
		a.Error != "timeout: The receiver did not answer within 10s." || a.Duration < 10*time.Second {
		t.Errorf("after %s: %+v", took, a)
	}
}

func TestBodyReadIsLimitedToOneSecondAfter200(t *testing.T) {
	t.Parallel()
	s := NewSender(true, "portal-test")
	t.Cleanup(s.Close)
	began := time.Now()
	a := s.Send(t.Context(), post(receive(t, nil, drips(ok+"\r\n", strings.Repeat("a", 9999))).url), nil)
	took := time.Since(began)
	if took < time.Second || took > 4*time.Second || !a.Acknowledged() || a.Error != "" || len(a.Body) == 0 {
		t.Errorf("after %s: %+v", took, a)
	}
}
