package developer_test

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/developer"
	"portal/api/fault"
	"portal/api/id"
)

func TestKeyCreationNeedsApprovedAccess(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		ctx := t.Context()
		create := func() error {
			_, err := r.CreateKey(ctx, "ada@example.com", developer.KeyCreate{Name: "Sync", Mode: access.Test})
			return err
		}
		refused(t, "without an account", create(), fault.NoRecord, "")
		r.landlord("ada@example.com")
		refused(t, "without a request", create(), fault.InvalidTransition, "")
		_, err := r.RequestAccess(ctx, "ada@example.com", applies())
		must(t, err)
		refused(t, "while it is pending", create(), fault.InvalidTransition, "")
		_, err = r.Reviews.Deny(ctx, "ada@example.com", "no")
		must(t, err)
		refused(t, "after a denial", create(), fault.InvalidTransition, "")
		_, err = r.Reviews.Approve(ctx, "ada@example.com", nil)
		must(t, err)
		must(t, create())
		_, err = r.Reviews.RevokeAccess(ctx, "ada@example.com", nil)
		must(t, err)
		refused(t, "after access was taken back", create(), fault.InvalidTransition, "")
		keys, err := r.Keys(ctx, "ada@example.com")
		if err != nil || len(keys) != 1 {
			t.Errorf("there are %d keys: %v", len(keys), err)
		}
	})
}

func TestDenialNeedsReason(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		r.landlord("ada@example.com")
		_, err := r.RequestAccess(t.Context(), "ada@example.com", applies())
		must(t, err)
		for _, reason := range []string{"", "  ", "\x00"} {
			_, err := r.Reviews.Deny(t.Context(), "ada@example.com", reason)
			refused(t, reason, err, fault.InvalidField, "denial_reason")
		}
	})
}

const digits62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// check is the end of a key: CRC-32 of what stands before it, in six digits.
func check(head string) string {
	sum, tail := crc32.ChecksumIEEE([]byte(head)), [6]byte{}
	for i := 5; i >= 0; i-- {
		tail[i] = digits62[sum%62]
		sum /= 62
	}
	return string(tail[:])
}

func TestAPIKeyFormat(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		r.approved("ada@example.com")
		seen := map[string]bool{}
		for _, mode := range []access.Mode{access.Test, access.Live} {
			form := regexp.MustCompile(`^sk_` + string(mode) + `_pm_[0-9A-Za-z]{43}[0-9A-Za-z]{6}$`)
			for range 20 {
				k := r.key("ada@example.com", mode)
				plain := *k.Plaintext
				hash := sha256.Sum256([]byte(plain))
				if !form.MatchString(plain) || check(plain[:54]) != plain[54:] ||
					k.KeyPrefix != plain[:17] || !slices.Equal(k.Hash, hash[:]) || !id.Valid(id.Key, k.ID) ||
					seen[plain] {
					t.Errorf("the key is %s with the prefix %s", plain, k.KeyPrefix)
				}
				seen[plain] = true
			}
		}
	})
}

func TestKeyPlaintextIsShownOnlyAtCreation(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		ctx := t.Context()
		r.approved("ada@example.com")
		k := r.key("ada@example.com", access.Live, "write")
		keys, err := r.Keys(ctx, "ADA@example.com")
		must(t, err)
		c, err := r.Authenticate(ctx, "Bearer "+*k.Plaintext)
		must(t, err)
		for _, again := range []developer.Key{keys[0], c.Key} {
			shown, err := json.Marshal(again)
			must(t, err)
			want := fmt.Sprintf(
				`{"id":%q,"name":"Sync","mode":"live","key_prefix":%q,"created_at":"2026-11-02T17:00:00.482Z",`+
					`"last_used_at":null,"revoked_at":null,"expires_at":null}`,
				k.ID,
				k.KeyPrefix,
			)
			if string(shown) != want || again.Scopes.String() != "read,write" {
				t.Errorf("shown is %s with %s, want %s", shown, again.Scopes, want)
			}
		}
		if text, err := json.Marshal(k); err != nil ||
			!strings.Contains(string(text), `"plaintext":"sk_live_pm_`) ||
			strings.Contains(string(text), "cope") || strings.Contains(string(text), "ash\"") {
			t.Errorf("the creation answers %s: %v", text, err)
		}
	})
}

func TestKeyCreationIsValidated(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		r.approved("ada@example.com")
		at := func(d time.Duration) *clock.Time { return new(clock.At(r.now().Add(d))) }
		for _, c := range []struct {
			create developer.KeyCreate
			param  string // at fault, "" where it is right
		}{
			{developer.KeyCreate{Name: "S", Mode: "test"}, ""},
			{
				developer.KeyCreate{
					Name:      strings.Repeat("ä", 120),
					Mode:      "live",
					ExpiresAt: at(time.Millisecond),
					Scopes:    []string{"payments", "read"},
				},
				"",
			},
			{developer.KeyCreate{Name: "", Mode: "test"}, "name"},
			{developer.KeyCreate{Name: strings.Repeat("ä", 121), Mode: "test"}, "name"},
			{developer.KeyCreate{Name: "a\x00b", Mode: "test"}, "name"},
			{developer.KeyCreate{Name: "a\xff", Mode: "test"}, "name"},
			{developer.KeyCreate{Name: "S", Mode: ""}, "mode"},
			{developer.KeyCreate{Name: "S", Mode: "prod"}, "mode"},
			{developer.KeyCreate{Name: "S", Mode: "Test"}, "mode"},
			{developer.KeyCreate{Name: "S", Mode: "test", ExpiresAt: at(0)}, "expires_at"},
			{developer.KeyCreate{Name: "S", Mode: "test", ExpiresAt: at(-time.Hour)}, "expires_at"},
			{developer.KeyCreate{Name: "S", Mode: "test", Scopes: []string{"admin"}}, "scopes"},
			{developer.KeyCreate{Name: "S", Mode: "test", Scopes: []string{"read", ""}}, "scopes.1"},
		} {
			_, err := r.CreateKey(t.Context(), "ada@example.com", c.create)
			if c.param == "" && err != nil {
				t.Errorf("%+v: %v", c.create, err)
			} else if c.param != "" {
				refused(t, fmt.Sprintf("%+v", c.create), err, fault.InvalidField, c.param)
			}
		}
		if keys, err := r.Keys(t.Context(), "ada@example.com"); err != nil || len(keys) != 2 {
			t.Errorf("%d keys were made: %v", len(keys), err)
		}
	})
}

func TestKeyIdentifiesItsCaller(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		ctx := t.Context()
		r.approved("ada@example.com")
		r.approved("bob@example.com")
		must(t, r.SetPlan(ctx, "bob@example.com", developer.Plan{Tier: developer.Pro, Units: new(0)}))
		for _, email := range []string{"ada@example.com", "bob@example.com"} {
			for _, mode := range []access.Mode{access.Test, access.Live} {
				k := r.key(email, mode, "payments")
				in, account, err := r.Portfolio(ctx, email, mode)
				must(t, err)
				c, err := r.Authenticate(ctx, "bearer "+*k.Plaintext)
				must(t, err)
				a := c.Actor()
				if a.Portfolio != in || a.AccountID != account.ID || a.KeyID != k.ID ||
					a.Scopes.String() != "read,write,payments" || a.Role != access.Owner ||
					a.Zone.String() != "America/New_York" ||
					c.Account != account.Name || c.Plan.Limits() != account.Plan.Limits() {
					t.Errorf("the key of %s's %s portfolio tells %+v", email, mode, c)
				}
			}
		}
	})
}

func TestRevokingAgainKeepsFirstRevocationTime(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		ctx := t.Context()
		r.approved("ada@example.com")
		one := r.key("ada@example.com", access.Test)
		r.add(time.Millisecond)
		other := r.key("ada@example.com", access.Test)
		first := clock.At(r.now())
		must(t, r.RevokeKey(ctx, one.ID))
		r.add(time.Hour)
		must(t, r.RevokeKey(ctx, one.ID))
		_, err := r.Reviews.RevokeAccess(ctx, "ada@example.com", nil)
		must(t, err)
		keys, err := r.Keys(ctx, "ada@example.com")
		must(t, err)
		if *keys[0].RevokedAt != first || *keys[1].RevokedAt != clock.At(r.now()) || keys[1].ID != other.ID {
			t.Errorf("revoked at %v and %v", keys[0].RevokedAt, keys[1].RevokedAt)
		}
		refused(t, "an unknown key", r.RevokeKey(ctx, "key_1"), fault.NoRecord, "")
		_, err = r.Keys(ctx, "nobody@example.com")
		refused(t, "nobody's keys", err, fault.NoRecord, "")
	})
}

func TestInvalidKeyGetsSpecificErrorCode(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		ctx := t.Context()
		r.approved("ada@example.com")
		good := r.key("ada@example.com", access.Test)
		k, err := r.CreateKey(ctx, "ada@example.com", developer.KeyCreate{
			Name:      "Sync",
			Mode:      access.Test,
			ExpiresAt: new(clock.At(r.now().Add(time.Hour))),
		})
		must(t, err)
		head := "sk_live_pm_" + strings.Repeat("z", 43)
		for header, code := range map[string]fault.Code{
			"":                                fault.MissingAPIKey,
			"Bearer":                          fault.MalformedAPIKey,
			"Basic " + *good.Plaintext:        fault.MalformedAPIKey,
			"Bearer " + (*good.Plaintext)[1:]: fault.MalformedAPIKey,
			"Bearer " + head + check(head):    fault.UnknownAPIKey,
		} {
			_, err := r.Authenticate(ctx, header)
			refused(t, header, err, code, "")
		}
		r.add(time.Hour - time.Millisecond)
		_, err = r.Authenticate(ctx, "Bearer "+*k.Plaintext)
		must(t, err)
		r.add(time.Millisecond)
		_, err = r.Authenticate(ctx, "Bearer "+*k.Plaintext)
		refused(t, "at its instant", err, fault.ExpiredAPIKey, "")
		must(t, r.RevokeKey(ctx, k.ID))
		_, err = r.Authenticate(ctx, "Bearer "+*k.Plaintext)
		refused(t, "expired and revoked", err, fault.RevokedAPIKey, "")
	})
}

func TestAccountWithUnknownZoneIsInternalError(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		r.approved("ada@example.com")
		k := r.key("ada@example.com", access.Test)
		r.exec("UPDATE accounts SET time_zone = 'Mars/Olympus'")
		_, err := r.Authenticate(t.Context(), "Bearer "+*k.Plaintext)
		if err == nil || fault.From(err).Code != fault.Internal {
			t.Errorf("the error is %v", err)
		}
	})
}

func TestMeReturnsKeyPlanAndUnits(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		ctx := t.Context()
		r.approved("ada@example.com")
		must(t, r.SetPlan(ctx, "ada@example.com", developer.Plan{Tier: developer.Pro, Burst: new(700), Units: new(9)}))
		for mode, limit := range map[access.Mode]string{access.Live: "9", access.Test: "<nil>"} {
			c, err := r.Authenticate(ctx, "Bearer "+*r.key("ada@example.com", mode, "write").Plaintext)
			must(t, err)
			me, err := r.Me(ctx, c, 5, 1_793_638_861)
			must(t, err)
			if me.Limits != (developer.MyLimits{
				Sustained: 600,
				Burst:     700,
				Remaining: 5,
				Reset:     1_793_638_861,
			}) || me.Account.Plan != developer.Pro || me.Account.Name != "ada@example.com" || me.Mode != mode ||
				me.Scopes.String() !=
					"read,write" || *me.Role !=
				access.Owner || me.Units.Used !=
				0 || text(me.Units.Limit) !=
				limit {
				t.Errorf("%+v", me)
			}
			c.Role = ""
			if me, err := r.Me(ctx, c, 0, 0); err != nil || me.Role != nil {
				t.Errorf("nobody's role is %v: %v", me.Role, err)
			}
		}
	})
}
