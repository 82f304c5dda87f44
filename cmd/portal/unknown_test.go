package main

import (
	"net/http"
	"strings"
	"testing"
)

func TestAPIAndUnknownJSONPathsReturnErrorEnvelope(t *testing.T) {
	t.Parallel()
	s := startHTTP(t)
	const json, all, html = "application/json", "*/*", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
	for _, c := range []struct {
		method, path, accept string
		right                string // address that the message names
		page                 bool   // or a page answers
	}{
		{"GET", "/api", all, "/api/v1/external", false},
		{"GET", "/api/", html, "/api/v1/external", false},
		{"GET", "/api/v1", json, "/api/v1/external", false},
		{"GET", "/api/v1/properties", json, "/api/v1/external/properties", false},
		{"GET", "/api/v1/properties?limit=2", html, "/api/v1/external/properties", false},
		{"POST", "/api/v1/properties", all, "/api/v1/external/properties", false},
		{"DELETE", "/api/properties/prop_1", all, "/api/v1/external/properties/prop_1", false},
		{"GET", "/api/external/tenants", all, "/api/v1/external/tenants", false},
		{"GET", "/api/v2/external/leases", all, "/api/v1/external/leases", false},
		{"GET", "/properties", json, "/api/v1/external/properties", false},
		{
			"GET", "/v1/webhooks/endpoints", "application/json, text/plain, */*",
			"/api/v1/external/webhooks/endpoints", false,
		},
		{"POST", "/external/tenants/invite", json, "/api/v1/external/tenants/invite", false},
		{"GET", "/api/nothing", all, "", false},
		{"GET", "/nothing", json, "", false},
		{"PUT", "/nothing", "application/json;q=0.9", "", false},
		{"GET", "/docs/nothing", json, "", false},
		{"GET", "/nothing", all, "", true},
		{"GET", "/nothing", html, "", true},
		{"GET", "/nothing", "text/html, application/json;q=0.5", "", true},
		{"GET", "/nothing", "application/json;q=0", "", true},
		{"GET", "/docs/nothing", html, "", true},
	} {
		t.Run(c.method+" "+c.path+" for "+c.accept, func(t *testing.T) {
			t.Parallel()
			a := s.send(t, c.method, c.path, "", http.Header{"Accept": {c.accept}})
			if a.StatusCode != http.StatusNotFound || a.Header.Get("X-Request-Id") == "" {
				t.Fatalf("%s with the id %q: %s", a.Status, a.Header.Get("X-Request-Id"), a.body)
			}
			kind := a.Header.Get("Content-Type")
			if strings.HasPrefix(kind, "text/html") != c.page || !c.page && kind != json {
				t.Fatalf("the answer is %s: %.200s", kind, a.body)
			}
			if c.page {
				return
			}
			if !strings.Contains(a.body, `"code":"route_not_found"`) || a.Header.Get("X-RateLimit-Limit") == "" {
				t.Errorf("%v %s", a.Header, a.body)
			}
			if c.right != "" && !strings.Contains(a.body, s.product.config.baseURL+c.right+" ") {
				t.Errorf("the message does not name %s: %s", c.right, a.body)
			}
			if c.right == "" && strings.Contains(a.body, "/api/v1/external/nothing") {
				t.Errorf("the message names what is not there: %s", a.body)
			}
		})
	}
	a := s.send(t, "DELETE", "/docs", "", http.Header{"Accept": {json}})
	if a.StatusCode != http.StatusMethodNotAllowed ||
		!strings.Contains(a.body, `"code":"method_not_allowed"`) || !strings.Contains(a.Header.Get("Allow"), "GET") {
		t.Errorf("another method on a page: %s, Allow %q: %s", a.Status, a.Header.Get("Allow"), a.body)
	}
}

// A client of the API or of MCP that has the address wrong by a little is told the right one,
// whatever it asks for: it does not read a page.
func TestClientsOfMCPThatAskTheWrongAddressAreToldTheRightOne(t *testing.T) {
	t.Parallel()
	s := startHTTP(t)
	const all, html, stream = "*/*", "text/html", "text/event-stream"
	for _, c := range []struct {
		method, path, accept, kind, right string
	}{
		{"POST", "/mcp/", all, "application/json", "/mcp "},
		{"POST", "/mcp/", html, "", "/mcp "},
		{"GET", "/mcp/", html, "", "/mcp "},
		{"DELETE", "/mcp/", all, "", "/mcp "},
		{"OPTIONS", "/mcp/", all, "", "/mcp "},
		{"POST", "/mcp/messages", all, "application/json", "/mcp "},
		{"GET", "/mcp/sse", stream, "", "/mcp "},
		{"GET", "/mcp/sse", html, "", "/mcp "},
		{"POST", "/mcp/register", all, "application/json", "/mcp "},
		{"GET", "/sse", stream, "", "/mcp "},
		{"GET", "/sse", "application/json, text/event-stream", "", "/mcp "},
		{"POST", "/messages?sessionId=1", all, "application/json; charset=utf-8", "/mcp "},
		{"POST", "/register", all, "application/json", "/mcp "},
		{"POST", "/token", "application/json", "application/x-www-form-urlencoded", "/mcp "},
		{"POST", "/api/v1/mcp", all, "application/json", "/mcp "},
		{"POST", "/v1/mcp/", all, "application/json", "/mcp "},
		{"POST", "/properties", html, "application/json", "/api/v1/external/properties "},
		{"POST", "/nothing", all, "application/merge-patch+json", "/docs/api."},
		{"GET", "/nothing", "text/event-stream;q=0.9", "", "/docs/api."},
	} {
		t.Run(c.method+" "+c.path+" for "+c.accept, func(t *testing.T) {
			t.Parallel()
			header := http.Header{"Accept": {c.accept}}
			if c.kind != "" {
				header.Set("Content-Type", c.kind)
			}
			a := s.send(t, c.method, c.path, "{}", header)
			if a.StatusCode != http.StatusNotFound || a.Header.Get("Content-Type") != "application/json" {
				t.Fatalf("%s, %s: %.200s", a.Status, a.Header.Get("Content-Type"), a.body)
			}
			if right := s.product.config.baseURL + c.right; !strings.Contains(a.body, right) ||
				!strings.Contains(a.body, `"code":"route_not_found"`) {
				t.Errorf("the message does not name %s: %s", right, a.body)
			}
		})
	}
	a := s.send(t, "POST", "/", `{"jsonrpc":"2.0"}`, http.Header{"Content-Type": {"application/json"}})
	if a.StatusCode != http.StatusMethodNotAllowed || !strings.Contains(a.body, s.product.config.baseURL+"/mcp.") {
		t.Errorf("a message to the first page: %s: %.200s", a.Status, a.body)
	}
	a = s.send(t, "POST", "/nothing", "a=b", http.Header{
		"Content-Type": {"application/x-www-form-urlencoded"}, "Accept": {html},
	})
	if !strings.HasPrefix(a.Header.Get("Content-Type"), "text/html") {
		t.Errorf("a browser that sends a form is answered %s", a.Header.Get("Content-Type"))
	}
}
