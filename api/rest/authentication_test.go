package rest_test

import (
	"bytes"
	"crypto/sha256"
	"hash/crc32"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/developer"
	"portal/db/dbtest"
)

const digits62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// sealed appends the checksum that a key ends with: CRC-32 of what stands before,
// in six digits.
func sealed(head string) string {
	sum, tail := crc32.ChecksumIEEE([]byte(head)), []byte("000000")
	for i := 5; i >= 0; i-- {
		tail[i] = digits62[sum%62]
		sum /= 62
	}
	return head + string(tail)
}

// strangersKey has the right form and belongs to nobody.
func strangersKey() string { return sealed("sk_test_pm_" + strings.Repeat("0", 43)) }

func TestAPIRequiresCompleteBearerKey(t *testing.T) {
	t.Parallel()
	r, key := common(t)
	for header, code := range map[string]string{
		"Bearer " + key:                     "",
		"bearer " + key:                     "",
		"BEARER " + key:                     "",
		"Bearer " + key + "  ":              "", // net/http trims a header
		"":                                  "missing_api_key",
		" ":                                 "missing_api_key",
		"Bearer":                            "malformed_api_key",
		"Bearer  " + key:                    "malformed_api_key",
		"Bearer\t" + key:                    "malformed_api_key",
		"Bearer:" + key:                     "malformed_api_key",
		key:                                 "malformed_api_key",
		"Token " + key:                      "malformed_api_key",
		"Basic " + key:                      "malformed_api_key",
		"Basic dXNlcjpwYXNzd29yZA==":        "malformed_api_key",
		"Bearer \"" + key + "\"":            "malformed_api_key",
		"Bearer " + key + ", Bearer " + key: "malformed_api_key",
		"Bearer " + key + "0":               "malformed_api_key",
		"Bearer " + key[:len(key)-1]:        "malformed_api_key",
		"Bearer " + strings.ToLower(key):    "malformed_api_key",
		"Bearer " + strings.ToUpper(key):    "malformed_api_key",
		"Bearer sk_test_pm_":                "malformed_api_key",
		"Bearer sk_test_" + key[len("sk_test_pm_"):]:                                 "malformed_api_key",
		"Bearer " + strings.Replace(key, "_test_", "_live_", 1):                      "malformed_api_key",
		"Bearer " + strings.Replace(key, "_test_", "_Test_", 1):                      "malformed_api_key",
		"Bearer " + sealed("sk_test_pm_"+strings.Repeat("-", 43)):                    "malformed_api_key",
		"Bearer " + sealed("sk_test_pm_"+strings.Repeat("0", 42)):                    "malformed_api_key",
		"Bearer " + sealed("sk_prod_pm_"+strings.Repeat("0", 43)):                    "malformed_api_key",
		"Bearer \xff" + key[1:]:                                                      "malformed_api_key",
		"Bearer " + strings.Repeat("k", 100_000):                                     "malformed_api_key",
		"Bearer " + strangersKey():                                                   "unknown_api_key",
		"Bearer " + sealed(strings.Replace(key[:len(key)-6], "_test_", "_live_", 1)): "unknown_api_key",
	} {
		a := r.do(http.MethodGet, "/properties", "", "Authorization", header)
		a.to = header
		if code == "" {
			a.ok(t, &page{})
			continue
		}
		a.expect(t, http.StatusUnauthorized, code)
		if got := a.header.Get("WWW-Authenticate"); got != "Bearer" {
			t.Errorf("%.100s: WWW-Authenticate is %q", header, got)
		}
	}
}

func TestMistypedAPIKeyIsRefusedWithoutLookup(t *testing.T) {
	t.Parallel()
	r := newFixture(t, setting{})
	key := r.someone()
	r.exec("ALTER TABLE api_keys RENAME TO lost_keys")
	r.get("/me", key).expect(t, http.StatusInternalServerError, "internal")
	for i := range key {
		typo := []byte(key)
		typo[i] = digits62[(strings.IndexByte(digits62, key[i])+1)%62]
		r.get("/me", string(typo)).expect(t, http.StatusUnauthorized, "malformed_api_key")
		if i > 0 && key[i] != key[i-1] {
			swapped := []byte(key)
			swapped[i], swapped[i-1] = swapped[i-1], swapped[i]
			r.get("/me", string(swapped)).expect(t, http.StatusUnauthorized, "malformed_api_key")
		}
	}
}

func TestAPIKeyExpiresAtExactTime(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		r.landlord("ada@example.com", unlimited())
		key := r.expiring("ada@example.com", time.Hour)
		r.clock.add(time.Hour - time.Millisecond)
		r.get("/me", key).ok(t, &struct{}{})
		r.clock.add(time.Millisecond)
		r.get("/me", key).expect(t, http.StatusUnauthorized, "expired_api_key")
		r.get("/nowhere", key).expect(t, http.StatusUnauthorized, "expired_api_key")
		r.get("/openapi.json", key).expect(t, http.StatusUnauthorized, "expired_api_key")
	})
}

// hammer sends requests from many sides while a change is made. Each request that
// began after the change returned must see it.
func (r *fixture) hammer(t *testing.T, key string, change func(), seen func(answer) bool) {
	t.Helper()
	const hands, enough = 8, 15
	var changed atomic.Bool
	var before, after, blind atomic.Int64
	var all, started sync.WaitGroup
	started.Add(hands)
	for range hands {
		all.Go(func() {
			first := sync.OnceFunc(started.Done)
			defer first()
			for mine := 0; mine < enough; {
				late := changed.Load()
				a, err := r.try(http.MethodGet, "/me", key, "")
				first()
				switch {
				case err != nil:
					t.Error(err)
					return
				case !late:
					before.Add(1)
				default:
					mine++
					after.Add(1)
					if !seen(a) {
						blind.Add(1)
					}
				}
			}
		})
	}
	started.Wait()
	change()
	changed.Store(true)
	all.Wait()
	if before.Load() == 0 || after.Load() == 0 {
		t.Fatalf("%d requests came before the change, %d after it", before.Load(), after.Load())
	}
	if blind.Load() > 0 {
		t.Errorf("%d of %d requests that began after the change did not see it", blind.Load(), after.Load())
	}
}

func refusedWith(code string) func(answer) bool {
	return func(a answer) bool {
		return a.status == http.StatusUnauthorized && bytes.Contains(a.body, []byte(`"code":"`+code+`"`))
	}
}

func TestRevokedAPIKeyIsRefusedOnNextRequest(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		r.landlord("ada@example.com", unlimited())
		key, other := r.key("ada@example.com", access.Test), r.key("ada@example.com", access.Test)
		r.hammer(
			t,
			*key.Plaintext,
			func() { must(t, r.developer.RevokeKey(t.Context(), key.ID)) },
			refusedWith("revoked_api_key"),
		)
		r.get("/me", *other.Plaintext).ok(t, &struct{}{})
	})
}

func TestExpiredAPIKeyIsRefusedOnNextRequest(t *testing.T) {
	t.Parallel()
	r := newFixture(t, setting{})
	r.landlord("ada@example.com", unlimited())
	r.hammer(
		t,
		r.expiring("ada@example.com", time.Hour),
		func() { r.clock.add(time.Hour) },
		refusedWith("expired_api_key"),
	)
}

func TestRevokedAccessStopsAllKeysOnNextRequest(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		r.landlord("ada@example.com", unlimited())
		r.landlord("bob@example.com", unlimited())
		key := r.key("ada@example.com", access.Test)
		live := r.key("ada@example.com", access.Live, "payments")
		bobs := r.key("bob@example.com", access.Test)
		r.hammer(t, *key.Plaintext, func() {
			_, err := r.developer.Reviews.RevokeAccess(t.Context(), "ada@example.com", nil)
			must(t, err)
		}, refusedWith("revoked_api_key"))
		r.get("/me", *live.Plaintext).expect(t, http.StatusUnauthorized, "revoked_api_key")
		r.get("/me", *bobs.Plaintext).ok(t, &struct{}{})

		_, err := r.developer.Reviews.Approve(t.Context(), "ada@example.com", nil)
		must(t, err)
		r.get("/me", *key.Plaintext).expect(t, http.StatusUnauthorized, "revoked_api_key")
		r.get("/me", *r.key("ada@example.com", access.Test).Plaintext).ok(t, &struct{}{})
	})
}

func TestPlanChangeAppliesToNextRequest(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		r.landlord("ada@example.com", unlimited())
		key := *r.key("ada@example.com", access.Test).Plaintext
		r.hammer(t, key, func() {
			must(t, r.developer.SetPlan(t.Context(), "ada@example.com", developer.Plan{Tier: developer.Prime}))
		}, func(a answer) bool {
			return a.header.Get("X-RateLimit-Limit") == "3000" &&
				bytes.Contains(a.body, []byte(`"limits":{"sustained":3000,"burst":6000,`))
		})
	})
}

func TestKeyCreatorRoleChangeAppliesToNextRequest(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		r.landlord("ada@example.com", unlimited())
		r.landlord("bob@example.com", unlimited())
		ctx := t.Context()
		_, err := r.developer.AddMember(ctx, "ada@example.com", "bob@example.com", access.Owner, false)
		must(t, err)
		key := *r.key("ada@example.com", access.Test).Plaintext
		r.hammer(t, key, func() {
			r.exec(
				"UPDATE members SET role = 'manager' WHERE user_id = (SELECT id FROM users WHERE email = " +
					"'ada@example.com')",
			)
		}, func(a answer) bool { return bytes.Contains(a.body, []byte(`"role":"manager"`)) })
		r.exec("DELETE FROM members WHERE user_id = (SELECT id FROM users WHERE email = 'ada@example.com')")
		if a := r.get("/me", key); !bytes.Contains(a.body, []byte(`"role":null`)) {
			t.Errorf("the creator is no member: %s", a.body)
		}
	})
}

func TestAPIKeyIsNeverStoredInPlaintext(t *testing.T) {
	t.Parallel()
	r := newFixture(t, setting{})
	r.landlord("ada@example.com", unlimited())
	k := r.key("ada@example.com", access.Live, "payments")
	key := *k.Plaintext
	r.do(
		http.MethodGet,
		"/me?key="+key,
		key,
		"User-Agent",
		"curl "+key,
		"Referer",
		"https://example.com/"+key,
		"X-Forwarded-For",
		key,
	)
	r.get("/me?"+key+"=1", key)
	r.get("/me?"+strings.ReplaceAll(key, "_", "%5F"), key)
	r.get("/properties/"+key, key)
	r.get("/"+key, key)
	r.do(key, "/me", key)
	r.get("/me", key[:len(key)-1]).expect(t, http.StatusUnauthorized, "malformed_api_key")
	r.logged(t, 7)

	secret := []byte(key[len(k.KeyPrefix):])
	hash, found := sha256.Sum256([]byte(key)), false
	entries, err := os.ReadDir(r.folder)
	must(t, err)
	for _, e := range entries {
		content, err := os.ReadFile(filepath.Join(r.folder, e.Name()))
		must(t, err)
		found = found || bytes.Contains(content, hash[:])
		for _, lies := range [][]byte{secret, secret[:20], []byte("correct horse battery")} {
			if at := bytes.Index(content, lies); at >= 0 {
				t.Errorf("%s has %q near %q", e.Name(), lies, content[max(at-60, 0):at])
			}
		}
	}
	if !found {
		t.Error("the hash of the key was not found: the search looks in the wrong place")
	}
	if log := r.log.String(); strings.Contains(log, string(secret[:20])) {
		t.Errorf("the log has the key: %s", log)
	}
}

// exec runs SQL past the store's methods.
func (r *fixture) exec(statement string) {
	r.t.Helper()
	dbtest.Exec(r.t, r.db, statement)
}
