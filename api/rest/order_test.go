package rest_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"portal/api/access"
	"portal/api/developer"
)

// absent is an id that has the right form and no record.
func absent(prefix string) string { return prefix + "_01KA5R2M7Q8D4E6F9G1H3J5K7M" }

func TestFirstFailingCheckWins(t *testing.T) {
	t.Parallel()
	r := newFixture(t, setting{})
	for _, op := range r.api.Operations() {
		if op.Name == "get_lease" {
			op.Scope = access.Write
		}
	}
	r.landlord("ada@example.com", developer.Plan{Tier: developer.Starter, Sustained: new(1), Burst: new(20)})
	reader, writer := r.key("ada@example.com", access.Test), r.key("ada@example.com", access.Test, "write")
	wrong := "/leases/" + absent("lea") + "?limit=no"

	a, err := r.try(http.MethodGet, wrong, *reader.Plaintext, "") // the document knows get_lease as it was
	must(t, err)
	f := a.expect(t, http.StatusForbidden, "scope_required")
	if f.Error.Message !=
		"This needs a key with the scope write; this key has read. Create a key with that scope in the dashboard." {
		t.Errorf("the message is %q", f.Error.Message)
	}
	r.get(wrong, *writer.Plaintext).expect(t, http.StatusBadRequest, "unknown_parameter")
	r.get("/leases/"+absent("lea"), *writer.Plaintext).expect(t, http.StatusNotFound, "not_found")
	for range 19 {
		r.get("/me", *reader.Plaintext).ok(t, &struct{}{})
	}
	r.get(wrong, *reader.Plaintext).expect(t, http.StatusTooManyRequests, "rate_limited")
	r.get("/nowhere", *reader.Plaintext).expect(t, http.StatusTooManyRequests, "rate_limited")
	r.do(http.MethodPut, "/leases", *reader.Plaintext).expect(t, http.StatusTooManyRequests, "rate_limited")
	must(t, r.developer.RevokeKey(t.Context(), reader.ID))
	r.get(wrong, *reader.Plaintext).expect(t, http.StatusUnauthorized, "revoked_api_key")
}

func TestUnknownPathIsRefusedAfterAuthentication(t *testing.T) {
	t.Parallel()
	r, key := common(t)
	own := seeded{1, access.Test}.id("prop", 1)
	for path, code := range map[string]string{
		"":                                    "route_not_found",
		"/":                                   "route_not_found",
		"/propertys":                          "route_not_found",
		"/Properties":                         "route_not_found",
		"/properties/":                        "route_not_found",
		"/properties//":                       "route_not_found",
		"//properties":                        "route_not_found",
		"/properties/" + own + "/":            "route_not_found",
		"/properties/" + own + "/units":       "route_not_found",
		"/properties/../leases":               "route_not_found",
		"/properties/" + own + "//":           "route_not_found",
		"/maintenance":                        "route_not_found",
		"/webhooks/endpoints/we_1/deliver":    "route_not_found",
		"/%70roperties":                       "route_not_found",
		"/openapi.json/":                      "route_not_found",
		"/openapi":                            "route_not_found",
		"/" + strings.Repeat("x/", 30_000):    "route_not_found",
		"/" + strings.Repeat("%C3%A4", 9000):  "route_not_found",
		"/%00%0A%FF":                          "route_not_found",
		"/properties/a%2Fb":                   "not_found",
		"/properties/" + own + "%2F":          "not_found",
		"/properties/%00":                     "not_found",
		"/properties/%FF":                     "not_found",
		"/properties/" + own + "%20":          "not_found",
		"/properties/%20" + own:               "not_found",
		"/properties/" + strings.ToLower(own): "not_found",
		"/properties/" + strings.Repeat("p", 60_000): "not_found",
	} {
		f := r.get(path, key).expect(t, http.StatusNotFound, code)
		if len(f.Error.Message) > 1500 {
			t.Errorf("%.40s: the message has %d bytes", path, len(f.Error.Message))
		}
		r.get(path, "").expect(t, http.StatusUnauthorized, "missing_api_key")
	}
}

func TestPercentEncodedIDIsEquivalent(t *testing.T) {
	t.Parallel()
	r, key := common(t)
	own := seeded{1, access.Test}.id("prop", 1)
	a := r.get("/properties/"+strings.Replace(own, "_", "%5F", 1), key)
	a.ok(t, &struct{}{})
}

// What people guess is answered with what they mean, or that it is not there.
func TestGuessedFieldsAndPathsAreExplained(t *testing.T) {
	t.Parallel()
	r, key := common(t)
	writer := *r.key("ada@example.com", access.Test, "write").Plaintext
	for _, field := range []string{"tenant_ids", "co_tenant_ids"} {
		got := r.send("POST", "/leases/generate", writer, `{"`+field+`":[]}`)
		if !strings.Contains(string(got.body), "did you mean additional_tenant_ids?") {
			t.Errorf("%s: %s", field, got.body)
		}
	}
	got := r.get("/tenants/invitations", key)
	got.expect(t, 404, "not_found")
	if !strings.Contains(string(got.body), "no operation has this path. Such ids begin with ten_.") {
		t.Errorf("%s", got.body)
	}
}

func TestUnsupportedMethodIsRefusedWithAllowHeader(t *testing.T) {
	t.Parallel()
	r, key := common(t)
	own := seeded{1, access.Test}.id("prop", 1)
	for path, allowed := range map[string]string{
		"/properties":                            "GET, HEAD, POST",
		"/properties/" + own:                     "GET, HEAD, PATCH",
		"/properties/none":                       "GET, HEAD, PATCH",
		"/properties/a%2Fb":                      "GET, HEAD, PATCH",
		"/tenants":                               "GET, HEAD",
		"/tenants/invite":                        "POST",
		"/tenants/x":                             "GET, HEAD, PATCH",
		"/leases":                                "GET, HEAD",
		"/leases/x":                              "GET, HEAD, PATCH",
		"/maintenance/tickets":                   "GET, HEAD, POST",
		"/maintenance/tickets/x":                 "GET, HEAD, PATCH",
		"/payments":                              "GET, HEAD",
		"/payments/x":                            "GET, HEAD",
		"/webhooks/endpoints":                    "GET, HEAD, POST",
		"/webhooks/endpoints/x":                  "GET, HEAD, PATCH, DELETE",
		"/webhooks/endpoints/x/test":             "POST",
		"/webhooks/endpoints/x/redeliver_missed": "POST",
		"/webhooks/deliveries":                   "GET, HEAD",
		"/webhooks/deliveries/x":                 "GET, HEAD",
		"/webhooks/deliveries/x/redeliver":       "POST",
		"/events":                                "GET, HEAD",
		"/events/x":                              "GET, HEAD",
		"/test_helpers/clock":                    "POST",
		"/test_helpers/events":                   "POST",
		"/test_helpers/reset":                    "POST",
		"/test_helpers/tenants":                  "POST",
		"/test_helpers/units":                    "POST",
		"/webhooks/endpoints/x/rotate_secret":    "POST",
		"/me":                                    "GET, HEAD",
		"/openapi.json":                          "GET, HEAD",
	} {
		for _, method := range []string{
			"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND",
			"BREW", "get", "Post",
		} {
			if slices.Contains(strings.Split(allowed, ", "), method) {
				continue
			}
			a, nobody := r.do(method, path, key), r.do(method, path, "")
			if a.status != http.StatusMethodNotAllowed || nobody.status != http.StatusUnauthorized {
				t.Errorf("%s %s: status %d with a key, %d without", method, path, a.status, nobody.status)
			}
			if method != http.MethodHead {
				a.expect(t, http.StatusMethodNotAllowed, "method_not_allowed")
				nobody.expect(t, http.StatusUnauthorized, "missing_api_key")
			}
			if allow := a.header.Values("Allow"); len(allow) != 1 || allow[0] != allowed {
				t.Errorf("%s %s: Allow is %q, want %s", method, path, allow, allowed)
			}
			if allow := nobody.header.Values("Allow"); len(allow) > 0 {
				t.Errorf("%s %s tells those without a key what is allowed: %q", method, path, allow)
			}
		}
	}
	for _, request := range []string{
		"POST /nowhere", "OPTIONS /nowhere", "POST /tenants/invite/", "POST /leases/generate/x",
		"DELETE /webhooks/endpoints/x/y",
	} {
		method, path, _ := strings.Cut(request, " ")
		a := r.do(method, path, key)
		a.expect(t, http.StatusNotFound, "route_not_found")
		if a.header.Get("Allow") != "" {
			t.Errorf("%s does not exist and allows a method", request)
		}
	}
}

func TestHeadMatchesGetWithoutBody(t *testing.T) {
	t.Parallel()
	r, key := common(t)
	s := seeded{1, access.Test}
	for _, path := range []string{"/properties", "/properties?limit=1", "/properties/" +
		s.id("prop", 1), "/properties/none", "/properties?limit=0", "/nowhere",
		"/leases/" + s.id("lea", 2), "/me", "/openapi.json"} {
		get, head := r.get(path, key), r.do(http.MethodHead, path, key)
		if head.status != get.status || len(head.body) > 0 {
			t.Errorf("%s: HEAD answers %d with %d bytes, GET %d", path, head.status, len(head.body), get.status)
		}
		for name := range get.header {
			if name == "Date" || name == "X-Request-Id" || name == "X-Ratelimit-Remaining" ||
				name == "Content-Length" && path == "/me" {
				continue
			}
			if head.header.Get(name) != get.header.Get(name) {
				t.Errorf("%s: %s is %q, with GET %q", path, name, head.header.Get(name), get.header.Get(name))
			}
		}
	}
}
