package main

import "testing"

// TestOfficialTypeScriptClientsAreSupported: they hold every answer against the
// output schema of its tool.
func TestOfficialTypeScriptClientsAreSupported(t *testing.T) {
	t.Parallel()
	n := newNode(t)
	s := assisting(t)
	sent := s.sendsRoll(t, s.vars["PORTAL_LIVE_KEY"])
	for _, c := range []struct{ name, version, script, mode string }{
		{"the first generation", "2025-11-25", "sdk.mjs", ""},
		{"the second as the first", "2025-11-25", "client.mjs", "legacy"},
		{"the second as it finds out", "2026-07-28", "client.mjs", "auto"},
		{"the second as it insists", "2026-07-28", "client.mjs", "2026-07-28"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := n.connect(t, s, c.script, c.mode)
			var m meeting
			b.read(t, &m)
			m.expect(t, c.version)
			converse(t, typescript{b}, c.version, sent)
		})
	}
}

// typescript is one of the clients.
type typescript struct{ *bridge }

func (c typescript) tools(t *testing.T) (names []string) {
	t.Helper()
	var list struct{ Tools []struct{ Name string } }
	if code := c.do(t, &list, "listTools"); code != 0 {
		t.Fatalf("tools/list: %d", code)
	}
	for _, tool := range list.Tools {
		names = append(names, tool.Name)
	}
	return names
}

func (c typescript) call(t *testing.T, tool string, args arguments) (a reply) {
	t.Helper()
	a.code = c.do(t, &a, "callTool", map[string]any{"name": tool, "arguments": args})
	return a
}

func (c typescript) ping(t *testing.T) {
	t.Helper()
	var nothing map[string]any
	if code := c.do(t, &nothing, "ping"); code != 0 || len(nothing) > 0 {
		t.Errorf("ping: %d %v", code, nothing)
	}
}
