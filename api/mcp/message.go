package mcp

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"portal/api/strictjson"
)

// message is one JSON-RPC message that a client has sent.
type message struct {
	id     []byte // as it was sent; nil for a notification
	method string
	params *strictjson.Value // nil where none were sent
}

// longestID is how many bytes an id may have: it is sent back.
const longestID = 512

// read finds the message in a JSON value, or what is wrong with it. A message that is
// wrong keeps its id, if that could be read.
func read(v *strictjson.Value) (message, *problem) {
	var m message
	if v.Kind != strictjson.Object {
		return m, invalidRequest("a message must be a JSON object, not %s; "+
			`send one such as {"jsonrpc":"2.0","id":1,"method":"tools/list"}`, v.Kind)
	}
	id, given := v.Member("id"), v.Member("id") != nil
	if given {
		if m.id = idOf(id); m.id == nil {
			return m, invalidRequest(
				"id must be a string of at most %d bytes or an integer; leave it out of a notification", longestID)
		}
	}
	if j := v.Member("jsonrpc"); j == nil || j.Kind != strictjson.Text || j.Text != "2.0" {
		return m, invalidRequest(`jsonrpc must be "2.0"; send "jsonrpc":"2.0" in each message`)
	}
	method := v.Member("method")
	if method == nil || method.Kind != strictjson.Text || method.Text == "" {
		return m, invalidRequest(
			"method must be the name of a method; this server asks nothing, so nothing can be answered to it",
		)
	}
	m.method, m.params = method.Text, v.Member("params")
	return m, nil
}

// idOf is an id as it was written, nil if it is none: a string or an integer.
func idOf(v *strictjson.Value) []byte {
	var id []byte
	switch v.Kind {
	case strictjson.Text:
		id = strictjson.AppendString(nil, v.Text)
	case strictjson.Number:
		if plain, ok := strictjson.Decimal(v.Text); !ok || strings.Contains(plain, ".") {
			return nil
		}
		id = []byte(v.Text)
	}
	if len(id) > longestID {
		return nil
	}
	return id
}

// member finds what stands at a path of names within the params.
func (m *message) member(names ...string) *strictjson.Value {
	v := m.params
	for _, name := range names {
		if v == nil || v.Kind != strictjson.Object {
			return nil
		}
		v = v.Member(name)
	}
	return v
}

// text is a string within the params, "" where there is none.
func (m *message) text(names ...string) string {
	if v := m.member(names...); v != nil && v.Kind == strictjson.Text {
		return v.Text
	}
	return ""
}

// The codes of JSON-RPC 2.0, section 5.1, and of MCP 2026-07-28, Error Codes.
const (
	parseError         = -32700
	badRequest         = -32600
	methodNotFound     = -32601
	invalidParams      = -32602
	headerMismatch     = -32020
	unsupportedVersion = -32022
)

// problem is what fails in the protocol, before any operation is asked.
type problem struct {
	code    int
	message string
	data    []byte // JSON, may be nil
	status  int    // of HTTP where the problem is the whole answer; 0 is 200
}

func invalidRequest(format string, args ...any) *problem {
	return &problem{
		code:    badRequest,
		message: "This cannot be served: " + fmt.Sprintf(format, args...) + ".",
		status:  http.StatusBadRequest,
	}
}

// append writes the error response. Where the id could not be read it is null, as
// JSON-RPC asks, or absent, as the newer revision does.
func (p *problem) append(b []byte, id []byte, modern bool) []byte {
	b = append(b, `{"jsonrpc":"2.0",`...)
	switch {
	case id != nil:
		b = append(append(append(b, `"id":`...), id...), ',')
	case !modern:
		b = append(b, `"id":null,`...)
	}
	b = strconv.AppendInt(append(b, `"error":{"code":`...), int64(p.code), 10)
	b = strictjson.AppendString(append(b, `,"message":`...), p.message)
	if p.data != nil {
		b = append(append(b, `,"data":`...), p.data...)
	}
	return append(b, '}', '}')
}
