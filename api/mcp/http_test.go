package mcp_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/developer"
	"portal/api/mcp"
	"portal/db/accountstore"
)

const ping = `{"jsonrpc":"2.0","id":1,"method":"ping"}`

func TestOnlyPOSTIsAllowed(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		key := r.key(access.Test)
		for _, method := range []string{"GET", "HEAD", "DELETE", "PUT", "PATCH", "OPTIONS", "PROPFIND"} {
			a := r.send(method, key, "")
			if a.status != 405 || a.header.Get("Allow") != "POST" ||
				method != "HEAD" && !strings.Contains(a.body, `"code":"method_not_allowed"`) {
				t.Errorf("%s: %d %v %s", method, a.status, a.header, a.body)
			}
		}
	})
}

func TestTransportErrorsUseAPIErrorEnvelope(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		key := r.key(access.Test)
		for _, c := range []struct {
			why, key, body string
			headers        []string
			status         int
			code           string
		}{
			{"no key", "", ping, nil, 401, "missing_api_key"},
			{"a key that is none", "sk_test_pm_x", ping, nil, 401, "malformed_api_key"},
			{"basic", "", ping, []string{"Authorization", "Basic eA=="}, 401, "malformed_api_key"},
			{"no type", key, ping, []string{"Content-Type", ""}, 415, "unsupported_media_type"},
			{"another type", key, ping, []string{"Content-Type", "text/plain"}, 415, "unsupported_media_type"},
			{"compressed", key, ping, []string{"Content-Encoding", "gzip"}, 415, "unsupported_media_type"},
			{"only events", key, ping, []string{"Accept", "text/event-stream"}, 415, "unsupported_media_type"},
			{
				"no JSON wanted",
				key,
				ping,
				[]string{"Accept", "application/json;q=0, text/html"},
				415,
				"unsupported_media_type",
			},
			{"too large", key, `"` + strings.Repeat("x", 1<<20) + `"`, nil, 413, "body_too_large"},
			{"foreign origin", key, ping, []string{"Origin", "https://evil.example.com"}, 403, "foreign_origin"},
			{"no origin", key, ping, []string{"Origin", "null"}, 403, "foreign_origin"},
			{"another port", key, ping, []string{"Origin", base + ":8443"}, 403, "foreign_origin"},
			{
				"two origins",
				key,
				ping,
				[]string{"Origin", base, "Origin", "https://evil.example.com"},
				403,
				"foreign_origin",
			},
		} {
			a := r.post(c.key, c.body, c.headers...)
			if a.status != c.status || !strings.Contains(a.body, `"code":"`+c.code+`"`) ||
				!strings.HasPrefix(a.body, `{"error":{`) {
				t.Errorf("%s: %d %s", c.why, a.status, a.body)
			}
			if a.header.Get("X-Request-Id") == "" || a.header.Get("X-RateLimit-Limit") == "" {
				t.Errorf("%s: headers %v", c.why, a.header)
			}
		}
	})
}

func TestRequestsAcceptingJSONAreServed(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		key := r.key(access.Test)
		for _, headers := range [][]string{
			nil,
			{"Accept", "*/*"},
			{"Accept", "application/*"},
			{"Accept", "application/json, text/event-stream"},
			{"Accept", "text/event-stream, Application/JSON;q=0.1"},
			{"Accept", "text/html", "Accept", "application/json"},
			{"Accept", ""},
			{"Content-Type", "application/json; charset=UTF-8"},
			{"Origin", base},
			{"Mcp-Session-Id", "abc", "Last-Event-ID", "7"},
			{"Origin", "HTTPS://PORTAL.example.com"},
		} {
			if a := r.post(key, ping, headers...); a.status != 200 || !strings.HasSuffix(a.body, `"result":{}}`) {
				t.Errorf("%v: %d %s", headers, a.status, a.body)
			}
		}
	})
}

func TestUnauthorizedResponseExplainsHowToSetKey(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		a := r.post("", ping)
		if got := a.header["Www-Authenticate"]; len(got) != 1 || got[0] != "Bearer" {
			t.Errorf("WWW-Authenticate: %q", got)
		}
		if !strings.Contains(a.body, "set the header Authorization to Bearer") ||
			!strings.Contains(a.body, "OAuth is not possible") {
			t.Error(a.body)
		}
	})
}

func TestOAuthIsNotOffered(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		for _, path := range []string{
			"/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/mcp",
			"/.well-known/oauth-authorization-server",
			"/.well-known/oauth-authorization-server/mcp", "/.well-known/openid-configuration",
			"/mcp/.well-known/openid-configuration",
		} {
			res, err := r.server.Client().Get(r.server.URL + path)
			must(t, err)
			must(t, res.Body.Close())
			if res.StatusCode != 404 || !strings.HasPrefix(res.Header.Get("Content-Type"), "text/plain") ||
				res.Header.Get("Www-Authenticate") != "" {
				t.Errorf("%s: %d %v", path, res.StatusCode, res.Header)
			}
		}
	})
}

// role gives ada another role in her account.
func (r *fixture) role(key string, role access.Role) {
	r.t.Helper()
	u, _, err := accountstore.New(r.db).User(context.Background(), ada)
	must(r.t, err)
	must(
		r.t,
		accountstore.New(r.db).SetMember(
			context.Background(),
			r.caller(key).AccountID,
			u.ID,
			role,
			clock.At(noon),
		),
	)
}

func TestKeyWorksOnlyWhileCreatorIsOwner(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		key := r.key(access.Live, "payments")
		if a := r.post(key, ping); a.status != 200 {
			t.Fatal(a.body)
		}
		r.role(key, access.Manager)
		if a := r.post(key, ping); a.status != 403 || !strings.Contains(a.body, `"code":"owner_required"`) {
			t.Errorf("a manager: %d %s", a.status, a.body)
		}
		r.role(key, access.Owner)
		if a := r.post(key, ping); a.status != 200 {
			t.Errorf("an owner again: %d %s", a.status, a.body)
		}
	})
}

func TestRevokedOrExpiredKeyFailsOnNextMessage(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		key := r.key(access.Live, "write")
		id := r.caller(key).Key.ID
		must(t, r.developer.RevokeKey(context.Background(), id))
		if a := r.post(key, ping); a.status != 401 || !strings.Contains(a.body, "revoked_api_key") {
			t.Errorf("revoked: %d %s", a.status, a.body)
		}
		soon := r.now().Add(time.Hour)
		k, err := r.developer.CreateKey(context.Background(), ada, developer.KeyCreate{
			Name:      "Short",
			Mode:      access.Live,
			ExpiresAt: new(clock.At(soon)),
		})
		must(t, err)
		r.clock.Add(int64(2 * time.Hour))
		if a := r.post(*k.Plaintext, ping); a.status != 401 || !strings.Contains(a.body, "expired_api_key") {
			t.Errorf("expired: %d %s", a.status, a.body)
		}
	})
}

func TestEndpointServesOnlyItsExactPath(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		for path, want := range map[string]int{mcp.Path: 401, mcp.Path + "/": 404, mcp.Path + "/tools": 404} {
			res, err := r.server.Client().Post(r.server.URL+path, "application/json", strings.NewReader(ping))
			must(t, err)
			must(t, res.Body.Close())
			if res.StatusCode != want {
				t.Errorf("%s: %d", path, res.StatusCode)
			}
		}
	})
}
