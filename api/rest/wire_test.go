package rest_test

import (
	"bytes"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"testing"

	"portal/api/access"
	"portal/api/rest"
)

func TestEveryRequestHasUniqueID(t *testing.T) {
	t.Parallel()
	r, key := common(t)
	form := regexp.MustCompile(`^req_[0-7][0-9A-HJKMNP-TV-Z]{25}$`)
	var seen sync.Map
	var all sync.WaitGroup
	for range 6 {
		all.Go(func() {
			for _, path := range []string{
				"/me", "/properties/none", "/properties?limit=0", "/nowhere", "/openapi.json",
			} {
				for _, key := range []string{key, ""} {
					a := r.do(
						http.MethodGet,
						path,
						key,
						"X-Request-Id",
						"req_01KA5R2M7Q8D4E6F9G1H3J5K7M",
						"Request-Id",
						"mine",
					)
					id := a.header.Get("X-Request-Id")
					_, twice := seen.LoadOrStore(id, true)
					if twice || !form.MatchString(id) || id == "req_01KA5R2M7Q8D4E6F9G1H3J5K7M" {
						t.Errorf("%s has the id %s", a.to, id)
					}
				}
			}
		})
	}
	all.Wait()
}

func TestConcurrentResponsesNeverMix(t *testing.T) {
	t.Parallel()
	r, key := common(t)
	s := seeded{1, access.Test}
	paths := []string{"/properties", "/properties/" +
		s.id("prop", 1), "/tenants", "/tenants/" +
		s.id("ten", 2), "/leases?limit=1", "/leases/" +
		s.id("lea", 1), "/maintenance/tickets/" +
		s.id("tkt", 1),
		"/payments", "/payments/" + s.id("pay", 2), "/webhooks/endpoints", "/openapi.json", "/payments?overdue=true"}
	want := map[string][]byte{}
	for _, path := range paths {
		want[path] = r.get(path, key).body
	}
	var all sync.WaitGroup
	for hand := range 8 {
		all.Go(func() {
			for i := range 60 {
				path := paths[(hand*7+i*5)%len(paths)]
				if a := r.get(path, key); !bytes.Equal(a.body, want[path]) {
					t.Errorf("%s is answered %.200s", path, a.body)
				}
			}
		})
	}
	all.Wait()
}

func TestResponseBodyIsSingleLineJSON(t *testing.T) {
	t.Parallel()
	r, key := common(t)
	s := seeded{1, access.Test}
	for _, path := range []string{
		"/maintenance/tickets", "/maintenance/tickets/" + s.id("tkt", 1), "/tenants",
		"/properties/none", "/properties?%0A=1", "/me",
	} {
		head, body, _ := strings.Cut(r.raw(wire("GET", path, "Bearer "+key)), "\r\n\r\n")
		if decoded(t, []byte(body)); strings.ContainsAny(body, "\r\n\t") {
			t.Errorf("%s: the body has several lines: %q", path, body)
		}
		for _, spelled := range []string{
			"X-Request-Id: ", "X-RateLimit-Limit: ", "X-RateLimit-Remaining: ",
			"X-RateLimit-Reset: ", "Content-Type: application/json\r\n",
		} {
			if !strings.Contains(head, "\r\n"+spelled) {
				t.Errorf("%s: no header is spelled %q", path, spelled)
			}
		}
	}
}

func TestAPIOwnsOnlyItsPaths(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]bool{
		rest.Base:          true,
		rest.Base + "/":    true,
		rest.Base + "/x":   true,
		rest.Base + "x":    false,
		"/":                false,
		"":                 false,
		"/api/v1":          false,
		"/x" + rest.Base:   false,
		"/API/v1/external": false,
	} {
		if rest.Owns(path) != want {
			t.Errorf("Owns(%q) is %v", path, !want)
		}
	}
	r, _ := common(t)
	res, err := r.server.Client().Get(r.server.URL + rest.Base + "x")
	must(t, err)
	defer res.Body.Close()
	if res.Header.Get("X-Request-Id") != "" {
		t.Error("a path beside the surface is answered by it")
	}
}
