package main

import (
	"net/http"
	"strings"
	"testing"
)

// everyMethod has the methods of HTTP, one of WebDAV and one that nobody knows.
var everyMethod = []string{
	"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND", "FROBNICATE",
}

var (
	unknownPaths = []string{
		"/nothing",
		"/nothing/at/all",
		"//",
		"/%00",
		"/test",
		"/test/nothing",
		"/docs/nothing",
		"/static/nothing",
		"/mcp/nothing",
		"/api",
		"/api/",
		"/api/v1",
		"/api/v1/properties",
		"/api/v2/external/properties",
		"/api/v1/external",
		"/api/v1/external/nothing",
	}
	knownPaths = []string{
		"/",
		"/docs",
		"/sign-in",
		"/sign-up",
		"/overview",
		"/keys",
		"/test/properties",
		"/live/leases",
		"/openapi.json",
		"/api/v1/external/properties",
		"/api/v1/external/me",
		"/api/v1/external/leases/lea_1",
		"/mcp",
		"/healthz",
		"/readyz",
	}
)

func TestNoMethodOrPathCausesServerError(t *testing.T) {
	eachDatabase(t, func(t *testing.T, s *httpServer) {
		signedIn := newPlainBrowser(t, s.server.http.Handler, demoLandlord, s.demo.Password)
		var cookies []string
		for _, c := range signedIn.cookies {
			cookies = append(cookies, c.Name+"="+c.Value)
		}
		for who, headers := range map[string]http.Header{
			"nobody": {},
			"a key":  {"Authorization": {"Bearer " + s.demo.TestKey}, "Accept": {"application/json"}},
			"a browser": {
				"Cookie":         {strings.Join(cookies, "; ")},
				"Accept":         {"text/html"},
				"Sec-Fetch-Site": {"same-origin"},
			},
		} {
			for _, path := range append(unknownPaths, knownPaths...) {
				for _, method := range everyMethod {
					for _, kind := range []string{"", "application/json", "application/x-www-form-urlencoded"} {
						h := headers.Clone()
						if kind != "" {
							h.Set("Content-Type", kind)
						}
						a := s.send(t, method, path, strings.Repeat("{}", min(1, len(kind))), h)
						if a.StatusCode >= 500 {
							t.Errorf("%s: %s %s with the type %q: %s %.200s", who, method, path, kind, a.Status, a.body)
						}
					}
				}
			}
		}
		s.noErrors(t)
	})
}
