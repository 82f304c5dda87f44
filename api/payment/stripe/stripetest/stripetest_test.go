package stripetest_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"portal/api/payment/stripe/stripetest"
)

const key = "sk_live_of_the_test"

type client struct {
	*stripetest.Server
	t    *testing.T
	base string
}

func newClient(t *testing.T) client {
	t.Helper()
	now := time.Date(2027, 3, 1, 12, 0, 0, 0, time.UTC)
	s := stripetest.New(key, func() time.Time { return now })
	web := httptest.NewServer(s)
	t.Cleanup(web.Close)
	return client{s, t, web.URL}
}

// ask makes a request, and is the answer or the error in it.
func (c client) ask(method, path, body string, headers ...string) (status int, answer map[string]any) {
	c.t.Helper()
	r, err := http.NewRequestWithContext(c.t.Context(), method, c.base+"/v1/"+path, strings.NewReader(body))
	if err != nil {
		c.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+key)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		c.t.Fatal(err)
	}
	defer res.Body.Close()
	if err := json.NewDecoder(res.Body).Decode(&answer); err != nil {
		c.t.Fatal(err)
	}
	if e, is := answer["error"].(map[string]any); is {
		answer = e
	}
	return res.StatusCode, answer
}

func TestAnIdempotencyKeyIsOfOneRequest(t *testing.T) {
	t.Parallel()
	c := newClient(t)
	account := c.AddAccount()
	send := func(body, key string) (int, map[string]any) {
		return c.ask("POST", "customers", body, "Stripe-Account", account, "Idempotency-Key", key)
	}
	_, first := send("metadata[a]=1", "k")
	if status, again := send("metadata[a]=1", "k"); status != http.StatusOK || again["id"] != first["id"] {
		t.Errorf("the same request: %d, %v", status, again)
	}
	if status, e := send("metadata[a]=2", "k"); status != http.StatusBadRequest || e["type"] != "idempotency_error" {
		t.Errorf("another request: %d, %v", status, e)
	}
	if _, other := send("metadata[a]=1", "l"); other["id"] == first["id"] {
		t.Error("another key made the same customer")
	}
}

func TestWhatStripeDoesNotKnowIsRefused(t *testing.T) {
	t.Parallel()
	c := newClient(t)
	account, other := c.AddAccount(), c.AddAccount()
	_, customer := c.ask("POST", "customers", "", "Stripe-Account", account)
	id, _ := customer["id"].(string)
	for name, try := range map[string]struct {
		method, path, body string
		headers            []string
		status             int
		code               any
	}{
		"a parameter": {
			"POST", "customers", "emial=x", []string{"Stripe-Account", account}, http.StatusBadRequest,
			"parameter_unknown",
		},
		"an address": {"GET", "customer", "", []string{"Stripe-Account", account}, http.StatusNotFound, nil},
		"an account": {
			"POST", "customers", "", []string{"Stripe-Account", "acct_x"}, http.StatusForbidden, "account_invalid",
		},
		"no account": {"POST", "customers", "", nil, http.StatusForbidden, "account_invalid"},
		"a key":      {"POST", "customers", "", []string{"Authorization", "Bearer x"}, http.StatusUnauthorized, nil},
		"an object of another account": {
			"POST", "checkout/sessions", "mode=setup&success_url=https://x.example&customer=" + id,
			[]string{"Stripe-Account", other}, http.StatusNotFound, "resource_missing",
		},
		"a field to expand": {
			"GET", "balance_transactions?expand[0]=data.source.nothing", "", []string{"Stripe-Account", account},
			http.StatusBadRequest, nil,
		},
	} {
		if name == "a field to expand" {
			c.Charged(account, 1, "")
			c.Payout(account)
		}
		status, e := c.ask(try.method, try.path, try.body, try.headers...)
		if status != try.status || e["code"] != try.code || e["message"] == nil {
			t.Errorf("%s: %d, %v", name, status, e)
		}
	}
}

func TestAPageIsOpenForHalfAnHourToADay(t *testing.T) {
	t.Parallel()
	c := newClient(t)
	account := c.AddAccount()
	open := func(at time.Time) int {
		status, _ := c.ask("POST", "checkout/sessions", "mode=setup&success_url=https://x.example&expires_at="+
			strconv.FormatInt(at.Unix(), 10), "Stripe-Account", account)
		return status
	}
	now := time.Date(2027, 3, 1, 12, 0, 0, 0, time.UTC)
	for after, want := range map[time.Duration]int{
		29 * time.Minute: http.StatusBadRequest,
		30 * time.Minute: http.StatusOK,
		24 * time.Hour:   http.StatusOK,
		25 * time.Hour:   http.StatusBadRequest,
	} {
		if got := open(now.Add(after)); got != want {
			t.Errorf("%s: %d, not %d", after, got, want)
		}
	}
}
