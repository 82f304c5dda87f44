package main

import (
	"encoding/base64"
	"net/http"
	"os"
	"strconv"
	"testing"

	"portal/db/dbtest"
)

// TestTwoNodesActAsOneService runs two processes over one PostgreSQL and one Redis.
func TestTwoNodesActAsOneService(t *testing.T) {
	t.Parallel()
	redis := os.Getenv("PORTAL_TEST_REDIS_URL")
	if redis == "" {
		t.Skip("PORTAL_TEST_REDIS_URL is not set: there is no Redis to test against")
	}
	store := dbtest.NewPostgres(t).Migrated(t)
	key := base64.StdEncoding.EncodeToString([]byte("0123456789abcdef0123456789abcdef"))
	both := []string{"DATABASE_URL=" + store, "REDIS_URL=" + redis, "PORTAL_SECRET_KEY=" + key}
	one := newHome(t, both...).serve(t)
	two := one.home.with("PORTAL_ADDR=" + freeAddress(t)).serve(t)

	made := one.newKey(t)
	for i, node := range []*service{one, two, one, two} {
		r := node.me(t, *made.Plaintext)
		if r.StatusCode != http.StatusOK || r.Header.Get("X-RateLimit-Remaining") != strconv.Itoa(599-i) {
			t.Errorf("request %d: %s, %s left", i+1, r.Status, r.Header.Get("X-RateLimit-Remaining"))
		}
	}
	two.do(t, "key", "revoke", made.ID)
	for _, node := range []*service{one, two} {
		if r := node.me(t, *made.Plaintext); r.StatusCode != http.StatusUnauthorized {
			t.Errorf("the revoked key: %s", r.Status)
		}
		node.signalAndEnd(t)
	}
}
