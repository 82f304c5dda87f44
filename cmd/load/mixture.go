package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// mixture is what a landlord's integration, assistants and people do at the same time: reads,
// writes with keys, calls of tools, pages, and deliveries to a receiver.
type mixture struct {
	demo     *demo
	receiver *httptest.Server
	received atomic.Int64
	property string // that tickets are of

	mu       sync.Mutex
	statuses map[int]int // 0: no answer
}

// Each client goes through these in turn.
var (
	apiReads = []string{
		"properties",
		"payments?limit=100",
		"leases?limit=50",
		"tenants",
		"maintenance/tickets?status=open",
		"webhooks/deliveries",
	}
	pageReads = []string{
		"/test/overview",
		"/docs",
		"/test/properties",
		"/test/leases",
		"/test/tenants",
		"/docs/errors",
		"/test/events",
		"/usage",
		"/keys",
		"/team",
	}
	toolCalls = []string{
		`{"name":"list_properties","arguments":{}}`, `{"name":"get_portfolio_summary","arguments":{}}`,
		`{"name":"list_leases","arguments":{"limit":20}}`,
	}
	ticketTexts = []string{
		"The kitchen tap drips all night.",
		"Watter is driping from the ceiling in the bathroom",
		"No hay agua caliente desde ayer",
	}
)

func newMixture(ctx context.Context, d *demo) (*mixture, error) {
	m := &mixture{demo: d, statuses: map[int]int{}}
	_, body := m.api(ctx, http.DefaultClient, http.MethodGet, "properties?limit=1", "")
	found := regexp.MustCompile(`"id":"(prop_\w+)"`).FindStringSubmatch(body)
	if found == nil {
		return nil, errors.New("the demo has no property")
	}
	m.property = found[1]
	m.receiver = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		m.received.Add(1)
		w.WriteHeader(http.StatusNoContent)
	}))
	status, body := m.api(ctx, http.DefaultClient, http.MethodPost, "webhooks/endpoints", fmt.Sprintf(
		`{"url":%q,"events":["maintenance.created"]}`, m.receiver.URL))
	if status != http.StatusCreated {
		return nil, fmt.Errorf("no endpoint was added: %d %s", status, body)
	}
	return m, nil
}

// run is one client: it signs in and then does everything in turn until the context ends.
func (m *mixture) run(ctx context.Context, client int) {
	jar, _ := cookiejar.New(nil) // fails with options alone
	c := &http.Client{Jar: jar, Transport: &http.Transport{}}
	defer c.CloseIdleConnections()
	m.signIn(ctx, c)
	for n := client; ctx.Err() == nil; n++ {
		for i := range 4 {
			m.api(ctx, c, http.MethodGet, apiReads[(n+i)%len(apiReads)], "")
		}
		m.api(ctx, c, http.MethodPost, "maintenance/tickets", fmt.Sprintf(`{"property_id":%q,"description":%q}`,
			m.property, ticketTexts[n%len(ticketTexts)]))
		m.api(ctx, c, http.MethodPatch, "properties/"+m.property, fmt.Sprintf(`{"year_built":%d}`, 1950+n%70))
		m.api(ctx, c, http.MethodPost, "test_helpers/events", `{"type":"maintenance.created"}`)
		m.tool(ctx, c, toolCalls[n%len(toolCalls)])
		m.tool(ctx, c, toolCalls[(n+1)%len(toolCalls)])
		for i := range 3 {
			m.page(ctx, c, pageReads[(n+i)%len(pageReads)])
		}
	}
}

func (m *mixture) api(ctx context.Context, c *http.Client, method, path, body string) (int, string) {
	return m.do(ctx, c, method, "/api/v1/external/"+path, body, func(h http.Header) {
		h.Set("Authorization", "Bearer "+m.demo.said["PORTAL_TEST_KEY"])
		if body != "" {
			h.Set("Content-Type", "application/json")
			h.Set("Idempotency-Key", rand.Text())
		}
	})
}

func (m *mixture) tool(ctx context.Context, c *http.Client, call string) {
	m.do(ctx, c, http.MethodPost, "/mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":`+call+
		`}`, func(h http.Header) {
		h.Set("Authorization", "Bearer "+m.demo.said["PORTAL_TEST_KEY"])
		h.Set("Content-Type", "application/json")
		h.Set("Accept", "application/json, text/event-stream")
	})
}

func (m *mixture) page(ctx context.Context, c *http.Client, path string) string {
	_, body := m.do(ctx, c, http.MethodGet, path, "", func(http.Header) {})
	return body
}

var hidden = regexp.MustCompile(`<input type="hidden" name="([^"]+)" value="([^"]*)"`)

func (m *mixture) signIn(ctx context.Context, c *http.Client) {
	form := url.Values{
		"email":    {m.demo.said["PORTAL_DEMO_LANDLORD"]},
		"password": {m.demo.said["PORTAL_DEMO_PASSWORD"]},
	}
	for _, field := range hidden.FindAllStringSubmatch(m.page(ctx, c, "/sign-in"), -1) {
		form.Set(field[1], field[2])
	}
	m.do(ctx, c, http.MethodPost, "/sign-in", form.Encode(), func(h http.Header) {
		h.Set("Content-Type", "application/x-www-form-urlencoded")
		h.Set("Sec-Fetch-Site", "same-origin")
	})
}

// do sends a request and counts its answer.
func (m *mixture) do(
	ctx context.Context, c *http.Client, method, path, body string, head func(http.Header),
) (int, string) {
	request, err := http.NewRequestWithContext(ctx, method, m.demo.url+path, strings.NewReader(body))
	if err != nil {
		return m.count(0), ""
	}
	head(request.Header)
	response, err := c.Do(request)
	if ctx.Err() != nil {
		return 0, "" // the end of the load is no failure
	}
	if err != nil {
		return m.count(0), ""
	}
	defer response.Body.Close() //nolint:errcheck // only read
	text, err := io.ReadAll(response.Body)
	if err != nil && ctx.Err() == nil {
		return m.count(0), ""
	}
	return m.count(response.StatusCode), string(text)
}

func (m *mixture) count(status int) int {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.statuses[status]++
	return status
}

// String tells what was answered and delivered.
func (m *mixture) String() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	var b strings.Builder
	for _, status := range slices.Sorted(maps.Keys(m.statuses)) {
		fmt.Fprintf(&b, "%d answers of status %d\n", m.statuses[status], status)
	}
	fmt.Fprintf(&b, "%d deliveries received\n", m.received.Load())
	return b.String()
}
