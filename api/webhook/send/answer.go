package send

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
	"unicode/utf8"

	"portal/api/texts"
)

// What is kept of an answer, in bytes, and how long it can ask us to wait: no attempt
// is made later than that.
const (
	longestHeader = 8 << 10
	longestBody   = 4 << 10
	longestWait   = 24 * time.Hour
)

// Answer is what became of an attempt.
type Answer struct {
	Duration   time.Duration
	StatusCode int // 0 where no answer came
	// Error is "" for a 2xx; else a code, a colon and a sentence for somebody who runs the
	// receiver: "status: The receiver answered 500 Internal Server Error."
	Error string
	// Header are the headers, at most 8 KiB of them in valid UTF-8.
	Header map[string][]string
	// Body are the first 4 KiB at most, as they came.
	Body []byte
	// RetryAfter is how long a 429 or 503 asks to be left alone, at most a day; 0
	// where it does not.
	RetryAfter time.Duration
	// Repeat tells that the request left over a connection used before, which ended before
	// an answer came: its end at the receiver may have shown only then, so that the attempt
	// says little of the receiver and the next one is made at once.
	Repeat bool
}

// Acknowledged tells that the receiver has taken the event, whatever became of the
// rest of its answer.
func (a *Answer) Acknowledged() bool { return success(a.StatusCode) }

func success(status int) bool { return status/100 == 2 }

// read takes what is kept of an answer and lets go of its connection, which is used
// again if that was all there was.
func read(resp *http.Response) Answer {
	defer resp.Body.Close() //nolint:errcheck // read, or not wanted
	return Answer{
		StatusCode: resp.StatusCode,
		Error:      statusWords(resp.StatusCode, resp.Header.Get("Location")),
		RetryAfter: retryAfter(resp),
		Header:     keptHeader(resp.Header),
		Body:       keptBody(resp),
	}
}

func statusWords(status int, location string) string {
	if success(status) {
		return ""
	}
	said := strings.TrimSpace(strconv.Itoa(status) + " " + http.StatusText(status))
	if status/100 == 3 {
		if to := target(location); to != "" {
			said += " to " + to
		}
		return fmt.Sprintf("redirect_not_followed: The receiver answered %s, and redirects are not followed.", said)
	}
	return fmt.Sprintf("status: The receiver answered %s.", said)
}

// target is where a redirect leads, without what may be secret in it: user, password and query. It is "" where that
// cannot be told.
func target(location string) string {
	u, err := url.Parse(location)
	if err != nil || location == "" {
		return ""
	}
	u.User, u.RawQuery, u.Fragment, u.RawFragment = nil, "", "", ""
	return texts.ClipBytes(u.String(), 200)
}

// buffers are where bodies are read; most are a few bytes.
var buffers = sync.Pool{New: func() any { return new([longestBody]byte) }}

// keptBody is nil where nothing came. A body that breaks off is kept as far as it came.
// With a 101 comes the bare connection instead of a body, and nothing would end a read.
func keptBody(resp *http.Response) []byte {
	if resp.Body == http.NoBody || resp.StatusCode == http.StatusSwitchingProtocols {
		return nil
	}
	b := buffers.Get().(*[longestBody]byte)
	defer buffers.Put(b)
	n, _ := io.ReadFull(resp.Body, b[:])
	return append([]byte(nil), b[:n]...)
}

// keptHeader leaves out the values that do not fit, in the order of names, so that the
// same answer is always kept alike.
func keptHeader(h http.Header) map[string][]string {
	if fits(h) {
		return h
	}
	kept, room := map[string][]string{}, longestHeader
	for _, name := range slices.Sorted(maps.Keys(h)) {
		for _, v := range h[name] {
			v = strings.ToValidUTF8(v, "\ufffd")
			if size := len(name) + len(v); size <= room {
				room -= size
				kept[name] = append(kept[name], v)
			}
		}
	}
	return kept
}

func fits(h http.Header) bool {
	size := 0
	for name, values := range h {
		for _, v := range values {
			size += len(name) + len(v)
			if size > longestHeader || !utf8.ValidString(v) {
				return false
			}
		}
	}
	return true
}

// retryAfter reads seconds or a date (RFC 9110, 10.2.3). A date is held against the
// receiver's own clock where it tells that.
func retryAfter(resp *http.Response) time.Duration {
	text := resp.Header.Get("Retry-After")
	if resp.StatusCode != http.StatusTooManyRequests && resp.StatusCode != http.StatusServiceUnavailable || text == "" {
		return 0
	}
	if seconds, err := strconv.ParseUint(text, 10, 64); err == nil {
		return time.Duration(min(seconds, uint64(longestWait/time.Second))) * time.Second
	}
	until, err := http.ParseTime(text)
	if err != nil {
		return 0
	}
	now, err := http.ParseTime(resp.Header.Get("Date"))
	if err != nil {
		now = time.Now() //nolint:forbidigo // the date is one of the real clock
	}
	return min(max(until.Sub(now), 0), longestWait)
}

// failure is why no answer came.
type failure struct {
	err, cause error  // cause is why the attempt was ended, nil where it ended itself
	url        string // the receiver's
	stage      int32  // how far the attempt had come
	total      time.Duration
}

// words are a code, a colon and a sentence, for somebody who runs the receiver. They name no
// address of ours.
func (f *failure) words() string {
	var to *refused
	var dns *net.DNSError
	var op *net.OpError
	switch {
	case f.cause != nil && !errors.Is(f.cause, errLate):
		return "interrupted: This service stopped before the receiver answered."
	case f.cause != nil || timeout(f.err):
		return f.late()
	case errors.Is(f.err, errURL):
		return "url: The URL cannot be read."
	case errors.As(f.err, &to):
		return "address_not_allowed: " + f.refusal(to)
	case errors.As(f.err, &dns):
		return "dns: " + f.unknown(dns)
	case errors.Is(f.err, syscall.ECONNREFUSED):
		return fmt.Sprintf("connection_refused: %s refused the connection; nothing listens there.", f.host())
	case hungUp(f.err):
		return "connection_reset: The receiver closed the connection before it answered."
	}
	if why := tlsWords(f.err); why != "" {
		return "tls: " + why
	}
	if errors.As(f.err, &op) && op.Op == "dial" {
		return fmt.Sprintf("unreachable: No connection to %s could be made.", f.host())
	}
	return "protocol: The answer is not HTTP, breaks its rules, or has more than 32 KiB of headers."
}

func timeout(err error) bool {
	var n net.Error
	return errors.Is(err, context.DeadlineExceeded) || errors.As(err, &n) && n.Timeout()
}

// hungUp tells the end of a connection. The errors of one that ended before the request
// was written, and of one over HTTP/2 that the receiver takes no more requests on, have no
// type.
func hungUp(err error) bool {
	text := err.Error()
	return strings.HasSuffix(text, "server closed idle connection") || strings.Contains(text, "GOAWAY") ||
		strings.Contains(text, "REFUSED_STREAM") || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE)
}

func (f *failure) late() string {
	switch f.stage {
	case connecting:
		return fmt.Sprintf("timeout: There was no connection to %s within %s.", f.host(), f.total)
	case writing:
		return fmt.Sprintf("timeout: The receiver did not take the request within %s.", f.total)
	}
	return fmt.Sprintf("timeout: The receiver did not answer within %s.", f.total)
}

func (f *failure) refusal(to *refused) string {
	if _, err := netip.ParseAddr(f.host()); err == nil || f.host() == to.address {
		return to.Error() + "."
	}
	return fmt.Sprintf("%s resolves to %s, which is not on the public internet.", f.host(), to.address)
}

func (f *failure) unknown(e *net.DNSError) string {
	if e.IsNotFound {
		return fmt.Sprintf("The name %s does not exist, or has no address.", f.host())
	}
	return fmt.Sprintf("The name %s could not be looked up.", f.host())
}

// host is the receiver's, as its URL spells it.
func (f *failure) host() string {
	u, err := url.Parse(f.url)
	if err != nil {
		return "the receiver"
	}
	return u.Hostname()
}

// tlsWords are why there is no TLS with the receiver, "" where it is not for that.
func tlsWords(err error) string {
	var name x509.HostnameError
	var invalid x509.CertificateInvalidError
	var record tls.RecordHeaderError
	var unverified *tls.CertificateVerificationError
	switch {
	case errors.As(err, &name):
		return "The receiver's certificate is for another name."
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return "The receiver's certificate has expired, or is not valid yet."
	case errors.As(err, &unverified):
		return "The receiver's certificate is not signed by an authority that is trusted; it may lack the " +
			"intermediate one."
	case errors.As(err, &record), errors.Is(err, http.ErrSchemeMismatch):
		return "The receiver does not speak TLS on this port."
	}
	return handshakeWords(err)
}

// handshakeWords know the errors of crypto/tls, most of which have no type, by how
// they begin.
func handshakeWords(err error) string {
	var op *net.OpError
	if errors.As(err, &op) && (op.Op == "remote error" || op.Op == "local error") {
		err = op.Err
	}
	why, is := strings.CutPrefix(err.Error(), "tls: ")
	if !is {
		return ""
	}
	return fmt.Sprintf("The handshake failed: %s. TLS 1.2 or later is needed.", strings.ToValidUTF8(why, "\ufffd"))
}
