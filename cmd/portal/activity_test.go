package main

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/developer"
	"portal/api/id"
	"portal/cmd/portal/cli"
	"portal/db/developerstore"
)

// TestOperatorListsAssistantCalls records calls as a server does and lists them.
func TestOperatorListsAssistantCalls(t *testing.T) {
	t.Parallel()
	h := newHome(t).blank(t)
	if code, _, said := h.inside(
		t,
		"correct horse battery",
		"user",
		"add",
		"ada@example.com",
		"--password-stdin",
	); code != cli.ExitDone {
		t.Fatal(said)
	}
	p := h.product(t)
	in, _, err := p.Developer.Portfolio(t.Context(), "ada@example.com", access.Live)
	if err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 11, 2, 16, 20, 11, 482_000_000, time.UTC)
	call := func(tool, outcome string) developer.ToolCall {
		at = at.Add(time.Second)
		return developer.ToolCall{
			ID:          id.New(id.Call, at),
			At:          clock.At(at),
			AccountID:   "acct_1",
			PortfolioID: in.ID,
			KeyID:       "key_1",
			RequestID:   "req_1",
			UserAgent:   "claude-code/1.0.33 (cli)",
			Tool:        tool,
			Arguments:   `{"a":1}`,
			Outcome:     outcome,
			Duration:    1500 * time.Microsecond,
		}
	}
	read := call("list_leases", "ok")
	preview := call("update_property", "ok")
	write := call("update_property", "ok")
	refused := call("get_property", "not_found")
	preview.DryRun, preview.Change = true, `[{"field":"city","from":"Austin","to":"Waco"}]`
	write.Change = `[{"field":"city","from":"Austin","to":"Waco"},{"field":"name","from":null,"to":"A"}]`
	write.RecordID = "prop_1"
	refused.Message = "No property."
	refused.Client = "Cursor"
	read.Replayed = true
	if err := developerstore.New(p.DB).AddToolCalls(t.Context(), []developer.ToolCall{
		read, preview, write, refused,
	}); err != nil {
		t.Fatal(err)
	}
	for args, want := range map[string][]string{
		"":                       {refused.ID, write.ID, preview.ID, read.ID},
		"--limit 2":              {refused.ID, write.ID, "--before"},
		"--before " + write.ID:   {preview.ID, read.ID},
		"--failed":               {refused.ID, "2026-11-02T16:20:15.482Z  Cursor", "not_found"},
		"--saved":                {write.ID, "claude-code 1.0.33", "update_property", "ok", "prop_1", "city, name"},
		"--tool list_leases":     {read.ID, "ok, told again"},
		"--key key_2":            nil,
		"--mode test":            nil,
		"--before " + refused.ID: {write.ID, preview.ID, "ok, preview", read.ID},
	} {
		code, out, said := h.inside(t, "", append([]string{"activity", "ada@example.com"}, strings.Fields(args)...)...)
		rest := out
		for _, w := range want {
			_, behind, found := strings.Cut(rest, w)
			if !found {
				t.Errorf("%s: no %s in\n%s", args, w, out)
			}
			rest = behind
		}
		if code != cli.ExitDone ||
			strings.Count(out, "call_") !=
				strings.Count(strings.Join(want, " "), "call_")+strings.Count(out, "add --before") {
			t.Errorf("%s: exit code %d: %s%s", args, code, out, said)
		}
	}
	_, out, _ := h.inside(t, "", "activity", "ada@example.com", "--saved", "--json")
	var told []map[string]any
	if err := json.Unmarshal([]byte(out), &told); err != nil || len(told) != 1 ||
		told[0]["duration_ms"] != 1.5 || told[0]["client"] != "claude-code" ||
		told[0]["arguments"].(map[string]any)["a"] !=
			1.0 || len(told[0]["change"].([]any)) !=
		2 || told[0]["message"] !=
		"" {
		t.Errorf("%v: %s", err, out)
	}
	for _, args := range []string{
		"ada@example.com --limit 0", "ada@example.com --limit 101", "ada@example.com --mode demo",
		"",
	} {
		if code, _, _ := h.inside(
			t,
			"",
			append([]string{"activity"}, strings.Fields(args)...)...); code != cli.ExitMisuse {
			t.Errorf("%s: exit code %d", args, code)
		}
	}
	if code, _, said := h.inside(t, "", "activity", "nobody@example.com"); code != cli.ExitFailed ||
		!strings.Contains(said, "nobody@example.com") {
		t.Errorf("exit code %d: %s", code, said)
	}
}
