package views

// Design is the gallery of components: each of them once, with made-up records. It
// is what the tests of the look are run on.
type Design struct {
	Frame
	Form    Form
	Filters []Field
	Pages   Pages
	Times   []Time
	Never   Time
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

var designStatuses = []Status{{Done, "Active"}, {Waiting, "Rolls over tomorrow"}, {Failed, "Revoked"}}

var designBars = Chart{ID: "requests", Title: "Requests by key", About: "Most requests came from Ledger export.", Unit: "requests",
	Labels: []string{"Nov 1", "Nov 2", "Nov 3", "Nov 4", "Nov 5", "Nov 6", "Nov 7", "Nov 8", "Nov 9", "Nov 10", "Nov 11", "Nov 12"},
	Series: []Series{
		{"Ledger export", []float64{420, 380, 410, 560, 610, 240, 120, 480, 530, 720, 690, 510}},
		{"CI", []float64{80, 120, 60, 90, 140, 20, 0, 110, 130, 160, 90, 70}},
		{"Assistant", []float64{12, 30, 22, 8, 0, 0, 4, 40, 36, 22, 18, 9}},
	}, Limit: 800, Named: "Sustained limit of the plan"}

var designLines = Chart{ID: "latency", Title: "Time of an answer", About: "The slowest twentieth rose on Nov 4.", Unit: "ms", Lines: true,
	Labels: []string{"Nov 1", "Nov 2", "Nov 3", "Nov 4", "Nov 5", "Nov 6", "Nov 7"},
	Series: []Series{
		{"Half of all", []float64{82, 79, 90, 140, 95, 88, 84}},
		{"19 of 20", []float64{210, 190, 260, 870, 310, 240, 220}},
	}}

var designSteps = []Step{
	{Title: "Apply for access", Words: "A person reads what you want to build.", Done: true},
	{Title: "Create a key", Words: "A test key opens a demo portfolio at once.", Now: true, Action: Link{"Create a key", "/keys/new"}},
	{Title: "Receive an event", Words: "Register an address and have a test event sent to it."},
}
