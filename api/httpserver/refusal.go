package httpserver

import (
	"bytes"
	"net/http"
	"strings"
)

// reason is what net/http has against a request, as part of a sentence, from the refusal
// that it writes.
func reason(refusal []byte) string {
	line, _, _ := bytes.Cut(refusal, []byte("\r\n"))
	_, status, _ := strings.Cut(string(line), " ")
	if _, why, told := strings.Cut(status, "Bad Request: "); told {
		return why
	}
	if why := reasons[status[:min(len(status), 3)]]; why != "" {
		return why
	}
	return "its request line or a header cannot be read"
}

// reasons are those of statuses that come without a word.
var reasons = map[string]string{
	"417": "the header Expect asks for something other than 100-continue",
	"431": "its head is larger than 64 KiB",
	"501": "its Transfer-Encoding is not chunked",
	"505": "its version is not HTTP/1.1 or HTTP/1.0",
}

// framing watches what comes for requests that tell the length of their body in two ways.
// Who sends one may want a proxy and this server to see different requests in it, so its
// connection ends with its answer (RFC 9112, section 6.1). net/http hides that there was a
// length beside the chunks.
//
// It takes every line for one of a head, those of bodies too: at worst the connection of
// a body with chunks ends early.
type framing struct {
	line             [len("transfer-encoding:")]byte // the beginning of the line that is being read
	n                int
	length, encoding bool // the head that is being read has them
	both, encoded    bool // some head had both, or an encoding
}

func (f *framing) watch(b []byte) {
	for {
		line, rest, ended := bytes.Cut(b, []byte{'\n'})
		f.n += copy(f.line[f.n:], line)
		if !ended {
			return
		}
		f.end(f.line[:f.n])
		b, f.n = rest, 0
	}
}

// end is the end of a line; an empty one ends the head.
func (f *framing) end(line []byte) {
	if len(line) == 0 || len(line) == 1 && line[0] == '\r' {
		f.both = f.both || f.length && f.encoding
		f.length, f.encoding = false, false
		return
	}
	name, _, _ := bytes.Cut(line, []byte{':'})
	f.length = f.length || bytes.EqualFold(name, []byte("content-length"))
	f.encoding = f.encoding || bytes.EqualFold(name, []byte("transfer-encoding"))
	f.encoded = f.encoded || f.encoding
}

// ambiguous reports whether the length of a request's body could be read in two ways.
func (f *framing) ambiguous(r *http.Request) bool {
	if !r.ProtoAtLeast(1, 1) {
		return f.encoded // a version without encodings
	}
	return f.both && len(r.TransferEncoding) > 0
}
