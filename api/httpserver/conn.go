package httpserver

import (
	"bytes"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// conn is a connection of the server.
type conn struct {
	net.Conn
	server  *Server
	address string // of the client, without its port
	network string // that it counts in, "" for none

	mu       sync.Mutex
	since    time.Time // of its last answer, or of its beginning
	last     time.Time // that something came or was answered
	partial  bool      // the beginning of a request has come
	began    time.Time // when it came
	handling bool      // a request is with the handler, or being answered
	told     bool      // to close: nobody waits for anything on it
	surplus  bool      // it is one too many of its address
	refused  bool
	closed   bool
	framing  framing
	writer   writer
	ends     atomic.Bool // with the answer that is being written
}

// lingers is how long a closing connection still reads: before the end of an idle one, when the
// server stops, for a request that is on its way and is answered; after the last response, so
// that the client gets it. Closing at once would reset the connection.
const lingers = 500 * time.Millisecond

// mostUnread and unreadTime bound what is taken in of a body that an answer did not wait for. Browsers
// send all of a form before they read: without it they would show a broken connection instead of the
// answer (RFC 9112, section 9.6).
const (
	mostUnread = 32 << 20
	unreadTime = 5 * time.Second
)

// Read is net.Conn's. What came before the connection was told to close is still read.
func (c *conn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if n == 0 && errors.Is(err, os.ErrDeadlineExceeded) && c.isTold() {
		wait := c.lastWait()
		if wait == 0 {
			return n, err
		}
		if again := c.Conn.SetReadDeadline(c.server.Now().Add(wait)); again != nil {
			return 0, again
		}
		n, err = c.Conn.Read(b)
	}
	if n > 0 {
		c.received(b[:n])
	}
	return n, err
}

// lastWait is how long a connection that is told to close waits for what may still come: not
// at all where it makes room for another one.
func (c *conn) lastWait() (wait time.Duration) {
	if readable(c.Conn) {
		wait = lastLook
	}
	if c.server.Stopping() {
		wait = max(wait, lingers)
	}
	return wait
}

func (c *conn) isTold() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.told
}

// received notes what has come.
func (c *conn) received(b []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.last = c.server.touch()
	if !c.partial {
		c.partial, c.began = true, c.last
	}
	c.framing.watch(b)
	c.stay(c.server.Times.Header)
}

// end has the connection closed by its reader, which finds nothing to read any more.
func (c *conn) end() {
	c.told = true
	c.server.keep(c, -1)
	_ = c.Conn.SetReadDeadline(longAgo) // one that cannot be set is closed already
}

// stay cancels the request to close, because a request arrived.
func (c *conn) stay(reads time.Duration) {
	if c.told {
		c.told = false
		c.server.keep(c, 1)
		_ = c.Conn.SetReadDeadline(c.server.Now().Add(reads)) // one that cannot be set is closed already
	}
}

// begin notes that a request is with the handler, and is what its answer is written to.
func (c *conn) begin(w http.ResponseWriter, r *http.Request) http.ResponseWriter {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.handling = true
	c.stay(c.server.Times.Read) // it came with the one before, and was read already
	c.writer = writer{ResponseWriter: w, conn: c}
	if c.framing.ambiguous(r) {
		c.ends.Store(true)
	}
	return &c.writer
}

// idle notes that a request is answered.
func (c *conn) idle() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.last = c.server.touch()
	c.since = c.last
	c.partial, c.handling, c.writer = false, false, writer{}
}

// tell has the connection closed if nothing is under way on it and nothing has come for
// a time. What comes meanwhile is still answered.
func (c *conn) tell(quiet time.Duration) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.told || c.partial || c.handling || c.closed || c.server.Now().Sub(c.last) < quiet {
		return false
	}
	c.end()
	return true
}

// underWay reports whether a request has begun to come and is not answered yet.
func (c *conn) underWay() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return !c.told && (c.partial || c.handling)
}

// longAgo has a read end at once.
var longAgo = time.Unix(1, 0)

// SetReadDeadline is net.Conn's. net/http's initial deadline must not replace the one set to
// close the connection.
func (c *conn) SetReadDeadline(t time.Time) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.told {
		t = longAgo
	}
	return c.Conn.SetReadDeadline(t)
}

// Write writes what the handler answers. What net/http writes while no request is with
// the handler is a refusal of its own, which is put into the envelope of all answers.
func (c *conn) Write(b []byte) (int, error) {
	c.mu.Lock()
	ours := c.handling && !c.refused
	c.mu.Unlock()
	if ours {
		return c.Conn.Write(b)
	}
	c.refuse(reason(b))
	return len(b), nil
}

// refuse answers, once, what is not HTTP.
func (c *conn) refuse(reason string) {
	c.mu.Lock()
	again := c.refused
	c.refused = true
	c.mu.Unlock()
	if !again {
		_, _ = c.Conn.Write(c.server.Refusal(c.address, reason)) // a client that went away misses nothing
	}
}

// CloseWrite is net.TCPConn's, for net/http, which calls it after an answer that did not wait for the
// end of the request: the client can still read what was written, and what it still sends is
// taken in, within bounds, and not heard.
func (c *conn) CloseWrite() error {
	err := c.closeWrite()
	c.mu.Lock()
	refused := c.refused
	c.mu.Unlock()
	if err == nil && !refused && !c.server.Stopping() {
		c.drain(mostUnread, unreadTime)
	}
	return err
}

// closeWrite tells the client that nothing more will come.
func (c *conn) closeWrite() error {
	if half, is := c.Conn.(interface{ CloseWrite() error }); is {
		return half.CloseWrite()
	}
	return nil
}

// drain reads what the client still sends, until it closes its side.
func (c *conn) drain(most int64, within time.Duration) {
	if c.Conn.SetReadDeadline(c.server.Now().Add(within)) == nil {
		_, _ = io.CopyN(io.Discard, c.Conn, most) // what the client says now is not heard
	}
}

// Close closes the connection, and takes in before what its client may still send where
// it does not expect the end.
func (c *conn) Close() error {
	c.mu.Lock()
	first, sudden := !c.closed, c.refused || c.ends.Load() || c.server.Stopping()
	c.closed = true
	c.mu.Unlock()
	if !first {
		return c.Conn.Close()
	}
	defer c.server.forget(c)
	if sudden && c.closeWrite() == nil {
		c.drain(1<<20, lingers)
	}
	return c.Conn.Close()
}

// writer is what an answer is written to: one that ends its connection says so.
type writer struct {
	http.ResponseWriter
	conn  *conn
	begun bool
}

// WriteHeader is http.ResponseWriter's.
func (w *writer) WriteHeader(status int) {
	if !w.begun && status >= http.StatusOK {
		w.begun = true
		if w.conn.ends.Load() || w.conn.server.Stopping() {
			w.conn.ends.Store(true)
			w.Header().Set("Connection", "close")
		}
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write is http.ResponseWriter's.
func (w *writer) Write(b []byte) (int, error) {
	w.begin()
	return w.ResponseWriter.Write(b)
}

// FlushError is for http.ResponseController: the head that it sends is one of ours too.
func (w *writer) FlushError() error {
	w.begin()
	return http.NewResponseController(w.ResponseWriter).Flush()
}

// begin writes the head of an answer whose handler has not.
func (w *writer) begin() {
	if !w.begun {
		w.WriteHeader(http.StatusOK)
	}
}

// Unwrap is for http.ResponseController.
func (w *writer) Unwrap() http.ResponseWriter { return w.ResponseWriter }

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
