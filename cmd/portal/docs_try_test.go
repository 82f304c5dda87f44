package main

import (
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
)

var (
	onceField = regexp.MustCompile(`name="once" value="([^"]+)"`)
	pathField = regexp.MustCompile(`(?s)<input[^>]* name="(path\.[a-z_]+)"[^>]* value="([^"]*)"`)
	bodyField = regexp.MustCompile(`(?s)<textarea[^>]* name="body"[^>]*>(.*?)</textarea>`)
	inTheLog  = regexp.MustCompile(`href="(/test/logs/req_[0-9A-Z]+)"`)
	ownKey    = regexp.MustCompile(`Bearer (sk_test_pm_\w{49})`)
	stamped   = regexp.MustCompile(`<span class="http[^"]*">(\d+)</span>`)
)

// sendsFile are the operations whose body has a file, which no page of the documentation tries.
var sendsFile = map[string]bool{"create_import": true, "create_lease_attachment": true}

// TestEveryOperationRunsFromItsDocsPage has a key made by one press, and sends the form of
// every operation as it stands.
func TestEveryOperationRunsFromItsDocsPage(t *testing.T) {
	t.Parallel()
	s := assisting(t)
	v := s.visitor(t)
	v.send(t, "/sign-in", "/sign-in", url.Values{
		"email":    {s.vars["PORTAL_DEMO_LANDLORD"]},
		"password": {s.vars["PORTAL_DEMO_PASSWORD"]},
	})
	_, page := v.open(t, "/docs/quickstart")
	at, page := v.send(t, "/docs/key", "/docs/quickstart", url.Values{
		"once": {onceField.FindStringSubmatch(page)[1]},
		"next": {"/docs/quickstart"},
	})
	if at != "/docs/quickstart" || !strings.Contains(page, "Bearer sk_test_pm_") ||
		strings.Contains(page, "Bearer sk_test_pm_…") {
		t.Fatalf("%s: the samples have no key", at)
	}
	s.someEndpoint(t, true)
	s.exchange(t, http.MethodPost, "/test_helpers/events", `{"type": "maintenance.created"}`, "")
	for _, op := range s.described(t) {
		if sendsFile[op.name] {
			continue // no page does
		}
		at := strings.TrimSuffix(op.page, ".md") + "/try"
		_, page := v.open(t, at)
		form := url.Values{}
		for _, f := range pathField.FindAllStringSubmatch(page, -1) {
			form.Set(f[1], html.UnescapeString(f[2]))
		}
		if ofUnsignedLease[op.name] {
			lease, signer := s.unsigned(t)
			form.Set("path.id", lease)
			if form.Has("path.signer_id") {
				form.Set("path.signer_id", signer)
			}
			if form.Has("path.attachment_id") {
				form.Set("path.attachment_id", s.attaches(t, lease))
			}
		}
		if strings.HasPrefix(form.Get("path.id"), "imp_") {
			form.Set("path.id", s.some(t, "imp", op.name))
		}
		if body := bodyField.FindStringSubmatch(page); body != nil {
			form.Set("body", html.UnescapeString(body[1]))
		}
		_, page = v.send(t, at, at, form)
		status := stamped.FindStringSubmatch(page)
		if op.name == "create_test_payment" { // the key of the documentation has no scope payments
			if status == nil || status[1] != "403" {
				t.Errorf("%s with %v: %v, want 403", op.name, form, status)
				continue
			}
		} else if status == nil ||
			status[1] >= "300" && op.name != "update_lease" { // the dates of the first lease may not fit
			t.Errorf("%s with %v: %v", op.name, form, status)
			continue
		}
		link := inTheLog.FindStringSubmatch(page)
		if link == nil {
			t.Errorf("%s is not in the log", op.name)
			continue
		}
		eventually(t, "the request of "+op.name+" is logged", func() bool {
			_, page := v.peek(t, link[1])
			return strings.Contains(page, op.name)
		})
	}
	_, page = v.open(t, "/docs/quickstart")
	key := ownKey.FindStringSubmatch(page)[1]
	v.send(t, "/sign-out", "/settings/sessions", url.Values{})
	if answer := s.me(t, key); answer.StatusCode != http.StatusUnauthorized {
		t.Errorf("the key of who has signed out: %s", answer.Status)
	}
}
