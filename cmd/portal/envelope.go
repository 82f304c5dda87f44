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
// header, an expectation), into the envelope that every other answer has.
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

func (c envelopedConn) Write(b []byte) (int, error) {
	status, refused := refusal(b)
	if !refused {
		return c.Conn.Write(b)
	}
	if _, err := c.Conn.Write(enclose(status, c.errors)); err != nil {
		return 0, err
	}
	return len(b), nil
}

// bare is what stands in net/http's own refusals behind the status line, and in no
// answer of ours; expectation is a status that no handler of ours answers.
var (
	bare        = []byte("\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n")
	expectation = []byte(" 417 ")
	protocol    = []byte("HTTP/1.")
)

// refusal finds the status, "400 Bad Request", of a refusal of net/http's.
func refusal(b []byte) (status string, refused bool) {
	line, rest, found := bytes.Cut(b[:min(len(b), 512)], []byte("\r\n"))
	if !found || !bytes.HasPrefix(line, protocol) || len(line) < len("HTTP/1.1 400") {
		return "", false
	}
	refused = bytes.HasPrefix(rest, bare[2:]) || bytes.HasPrefix(line[len("HTTP/1.1"):], expectation)
	return string(line[len("HTTP/1.1 "):]), refused
}

// enclose writes a refusal in the envelope. The status stays.
func enclose(status, errors string) []byte {
	request := id.New(id.Request, time.Now())
	e := fault.InvalidField.Entry()
	if status[0] == '5' {
		e = fault.Internal.Entry()
	}
	body := fmt.Sprintf(`{"error":{"type":%q,"code":%q,"message":%s,"param":null,"errors":[],"request_id":%q,"doc_url":%q}}`,
		e.Type, e.Code, strconv.Quote("The request is no HTTP that is understood here: "+status+"."), request, errors+string(e.Code))
	return fmt.Appendf(nil, "HTTP/1.1 %s\r\nContent-Type: application/json\r\nX-Request-Id: %s\r\nX-Content-Type-Options: nosniff\r\nCache-Control: no-store\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s",
		status, request, len(body), body)
}
