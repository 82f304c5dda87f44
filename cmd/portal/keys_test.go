package main

import (
	"encoding/json"
	"net/http"
	"testing"

	"portal/api/developer"
)

// newKey makes a key beside the running server.
func (h home) newKey(t *testing.T) (key developer.Key) {
	t.Helper()
	out := h.do(t, "key", "create", demoLandlord, "--name", "Beside", "--mode", "test", "--json")
	if err := json.Unmarshal([]byte(out), &key); err != nil {
		t.Fatal(err)
	}
	return key
}

func TestCLIKeyChangesApplyToRunningServerImmediately(t *testing.T) {
	t.Parallel()
	s := newHome(t).serve(t)
	key := s.newKey(t)
	for range 3 {
		if r := s.me(t, *key.Plaintext); r.StatusCode != http.StatusOK {
			t.Fatalf("the new key: %s", r.Status)
		}
	}
	s.do(t, "key", "revoke", key.ID)
	if r := s.me(t, *key.Plaintext); r.StatusCode != http.StatusUnauthorized {
		t.Errorf("the revoked key: %s", r.Status)
	}
	if r := s.me(t, s.vars["PORTAL_TEST_KEY"]); r.StatusCode != http.StatusOK {
		t.Errorf("another key of the account: %s", r.Status)
	}
}

func TestCLIPlanChangeAppliesToRunningServerImmediately(t *testing.T) {
	t.Parallel()
	s := newHome(t).serve(t)
	key := s.vars["PORTAL_TEST_KEY"]
	if got := s.me(t, key).Header.Get("X-RateLimit-Limit"); got != "600" {
		t.Fatalf("the demo's limit is %s", got)
	}
	s.do(t, "plan", "set", demoLandlord, "prime", "--sustained", "4321")
	if got := s.me(t, key).Header.Get("X-RateLimit-Limit"); got != "4321" {
		t.Errorf("the limit is %s", got)
	}
}

func TestRevokingAccessOnRunningServerStopsAllKeys(t *testing.T) {
	t.Parallel()
	s := newHome(t).serve(t)
	s.do(t, "access", "revoke", demoLandlord)
	for _, name := range []string{"PORTAL_TEST_KEY", "PORTAL_LIVE_KEY"} {
		if r := s.me(t, s.vars[name]); r.StatusCode != http.StatusUnauthorized {
			t.Errorf("%s: %s", name, r.Status)
		}
	}
}
