package rest_test

import (
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/labstack/echo/v4"

	"portal/api/access"
	"portal/api/developer"
)

// number is a header that must be a whole number, written plainly.
func (a answer) number(t testing.TB, name string) int {
	t.Helper()
	values := a.header.Values(name)
	if len(values) != 1 {
		t.Errorf("%s: %s is %q", a.to, name, values)
		return -1
	}
	n, err := strconv.Atoi(values[0])
	if err != nil || strconv.Itoa(n) != values[0] || n < 0 {
		t.Errorf("%s: %s is %q, which is no whole number", a.to, name, values[0])
	}
	return n
}

func TestFreshStarterKeyAdmits120Of500ConcurrentRequests(t *testing.T) {
	t.Parallel()
	r := newFixture(t, setting{})
	r.landlord("ada@example.com", developer.Plan{Tier: developer.Starter})
	key := *r.key("ada@example.com", access.Test).Plaintext
	var admitted, throttled atomic.Int64
	var remaining sync.Map
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			for range 25 {
				a, err := r.try(http.MethodGet, "/properties", key, "")
				switch {
				case err != nil:
					t.Error(err)
				case a.status == http.StatusOK:
					admitted.Add(1)
					if left := a.number(t, "X-RateLimit-Remaining"); left > 0 {
						if _, twice := remaining.LoadOrStore(left, true); twice {
							t.Errorf("%d were left twice", left)
						}
					}
				default:
					throttled.Add(1)
					a.expect(t, http.StatusTooManyRequests, "rate_limited")
					if wait := a.number(t, "Retry-After"); wait != 60 {
						t.Errorf("Retry-After is %d", wait)
					}
					if left := a.number(t, "X-RateLimit-Remaining"); left != 0 {
						t.Errorf("throttled with %d left", left)
					}
				}
				limit, reset := a.number(t, "X-RateLimit-Limit"), a.number(t, "X-RateLimit-Reset")
				if limit != 60 || int64(reset) != noon.Unix()+61 {
					t.Errorf("limit %d, reset %d", limit, reset)
				}
			}
		})
	}
	all.Wait()
	if admitted.Load() != 120 || throttled.Load() != 380 {
		t.Errorf("%d were admitted and %d throttled", admitted.Load(), throttled.Load())
	}
}

func TestClientHonoringRetryAfterIsAdmitted(t *testing.T) {
	t.Parallel()
	r := newFixture(t, setting{})
	r.landlord("ada@example.com", developer.Plan{Tier: developer.Starter})
	key := *r.key("ada@example.com", access.Test).Plaintext
	for range 120 {
		r.get("/me", key).ok(t, &struct{}{})
		r.clock.add(50 * time.Millisecond)
	}
	for range 5 {
		a := r.get("/me", key)
		a.expect(t, http.StatusTooManyRequests, "rate_limited")
		wait := time.Duration(a.number(t, "Retry-After")) * time.Second
		r.clock.add(wait - time.Second)
		early := r.get("/me", key)
		early.expect(t, http.StatusTooManyRequests, "rate_limited")
		if again := early.number(t, "Retry-After"); again != 1 {
			t.Errorf("after all but a second of %s, Retry-After is %d", wait, again)
		}
		r.clock.add(time.Second)
		for r.get("/me", key).status == http.StatusOK {
		}
	}
}

func TestAverageRateNeverExceedsSustainedLimit(t *testing.T) {
	t.Parallel()
	r := newFixture(t, setting{silent: true})
	r.landlord("ada@example.com", developer.Plan{Tier: developer.Starter, Sustained: new(10), Burst: new(20)})
	key := *r.key("ada@example.com", access.Test).Plaintext
	var admitted []time.Time
	const minutes = 8
	for range minutes * 60 {
		if r.get("/me", key).status == http.StatusOK {
			admitted = append(admitted, r.clock.now())
		}
		r.clock.add(time.Second)
	}
	if n := len(admitted); n < minutes*10 || n > minutes*10+20 {
		t.Errorf("%d were admitted within %d minutes", n, minutes)
	}
	for i, first := range admitted {
		if i+20 < len(admitted) && admitted[i+20].Sub(first) < time.Minute {
			t.Errorf("21 were admitted within %s", admitted[i+20].Sub(first))
		}
	}
}

func TestClientThatPausesAtZeroRemainingIsNeverThrottled(t *testing.T) {
	t.Parallel()
	r := newFixture(t, setting{silent: true})
	r.landlord("ada@example.com", developer.Plan{Tier: developer.Starter, Sustained: new(15), Burst: new(30)})
	key := *r.key("ada@example.com", access.Test).Plaintext
	for range 150 {
		a := r.get("/me", key)
		a.ok(t, &struct{}{})
		if a.number(t, "X-RateLimit-Remaining") == 0 {
			r.clock.ns.Store(int64(a.number(t, "X-RateLimit-Reset")) * int64(time.Second))
		}
		r.clock.add(7 * time.Millisecond)
	}
}

func TestEveryResponseHasCallersRateLimitHeaders(t *testing.T) {
	t.Parallel()
	r := newFixture(t, setting{})
	r.landlord("ada@example.com", developer.Plan{Tier: developer.Pro})
	s := seeded{1, access.Test}
	for _, c := range []struct {
		request string
		status  int
	}{
		{"GET /properties", 200},
		{"HEAD /properties", 200},
		{"GET /properties/" + s.id("prop", 1), 200},
		{"GET /properties?limit=0", 400},
		{"GET /properties/none", 404},
		{"GET /none", 404},
		{"GET /", 404},
		{"GET ", 404},
		{"DELETE /properties", 405},
		{"OPTIONS /properties", 405},
		{"GET /me", 200},
		{"GET /openapi.json", 200},
		{"POST /openapi.json", 405},
	} {
		key := *r.key("ada@example.com", access.Test).Plaintext
		method, path, _ := strings.Cut(c.request, " ")
		a := r.do(method, path, key)
		if a.status != c.status {
			t.Errorf("%s: status %d", c.request, a.status)
		}
		if limit, left := a.number(t, "X-RateLimit-Limit"), a.number(t, "X-RateLimit-Remaining"); limit != 600 ||
			left != 599 || a.number(t, "X-RateLimit-Reset") != int(noon.Unix())+61 {
			t.Errorf("%s: limit %d, %d left", c.request, limit, left)
		}
		left := r.do(method, path, "").number(t, "X-RateLimit-Remaining")
		next := r.do(method, path, strangersKey())
		if next.number(t, "X-RateLimit-Limit") != 600 || next.number(t, "X-RateLimit-Remaining") != left-1 {
			t.Errorf("%s: after %d left to the address, %d are", c.request, left,
				next.number(t, "X-RateLimit-Remaining"))
		}
	}
}

func TestInternalErrorHasRateLimitHeaders(t *testing.T) {
	t.Parallel()
	r := newFixture(t, setting{})
	key := r.someone()
	r.exec("ALTER TABLE properties RENAME TO lost_properties")
	a := r.get("/properties", key)
	a.expect(t, http.StatusInternalServerError, "internal")
	if a.number(t, "X-RateLimit-Limit") != 1_000_000 || a.number(t, "X-RateLimit-Remaining") != 999_999 {
		t.Errorf("the key's limit is %v", a.header)
	}
	r.exec("ALTER TABLE api_keys RENAME TO lost_keys")
	for range 2 {
		a = r.get("/properties", key)
		a.expect(t, http.StatusInternalServerError, "internal")
		if a.number(t, "X-RateLimit-Limit") != 600 || a.number(t, "X-RateLimit-Remaining") != 600 {
			t.Errorf("a key that could not be looked up is counted: %v", a.header)
		}
	}
}

func TestExhaustedAddressThrottlesOnlyUnauthenticatedCalls(t *testing.T) {
	t.Parallel()
	r := newFixture(t, setting{silent: true})
	r.landlord("ada@example.com", developer.Plan{Tier: developer.Starter})
	k := r.key("ada@example.com", access.Test)
	var admitted, throttled atomic.Int64
	var all sync.WaitGroup
	for hand := range 8 {
		wrong := []string{"", "short", strangersKey()}[hand%3]
		all.Go(func() {
			for range 155 {
				a, err := r.try(http.MethodGet, "/me", wrong, "")
				switch {
				case err != nil:
					t.Error(err)
				case a.status == http.StatusUnauthorized:
					admitted.Add(1)
				default:
					throttled.Add(1)
					a.expect(t, http.StatusTooManyRequests, "rate_limited")
				}
			}
		})
	}
	all.Wait()
	if admitted.Load() != 1200 || throttled.Load() != 40 {
		t.Errorf("%d were admitted and %d throttled", admitted.Load(), throttled.Load())
	}
	r.get("/openapi.json", "").expect(t, http.StatusTooManyRequests, "rate_limited")
	r.get("/nowhere", "").expect(t, http.StatusTooManyRequests, "rate_limited")
	a := r.get("/me", *k.Plaintext)
	a.ok(t, &struct{}{})
	if a.number(t, "X-RateLimit-Remaining") != 59 {
		t.Errorf("the key pays for its address: %v", a.header)
	}
	must(t, r.developer.RevokeKey(t.Context(), k.ID))
	r.get("/me", *k.Plaintext).expect(t, http.StatusTooManyRequests, "rate_limited")
	r.clock.add(time.Minute)
	r.get("/me", *k.Plaintext).expect(t, http.StatusUnauthorized, "revoked_api_key")
}

func TestEachAPIKeyHasItsOwnRateLimit(t *testing.T) {
	t.Parallel()
	r := newFixture(t, setting{})
	r.landlord("ada@example.com", developer.Plan{Tier: developer.Starter, Sustained: new(1), Burst: new(20)})
	one, other := *r.key("ada@example.com", access.Test).Plaintext, *r.key("ada@example.com", access.Test).Plaintext
	for range 20 {
		r.get("/me", one).ok(t, &struct{}{})
	}
	r.get("/me", one).expect(t, http.StatusTooManyRequests, "rate_limited")
	r.get("/me", other).ok(t, &struct{}{})
}

func TestPlanUpgradeUnthrottlesImmediately(t *testing.T) {
	t.Parallel()
	r := newFixture(t, setting{})
	r.landlord("ada@example.com", developer.Plan{Tier: developer.Starter, Sustained: new(1), Burst: new(20)})
	key := *r.key("ada@example.com", access.Test).Plaintext
	for range 20 {
		r.get("/me", key).ok(t, &struct{}{})
	}
	r.get("/me", key).expect(t, http.StatusTooManyRequests, "rate_limited")
	must(t, r.developer.SetPlan(t.Context(), "ada@example.com", developer.Plan{Tier: developer.Pro}))
	r.get("/me", key).ok(t, &struct{}{})
}

func TestMeMatchesRateLimitHeaders(t *testing.T) {
	t.Parallel()
	r := newFixture(t, setting{})
	r.landlord("ada@example.com", developer.Plan{
		Tier:      developer.Starter,
		Sustained: new(3),
		Burst:     new(20),
		Units:     new(7),
	})
	key := *r.key("ada@example.com", access.Live).Plaintext
	for i := range 20 {
		var me struct {
			Limits struct{ Sustained, Burst, Remaining, Reset int }
			Units  struct{ Used, Limit int }
		}
		a := r.get("/me", key)
		a.ok(t, &me)
		if me.Limits.Sustained != a.number(t, "X-RateLimit-Limit") || me.Limits.Burst != 20 ||
			me.Limits.Remaining != a.number(t, "X-RateLimit-Remaining") ||
			me.Limits.Reset != a.number(t, "X-RateLimit-Reset") {
			t.Errorf("%+v, but the headers say %v", me.Limits, a.header)
		}
		if want := max(0, 2-i); me.Limits.Remaining != want || me.Units.Limit != 7 {
			t.Errorf("request %d: %+v", i, me)
		}
		r.clock.add(100 * time.Millisecond)
	}
}

func TestForwardedAddressesAreTrustedOnlyFromProxies(t *testing.T) {
	t.Parallel()
	left := func(r *fixture, forwarded string) int {
		a := r.do(
			http.MethodGet,
			"/me",
			"",
			"X-Forwarded-For",
			forwarded,
			"X-Real-Ip",
			"192.0.2.77",
			"Forwarded",
			"for=192.0.2.78",
		)
		return a.number(t, "X-RateLimit-Remaining")
	}
	t.Run("without a proxy nobody chooses an address", func(t *testing.T) {
		t.Parallel()
		r := newFixture(t, setting{})
		for i, forwarded := range []string{
			"", "192.0.2.1", "192.0.2.2, 192.0.2.3", "2001:db8::1", "127.0.0.1", "rubbish",
		} {
			if got := left(r, forwarded); got != 599-i {
				t.Errorf("%q: %d left", forwarded, got)
			}
		}
	})
	t.Run("behind a proxy the last address counts that is none of ours", func(t *testing.T) {
		t.Parallel()
		_, loopback, err := net.ParseCIDR("127.0.0.0/8")
		must(t, err)
		r := newFixture(t, setting{
			address: echo.ExtractIPFromXFFHeader(
				echo.TrustLoopback(false),
				echo.TrustLinkLocal(false),
				echo.TrustPrivateNet(false),
				echo.TrustIPRange(loopback),
			),
		})
		for _, c := range []struct {
			forwarded string
			left      int
		}{
			{"192.0.2.1", 599},
			{"192.0.2.2", 599},
			{"192.0.2.1", 598},
			{"198.51.100.9, 192.0.2.1", 597},
			{"192.0.2.1, 127.0.0.9", 596},
			{"10.0.0.1", 599},
			{"10.0.0.2, 10.0.0.1", 598},
			{"2001:db8:0:1::1", 599},
			{"2001:db8:0:1:ffff::2", 598},
			{"2001:db8:0:2::1", 599},
			{"::ffff:192.0.2.2", 598},
			{"", 599},
			{"127.0.0.1", 598},
		} {
			if got := left(r, c.forwarded); got != c.left {
				t.Errorf("%q: %d left, want %d", c.forwarded, got, c.left)
			}
		}
	})
}
