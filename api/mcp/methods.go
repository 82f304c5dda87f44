package mcp

import (
	"net/http"

	"portal/api/operation"
	"portal/api/strictjson"
)

// dispatch appends the answer to a request.
func (x *request) dispatch(b []byte, m *message, newer bool) ([]byte, *problem) {
	switch {
	case m.params != nil && m.params.Kind != strictjson.Object:
		return b, &problem{
			code:    invalidParams,
			message: "params must be an object, not " + string(m.params.Kind) + ".",
		}
	case m.method == "tools/call":
		return x.callTool(b, m, newer)
	case m.method == "tools/list":
		return x.listTools(b, m, newer)
	case m.method == "server/discover" && newer:
		return x.result(b, m, x.endpoint.catalog().discovered), nil
	case m.method == "initialize" && !newer:
		return x.initialize(b, m)
	case m.method == "ping" && !newer:
		return x.result(b, m, []byte("{}")), nil
	}
	p := &problem{code: methodNotFound, message: "Method not found: this server has tools/list and tools/call."}
	if newer {
		p.status = http.StatusNotFound
	}
	return b, p
}

// operationOf names a message for the log and the metrics, from a closed list.
func operationOf(m *message) string {
	switch m.method {
	case "tools/call", "tools/list", "server/discover", "initialize", "ping":
		return "mcp:" + m.method
	}
	return "mcp"
}

// open begins a response.
func open(b []byte, m *message) []byte {
	return append(append(append(b, `{"jsonrpc":"2.0","id":`...), m.id...), `,"result":`...)
}

func (x *request) result(b []byte, m *message, result []byte) []byte {
	return append(append(open(b, m), result...), '}')
}

// initialize answers the handshake of the older revisions. Nothing is remembered: every
// other request is served without it.
func (x *request) initialize(b []byte, m *message) ([]byte, *problem) {
	version, client := m.member("protocolVersion"), m.member("clientInfo")
	switch {
	case kindOf(version) != strictjson.Text:
		return b, &problem{
			code:    invalidParams,
			message: "params.protocolVersion must be a string, such as " + newestLegacy + ".",
		}
	case kindOf(m.member("capabilities")) != strictjson.Object:
		return b, &problem{code: invalidParams, message: "params.capabilities must be an object."}
	case kindOf(client) != strictjson.Object || kindOf(client.Member("name")) != strictjson.Text ||
		kindOf(client.Member("version")) != strictjson.Text:
		return b, &problem{code: invalidParams, message: "params.clientInfo must be an object with name and version."}
	}
	agreed := version.Text
	if !known(agreed) || agreed == modern {
		agreed = newestLegacy
	}
	x.greet(client, agreed)
	b = strictjson.AppendString(append(open(b, m), `{"protocolVersion":`...), agreed)
	return append(append(b, x.endpoint.catalog().greeting...), '}'), nil
}

// listTools answers with the tools that the key may call, in one page.
func (x *request) listTools(b []byte, m *message, newer bool) ([]byte, *problem) {
	if c := m.member("cursor"); c != nil {
		return b, &problem{code: invalidParams, message: "There is no such cursor: all tools are on one page."}
	}
	return x.result(b, m, x.endpoint.catalog().list(x.actor.Scopes, newer)), nil
}

// described is a tool as tools/list shows it.
type described struct {
	Name         string            `json:"name"`
	Title        string            `json:"title"`
	Description  string            `json:"description"`
	InputSchema  *operation.Schema `json:"inputSchema"`
	OutputSchema *operation.Schema `json:"outputSchema"`
	Annotations  annotations       `json:"annotations"`
}

// annotations tell a client what a tool does to the records. None reaches beyond them.
type annotations struct {
	ReadOnly    bool  `json:"readOnlyHint"`
	Destructive *bool `json:"destructiveHint,omitempty"`
	Idempotent  *bool `json:"idempotentHint,omitempty"`
	OpenWorld   bool  `json:"openWorldHint"`
}
