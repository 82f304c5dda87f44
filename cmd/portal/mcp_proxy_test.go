package main

import (
	"bytes"
	"io"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"testing"
)

// keyed is an address of MCP for a checker that can send no key: what arrives there
// goes on to the server with one. Where it names the address itself, it then names
// that of the server; foreign hosts and origins go on as they are.
func (s *service) keyed(t *testing.T) string {
	t.Helper()
	target, err := url.Parse(s.vars["PORTAL_URL"])
	if err != nil {
		t.Fatal(err)
	}
	front := httptest.NewUnstartedServer(nil)
	own := front.Listener.Addr().String()
	front.Config.Handler = &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(target)
		r.Out.Body = whole(t, r.In.Body)
		if r.In.Host != own {
			r.Out.Host = r.In.Host
		}
		if r.In.Header.Get("Origin") == "http://"+own {
			r.Out.Header.Set("Origin", target.String())
		}
		r.Out.Header.Set("Authorization", "Bearer "+s.vars["PORTAL_LIVE_KEY"])
	}}
	front.Start()
	t.Cleanup(front.Close)
	return front.URL + "/mcp"
}

// whole reads a body before it goes on: an answer that comes while somebody still
// looks for the body's end would be cut off.
func whole(t *testing.T, body io.Reader) io.ReadCloser {
	b, err := io.ReadAll(body)
	if err != nil {
		t.Error(err)
	}
	return io.NopCloser(bytes.NewReader(b))
}
