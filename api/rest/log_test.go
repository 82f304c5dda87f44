package rest_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/developer"
	"portal/api/rest"
	"portal/db/dbtest"
)

// line is a row of the request log; what is NULL there is "-".
type line struct {
	id, at, account, key, portfolio, operation, method, path, query, status, code, param, duration, bytes,
	address, agent string
}

// lines reads the request log in the order of the requests.
func (r *fixture) lines() (all []line) {
	r.t.Helper()
	const query = `SELECT CONCAT_WS('|', 'x', id, at, COALESCE(account_id, '-'), COALESCE(key_id, '-'),
		COALESCE(CAST(portfolio_id AS TEXT), '-'), operation, method, REPLACE(path, '|', '!'), REPLACE(query, '|', '!'),
		status, COALESCE(code, '-'), COALESCE(param, '-'), duration_us, bytes, address, user_agent)
		FROM requests
		ORDER BY id`
	for _, row := range dbtest.Texts(r.t, r.db, query) {
		f := strings.SplitN(row, "|", 17)
		all = append(all, line{
			f[1], f[2], f[3], f[4], f[5], f[6], f[7], f[8], f[9], f[10], f[11], f[12], f[13],
			f[14], f[15], f[16],
		})
	}
	return all
}

// logged waits until the log has that many lines.
func (r *fixture) logged(t *testing.T, n int) []line {
	t.Helper()
	for limit := time.Now().Add(20 * time.Second); ; {
		all := r.lines()
		if len(all) >= n {
			return all
		}
		if time.Now().After(limit) {
			t.Fatalf("the log has %d lines of %d: %s", len(all), n, fmt.Sprint(all))
		}
		<-time.After(10 * time.Millisecond) // the recorder writes five times a second
	}
}

func TestRequestLogMatchesResponses(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		r.landlord("ada@example.com", developer.Plan{Tier: developer.Starter, Sustained: new(1), Burst: new(20)})
		k, spent := r.key("ada@example.com", access.Test), r.key("ada@example.com", access.Live)
		for range 20 {
			r.get("/me", *spent.Plaintext)
		}
		r.logged(t, 20)
		_, account, err := r.developer.Account(t.Context(), "ada@example.com")
		must(t, err)
		in, _, err := r.developer.Portfolio(t.Context(), "ada@example.com", access.Test)
		must(t, err)
		live, _, err := r.developer.Portfolio(t.Context(), "ada@example.com", access.Live)
		must(t, err)
		mine, theirs := []string{
			account.ID,
			k.ID,
			fmt.Sprint(in.ID),
		}, []string{
			account.ID,
			spent.ID,
			fmt.Sprint(live.ID),
		}
		nobody := []string{"-", "-", "-"}
		long := strings.Repeat("ä", 400)
		for i, c := range []struct {
			method, path, key string
			owner             []string
			operation         string
			line              string // path, query, status, code and param
		}{
			{
				"GET", "/properties?limit=1&city=Ca%C3%B1on+City", *k.Plaintext, mine,
				"list_properties", "/properties limit=1&city=Ca%C3%B1on+City 200 - -",
			},
			{
				"HEAD", "/properties/" + absent("prop"), *k.Plaintext, mine, "get_property",
				"/properties/" + absent("prop") + "  404 not_found -",
			},
			{
				"GET", "/payments?limit=0&overdue=2", *k.Plaintext, mine, "list_payments",
				"/payments limit=0&overdue=2 400 invalid_field limit",
			},
			{
				"GET", "/properties?" + strings.Repeat("x", 300), *k.Plaintext, mine,
				"list_properties", "/properties … 400 unknown_parameter ……",
			},
			{"DELETE", "/me", *k.Plaintext, mine, "", "/me  405 method_not_allowed -"},
			{"GET", "/nowhere/%00%FF%20%0A", *k.Plaintext, mine, "", "/nowhere/ \n  404 route_not_found -"},
			{"GET", "/tenants/%00%FF", *k.Plaintext, mine, "get_tenant", "/tenants/  404 not_found -"},
			{
				"GET", "/tenants?%00=%FF&\xff", *k.Plaintext, mine, "list_tenants",
				"/tenants %00=%FF& 400 unknown_parameter -",
			},
			{"GET", "/" + long, *k.Plaintext, mine, "", "/" + long[:482] + "  404 route_not_found -"},
			{"GET", "/openapi.json", *k.Plaintext, mine, "", "/openapi.json  200 - -"},
			{"GET", "/openapi.json", "", nobody, "", "/openapi.json  200 - -"},
			{"GET", "/properties", "", nobody, "list_properties", "/properties  401 missing_api_key -"},
			{"GET", "/properties", strangersKey(), nobody, "list_properties", "/properties  401 unknown_api_key -"},
			{"GET", "/leases", *spent.Plaintext, theirs, "list_leases", "/leases  429 rate_limited -"},
		} {
			r.clock.add(time.Millisecond)
			agent := fmt.Sprintf("caller/%d \xff%s", i, long)
			a := r.do(c.method, c.path, c.key, "User-Agent", agent, "Accept-Encoding", "identity")
			got := r.logged(t, 21+i)[20+i]
			if got.id != a.header.Get("X-Request-Id") || got.at != fmt.Sprint(r.clock.now().UnixMilli()) ||
				got.method != c.method || got.operation != c.operation || got.duration != "0" ||
				got.address != "127.0.0.1" || !strings.HasPrefix(
				strings.ToValidUTF8(agent[:300], ""),
				got.agent,
			) || len(got.agent) < 290 &&
				c.owner[0] != "-" || len(got.agent) > 40 &&
				c.owner[0] == "-" {
				t.Errorf("%.60s: %+v", c.path, got)
			}
			if size := fmt.Sprint(len(a.body)); got.bytes != size && c.method != "HEAD" {
				t.Errorf("%.60s: %s bytes, want %s", c.path, got.bytes, size)
			}
			if owner := []string{got.account, got.key, got.portfolio}; !slices.Equal(owner, c.owner) {
				t.Errorf("%.60s: of %q, want %q", c.path, owner, c.owner)
			}
			text := strings.TrimPrefix(got.path, rest.Base) + " " + got.query + " " + got.status + " " +
				got.code + " " + got.param
			if text != c.line {
				t.Errorf("%.60s\nwant %q\n got %q", c.path, c.line, text)
			}
		}
		if r.answers.Load() != 34 {
			t.Errorf("the metrics were told of %d answers", r.answers.Load())
		}
	})
}

func TestSecretsAreRedactedFromRequestLog(t *testing.T) {
	t.Parallel()
	r := newFixture(t, setting{})
	r.landlord("ada@example.com", unlimited())
	k := r.key("ada@example.com", access.Live)
	key, shown := *k.Plaintext, k.KeyPrefix+"…"
	for i, c := range []struct{ path, agent, want string }{
		{"/me?key=" + key, "curl", "/me|key=" + shown + "|curl|key"},
		{"/me?" + key, "curl", "/me|" + shown + "|curl|" + shown},
		{"/me?limit=" + key + "&a=b", "curl", "/me|limit=" + shown + "&a=b|curl|limit"},
		{"/" + key + "/x", "curl", "/" + shown + "/x||curl|-"},
		{"/properties/" + key, "curl", "/properties/" + shown + "||curl|-"},
		{"/me?a=1", "curl " + key + " (x)", "/me|a=1|curl " + shown + " (x)|a"},
		{"/me?a=whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "curl", "/me|a=whsec_…|curl|a"},
		{"/me?a=whsec_MfKQ9r8GKYqrTwjU%2BPD8ILPZIo2LaLaSw%3D&b", "curl", "/me|a=whsec_…&b|curl|a"},
		{"/me?a=" + strings.ReplaceAll(key, "_", "%5F"), "curl", "/me|a=" + shown + "|curl|a"},
		{"/me?a=whsec%5FAbCd%2FEfGh12345678+01234567890123456/789012&b", "curl", "/me|a=whsec_…&b|curl|a"},
		{"/me?a=%77hsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "curl", "/me|a=whsec_…|curl|a"},
		{"/me?a=%&b=" + strings.ReplaceAll(key, "_", "%5F"), "curl", "/me|a=%&b=" + shown + "|curl|a"},
		{"/me?a=sk_live_pm_", "curl", "/me|a=sk_live_pm_|curl|a"},
		{"/me?a=" + absent("prop"), "curl", "/me|a=" + absent("prop") + "|curl|a"},
	} {
		r.do("GET", c.path, key, "User-Agent", c.agent)
		got := r.logged(t, i+1)[i]
		text := strings.TrimPrefix(got.path, rest.Base) + "|" + got.query + "|" + got.agent + "|" + got.param
		if text != c.want {
			t.Errorf("%s is logged as %s, want %s", c.path, text, c.want)
		}
		r.clock.add(time.Millisecond)
	}
}

func TestAPIKeyLastUseIsRecordedAsynchronously(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		r.landlord("ada@example.com", unlimited())
		used := r.key("ada@example.com", access.Test)
		r.clock.add(time.Hour)
		unused := r.key("ada@example.com", access.Test)
		r.get("/me", *used.Plaintext)
		r.clock.add(time.Minute)
		at := clock.At(r.clock.now())
		r.get("/nowhere", *used.Plaintext)
		r.logged(t, 2)
		keys, err := r.developer.Keys(t.Context(), "ada@example.com")
		must(t, err)
		if keys[0].ID != used.ID || keys[0].LastUsedAt == nil || *keys[0].LastUsedAt != at {
			t.Errorf("the key was last used %v, want %s", keys[0].LastUsedAt, at)
		}
		if keys[1].ID != unused.ID || keys[1].LastUsedAt != nil {
			t.Errorf("the unused key was last used %v", keys[1].LastUsedAt)
		}
	})
}
