package main

import (
	"encoding/json"
	"html"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"portal/db/dbtest"
)

// wholeSecret is a whole key or a signing secret, as a page shows it.
var wholeSecret = regexp.MustCompile(`sk_(?:test|live)_pm_\w{20,}|whsec_[\w+/=-]{20,}`)

// tried is an operation that can be tried from its page.
type tried struct {
	name, page string
	writes     bool
	secret     bool // its answer may have a field with a whole key or a signing secret
}

// operationsOf are those of the OpenAPI document. Whether an answer may hold a secret is read from
// the schema of what it answers, and all that is in it.
func operationsOf(t *testing.T, document string) (all []tried) {
	t.Helper()
	var d struct {
		Paths      map[string]map[string]map[string]any
		Components struct{ Schemas map[string]any }
	}
	orFail(t, json.Unmarshal([]byte(document), &d))
	var holds func(v any, seen []string) bool
	holds = func(v any, seen []string) bool {
		switch v := v.(type) {
		case []any:
			return slices.ContainsFunc(v, func(part any) bool { return holds(part, seen) })
		case map[string]any:
			if ref, is := v["$ref"].(string); is {
				name := strings.TrimPrefix(ref, "#/components/schemas/")
				return !slices.Contains(seen, name) &&
					holds(d.Components.Schemas[name], append(slices.Clone(seen), name))
			}
			if v["format"] == "password" {
				return true
			}
			for _, part := range v {
				if holds(part, seen) {
					return true
				}
			}
		}
		return false
	}
	for _, methods := range d.Paths {
		for method, op := range methods {
			o := tried{name: op["operationId"].(string), writes: method != "get"}
			o.page = "/docs/api/" + strings.ToLower(op["tags"].([]any)[0].(string)) + "/" + o.name + "/try"
			for status, answer := range op["responses"].(map[string]any) {
				o.secret = o.secret || strings.HasPrefix(status, "2") && holds(answer, nil)
			}
			if o.name != "stream_events" && o.name != "export_rent_roll" &&
				!sendsFile[o.name] { // which no page tries
				all = append(all, o)
			}
		}
	}
	slices.SortFunc(all, func(a, b tried) int { return strings.Compare(a.name, b.name) })
	return all
}

// tries sends the form of an operation's page as it stands.
func (s *plainBrowser) tries(op tried) *httptest.ResponseRecorder {
	s.Helper()
	page, form := s.get(op.page), url.Values{}
	for _, f := range pathField.FindAllStringSubmatch(page, -1) {
		form.Set(f[1], html.UnescapeString(f[2]))
	}
	if body := bodyField.FindStringSubmatch(page); body != nil {
		form.Set("body", html.UnescapeString(body[1]))
	}
	return s.send(op.page, s.token("/settings"), form)
}

var heldField = regexp.MustCompile(`name="held_form" value="([^"]+)"`)

// TestPagesHideSecretsWithoutRecentConfirmation follows every link of an account with
// an endpoint and a key of the documentation, two hours after it has signed in, and tries every
// operation; then it confirms.
func TestPagesHideSecretsWithoutRecentConfirmation(t *testing.T) {
	t.Parallel()
	p, demo, handler := inProcess(t)
	owner := newPlainBrowser(t, handler, demoLandlord, demo.Password)
	lived(t, owner, demo.TestKey)
	owner.send("/docs/key", owner.token("/settings"), url.Values{"next": {"/docs/quickstart"}})
	key := ownKey.FindStringSubmatch(owner.get("/docs/quickstart"))
	if key == nil {
		t.Fatal("who has just signed in is not shown the key")
	}
	old := func() {
		dbtest.Exec(t, p.DB, "UPDATE sessions SET authenticated_at = authenticated_at - ?",
			(2 * time.Hour).Milliseconds())
	}
	old()
	guest := &plainBrowser{t, handler, map[string]*http.Cookie{}}
	public := guest.get("/llms-full.txt") + guest.get("/openapi.json") // examples, which open nothing
	leaks := func(path, page string) {
		for _, found := range wholeSecret.FindAllString(html.UnescapeString(page), -1) {
			if !strings.Contains(public, found) {
				t.Errorf("%s shows %s…", path, found[:14])
			}
		}
	}
	crawled := append(owner.crawls("/overview", leaks).pages, owner.crawls("/docs", leaks).pages...)
	if len(crawled) < 100 {
		t.Errorf("only %d pages", len(crawled))
	}
	quickstart := owner.get("/docs/quickstart")
	if !strings.Contains(quickstart, `href="/confirm?next=%2Fdocs%2Fquickstart"`) ||
		!strings.Contains(quickstart, "Bearer "+key[1][:16]) {
		t.Error("the samples neither have the prefix of the key nor lead to the confirmation")
	}
	var shown []string
	for _, op := range operationsOf(t, guest.get("/openapi.json")) {
		answer := owner.tries(op)
		leaks(op.page, answer.Body.String())
		if !op.secret || !op.writes {
			if answer.Code != http.StatusOK || !strings.Contains(answer.Body.String(), `id="answer"`) {
				t.Errorf("%s is not tried: %d", op.name, answer.Code)
			}
			continue
		}
		held := heldField.FindStringSubmatch(answer.Body.String())
		if answer.Code != http.StatusForbidden || held == nil {
			t.Errorf("%s does not ask who is there: %d", op.name, answer.Code)
			continue
		}
		answer = owner.send(op.page, owner.token("/settings"), url.Values{
			"held_form": {held[1]},
			"password":  {demo.Password},
		})
		if answer.Code != http.StatusOK || !strings.Contains(answer.Body.String(), `id="answer"`) {
			t.Errorf("%s does not go on: %d %s", op.name, answer.Code, answer.Body)
		}
		if slices.ContainsFunc(
			wholeSecret.FindAllString(html.UnescapeString(answer.Body.String()), -1),
			func(s string) bool { return !strings.Contains(public, s) },
		) {
			shown = append(shown, op.name)
		}
		old()
	}
	if want := []string{"create_webhook_endpoint", "rotate_webhook_secret"}; !slices.Equal(shown, want) {
		t.Errorf("after a confirmation %q show a secret, want %q", shown, want)
	}
	owner.send("/confirm", owner.token("/settings"), url.Values{
		"next":     {"/docs/quickstart"},
		"password": {demo.Password},
	})
	if !strings.Contains(owner.get("/docs/quickstart"), "Bearer "+key[1]) {
		t.Error("after a confirmation the samples do not have the key")
	}
}
