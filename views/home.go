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
	return "curl -H \"Authorization: Bearer $PORTAL_TEST_KEY\" \\\n" + api + "/properties"
}

const firstAnswer = `{
  "object": "list",
  "data": [
    {
      "id": "prop_01KA5R2M7Q8D4E6F9G1H3J5K7M",
      "street_address": "1420 Maple Avenue",
      "city": "Austin",
      "state": "TX",
      "unit_count": 8
    }
  ],
  "has_more": true,
  "next_cursor": "prop_01KA5R2M7Q8D4E6F9G1H3J5K7M"
}`

// demoSize is what a demo portfolio has.
const demoSize = "44 properties, 120 units"

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
