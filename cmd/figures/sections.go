package main

import (
	"maps"
	"slices"
	"strings"
)

// section is a part of the page. Its prose is the template of its name.
type section struct {
	name     string // what -only takes
	commands []string
	figures  []figures
}

// figures are units of a benchmark that its section needs.
type figures struct {
	benchmark string // {db} in it stands for both databases
	units     string // with spaces between them
}

// databases are what {db} stands for in the name of a benchmark, or one empty text without it.
func databases(benchmark string) []string {
	if strings.Contains(benchmark, "{db}") {
		return []string{"sqlite", "postgres"}
	}
	return []string{""}
}

func inDatabase(benchmark, db string) string { return strings.ReplaceAll(benchmark, "{db}", db) }

func ofPostgres(name string) bool { return strings.Contains(name, "/postgres") }

// declared are the names of the figures of the section, as they are reported.
func (s section) declared() (names []string) {
	for _, f := range s.figures {
		for _, db := range databases(f.benchmark) {
			for unit := range strings.FieldsSeq(f.units) {
				names = append(names, inDatabase(f.benchmark, db)+" "+unit)
			}
		}
	}
	return names
}

// pageGroups are the pages that share a row of the table, as the benchmark names their figures.
var pageGroups = map[string]string{
	"lists": "/live/properties_ms /live/properties?sort=address_ms /live/tenants_ms /live/tenants?sort=name_ms " +
		"/live/leases_ms /live/leases?sort=ending_ms /live/tickets_ms /live/tickets?sort=updated_ms",
	"narrowed lists": "/live/properties?search=elm+77_ms /live/properties?city=waco&status=active_ms " +
		"/live/tenants?search=whitfield+99_ms /live/leases?search=whitfield+99_ms /live/leases?search=9977+elm_ms " +
		"/live/tickets?search=9977+elm_ms /live/tickets?search=kitchen_ms",
	"ledger": "/live/ledger_ms /live/ledger?sort=due_ms /live/ledger?sort=newest_ms",
	"narrowed ledger": "/live/ledger?overdue=true_ms /live/ledger?overdue=false_ms " +
		"/live/ledger?status=succeeded&sort=due_ms /live/ledger?status=failed_ms " +
		"/live/ledger?due_after=2030-01-01_ms /live/ledger?search=9977+elm_ms /live/ledger?search=elm_ms",
	"palette": "/live/palette?q=whitfield+9977_ms /live/palette?q=elm_ms /live/search?q=whitfield_ms",
	"developer": "/live/webhooks_ms /live/webhooks/deliveries_ms /live/events_ms /live/activity_ms /live/mail_ms " +
		"/usage_ms /keys_ms /team_ms /settings_ms",
	"log":    "/live/logs_ms /live/logs?method=DELETE_ms /live/logs?path=rare_ms /live/logs?status=5xx_ms",
	"public": "/_ms /docs_ms /docs/errors_ms /docs/search?q=rent_ms /status_ms",
}

// sections are those of the page, in its order. On two cores all of them take some 15 minutes.
var sections = []section{
	{
		name:     "list",
		commands: []string{`go test ./cmd/load -vet=off -run '^$' -bench '^BenchmarkListOf20$' -benchtime 3x`},
		figures: []figures{
			{"BenchmarkListOf20/properties=10000", listUnits},
			{"BenchmarkListOf20/properties=1000000", listUnits},
		},
	},
	{
		name:     "compression",
		commands: []string{`go test ./cmd/load -vet=off -run '^$' -bench '^BenchmarkCompression$' -benchtime 3x`},
		figures: []figures{
			{"BenchmarkCompression/payments", "identity/s gzip_times gzip_bytes"},
			{"BenchmarkCompression/docs", "identity/s gzip_times gzip_bytes"},
			{"BenchmarkCompression/openapi", "identity/s gzip_times br_times gzip_bytes br_bytes"},
		},
	},
	{
		name: "filters",
		commands: []string{
			`go test ./db -vet=off -run '^$' -bench '^BenchmarkListProperties$|^BenchmarkRanges$' -benchtime 100x`,
		},
		figures: filterFigures,
	},
	{
		name:     "search",
		commands: []string{`go test ./cmd/load -vet=off -run '^$' -bench '^BenchmarkSearch$' -benchtime 2x`},
		figures: []figures{{
			"BenchmarkSearch/{db}",
			"properties_ms properties_rare_ms properties_prefix_ms properties_state_ms properties_common_ms " +
				"properties_two_ms properties_none_ms properties_worst_ms tenants_ms tenants_rare_ms " +
				"tenants_phone_ms tenants_name_ms tenants_common_ms",
		}},
	},
	{
		name: "writes",
		commands: []string{
			`go test ./db -vet=off -run '^$' -bench '^BenchmarkGroupCommit$' -benchtime 3x`,
			`go test ./api/rest -vet=off -run '^$' -bench '^BenchmarkWrite$' -benchtime 5x`,
			`go test ./api/rest -vet=off -run '^$' -bench '^BenchmarkWriteBesideDocuments$' -benchtime 3x`,
		},
		figures: []figures{
			{"BenchmarkGroupCommit", "alone/s together/s ratio writes/commit"},
			{"BenchmarkWrite/update_property", "writes/s bare/s ratio"},
			{"BenchmarkWrite/create_ticket", "writes/s bare/s ratio"},
			{"BenchmarkWriteBesideDocuments", "writes/s share bare-share"},
		},
	},
	{
		name: "tools",
		commands: []string{
			`go test ./api/mcp -vet=off -run '^$' -bench '^BenchmarkBesideTheOfficialSDK$' -benchtime 2x`,
		},
		figures: []figures{
			{"BenchmarkBesideTheOfficialSDK/list_tools", toolUnits},
			{"BenchmarkBesideTheOfficialSDK/get_property", toolUnits},
			{"BenchmarkBesideTheOfficialSDK/list_properties", toolUnits},
			{"BenchmarkBesideTheOfficialSDK/list_leases", toolUnits},
			{"BenchmarkBesideTheOfficialSDK/get_portfolio_summary", toolUnits},
		},
	},
	{
		name: "deliveries",
		commands: []string{
			`go test ./api/webhook/dispatch -vet=off -run '^$' -bench '^BenchmarkDeliveries$' -benchtime 2x`,
			`go test ./api/webhook/dispatch -vet=off -run '^$' -bench '^BenchmarkCommitToArrival$' -benchtime 200x`,
			`go test ./api/webhook/dispatch -vet=off -run '^$' -bench '^BenchmarkQuietBesideNoise$' -benchtime 1x`,
			`go test ./api/webhook/dispatch -vet=off -run '^$' -bench '^BenchmarkRaiseToNoted$' -benchtime 1x`,
			`go test ./api/webhook/dispatch -vet=off -run '^$' ` +
				`-bench '^BenchmarkQuietBesideBadEndpoints$/.*/.*/500/start' -benchtime 1x`,
		},
		figures: []figures{
			{"BenchmarkDeliveries/{db}/dispatcher", "deliveries/s"},
			{"BenchmarkDeliveries/{db}/river", "deliveries/s"},
			{"BenchmarkCommitToArrival/{db}", "ms-median ms-bare ratio"},
			{"BenchmarkQuietBesideNoise/{db}", quietUnits},
			{"BenchmarkRaiseToNoted/{db}", "events/s deliveries/s bare-inserts/s"},
			{"BenchmarkQuietBesideBadEndpoints/{db}/hanging/500/start", quietUnits},
			{"BenchmarkQuietBesideBadEndpoints/{db}/slow/500/start", quietUnits},
			{"BenchmarkQuietBesideBadEndpoints/{db}/alternating/500/start", quietUnits},
		},
	},
	{
		name:     "pages",
		commands: []string{`go test ./cmd/load -vet=off -run '^$' -bench '^BenchmarkPages10k$' -benchtime 1x`},
		figures: []figures{
			{"BenchmarkPages10k/{db}", "/healthz_ms /live/overview_ms slowest_linked_ms linked_pages"},
			{"BenchmarkPages10k/{db}", strings.Join(slices.Collect(maps.Values(pageGroups)), " ")},
		},
	},
	{
		name: "charges",
		commands: []string{
			`go test ./cmd/load -vet=off -run '^$' -bench '^BenchmarkCharges10k$' -benchtime 1x`,
			`go test ./cmd/load -vet=off -run '^$' -bench '^BenchmarkTwoYearsOfTheClock$' -benchtime 1x`,
		},
		figures: []figures{
			{
				"BenchmarkCharges10k/{db}",
				"idle_ms charge_ms patch_alone_ms patch_alone_p99_ms patch_beside_ms patch_beside_p99_ms " +
					"patches_beside/s",
			},
			{"BenchmarkTwoYearsOfTheClock/{db}", "wall_ms cpu_ms rows bare_ms times"},
		},
	},
	{
		name: "memory",
		commands: []string{
			`go run ./cmd/load -memory -for 30s`,
			`go test ./cmd/load -vet=off -run '^$' -bench '^BenchmarkStart$' -benchtime 5x`,
		},
		figures: []figures{
			{"memory after the start", "own-MB resident-MB heap-MB"},
			{"memory peak of the first second", "own-MB"},
			{"memory under load", "own-MB resident-MB heap-MB"},
			{"memory and at rest", "own-MB resident-MB heap-MB"},
			{"BenchmarkStart", "start_ms bare_start_ms stop_ms bare_stop_ms own_MB bare_own_MB"},
		},
	},
	{
		name: "import",
		commands: []string{
			`go test ./api/portfolio/rentroll -vet=off -run '^$' -bench '^BenchmarkImport100k$' -benchtime 1x`,
		},
		figures: []figures{{"BenchmarkImport100k/{db}", "units/s ratio peak-MB"}},
	},
}

const (
	listUnits = "req/s bare_req/s of_bare middle_of_bare last_of_bare state_of_bare city_of_bare type_of_bare " +
		"status_of_bare state_middle_of_bare city_state_of_bare"
	toolUnits  = "µs/call B/call times-as-fast times-less-memory"
	quietUnits = "ms-alone ms-beside ms-beside-p99 ratio"
)

// filterFigures are those of the filters, each of the query alone.
var filterFigures = []figures{
	{"BenchmarkListProperties/10000/first/none", "ns/op"},
	{"BenchmarkListProperties/10000/last/none", "ns/op"},
	{"BenchmarkListProperties/10000/first/state", "ns/op"},
	{"BenchmarkListProperties/10000/first/state+city", "ns/op"},
	{"BenchmarkListProperties/10000/first/city_absent", "ns/op"},
	{"BenchmarkListProperties/10000/first/updated_after_none", "ns/op"},
	{"BenchmarkRanges/leases", "ns/op"},
	{"BenchmarkRanges/ending_before_none", "ns/op"},
	{"BenchmarkRanges/payments", "ns/op"},
	{"BenchmarkRanges/due_before_none", "ns/op"},
	{"BenchmarkRanges/overdue", "ns/op"},
}
