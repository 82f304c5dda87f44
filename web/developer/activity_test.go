package developer_test

import (
	"net/url"
	"strings"
	"testing"

	"portal/api/access"
	"portal/api/developer"
	"portal/web/pagetest"
)

func TestAssistantActivityIsListedWithChanges(t *testing.T) {
	y := pagetest.NewWebhookPages(t)
	r := y.Member(access.Manager)
	r.Says(r.Get("/test/activity"), 200, "No assistant has called a tool yet")
	for range 26 {
		y.Called(func(*developer.ToolCall) {})
	}
	one := y.Called(func(c *developer.ToolCall) {
		c.Tool = "update_lease"
		c.DryRun = true
		c.Change = `[{"field":"monthly_rent","from":1400,"to":1450}]`
		c.RecordID = "lea_1"
	})
	y.Called(func(c *developer.ToolCall) {
		c.Outcome, c.Message = "scope_required", "This needs a key with the scope write."
	})
	for path, want := range map[string]int{
		"":                   25,
		"?kind=preview":      1,
		"?kind=saved":        0,
		"?result=failed":     1,
		"?tool=update_lease": 1,
		"?tool=%00":          0,
		"?key=%00":           0,
		"?from=2026-11-13":   0,
		"?after=%00":         25,
	} {
		if got := strings.Count(r.Get("/test/activity"+path).Body.String(), `href="/test/activity/call_`); got != want {
			t.Errorf("%q lists %d, want %d", path, got, want)
		}
	}
	r.Says(r.Get("/test/activity?kind=saved"), 200, "No calls match these filters")
	page := r.Get("/test/activity/" + one)
	for _, want := range []string{
		"Preview", `"monthly_rent"`, "This was a preview. Nothing was saved.", "Claude 1.2",
		"1.2 ms",
	} {
		r.Says(page, 200, want)
	}
	s := y.Stranger()
	s.Says(s.Get("/test/activity/"+one), 404, "")
	r.Says(r.Get("/live/activity/"+one), 404, "")
	r.Says(r.Get("/test/activity/x%00"), 404, "")
}

func TestToolCallDataNeverRunsAsScript(t *testing.T) {
	y := pagetest.NewWebhookPages(t)
	r := y.Member(access.Owner)
	for _, evil := range pagetest.Hostile {
		at := y.Called(func(c *developer.ToolCall) {
			c.Tool = evil
			c.Client = evil
			c.ClientVersion = evil
			c.UserAgent = evil
			c.Message = evil
			c.Outcome = "not_found"
			c.Protocol = evil
			c.KeyID = evil
		})
		pagetest.Inert(t, r.Get("/test/activity/"+at))
		pagetest.Inert(t, r.Get("/test/activity?tool="+url.QueryEscape(evil)+"&key="+url.QueryEscape(evil)))
	}
	pagetest.Inert(t, r.Get("/test/activity"))
}
