package main

import (
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestOfficialGoClientIsSupported by every version that there is.
func TestOfficialGoClientIsSupported(t *testing.T) {
	t.Parallel()
	s := assisting(t)
	sent := s.sendsRoll(t, s.vars["PORTAL_LIVE_KEY"])
	for _, version := range []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"} {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			c := s.goClient(t, s.vars["PORTAL_LIVE_KEY"], version)
			c.meet(t).expect(t, version)
			converse(t, c, version, sent)
		})
	}
}

func TestTestKeySeesOnlyReadTools(t *testing.T) {
	t.Parallel()
	s := assisting(t)
	for _, version := range []string{"2025-11-25", "2026-07-28"} {
		c := s.goClient(t, s.vars["PORTAL_TEST_KEY"], version)
		if got := c.tools(t); !slices.Equal(got, readTools) {
			t.Errorf("%s: the tools are %q", version, got)
		}
		r := c.call(t, "update_property", arguments{"property_id": "prop_1", "name": "Mine", "dry_run": true})
		if !r.IsError || r.Record != nil {
			t.Errorf("%s: a change with a test key: %+v", version, r)
		}
	}
}

// goClient is the client of the Go SDK. It does not look at output schemas, so they
// are held here.
type goClient struct {
	*mcp.ClientSession
	schemas map[string]*jsonschema.Resolved
}

func (s *service) goClient(t *testing.T, key, version string) goClient {
	t.Helper()
	client := mcp.NewClient(&mcp.Implementation{Name: "portal-test", Version: "1.0.0"}, nil)
	session, err := client.Connect(t.Context(),
		&mcp.StreamableClientTransport{
			Endpoint:   s.vars["PORTAL_URL"] + "/mcp",
			HTTPClient: &http.Client{Transport: bearer(key)},
		},
		&mcp.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := session.Close(); err != nil {
			t.Error(err)
		}
	})
	return goClient{session, map[string]*jsonschema.Resolved{}}
}

// bearer adds a key to every request.
type bearer string

// RoundTrip is http.RoundTripper.
func (key bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+string(key))
	return http.DefaultTransport.RoundTrip(r)
}

func (c goClient) meet(t *testing.T) (m meeting) {
	t.Helper()
	met := c.InitializeResult()
	m.Version = met.ProtocolVersion
	convert(t, met.ServerInfo, &m.Server)
	convert(t, met.Capabilities, &m.Capabilities)
	return m
}

// convert goes by way of JSON.
func convert(t *testing.T, from, into any) {
	t.Helper()
	b, err := json.Marshal(from)
	if err == nil {
		err = json.Unmarshal(b, into)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func (c goClient) tools(t *testing.T) (names []string) {
	t.Helper()
	for tool, err := range c.Tools(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		var schema jsonschema.Schema
		convert(t, tool.OutputSchema, &schema)
		if c.schemas[tool.Name], err = schema.Resolve(nil); err != nil {
			t.Errorf("%s: %v", tool.Name, err)
		}
		names = append(names, tool.Name)
	}
	return names
}

func (c goClient) call(t *testing.T, tool string, args arguments) (r reply) {
	t.Helper()
	result, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: args})
	if refused, ok := errors.AsType[*jsonrpc.Error](err); ok {
		r.code = int(refused.Code)
		return r
	}
	if err != nil {
		t.Fatalf("%s: %v", tool, err)
	}
	convert(t, result, &r)
	if schema := c.schemas[tool]; schema != nil && r.Record != nil {
		if err := schema.Validate(r.Record); err != nil {
			t.Errorf("%s has answered what its schema forbids: %v", tool, err)
		}
	}
	return r
}

func (c goClient) ping(t *testing.T) {
	t.Helper()
	if err := c.Ping(t.Context(), nil); err != nil {
		t.Errorf("ping: %v", err)
	}
}
