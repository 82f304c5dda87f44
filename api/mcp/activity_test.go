package mcp_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/developer"
)

// calls waits until so many calls are recorded, and gives them back, the oldest first.
func (r *fixture) calls(key string, n int) []developer.ToolCall {
	r.t.Helper()
	by := *r.caller(key).Actor()
	until := time.Now().Add(20 * time.Second)
	for {
		page, err := r.developer.ToolCalls(context.Background(), by, developer.CallFilter{Limit: 100})
		must(r.t, err)
		if len(page.Data) >= n || time.Now().After(until) {
			all := page.Data
			slices.Reverse(all)
			if len(all) != n {
				r.t.Fatalf("%d calls are recorded, not %d", len(all), n)
			}
			return all
		}
		time.Sleep(10 * time.Millisecond) //nolint:forbidigo // between two looks
	}
}

func TestEveryCallIsRecordedWithItsOutcome(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		key := r.key(access.Live, "write")
		id := r.anyID(key, "list_properties")
		r.call(key, "update_property", `{"property_id":"`+id+`","name":"Seen","dry_run":true}`)
		r.call(key, "update_property", `{"property_id":"`+id+`","name":"Seen"}`)
		r.call(key, "update_property", `{"property_id":"`+id+`","nam":"Seen"}`)
		r.call(key, "update_lease", `{"lease_id":"lea_1","rent_due_day":3}`)
		r.post(
			key,
			`[{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_portfolio_summary"}},`+
				`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"get_property",`+
				`"arguments":{"property_id":"`+
				id+`"}}}]`,
		)
		all := r.calls(key, 7)
		var got []string
		for _, c := range all {
			got = append(got, fmt.Sprint(
				c.Tool,
				" ",
				c.Outcome,
				" ",
				c.DryRun,
				" ",
				c.RecordID == id,
				" ",
				strings.Contains(string(c.Change), `"field":"name"`),
			))
			if !strings.HasPrefix(c.RequestID, "req_") || c.KeyID == "" || c.UserAgent == "" {
				t.Errorf("%+v", c)
			}
		}
		want := []string{
			"list_properties ok false false false",
			"update_property ok true true true",
			"update_property ok false true true",
			"update_property unknown_field false false false",
			"update_lease not_found false false false",
			"get_portfolio_summary ok false false false",
			"get_property ok false false false",
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("recorded\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		if all[5].RequestID != all[6].RequestID || all[3].Message == "" ||
			string(all[4].Arguments) != `{"lease_id":"lea_1","rent_due_day":3}` {
			t.Errorf("%+v", all[3:])
		}
	})
}

func TestReplayedTicketIsRecordedAsReplay(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		key := r.key(access.Live, "write")
		unit := r.unit(key)
		for range 2 {
			r.call(
				key,
				"create_maintenance_ticket",
				`{"unit_id":"`+unit+`","description":"The tap drips.","idempotency_key":"k1"}`,
			)
		}
		all := r.calls(key, 4)[2:]
		if all[0].Replayed || !all[1].Replayed || !strings.HasPrefix(all[0].RecordID, "tkt_") {
			t.Errorf("%+v", all)
		}
	})
}

func TestCallRecordsItsClient(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		key := r.key(access.Test)
		summary := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_portfolio_summary"}}`
		r.post(
			key,
			`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18",`+
				`"capabilities":{},"clientInfo":{"name":"Desk","version":"2.1"}}}`,
			"User-Agent",
			"desk/9",
		)
		r.post(key, summary, "User-Agent", "desk/9", "MCP-Protocol-Version", "2025-06-18")
		r.post(
			key,
			enveloped("1", "tools/call", `"name":"get_portfolio_summary"`),
			newer("tools/call", "Mcp-Name", "get_portfolio_summary", "User-Agent", "modern/1")...,
		)
		r.post(key, summary, "User-Agent", "curl/8.5.0")
		var got []string
		for _, c := range r.calls(key, 3) {
			got = append(got, c.Client+" "+c.ClientVersion+" "+c.Protocol)
		}
		if want := "[Desk 2.1 2025-06-18 tester 1 2026-07-28 curl 8.5.0 ]"; fmt.Sprint(got) != want {
			t.Errorf("%s; want %s", got, want)
		}
	})
}

func TestNoSecretIsRecorded(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		key := r.key(access.Live, "write")
		unit := r.unit(key)
		r.call(
			key,
			"create_maintenance_ticket",
			`{"unit_id":"`+unit+`","description":"My key is `+key+
				` and my card 4242 4242 4242 4242, SSN 078-05-1120."}`,
		)
		r.call(key, "list_properties", `{"city":"`+key+`"}`)
		for _, c := range r.calls(key, 4) {
			for _, secret := range []string{key[12:], "4242 4242", "078-05"} {
				if text := fmt.Sprintf("%+v", c); strings.Contains(text, secret) {
					t.Errorf("%s is recorded: %s", secret, text)
				}
			}
		}
	})
}

func TestInvalidToolCallIsRecorded(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		key := r.key(access.Live, "write")
		a := r.post(
			key,
			`[`+toolCall("drop_tables", `{"key":"`+key+`"}`)+`,`+ping+`,`+toolCall("list_leases", `[1]`)+`,`+
				toolCall("list_leases", `null`)+`]`,
		)
		if strings.Count(a.body, `"code":-32602`) != 2 {
			t.Error(a.body)
		}
		var got []string
		for _, c := range r.calls(key, 3) {
			got = append(got, fmt.Sprint(
				c.Tool,
				" ",
				c.Arguments,
				" ",
				c.Outcome,
				" ",
				c.Message[:min(len(c.Message), 12)],
			))
		}
		want := []string{
			`drop_tables {"key":"` + key[:17] + `…"} not_found Unknown tool`,
			`list_leases [1] invalid_field params.argum`, `list_leases {} ok `,
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("recorded\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	})
}

func TestTicketPreviewHasNoRecordID(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		key := r.key(access.Live, "write")
		r.call(
			key,
			"create_maintenance_ticket",
			`{"unit_id":"`+r.unit(key)+`","description":"The tap drips.","dry_run":true}`,
		)
		c := r.calls(key, 3)[2]
		if c.RecordID != "" || !c.DryRun || !strings.Contains(string(c.Change), "The tap drips.") {
			t.Errorf("%+v", c)
		}
	})
}

func toolCall(tool, arguments string) string {
	return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + tool + `","arguments":` +
		arguments + `}}`
}
