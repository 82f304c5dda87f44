package main

import (
	"bytes"
	"fmt"
	"net"
	"strconv"
	"time"

	"portal/api/fault"
	"portal/api/id"
)

// enveloped is a listener whose connections put the refusals that net/http writes
// by itself, before any handler is asked (a malformed request line, too large a
// header), into the envelope that every other answer has.
type enveloped struct {
	net.Listener
	errors string // the error dictionary's address, up to the code
}

func (l enveloped) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return envelopedConn{conn, l.errors}, nil
}

type envelopedConn struct {
	net.Conn
	errors string
}

// bare is what stands in net/http's own refusals between the status line and the
// text, and in no answer of ours.
var bare = []byte("\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n")

func (c envelopedConn) Write(b []byte) (int, error) {
	at := bytes.Index(b[:min(len(b), 256)], bare)
	if at < 0 || !bytes.HasPrefix(b, []byte("HTTP/1.1 ")) || bytes.IndexByte(b[:at], '\n') >= 0 {
		return c.Conn.Write(b)
	}
	if _, err := c.Conn.Write(enclose(string(b[:at]), string(b[at+len(bare):]), c.errors)); err != nil {
		return 0, err
	}
	return len(b), nil
}

// enclose writes a refusal of net/http's in the envelope. The status stays.
func enclose(statusLine, text, errors string) []byte {
	request := id.New(id.Request, time.Now())
	e := fault.InvalidField.Entry()
	body := fmt.Sprintf(`{"error":{"type":%q,"code":%q,"message":%s,"param":null,"errors":[],"request_id":%q,"doc_url":%q}}`,
		e.Type, e.Code, strconv.Quote("The request is not well-formed HTTP: "+text+"."), request, errors+string(e.Code))
	return fmt.Appendf(nil, "%s\r\nContent-Type: application/json\r\nX-Request-Id: %s\r\nX-Content-Type-Options: nosniff\r\nCache-Control: no-store\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s",
		statusLine, request, len(body), body)
}
