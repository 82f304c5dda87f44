package mcp_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"portal/api/access"
)

// FuzzABodyIsAnsweredInWords sends anything, by a key that only reads: what comes back is
// one line of JSON-RPC, or nothing where nothing was asked.
func FuzzABodyIsAnsweredInWords(f *testing.F) {
	for _, body := range []string{
		ping,
		`{"jsonrpc":"2.0","method":"x"}`,
		`[` + ping + `,7]`,
		`{`,
		`[]`,
		`"\ud800"`,
		`{"jsonrpc":"2.0","id":null,"method":"ping"}`,
		toolCall("list_leases", `{"limit":2}`),
		toolCall("x", `[]`),
		`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":[]}`,
		`{"jsonrpc":"2.0","id":-0,"method":"tools/list","params":{"_meta":[]}}`,
		"[" + strings.Repeat(ping+",", 20) + ping + "]",
	} {
		f.Add([]byte(body), "", "", "")
		f.Add([]byte(body), "2025-06-18", "tools/list", "")
	}
	f.Add(
		[]byte(enveloped("3", "tools/call", `"name":"get_portfolio_summary"`)),
		"2026-07-28",
		"tools/call",
		"=?base64?Z2V0X3BvcnRmb2xpb19zdW1tYXJ5?=",
	)
	f.Add([]byte(enveloped(`"z"`, "server/discover", "")), " 2026-07-28", "server/discover\t", "=?base64?=?=")
	r := sqliteFixture(f)
	key := r.key(access.Live)
	f.Fuzz(func(t *testing.T, body []byte, version, method, name string) {
		q := httptest.NewRequest(http.MethodPost, "/mcp", bytes.NewReader(body))
		q.Header.Set("Authorization", "Bearer "+key)
		q.Header.Set("Content-Type", "application/json")
		for header, v := range map[string]string{
			"Mcp-Protocol-Version": version,
			"Mcp-Method":           method,
			"Mcp-Name":             name,
		} {
			if v != "" {
				q.Header.Set(header, v)
			}
		}
		w := httptest.NewRecorder()
		r.endpoint.Serve(w, q, "127.0.0.1")
		for _, name := range []string{
			"X-Request-Id", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset",
		} {
			if w.Header()[name] == nil {
				t.Errorf("%q: no %s", body, name)
			}
		}
		if !slices.Contains([]int{200, 202, 400, 404, 413}, w.Code) {
			t.Fatalf("%q: %d", body, w.Code)
		}
		if (w.Code == http.StatusAccepted) != (w.Body.Len() == 0) ||
			w.Code != http.StatusAccepted && w.Code != http.StatusRequestEntityTooLarge {
			responses(t, w)
		}
	})
}

// responses looks at an answer that has a body.
func responses(t *testing.T, w *httptest.ResponseRecorder) {
	t.Helper()
	text := w.Body.String()
	all := "[" + text + "]"
	if strings.HasPrefix(text, "[") {
		all = text
	}
	var each []struct {
		JSONRPC string
		Result  json.RawMessage
		Error   *struct{ Code int }
	}
	err := json.Unmarshal([]byte(all), &each)
	if err != nil || len(each) == 0 || strings.Contains(text, "\n") || strings.Contains(text, `"code":"internal"`) {
		t.Fatalf("%d %s: %v", w.Code, text, err)
	}
	for _, r := range each {
		if r.JSONRPC != "2.0" || (r.Error == nil) == (r.Result == nil) || r.Error == nil && w.Code != http.StatusOK {
			t.Errorf("%d %s", w.Code, text)
		}
	}
}
