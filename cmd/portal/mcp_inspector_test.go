package main

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

const inspector = "@modelcontextprotocol/inspector/clients/launcher/build/index.js"

// TestOfficialInspectorFindsNoError in the strictest way that it has.
func TestOfficialInspectorFindsNoError(t *testing.T) {
	t.Parallel()
	n := newNode(t)
	s := assisting(t)
	for _, era := range []string{"legacy", "modern"} {
		t.Run(era, func(t *testing.T) {
			t.Parallel()
			n.inspectTools(t, s, era)
			n.inspectCall(t, s, era)
		})
	}
}

// inspect runs the inspector once and takes its answer apart.
func (n nodejs) inspect(t *testing.T, s *service, era string, into any, args ...string) (complaints string) {
	t.Helper()
	o := n.run(t, n.module(inspector), append([]string{"--cli", s.vars["PORTAL_URL"] +
		"/mcp", "--transport", "http", "--format", "json",
		"--header", "Authorization: Bearer " + s.vars["PORTAL_LIVE_KEY"], "--protocol-era", era}, args...)...)
	if err := json.Unmarshal([]byte(o.out), into); err != nil || o.code != 0 {
		t.Fatalf("%v: %+v", err, o)
	}
	return o.err
}

func (n nodejs) inspectTools(t *testing.T, s *service, era string) {
	t.Helper()
	var said struct {
		Result struct{ Tools []struct{ Name string } }
		Found  []struct {
			ToolName string
			Findings []struct{ Rule, Severity, Schema, Path, Issue string }
		} `json:"schemaFindings"`
	}
	n.inspect(t, s, era, &said, "--method", "tools/list", "--strict")
	names := make([]string, 0, len(said.Result.Tools))
	for _, tool := range said.Result.Tools {
		names = append(names, tool.Name)
	}
	if !slices.Equal(names, allTools) {
		t.Errorf("the tools are %q", names)
	}
	for _, tool := range said.Found {
		for _, f := range tool.Findings {
			// What may be null in an answer is written ["string","null"]; what is asked for has one type.
			if f.Rule != "type-union" || f.Severity != "warning" || !strings.Contains(f.Issue, `"null"`) ||
				strings.Contains(f.Schema, "input") {
				t.Errorf("%s, %s %s: %s: %s", tool.ToolName, f.Schema, f.Path, f.Severity, f.Issue)
			}
		}
	}
}

func (n nodejs) inspectCall(t *testing.T, s *service, era string) {
	t.Helper()
	var said struct {
		Result reply
	}
	complaints := n.inspect(
		t,
		s,
		era,
		&said,
		"--method",
		"tools/call",
		"--tool-name",
		"list_properties",
		"--tool-args-json",
		`{"limit":1}`,
	)
	if complaints != "" || said.Result.IsError || at(t, said.Result.Record, "data.0.object") != "property" {
		t.Errorf("%s %+v", complaints, said.Result)
	}
}
