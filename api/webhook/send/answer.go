package send

import (
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
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
		Error:      statusWords(resp.StatusCode),
		RetryAfter: retryAfter(resp),
		Header:     keptHeader(resp.Header),
		Body:       keptBody(resp),
	}
}

func statusWords(status int) string {
	if success(status) {
		return ""
	}
	said := strings.TrimSpace(strconv.Itoa(status) + " " + http.StatusText(status))
	if status/100 == 3 {
		return fmt.Sprintf("redirect_not_followed: The receiver answered %s, and redirects are not followed.", said)
	}
	return fmt.Sprintf("status: The receiver answered %s.", said)
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
