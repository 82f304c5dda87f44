package mcp_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/developer"
	"portal/api/secret"
	"portal/db/developerstore"
)

// kept is what the log keeps of a request, nil for nothing, once it is written.
func (r *fixture) kept(a answer) *developer.Exchange {
	r.t.Helper()
	line, found, err := developerstore.New(r.db).Logged(r.t.Context(), a.header.Get("X-Request-Id"))
	must(r.t, err)
	for until := time.Now().Add(20 * time.Second); !found; {
		if time.Now().After(until) {
			r.t.Fatalf("the log has no %s", a.header.Get("X-Request-Id"))
		}
		time.Sleep(10 * time.Millisecond) //nolint:forbidigo // between two looks
		line, found, err = developerstore.New(r.db).Logged(r.t.Context(), a.header.Get("X-Request-Id"))
		must(r.t, err)
	}
	box, err := secret.NewBox(bytes.Repeat([]byte{7}, secret.KeySize)) // as serve does
	must(r.t, err)
	e, err := developer.Exchanges{
		Store: developerstore.New(r.db),
		Box:   box,
		Now:   r.now,
	}.Exchange(r.t.Context(), &line)
	must(r.t, err)
	return e
}

func TestLogKeepsExchangesOfWritesAndFailures(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		key := r.key(access.Live, "write")
		call := func(tool, arguments string) answer {
			return r.post(
				key,
				`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"`+tool+`","arguments":`+arguments+`}}`,
				"X-Api-Key",
				"hunter2",
			)
		}
		id := r.anyID(key, "list_properties")
		secret := "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
		preview := call("update_property", `{"property_id":"`+id+`","name":"B","dry_run":true}`)
		write := call("update_property", `{"property_id":"`+id+`","name":"Password: hunter2 `+secret+`"}`)
		failed := r.post(key, `{"jsonrpc":"2.0","id":1,"method":"tools/none"}`)
		refused := call("get_property", `{"property_id":"prop_1","password":"hunter2"}`)
		read := call("get_property", `{"property_id":"`+id+`"}`)
		for name, a := range map[string]answer{
			"a write":                  write,
			"a preview":                preview,
			"an error of the protocol": failed,
			"a refusal":                refused,
		} {
			e := r.kept(a)
			if e == nil || e.Request.Body.Text == "" || e.Answer.Body.Text == "" {
				t.Errorf("of %s is kept %+v", name, e)
				continue
			}
			all := e.Target.Text + e.Request.Body.Text + e.Answer.Body.Text
			for _, h := range append(e.Request.Headers, e.Answer.Headers...) {
				all += h.Name + ": " + h.Value + "\n"
			}
			if strings.Contains(all, "MfKQ9r8GKY") || strings.Contains(all, "X-Api-Key: hunter2") ||
				strings.Contains(all, key[20:]) || !strings.Contains(all, "X-Request-Id") {
				t.Errorf("of %s is kept %s", name, all)
			}
		}
		if e := r.kept(refused); e != nil && strings.Contains(e.Request.Body.Text, "hunter2") {
			t.Errorf("a password is kept: %s", e.Request.Body.Text)
		}
		if e := r.kept(preview); e != nil && e.Answer.Body.Text != preview.body {
			t.Errorf("the answer is kept as %s", e.Answer.Body.Text)
		}
		if e := r.kept(read); e != nil {
			t.Errorf("of a call that reads is kept %+v", e)
		}
	})
}
