package mcp

import (
	"encoding/base64"
	"net/http"
	"slices"
	"strings"

	"portal/api/strictjson"
)

// The revisions of the protocol. From modern on there is no handshake, and each request
// tells its revision; before it, requests are understood without one too.
const (
	modern       = "2026-07-28"
	newestLegacy = "2025-11-25"
)

var revisions = []string{modern, newestLegacy, "2025-06-18", "2025-03-26", "2024-11-05"}

func known(version string) bool { return slices.Contains(revisions, version) }

// The headers and the members of _meta by which a request of the newer era tells what
// it is.
const (
	versionHeader = "Mcp-Protocol-Version"
	methodHeader  = "Mcp-Method"
	nameHeader    = "Mcp-Name"

	meta             = "_meta"
	metaVersion      = "io.modelcontextprotocol/protocolVersion"
	metaClient       = "io.modelcontextprotocol/clientInfo"
	metaCapabilities = "io.modelcontextprotocol/clientCapabilities"
)

// declared is the revision that the header names, "" where it names none.
func declared(h http.Header) (version string, p *problem) {
	switch all := h[versionHeader]; len(all) {
	case 0:
		return "", nil
	case 1:
		return strings.TrimSpace(all[0]), nil
	}
	return "", mismatch("MCP-Protocol-Version is given more than once")
}

func mismatch(what string) *problem {
	return &problem{code: headerMismatch, message: "Header mismatch: " + what + ".", status: http.StatusBadRequest}
}

// isModern reports whether a message is to be served by the newer revision: it says so
// itself, or the header does.
func (m *message) isModern(header string) bool {
	return header == modern || m.member(meta, metaVersion) != nil
}

// outdated refuses a header that names a revision that is not served, unless the message
// asks which ones are.
func (m *message) outdated(header string) *problem {
	if header == "" || known(header) || m.method == "initialize" {
		return nil
	}
	return unsupported(header)
}

func unsupported(version string) *problem {
	data := strictjson.AppendString([]byte(`{"supported":["`+strings.Join(revisions, `","`)+`"],"requested":`), version)
	return &problem{
		code:    unsupportedVersion,
		message: "Unsupported protocol version: choose one of data.supported.",
		data:    append(data, '}'),
		status:  http.StatusBadRequest,
	}
}

// envelope holds a request of the newer era against its own headers (2026-07-28,
// Streamable HTTP, Server Validation).
func (m *message) envelope(h http.Header, header string) *problem {
	version := m.member(meta, metaVersion)
	switch {
	case m.id == nil: // of a notification nothing is asked
		return nil
	case version == nil || version.Kind != strictjson.Text:
		return missing(metaVersion, "a string")
	case kindOf(m.member(meta, metaCapabilities)) != strictjson.Object:
		return missing(metaCapabilities, "an object")
	case !m.identified():
		return missing(metaClient, "an object with name and version")
	case header == "":
		return mismatch("MCP-Protocol-Version is missing")
	case header != version.Text:
		return mismatch("MCP-Protocol-Version differs from " + metaVersion)
	case !known(header):
		return unsupported(header)
	}
	return m.mirrored(h)
}

func kindOf(v *strictjson.Value) strictjson.Kind {
	if v == nil {
		return ""
	}
	return v.Kind
}

// identified reports whether the client is named rightly, if it is named.
func (m *message) identified() bool {
	c := m.member(meta, metaClient)
	return c == nil ||
		c.Kind == strictjson.Object && kindOf(c.Member("name")) == strictjson.Text &&
			kindOf(c.Member("version")) == strictjson.Text
}

func missing(name, what string) *problem {
	return &problem{
		code:    invalidParams,
		message: "params._meta must have " + name + ", " + what + ".",
		status:  http.StatusBadRequest,
	}
}

// mirrored holds the headers against the method and the name that they repeat.
func (m *message) mirrored(h http.Header) *problem {
	if p := same(h[methodHeader], "Mcp-Method", m.method); p != nil {
		return p
	}
	if m.method != "tools/call" {
		return nil
	}
	return same(h[nameHeader], "Mcp-Name", m.text("name"))
}

func same(all []string, name, want string) *problem {
	switch {
	case len(all) == 0:
		return mismatch(name + " is missing")
	case len(all) > 1:
		return mismatch(name + " is given more than once")
	}
	have, ok := plain(strings.TrimSpace(all[0]))
	if !ok {
		return mismatch(name + " is not encoded rightly")
	}
	if have != want {
		return mismatch(name + " differs from the body")
	}
	return nil
}

// plain is a header's value, which stands in base64 where it is not plain ASCII.
func plain(v string) (string, bool) {
	const before, after = "=?base64?", "?="
	if !strings.HasPrefix(v, before) || !strings.HasSuffix(v, after) || len(v) < len(before)+len(after) {
		return v, true
	}
	b, err := base64.StdEncoding.Strict().DecodeString(v[len(before) : len(v)-len(after)])
	return string(b), err == nil
}
