package mcp_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"portal/api/access"
)

// newer are the headers of a request of the newer revision.
func newer(method string, more ...string) []string {
	return append([]string{"MCP-Protocol-Version", "2026-07-28", "Mcp-Method", method}, more...)
}

// enveloped is a request of the newer revision, its params given without _meta.
func enveloped(id, method, params string) string {
	if params != "" {
		params += ","
	}
	return `{"jsonrpc":"2.0","id":` + id + `,"method":"` + method + `","params":{` + params +
		`"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
		`"io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"tester",` +
		`"version":"1"}}}}`
}

func TestInvalidMessageIsRefusedWithItsCode(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		key := r.key(access.Test)
		for body, want := range map[string]string{
			`{`:                   `400 null -32700`,
			``:                    `400 null -32700`,
			`{"jsonrpc":"2.0"} x`: `400 null -32700`,
			`{"id":1,"id":2}`:     `400 null -32700`,
			"[" + strings.Repeat("0,", 30_000) + "0]": `400 null -32700`,
			strings.Repeat("[", 40):                   `400 null -32700`,
			`1`:                                       `400 null -32600`,
			`"ping"`:                                  `400 null -32600`,
			`null`:                                    `400 null -32600`,
			`{}`:                                      `400 null -32600`,
			`{"id":1,"method":"ping"}`:                `400 1 -32600`,
			`{"jsonrpc":"2.0","id":7}`:                `400 7 -32600`,
			`{"jsonrpc":2.0,"id":"x"}`:                `400 "x" -32600`,
			`{"jsonrpc":"2.0","id":"x","method":""}`:  `400 "x" -32600`,
			`{"jsonrpc":"2.0","id":"x","method":5}`:   `400 "x" -32600`,
			`{"jsonrpc":"2.0","id":null,"method":"ping"}`:                                                       `400 null -32600`,
			`{"jsonrpc":"2.0","id":1.5,"method":"ping"}`:                                                        `400 null -32600`,
			`{"jsonrpc":"2.0","id":true,"method":"ping"}`:                                                       `400 null -32600`,
			`{"jsonrpc":"2.0","id":[1],"method":"ping"}`:                                                        `400 null -32600`,
			`{"jsonrpc":"2.0","id":3,"result":{}}`:                                                              `400 3 -32600`,
			`{"jsonrpc":"2.0","id":3,"method":"ping","params":[]}`:                                              `200 3 -32602`,
			`{"jsonrpc":"2.0","id":3,"method":"ping","params":"x"}`:                                             `200 3 -32602`,
			`{"jsonrpc":"2.0","id":3,"method":"prompts/list"}`:                                                  `200 3 -32601`,
			`{"jsonrpc":"2.0","id":3,"method":"server/discover"}`:                                               `200 3 -32601`,
			`{"jsonrpc":"2.0","id":3,"method":"tools/call"}`:                                                    `200 3 -32602`,
			`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":3}}`:                                `200 3 -32602`,
			`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"drop_tables"}}`:                    `200 3 -32602`,
			`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"list_properties","arguments":[]}}`: `200 3 -32602`,
			`{"jsonrpc":"2.0","id":3,"method":"tools/list","params":{"cursor":"x"}}`:                            `200 3 -32602`,
			`{"jsonrpc":"2.0","id":3,"method":"initialize","params":{}}`:                                        `200 3 -32602`,
			`{"jsonrpc":"2.0","id":3,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}`:          `200 3 -32602`,
			`{"jsonrpc":"2.0","id":"` + strings.Repeat("x", 600) +
				`","method":"ping"}`: `400 null -32600`,
			`{"jsonrpc":"2.0","id":3,"method":"initialize","params":{"protocolVersion":"2025-06-18",` +
				`"capabilities":{},"clientInfo":{"name":"x"}}}`: `200 3 -32602`,
		} {
			part := strings.Fields(want) // the status, the ID and the code
			want = part[0] + ` {"jsonrpc":"2.0","id":` + part[1] + `,"error":{"code":` + part[2]
			a := r.post(key, body, "Content-Type", "application/json")
			if got := fmt.Sprint(a.status, " ", a.body); !strings.HasPrefix(got, want) || !json.Valid([]byte(a.body)) {
				t.Errorf("%.80s: %s; want %s", body, got, want)
			}
		}
	})
}

func TestIDIsEchoedVerbatim(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		key := r.key(access.Test)
		for sent, echoed := range map[string]string{
			`1`:                       `1`,
			`0`:                       `0`,
			`-7`:                      `-7`,
			`12345678901234567890123`: `12345678901234567890123`,
			`1e2`:                     `1e2`,
			`5.0`:                     `5.0`,
			`"a"`:                     `"a"`,
			`""`:                      `""`,
			`"é\u00e9\n\"\\"`:         `"éé\n\"\\"`,
			`"1"`:                     `"1"`,
		} {
			a := r.post(key, `{"jsonrpc":"2.0","id":`+sent+`,"method":"ping"}`)
			if want := `{"jsonrpc":"2.0","id":` + echoed + `,"result":{}}`; a.body != want || a.status != 200 {
				t.Errorf("%s: %d %s", sent, a.status, a.body)
			}
		}
	})
}

func TestNotificationGetsNoResponseAndHasNoEffect(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		key := r.key(access.Live, "write")
		property := r.anyID(key, "list_properties")
		for _, body := range []string{
			`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
			`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`,
			`{"jsonrpc":"2.0","method":"no/such/method"}`,
			`{"jsonrpc":"2.0","method":"notifications/initialized","params":null}`,
			`{"jsonrpc":"2.0","method":"notifications/cancelled","params":[1]}`,
			`[{"jsonrpc":"2.0","method":"notifications/initialized"},{"jsonrpc":"2.0","method":"x"}]`,
			`{"jsonrpc":"2.0","method":"tools/call","params":{"name":"update_property","arguments":{"property_id":"` +
				property + `","name":"Changed"}}}`,
		} {
			if a := r.post(key, body); a.status != http.StatusAccepted || a.body != "" ||
				a.header.Get("Content-Type") != "" {
				t.Errorf("%s: %d %q", body, a.status, a.body)
			}
		}
		p := ok[struct{ Name *string }](r, key, "get_property", `{"property_id":"`+property+`"}`)
		if p.Name != nil && *p.Name == "Changed" {
			t.Error("a notification has changed a record")
		}
		a := r.post(key, `{"jsonrpc":"2.0","method":"notifications/cancelled"}`, newer("notifications/cancelled")...)
		if a.status != http.StatusAccepted {
			t.Errorf("of the newer revision: %d %s", a.status, a.body)
		}
	})
}

func TestBatchKeepsOrderAndIsolatesBadMessages(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		key := r.key(access.Test)
		for _, version := range []string{"", "2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"} {
			a := r.post(
				key,
				`[{"jsonrpc":"2.0","id":3,"method":"ping"},{"jsonrpc":"2.0","method":"notifications/initialized"},7,
				{"jsonrpc":"2.0","id":"b","method":"nope"},{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_portfolio_summary"}}]`,
				"MCP-Protocol-Version",
				version,
			)
			var all []struct {
				ID    any
				Error *struct{ Code int }
			}
			must(t, json.Unmarshal([]byte(a.body), &all))
			if a.status != 200 || len(all) != 4 || all[0].ID != 3.0 || all[1].ID != nil ||
				all[1].Error.Code != -32600 || all[2].ID != "b" || all[2].Error.Code != -32601 ||
				all[3].ID != 1.0 || all[3].Error != nil {
				t.Errorf("%q: %d %s", version, a.status, a.body)
			}
		}
	})
}

func TestBatchOfWrongSizeOrRevisionIsRefused(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		key := r.key(access.Test)
		ping := `{"jsonrpc":"2.0","id":1,"method":"ping"}`
		for _, c := range []struct {
			body    string
			headers []string
			code    string
		}{
			{`[]`, nil, "-32600"},
			{`[` + strings.Repeat(ping+",", 20) + ping + `]`, nil, "-32600"},
			{`[` + ping + `]`, []string{"MCP-Protocol-Version", "2026-07-28"}, "-32600"},
			{`[` + ping + `]`, []string{"MCP-Protocol-Version", "2031-01-01"}, "-32022"},
			{
				`[` + ping + `]`,
				[]string{"MCP-Protocol-Version", "2025-06-18", "MCP-Protocol-Version", "2025-06-18"},
				"-32020",
			},
		} {
			if a := r.post(key, c.body, c.headers...); a.status != 400 ||
				!strings.Contains(a.body, `"code":`+c.code) || strings.HasPrefix(a.body, "[") {
				t.Errorf("%.60s %v: %d %s", c.body, c.headers, a.status, a.body)
			}
		}
		full := `[` + strings.Repeat(ping+",", 19) + ping + `]`
		if a := r.post(key, full); a.status != 200 || strings.Count(a.body, `"result":{}`) != 20 {
			t.Errorf("twenty messages: %d %.200s", a.status, a.body)
		}
		if a := r.post(key, `[`+enveloped("1", "tools/list", "")+`]`); a.status != 200 ||
			!strings.Contains(a.body, "-32600") {
			t.Errorf("a member of the newer revision: %d %.200s", a.status, a.body)
		}
	})
}

func TestProtocolVersionNegotiation(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		key := r.key(access.Test)
		for asked, agreed := range map[string]string{
			"2024-11-05": "2024-11-05",
			"2025-03-26": "2025-03-26",
			"2025-06-18": "2025-06-18",
			"2025-11-25": "2025-11-25",
			"2026-07-28": "2025-11-25",
			"1999-01-01": "2025-11-25",
			"":           "2025-11-25",
		} {
			a := r.post(
				key,
				`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"`+asked+
					`","capabilities":{},"clientInfo":{"name":"tester","version":"1"}}}`,
			)
			var v struct {
				Result struct {
					ProtocolVersion, Instructions string
					Capabilities                  map[string]json.RawMessage
					ServerInfo                    struct{ Name, Version string }
				}
			}
			must(t, json.Unmarshal([]byte(a.body), &v))
			if v.Result.ProtocolVersion != agreed || len(v.Result.Capabilities) != 1 ||
				string(v.Result.Capabilities["tools"]) != "{}" || v.Result.ServerInfo.Name != "portal" ||
				!strings.Contains(v.Result.Instructions, "dry_run") {
				t.Errorf("%s: %s", asked, a.body)
			}
			if a.header.Get("Mcp-Session-Id") != "" {
				t.Error("a session was begun")
			}
		}
	})
}

// TestNewRevisionChecksEnvelopeAgainstHeaders goes through 2026-07-28,
// Streamable HTTP, Server Validation.
func TestNewRevisionChecksEnvelopeAgainstHeaders(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		key := r.key(access.Test)
		list := enveloped("9", "tools/list", "")
		call := enveloped("9", "tools/call", `"name":"list_properties"`)
		version := func(s string) string { return strings.Replace(list, `"2026-07-28"`, `"`+s+`"`, 1) }
		without := func(name string) string { return strings.Replace(list, `"`+name+`"`, `"other"`, 1) }
		for _, c := range []struct {
			why, body string
			headers   []string
			status    int
			has       string
		}{
			{"all is right", list, newer("tools/list"), 200, `"result":{`},
			{
				"a blank around it",
				list,
				[]string{"MCP-Protocol-Version", " 2026-07-28 ", "Mcp-Method", "\ttools/list "},
				200,
				`"result":{`,
			},
			{
				"without a client",
				strings.Replace(list, `,"io.modelcontextprotocol/clientInfo":{"name":"tester","version":"1"}`, "", 1),
				newer("tools/list"),
				200,
				`"result":{`,
			},
			{"a call", call, newer("tools/call", "Mcp-Name", "list_properties"), 200, `"isError":false`},
			{
				"a name in base64",
				call,
				newer("tools/call", "Mcp-Name", "=?base64?bGlzdF9wcm9wZXJ0aWVz?="),
				200,
				`"isError":false`,
			},
			{
				"a name in broken base64",
				call,
				newer("tools/call", "Mcp-Name", "=?base64?bGlzdF9wcm9wZXJ0aWVz=?="),
				400,
				`-32020`,
			},
			{
				"another name in base64",
				call,
				newer("tools/call", "Mcp-Name", "=?base64?bGlzdF90ZW5hbnRz?="),
				400,
				`-32020`,
			},
			{"another name", call, newer("tools/call", "Mcp-Name", "list_tenants"), 400, `-32020`},
			{"no name", call, newer("tools/call"), 400, `-32020`},
			{
				"two names",
				call,
				newer("tools/call", "Mcp-Name", "list_properties", "Mcp-Name", "list_properties"),
				400,
				`-32020`,
			},
			{"another method", list, newer("tools/call"), 400, `-32020`},
			{"the method in capitals", list, newer("TOOLS/LIST"), 400, `-32020`},
			{"no method", list, []string{"MCP-Protocol-Version", "2026-07-28"}, 400, `-32020`},
			{"no version in the header", list, []string{"Mcp-Method", "tools/list"}, 400, `-32020`},
			{"another version in the body", version("2025-11-25"), newer("tools/list"), 400, `-32020`},
			{"a wild version in the body", version("v999"), newer("tools/list"), 400, `-32020`},
			{
				"a wild version in both",
				version("v999"),
				[]string{"MCP-Protocol-Version", "v999", "Mcp-Method", "tools/list"},
				400,
				`"supported":["2026-07-28","2025-11-25","2025-06-18","2025-03-26","2024-11-05"],"requested":"v999"`,
			},
			{
				"a wild version in the header",
				`{"jsonrpc":"2.0","id":9,"method":"tools/list"}`,
				[]string{"MCP-Protocol-Version", "v999"},
				400,
				`-32022`,
			},
			{
				"no version in the body",
				without("io.modelcontextprotocol/protocolVersion"),
				newer("tools/list"),
				400,
				`-32602`,
			},
			{
				"no capabilities",
				without("io.modelcontextprotocol/clientCapabilities"),
				newer("tools/list"),
				400,
				`-32602`,
			},
			{
				"a client without a version",
				strings.Replace(list, `"version":"1"`, `"v":"1"`, 1),
				newer("tools/list"),
				400,
				`-32602`,
			},
			{"no params", `{"jsonrpc":"2.0","id":9,"method":"tools/list"}`, newer("tools/list"), 400, `-32602`},
			{
				"params by position",
				`{"jsonrpc":"2.0","id":9,"method":"tools/list","params":[1]}`,
				newer("tools/list"),
				400,
				`-32602`,
			},
			{"ping", enveloped("9", "ping", ""), newer("ping"), 404, `-32601`},
			{"initialize", enveloped("9", "initialize", ""), newer("initialize"), 404, `-32601`},
			{"logging", enveloped("9", "logging/setLevel", ""), newer("logging/setLevel"), 404, `-32601`},
			{
				"an unknown method",
				enveloped("9", "subscriptions/listen", ""),
				newer("subscriptions/listen"),
				404,
				`-32601`,
			},
			{
				"an unknown tool",
				enveloped("9", "tools/call", `"name":"x"`),
				newer("tools/call", "Mcp-Name", "x"),
				200,
				`-32602`,
			},
			{
				"discovery",
				enveloped("9", "server/discover", ""),
				newer("server/discover"),
				200,
				`"supportedVersions":["2026-07-28"`,
			},
		} {
			a := r.post(key, c.body, c.headers...)
			if a.status != c.status || !strings.Contains(a.body, c.has) ||
				!strings.HasPrefix(a.body, `{"jsonrpc":"2.0","id":9,`) {
				t.Errorf("%s: %d %.300s", c.why, a.status, a.body)
			}
		}
		if a := r.post(key, `{`, newer("tools/list")...); a.status != 400 ||
			strings.Contains(a.body, `"id"`) || !strings.Contains(a.body, "-32700") {
			t.Errorf("no JSON: %d %s", a.status, a.body)
		}
	})
}

func TestNewRevisionResponseHasMetadata(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		key := r.key(access.Test)
		for body, want := range map[string][]string{
			enveloped("1", "tools/list", ""): {`"ttlMs":300000`, `"cacheScope":"private"`},
			enveloped("1", "server/discover", ""): {
				`"ttlMs":3600000`, `"cacheScope":"public"`, `"capabilities":{"tools":{}}`,
				`"instructions":"`,
			},
			enveloped("1", "tools/call", `"name":"list_properties"`): {`"isError":false`},
			enveloped("1", "tools/call", `"name":"update_lease"`):    {`"isError":true`, `"code":"test_key_read_only"`},
		} {
			var m struct{ Method string }
			must(t, json.Unmarshal([]byte(body), &m))
			name := ""
			if _, rest, has := strings.Cut(body, `"name":"`); has && m.Method == "tools/call" {
				name, _, _ = strings.Cut(rest, `"`)
			}
			a := r.post(key, body, newer(m.Method, "Mcp-Name", name)...)
			for _, part := range append(
				want,
				`"resultType":"complete"`,
				`"io.modelcontextprotocol/serverInfo":{"name":"portal","title":"Portal","version":"test"}`,
			) {
				if !strings.Contains(a.body, part) {
					t.Errorf("%s: %s is not in %.400s", m.Method, part, a.body)
				}
			}
		}
	})
}

func TestBatchOfWrongSizeSaysWhatToSend(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		key := r.key(access.Live)
		for n, words := range map[int]string{
			0:  "a batch has 1 to 20 messages, not 0; send at least one message.",
			21: "a batch has 1 to 20 messages, not 21; send them in 2 requests of at most 20 messages each.",
			41: "a batch has 1 to 20 messages, not 41; send them in 3 requests of at most 20 messages each.",
		} {
			if a := r.post(key, batch(n)); a.status != http.StatusBadRequest || !strings.Contains(a.body, words) {
				t.Errorf("%d messages: %d %s", n, a.status, a.body)
			}
		}
	})
}
