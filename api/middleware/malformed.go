package middleware

import (
	"bytes"
	"fmt"
	"net/http"
	"net/url"

	"portal/api/fault"
	"portal/api/network"
)

// Malformed is the whole answer, as it is sent, to a client at an address that has sent what is
// not HTTP, with the reason as part of a sentence. It counts against the address and is
// recorded as any other request, though its method and path are not known. The connection
// ends with it.
func (m *Middleware) Malformed(address, reason string) []byte {
	w := &plainWriter{
		header: http.Header{"Connection": {"close"}, "Date": {m.Now().UTC().Format(http.TimeFormat)}},
	}
	x := m.Begin(w, &http.Request{URL: &url.URL{}, Header: http.Header{}}, address)
	x.Run(func() error {
		x.count(x.Limiter.Take(x.HTTP.Context(), "ip:"+network.Parse(address), PerAddress, 1))
		return fault.New(fault.MalformedRequest,
			"The request cannot be read as HTTP/1.1: %s. The connection is closed.", reason)
	})
	return w.sent.Bytes()
}

// plainWriter writes an answer as HTTP/1.1 without a server.
type plainWriter struct {
	header http.Header
	sent   bytes.Buffer
}

// Header is http.ResponseWriter's.
func (w *plainWriter) Header() http.Header { return w.header }

// WriteHeader is http.ResponseWriter's.
func (w *plainWriter) WriteHeader(status int) {
	fmt.Fprintf(&w.sent, "HTTP/1.1 %d %s\r\n", status, http.StatusText(status))
	_ = w.header.Write(&w.sent) // a buffer takes everything
	w.sent.WriteString("\r\n")
}

// Write is http.ResponseWriter's.
func (w *plainWriter) Write(b []byte) (int, error) { return w.sent.Write(b) }

// Overloaded answers a request that is one too many: of its address, or of all. A server that
// has much to do does not log each.
func (m *Middleware) Overloaded(w http.ResponseWriter, r *http.Request, address string, ofAddress bool) {
	x := m.Begin(w, r, address)
	x.Run(func() error {
		x.count(x.Limiter.Peek(r.Context(), "ip:"+network.Parse(address), PerAddress))
		x.Fault = fault.New(
			fault.Unavailable,
			"The server is answering as many requests as it can. Try again in a second.",
		)
		if ofAddress {
			x.Fault = fault.New(
				fault.RateLimited,
				"Too many connections of this address are busy at the same time. Try again in a second, over fewer connections.",
			)
		}
		w.Header().Set("Retry-After", "1")
		x.Send(x.Fault.Code.Entry().Status, x.Envelope(x.Fault, x.ID))
		return nil
	})
}
