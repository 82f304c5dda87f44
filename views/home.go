// Package views draws the pages that belong to no section: the front page and the
// component page.
//
// It knows nothing of requests, records or rules; its caller has decided what is shown.
package views

import "portal/views/kit"

// plans are the limits of the plans (docs/site/limits.md).
var plans = []struct{ name, sustained, burst, units string }{
	{"Starter", "60", "120", "25"},
	{"Pro", "600", "1,200", "250"},
	{"Prime", "3,000", "6,000", "2,500"},
}

func firstRequest(api string) string {
	return "curl -H \"Authorization: Bearer $PORTAL_TEST_KEY\" \\\n  " + api + "/properties"
}

func firstWrite(api string) string {
	return "curl " + api + `/maintenance/tickets \
  -H "Authorization: Bearer $PORTAL_TEST_KEY" \
  -H "Idempotency-Key: 8f2c6b1e0d9a4f7d" \
  -H "Content-Type: application/json" \
  -d '{
    "unit_id": "unit_01KA5R2M7Q8D4E6F9G1H3J5K7M",
    "description": "The kitchen tap drips all night."
  }'`
}

// surface is a way to use the product.
type surface struct {
	id, icon, title, words string
	link                   kit.Link
}

var surfaces = []surface{
	{
		"rest", "code-xml", "REST API",
		"Predictable JSON, cursor pagination, one error format, and an OpenAPI document for your client generator.",
		kit.Link{Name: "API reference", Path: "/docs/api"},
	},
	{
		"hear", "webhook", "Signed webhooks",
		"Sent as soon as a lease is signed, rent clears, or a tenant reports a repair, and retried for 24 hours.",
		kit.Link{Name: "Webhook guide", Path: "/docs/webhooks"},
	},
	{
		"tools", "bot", "AI assistants",
		"The same records and permissions as MCP tools. Assistants preview a change before they make it.",
		kit.Link{Name: "Connect with MCP", Path: "/docs/assistants"},
	},
}

// demoFacts are of the demo portfolio (api/portfolio/demo).
var demoFacts = []string{
	"44 properties, 120 units, and a year of rent",
	"Trigger payments, signatures, and repairs to test your webhooks",
	"Test keys never touch live records, money, or email",
}

// attemptFacts are of deliveries (docs/webhooks.md).
var attemptFacts = []string{
	"HMAC signatures that the Stripe and Standard Webhooks libraries verify",
	"Requests and responses are kept for 90 days",
	"Test on localhost without a tunnel",
}

// testEvents are what triggers of a demo portfolio do.
var testEvents = []struct{ icon, title, name string }{
	{"wrench", "A tenant reports a repair", "maintenance.created"},
	{"credit-card", "A rent payment clears", "payment.succeeded"},
	{"pen-line", "All parties sign a lease", "lease.signed"},
}

// attempts are those of a delivery, the newest first.
var attempts = []struct{ name, tone, icon, answer, took string }{
	{"Attempt 3", "ok", "check", "200 OK", "212 ms"},
	{"Attempt 2", "bad", "x", "500 Internal Server Error", "5 ms"},
	{"Attempt 1", "bad", "x", "500 Internal Server Error", "32 ms"},
}

func firstAssistant(mcp string) string {
	return "claude mcp add --transport http portal " + mcp +
		" \\\n  --header \"Authorization: Bearer $PORTAL_TEST_KEY\""
}

const firstEvent = `X-Service-Signature: t=1793636411,v1=7d0c3a…

{
  "id": "evt_01KA5R2M7Q8D4E6F9G1H3J5K7M",
  "type": "payment.succeeded",
  "mode": "live",
  "data": {
    "object": {
      "id": "pay_01KA5R2M7Q8D4E6F9G1H3J5K7M",
      "status": "succeeded",
      "amount": 1450.0
    }
  }
}`

// Home is the front page.
type Home struct {
	kit.Frame
	API     string     // address of the REST surface
	MCP     string     // address for assistants
	Actions []kit.Link // what a reader does next, the most likely first; none where nobody can sign in
}
