package mcp

import (
	"fmt"
	"net/http"
	"strconv"

	"portal/api/strictjson"
)

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
		message: "This is no request: " + fmt.Sprintf(format, args...) + ".",
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
