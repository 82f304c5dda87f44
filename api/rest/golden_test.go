package rest_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/developer"
	"portal/api/portfolio/records"
	"portal/api/rest"
)

var update = flag.Bool("update", false, "write the golden files anew")

// golden compares with a file of testdata.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name+".golden")
	if *update {
		must(t, os.MkdirAll(filepath.Dir(path), 0o755))
		must(t, os.WriteFile(path, got, 0o644))
		return
	}
	want, err := os.ReadFile(path)
	must(t, err)
	if bytes.Equal(want, got) {
		return
	}
	w, g := strings.Split(string(want), "\n"), strings.Split(string(got), "\n")
	for i := range max(len(w), len(g)) {
		if i >= len(w) || i >= len(g) || w[i] != g[i] {
			t.Fatalf("%s differs from line %d on (-update writes it anew)\nwant %s\n got %s",
				path, i+1, at(w, i), at(g, i))
		}
	}
}

func at(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return "(end)"
}

var (
	requestID = regexp.MustCompile(`req_[0-9A-Z]{26}`)
	ownIDs    = regexp.MustCompile(`(key|acct)_[0-9A-Z]{26}`)
	keyPrefix = regexp.MustCompile(`sk_(test|live)_pm_\w{6}"`)
	dated     = regexp.MustCompile(`(?m)^Date: .*\r\n`)
)

// shown is an answer for a golden file: what differs from run to run is replaced,
// and the body is indented, which changes no token of it.
func shown(t *testing.T, raw string) []byte {
	t.Helper()
	head, body, ok := strings.Cut(raw, "\r\n\r\n")
	if !ok {
		t.Fatalf("no answer of HTTP: %q", raw)
	}
	if ids := requestID.FindAllString(raw, -1); len(ids) == 0 || len(slices.Compact(ids)) != 1 {
		t.Errorf("the request has the ids %q", ids)
	}
	var out bytes.Buffer
	out.WriteString(strings.ReplaceAll(dated.ReplaceAllString(head+"\r\n", ""), "\r\n", "\n") + "\n")
	if body != "" {
		must(t, json.Indent(&out, []byte(body), "", "  "))
		out.WriteByte('\n')
	}
	text := requestID.ReplaceAll(out.Bytes(), []byte("req_(new)"))
	text = ownIDs.ReplaceAll(text, []byte("${1}_(new)"))
	return keyPrefix.ReplaceAll(text, []byte(`sk_${1}_pm_(new)"`))
}

// wire is a request as the golden files have it.
func wire(method, path, authorization string) string {
	if authorization != "" {
		authorization = "Authorization: " + authorization + "\r\n"
	}
	return method + " " + rest.Base + path + " HTTP/1.1\r\nHost: portal.example.com\r\n" + authorization +
		"Connection: close\r\n\r\n"
}

func TestOperationResponsesMatchGolden(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		r.landlord("ada@example.com", developer.Plan{Tier: developer.Pro})
		s := seeded{1, access.Test}
		answers := map[string]string{
			"list_properties":             "GET /properties",
			"list_properties_first_page":  "GET /properties?limit=1&status=active",
			"list_properties_empty":       "GET /properties?city=Nowhere",
			"get_property":                "GET /properties/" + s.id("prop", 1),
			"get_property_bare":           "GET /properties/" + s.id("prop", 2),
			"head_property":               "HEAD /properties/" + s.id("prop", 1),
			"list_tenants":                "GET /tenants",
			"get_tenant":                  "GET /tenants/" + s.id("ten", 1),
			"get_tenant_bare":             "GET /tenants/" + s.id("ten", 2),
			"list_leases":                 "GET /leases",
			"get_lease":                   "GET /leases/" + s.id("lea", 1),
			"get_lease_bare":              "GET /leases/" + s.id("lea", 2),
			"list_lease_templates":        "GET /lease_templates",
			"get_lease_template":          "GET /lease_templates/" + s.id("tpl", 1),
			"get_lease_template_bare":     "GET /lease_templates/" + s.id("tpl", 2),
			"list_maintenance_tickets":    "GET /maintenance/tickets",
			"get_maintenance_ticket":      "GET /maintenance/tickets/" + s.id("tkt", 1),
			"get_maintenance_ticket_bare": "GET /maintenance/tickets/" + s.id("tkt", 2),
			"list_payments":               "GET /payments",
			"list_payments_second_page":   "GET /payments?limit=1&starting_after=" + s.id("pay", 1),
			"head_payments_first_page":    "HEAD /payments?limit=1&type=fee",
			"get_payment":                 "GET /payments/" + s.id("pay", 1),
			"get_payment_bare":            "GET /payments/" + s.id("pay", 2),
			"list_webhook_endpoints":      "GET /webhooks/endpoints",
			"get_webhook_endpoint":        "GET /webhooks/endpoints/" + s.id("we", 1),
			"get_webhook_endpoint_bare":   "GET /webhooks/endpoints/" + s.id("we", 2),
			"list_webhook_deliveries":     "GET /webhooks/deliveries",
			"get_webhook_delivery":        "GET /webhooks/deliveries/" + s.id("del", 1),
			"get_webhook_delivery_bare":   "GET /webhooks/deliveries/" + s.id("del", 2),
			"list_events":                 "GET /events?type=lease.signed",
			"get_event":                   "GET /events/" + s.id("evt", 1),
			"get_me_test":                 "GET /me",
		}
		for name, request := range answers {
			method, path, _ := strings.Cut(request, " ")
			authorization := "Bearer " + *r.key("ada@example.com", access.Test).Plaintext
			golden(t, "answers/"+name, shown(t, r.raw(wire(method, path, authorization))))
		}
		live := r.key("ada@example.com", access.Live, "payments")
		golden(t, "answers/get_me_live", shown(t, r.raw(wire("GET", "/me", "Bearer "+*live.Plaintext))))
		golden(
			t,
			"answers/list_properties_live",
			shown(t, r.raw(wire("GET", "/properties", "Bearer "+*live.Plaintext))),
		)
	})
}

func TestErrorResponsesMatchGolden(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		r.landlord("ada@example.com", developer.Plan{Tier: developer.Starter, Sustained: new(5), Burst: new(20)})
		fresh := func() string { return "Bearer " + *r.key("ada@example.com", access.Test).Plaintext }
		revoked, spent := r.key("ada@example.com", access.Test), fresh()
		must(t, r.developer.RevokeKey(t.Context(), revoked.ID))
		for range 20 {
			r.raw(wire("GET", "/me", spent))
		}
		for _, c := range []struct{ name, request, authorization string }{
			{"missing_api_key", "GET /properties", ""},
			{"malformed_api_key", "GET /properties", "Bearer sk_test_pm_short"},
			{"unknown_api_key", "GET /properties", "Bearer " + strangersKey()},
			{"revoked_api_key", "GET /properties", "Bearer " + *revoked.Plaintext},
			{"rate_limited", "GET /properties", spent},
			{"rate_limited_head", "HEAD /properties", spent},
			{"invalid_field", "GET /payments?limit=500", fresh()},
			{
				"invalid_fields",
				"GET /payments?overdue=maybe&stat=due&due_after=2026-02-30&limit=0&status=paid&limit=1",
				fresh(),
			},
			{"invalid_cursor", "GET /payments?starting_after=pay_1", fresh()},
			{"unknown_parameter", "GET /properties?stat=TX", fresh()},
			{"not_found_property", "GET /properties/prop_1", fresh()},
			{"not_found_tenant", "GET /tenants/ten_1", fresh()},
			{"not_found_lease", "GET /leases/lea_1", fresh()},
			{"not_found_maintenance_ticket", "GET /maintenance/tickets/tkt_1", fresh()},
			{"not_found_payment", "GET /payments/pay_1", fresh()},
			{"not_found_webhook_endpoint", "GET /webhooks/endpoints/we_1", fresh()},
			{"route_not_found", "GET /propertys", fresh()},
			{"method_not_allowed", "PUT /properties", fresh()},
			{"method_not_allowed_without_any_key", "PUT /properties", ""},
		} {
			method, path, _ := strings.Cut(c.request, " ")
			golden(t, "refusals/"+c.name, shown(t, r.raw(wire(method, path, c.authorization))))
		}
		soon := r.expiring("ada@example.com", time.Minute)
		r.clock.add(time.Minute)
		golden(t, "refusals/expired_api_key", shown(t, r.raw(wire("GET", "/properties", "Bearer "+soon))))
	})
}

func TestInternalErrorMatchesGolden(t *testing.T) {
	t.Parallel()
	r := newFixture(t, setting{tenants: func(s records.Store) records.Store { return panicking{s} }})
	r.landlord("ada@example.com", developer.Plan{Tier: developer.Pro})
	key := *r.key("ada@example.com", access.Test).Plaintext
	golden(t, "refusals/internal", shown(t, r.raw(wire("GET", "/tenants", "Bearer "+key))))
}

// expiring makes a key that expires after a while.
func (r *fixture) expiring(email string, after time.Duration) string {
	r.t.Helper()
	k, err := r.developer.CreateKey(context.Background(), email,
		developer.KeyCreate{
			Name:      "Short-lived",
			Mode:      access.Test,
			ExpiresAt: new(clock.At(r.clock.now().Add(after))),
		})
	must(r.t, err)
	return *k.Plaintext
}
