package web_test

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/developer"
	"portal/api/id"
	"portal/db/developerstore"
)

// called is a call of a tool by an assistant.
func (y *webhookPages) called(change func(*developer.ToolCall)) string {
	y.Helper()
	y.now = y.now.Add(time.Second)
	c := developer.ToolCall{ID: id.New(id.Call, y.now), At: clock.At(y.now), AccountID: y.home.AccountID, PortfolioID: y.home.Test.ID, KeyID: "key_1", RequestID: id.New(id.Request, y.now),
		Client: "Claude", ClientVersion: "1.2", Tool: "list_leases", Arguments: `{"limit":5}`, Outcome: developer.Succeeded, Duration: 1200 * time.Microsecond}
	change(&c)
	y.ok(developerstore.NewActivity(y.db).AddToolCalls(y.Context(), []developer.ToolCall{c}))
	return c.ID
}

func TestWhatAnAssistantDidIsListedWithItsChange(t *testing.T) {
	y := newWebhookPages(t)
	r := y.member(access.Manager)
	r.says(r.get("/test/activity"), 200, "No assistant has called a tool yet")
	for range 26 {
		y.called(func(*developer.ToolCall) {})
	}
	one := y.called(func(c *developer.ToolCall) {
		c.Tool, c.DryRun, c.Change, c.RecordID = "update_lease", true, `[{"field":"monthly_rent","from":1400,"to":1450}]`, "lea_1"
	})
	y.called(func(c *developer.ToolCall) {
		c.Outcome, c.Message = "scope_required", "This needs a key with the scope write."
	})
	for path, want := range map[string]int{"": 25, "?kind=preview": 1, "?kind=saved": 0, "?result=failed": 1, "?tool=update_lease": 1, "?tool=%00": 0, "?key=%00": 0, "?from=2026-11-13": 0, "?after=%00": 25} {
		if got := strings.Count(r.get("/test/activity"+path).Body.String(), `href="/test/activity/call_`); got != want {
			t.Errorf("%q lists %d, want %d", path, got, want)
		}
	}
	r.says(r.get("/test/activity?kind=saved"), 200, "No calls match these filters")
	page := r.get("/test/activity/" + one)
	for _, want := range []string{"Preview", `"monthly_rent"`, "this would change, and nothing was saved", "Claude 1.2", "1.2ms"} {
		r.says(page, 200, want)
	}
	s := y.stranger()
	s.says(s.get("/test/activity/"+one), 404, "")
	r.says(r.get("/live/activity/"+one), 404, "")
	r.says(r.get("/test/activity/x%00"), 404, "")
}

func TestNothingThatAnAssistantSaysRuns(t *testing.T) {
	y := newWebhookPages(t)
	r := y.member(access.Owner)
	for _, evil := range hostile {
		at := y.called(func(c *developer.ToolCall) {
			c.Tool, c.Client, c.ClientVersion, c.UserAgent, c.Message, c.Outcome, c.Protocol, c.KeyID = evil, evil, evil, evil, evil, "not_found", evil, evil
		})
		inert(t, r.get("/test/activity/"+at))
		inert(t, r.get("/test/activity?tool="+url.QueryEscape(evil)+"&key="+url.QueryEscape(evil)))
	}
	inert(t, r.get("/test/activity"))
}
