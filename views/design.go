package views

import "portal/views/kit"

// Design is the page of all components: each of them once, with made-up records. It
// is what the tests of the look are run on.
type Design struct {
	kit.Frame
	Form    kit.Form
	Filters []kit.Field
	Pages   kit.Pages
	Times   []kit.Time
	Never   kit.Time
}

const designBody = `{
  "id": "evt_01KA5R2M7Q8D4E6F9G1H3J5K7M",
  "object": "event",
  "type": "payment.succeeded",
  "created_at": "2026-11-02T16:20:11.482Z",
  "mode": "live",
  "data": {"object": {"id": "pay_01KA5R2M7Q8D4E6F9G1H3J5K7M", "object": "payment", "status": "succeeded", "amount": 1450.0, "currency": "USD"}}
}`

const designCurl = `curl -H "Authorization: Bearer sk_test_pm_9Xb2…" \
  https://portal.example/api/v1/external/properties`

var designKeys = []struct{ name, prefix, scopes, spent string }{
	{"Continuous integration of the accounting export", "sk_test_pm_9Xb2", "read", "1,204"},
	{"Ledger export", "sk_live_pm_Qm7a", "read, write, payments", "48,112"},
	{"Old laptop", "sk_test_pm_u0Fe", "read, write", "0"},
}

var designStatuses = []kit.Status{
	{Tone: kit.Done, Text: "Active"},
	{Tone: kit.Waiting, Text: "Rolls over tomorrow"},
	{Tone: kit.Failed, Text: "Revoked"},
}

var designBars = kit.Chart{
	ID:    "requests",
	Title: "Requests by key",
	About: "Most requests came from Ledger export.",
	Unit:  "requests",
	Labels: []string{
		"Nov 1", "Nov 2", "Nov 3", "Nov 4", "Nov 5", "Nov 6", "Nov 7", "Nov 8", "Nov 9", "Nov 10",
		"Nov 11", "Nov 12",
	},
	Series: []kit.Series{
		{
			Name:   "Ledger export",
			Values: []float64{420, 380, 410, 560, 610, 240, 120, 480, 530, 720, 690, 510},
		},
		{Name: "CI", Values: []float64{80, 120, 60, 90, 140, 20, 0, 110, 130, 160, 90, 70}},
		{Name: "Assistant", Values: []float64{12, 30, 22, 8, 0, 0, 4, 40, 36, 22, 18, 9}},
	},
	Limit: 800,
	Named: "Sustained limit of the plan",
}

var designLines = kit.Chart{
	ID:     "latency",
	Title:  "Time of an answer",
	About:  "The slowest twentieth rose on Nov 4.",
	Unit:   "ms",
	Lines:  true,
	Labels: []string{"Nov 1", "Nov 2", "Nov 3", "Nov 4", "Nov 5", "Nov 6", "Nov 7"},
	Series: []kit.Series{
		{Name: "Half of all", Values: []float64{82, 79, 90, 140, 95, 88, 84}},
		{Name: "19 of 20", Values: []float64{210, 190, 260, 870, 310, 240, 220}},
	},
}

var designSteps = []kit.Step{
	{Title: "Apply for access", Words: "A person reads what you want to build.", Done: true},
	{
		Title:  "Create a key",
		Words:  "A test key opens a demo portfolio at once.",
		Now:    true,
		Action: kit.Link{Name: "Create key", Path: "/keys/new"},
	},
	{Title: "Receive an event", Words: "Register an address and have a test event sent to it."},
}

var designDefinitions = []kit.Definition{
	{Name: "code", What: "What went wrong, exactly. An entry of the error dictionary."},
	{Name: "message", What: "The same for a person: what is wrong with this request and what to do."},
	{Name: "request_id", What: "Names this request. Tell it to support."},
}

var designFields = []kit.Field{
	{
		Name:  "shown",
		Label: "Name",
		Value: "Ledger export",
		Hint:  "What uses the key, and where.",
	},
	{
		Name:  "faulty",
		Label: "Address",
		Kind:  "url",
		Value: "http://crm.example.org",
		Error: "Use an https:// address.",
		Hint:  "A public address that answers within 10 seconds.",
	},
	{Name: "optional", Label: "Description", Optional: true},
	{
		Name:  "fixed",
		Label: "Account",
		Value: "Maple Avenue Rentals",
		Fixed: true,
	},
	{
		Name:  "events",
		Label: "Events",
		Kind:  "checks",
		Error: "Select at least one event.",
		Choices: []kit.Choice{
			{Value: "payment.succeeded", Label: "payment.succeeded", Hint: "A payment went through."},
			{Value: "lease.signed", Label: "lease.signed", Hint: "All parties have signed."}},
	},
}

var designExchange = kit.Exchange{
	Command: designCurl,
	Request: kit.Message{
		Headers: []kit.HeaderLine{
			{Name: "Accept", Value: "application/json"},
			{Name: "Authorization", Value: "Bearer …", Hidden: true},
		},
		Body: kit.Body{Absent: "The request had no body."},
	},
	Answer: kit.Message{
		Headers: []kit.HeaderLine{{Name: "Content-Type", Value: "application/json"}},
		Body:    kit.Body{Text: designBody, Exact: designBody},
	},
}
