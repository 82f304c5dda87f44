package mcp_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"portal/api/access"
	"portal/api/mcp"
)

// FuzzAnyBodyIsAnsweredInTheProtocol sends what comes to mind: the answer is JSON of the
// protocol with a status that goes with it, and nothing fails inside.
func FuzzAnyBodyIsAnsweredInTheProtocol(f *testing.F) {
	r := sqliteRig(f)
	key := r.key(access.Live)
	for _, seed := range []string{
		ping, batch(2), `{`, `[]`, `[1,{}]`, `{"jsonrpc":"2.0","method":"x"}`, enveloped("1", "tools/list", ""), `{"jsonrpc":"2.0","id":"\ud83d\ude00","method":"tools/list","params":null}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_leases","arguments":{"limit":1e0,"status":"active"}}}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_property","arguments":{"property_id":"prop_1","property_id2":null}}}`,
	} {
		f.Add(seed, "", "tools/list", "")
		f.Add(seed, "2026-07-28", "tools/call", "=?base64?eA==?=")
	}
	f.Fuzz(func(t *testing.T, body, version, method, name string) {
		q := httptest.NewRequestWithContext(t.Context(), http.MethodPost, mcp.Path, strings.NewReader(body))
		for name, value := range map[string]string{"Authorization": "Bearer " + key, "Content-Type": "application/json", "Mcp-Protocol-Version": version, "Mcp-Method": method, "Mcp-Name": name} {
			if value != "" {
				q.Header[name] = []string{value}
			}
		}
		w := httptest.NewRecorder()
		r.endpoint.Serve(w, q, "127.0.0.1")
		if got := w.Body.String(); !slices.Contains([]int{200, 202, 400, 404}, w.Code) || (got == "") != (w.Code == 202) || got != "" && !json.Valid([]byte(got)) {
			t.Errorf("%q %q %q %q: %d %s", body, version, method, name, w.Code, got)
		}
		if log := r.log.String(); log != "" {
			t.Errorf("%q: %s", body, log)
		}
	})
}
