package rest_test

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/developer"
	"portal/db/developerstore"
)

// exchangeOf is what the log keeps of a request, nil for nothing, once all is written.
func (r *fixture) exchangeOf(requestID string) *developer.Exchange {
	r.t.Helper()
	line, found, err := developerstore.New(r.db).Logged(context.Background(), requestID)
	must(r.t, err)
	if !found {
		r.t.Fatalf("the log has no %s", requestID)
	}
	e, err := developer.Exchanges{
		Store: developerstore.New(r.db),
		Box:   r.box,
		Now:   r.clock.now,
	}.Exchange(context.Background(), &line)
	must(r.t, err)
	return e
}

func header(m developer.Message, name string) (value string) {
	for _, h := range m.Headers {
		if strings.EqualFold(h.Name, name) {
			value += h.Value
		}
	}
	return value
}

func TestLogKeepsWriteAndErrorBodiesFor30Days(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		r.landlord("ada@example.com", unlimited())
		r.landlord("eve@example.com", unlimited())
		k := r.key("ada@example.com", access.Test, "write")
		key, s := *k.Plaintext, seeded{1, access.Test}
		id := func(a answer) string { return a.header.Get("X-Request-Id") }
		body := "{ \"name\" : \"O'Hara's \\\"Ställe\\\" 🏠\",\n\t\"city\":\"Austin\" }"
		write := r.send(
			"PATCH",
			"/properties/"+s.id("prop", 1)+"?",
			key,
			body,
			"Idempotency-Key",
			"k 1",
			"Cookie",
			"session=abc",
			"X-Api-Key",
			"of another service",
		)
		preview := r.send("PATCH", "/properties/"+s.id("prop", 1), key, `{"name":"B"}`, "Dry-Run", "true")
		read := r.get("/properties?limit=1", key)
		absentOne := r.get("/properties/"+absent("prop"), key)
		long := r.send("PATCH", "/properties/"+s.id("prop", 1), key, `{"name":"`+strings.Repeat("ab ", 30_000)+`"}`)
		large := r.send("PATCH", "/properties/"+s.id("prop", 1), key, `{"name":"`+strings.Repeat("ab ", 100_000)+`"}`)
		torn := r.send("POST", "/properties", key, `{"password": "hunter2, "sk`)
		unrouted := r.send("PUT", "/me", key, `{}`)
		foreign := r.send("PATCH", "/properties/"+s.id("prop", 1), strangersKey(), body)
		r.settled()

		e := r.exchangeOf(id(write))
		if e == nil || e.Request.Body.Text != body || e.Request.Body.Hidden ||
			e.Request.Size != int64(len(body)) || e.Answer.Body.Text != string(write.body) {
			t.Fatalf("of the write is kept %+v", e)
		}
		for name, want := range map[string]string{
			"Authorization":   "Bearer " + k.KeyPrefix + "…",
			"Idempotency-Key": "k 1",
			"Cookie":          "…",
			"X-Api-Key":       "…",
			"Content-Type":    "application/json",
		} {
			if got := header(e.Request, name); got != want {
				t.Errorf("of %s is kept %q, want %q", name, got, want)
			}
		}
		if header(e.Answer, "X-Request-Id") != id(write) || header(e.Answer, "ETag") == "" {
			t.Errorf("of the answer's headers are kept %v", e.Answer.Headers)
		}
		for name, a := range map[string]answer{
			"a preview":             preview,
			"an error of a read":    absentOne,
			"a method that is none": unrouted,
		} {
			if e := r.exchangeOf(id(a)); e == nil || e.Answer.Body.Text != string(a.body) {
				t.Errorf("of %s is kept %+v", name, e)
			}
		}
		for name, a := range map[string]answer{"a read": read, "a request without a valid key": foreign} {
			if e := r.exchangeOf(id(a)); e != nil {
				t.Errorf("of %s is kept %+v", name, e)
			}
		}
		if e := r.exchangeOf(id(long)); len(e.Request.Body.Text) > 16<<10 || !e.Request.Body.Cut ||
			e.Request.Size < 90_000 {
			t.Errorf("of a long body are kept %d bytes, %v", len(e.Request.Body.Text), e.Request.Size)
		}
		if e := r.exchangeOf(id(large)); !e.Request.Unread || e.Request.Body.Text != "" {
			t.Errorf("of a body that is too large is kept %+v", e.Request)
		}
		if e := r.exchangeOf(id(torn)); strings.Contains(e.Request.Body.Text, "hunter2") || !e.Request.Body.Hidden {
			t.Errorf("of what is no JSON is kept %+v", e.Request.Body)
		}
		for mode, email := range map[access.Mode]string{
			access.Live: "ada@example.com",
			access.Test: "eve@example.com",
		} {
			in, _, err := r.developer.Portfolio(t.Context(), email, mode)
			must(t, err)
			if _, found, err := developerstore.New(r.db).SealedExchange(t.Context(), in, id(write)); found ||
				err != nil {
				t.Errorf("%s finds it in %s: %v", email, mode, err)
			}
		}
		in, _, err := r.developer.Portfolio(t.Context(), "ada@example.com", access.Test)
		must(t, err)
		sealed, _, err := developerstore.New(r.db).SealedExchange(t.Context(), in, id(write))
		must(t, err)
		if strings.Contains(string(sealed), "Austin") || len(sealed) > len(body)+len(write.body) {
			t.Errorf("%d bytes are stored: %q", len(sealed), sealed)
		}
		r.clock.add(30*24*time.Hour + time.Millisecond)
		if e := r.exchangeOf(id(write)); e != nil {
			t.Errorf("after 30 days is kept %+v", e)
		}
	})
}

// madeSecrets are what opens something to anybody who has it, in an answer.
var madeSecrets = regexp.MustCompile(
	`whsec_([0-9A-Za-z+/=]{20,})|/apply/([0-9A-Za-z_-]{20,})|/documents/doc_[0-9A-Z]+\.([0-9A-Za-z_-]{20,})`,
)

func TestDecryptedLogContainsNoSecrets(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		r.landlord("ada@example.com", unlimited())
		k := r.key("ada@example.com", access.Test, "payments")
		key := *k.Plaintext
		secrets := []string{
			key,
			strings.TrimPrefix(key, k.KeyPrefix),
			"hunter2.is.it",
			"4242 4242 4242 4242",
			"078-05-1120",
			"MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
			"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0",
		}
		careless := map[string]any{
			"password": secrets[2],
			"note": map[string]any{
				"card":          secrets[3],
				"text":          "call " + secrets[4] + " with " + key,
				"client_secret": "hunter2.is.it",
			},
			"hook":                "https://user:hunter2.is.it@example.com/?api_key=hunter2.is.it",
			"whsec_" + secrets[5]: "whsec_" + secrets[5],
			"jwt":                 secrets[6],
		}
		odd, err := json.Marshal(careless)
		must(t, err)
		kept := 0
		for _, m := range r.mutations(seeded{1, access.Test}) {
			if m.Name == "reset_demo_portfolio" {
				continue // which deletes what is kept
			}
			// The second request is a replay.
			for _, headers := range [][]string{
				{"Idempotency-Key", "k" + m.Name},
				{"Idempotency-Key", "k" + m.Name},
				{"Dry-Run", "true"},
			} {
				a := r.send(
					m.Method,
					m.path,
					key,
					m.body,
					append(
						headers,
						"Cookie",
						"s=hunter2.is.it",
						"X-Auth-Token",
						"hunter2.is.it",
						"Referer",
						"https://example.com/?key="+key,
					)...,
				)
				for _, found := range madeSecrets.FindAllStringSubmatch(string(a.body), -1) {
					secrets = append(secrets, strings.Join(found[1:], ""))
				}
				kept++
			}
			r.send(m.Method, m.path+"?token=hunter2.is.it&"+key, key, string(odd))
			r.send(m.Method, m.path, key, string(odd)+key)
			kept += 2
		}
		if len(secrets) < 7+5 {
			t.Fatalf("the operations made %d secrets", len(secrets)-7)
		}
		r.settled()
		for _, line := range r.lines() {
			e := r.exchangeOf(line.id)
			if e == nil {
				t.Errorf("nothing is kept of %s %s", line.method, line.path)
				continue
			}
			kept--
			text := fmt.Sprintf("%+v %+v", line, *e)
			for _, secret := range append(secrets, "hunter2") {
				if strings.Contains(text, secret) {
					t.Errorf("%s %s: the log has %q in %s", line.method, line.path, secret, text)
				}
			}
		}
		if kept != 0 {
			t.Errorf("%d exchanges are missing", kept)
		}
	})
}
