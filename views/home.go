package views

// What the key can read, by path below the address of the REST surface.
var reads = []pair{
	{"/properties", "Buildings with their address, kind and number of units; a single one comes with its units."},
	{"/tenants", "People who rent, did or will: contact details, unit and leases."},
	{"/leases", "Dates, rent, deposit and status of each lease."},
	{"/maintenance/tickets", "Repairs: what is broken, category, priority and status."},
	{"/payments", "Rows of the rent ledger: rent, deposits and fees, with status and method."},
	{"/webhooks/endpoints", "The addresses registered for events."},
	{"/me", "The key itself: its scopes, plan, limits and usage."},
}

// The plans' limits (service.md, Rate limits; decisions.md 3).
var plans = []struct{ name, sustained, burst string }{
	{"Starter", "60", "120"},
	{"Pro", "600", "1,200"},
	{"Prime", "3,000", "6,000"},
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
