package web

// navigation is all places, in the order in which they are needed. Those of guests are
// for who is not signed in.
var navigation = []group{
	{"", member, []place{
		{path: "/overview", name: "Overview"},
	}},
	{"Developers", member, []place{
		{path: "/access", name: "API access"},
		{path: "/keys", name: "API keys"},
		{path: "/{mode}/webhooks", name: "Webhooks"},
		{path: "/{mode}/events", name: "Events"},
		{path: "/{mode}/logs", name: "Logs"},
		{path: "/usage", name: "Usage"},
		{path: "/{mode}/activity", name: "Activity"},
		{path: "/{mode}/mail", name: "Mail"},
	}},
	{"Portfolio", member, []place{
		{path: "/{mode}/search", name: "Search"},
		{path: "/{mode}/properties", name: "Properties"},
		{path: "/{mode}/tenants", name: "Tenants"},
		{path: "/{mode}/leases", name: "Leases"},
		{path: "/{mode}/tickets", name: "Tickets"},
		{path: "/{mode}/ledger", name: "Ledger"},
		{path: "/{mode}/applications", name: "Applications"},
		{path: "/{mode}/import", name: "Import"},
		{path: "/test/demo", name: "Demo portfolio"},
	}},
	{"Staff", staff, []place{
		{path: "/staff/requests", name: "Requests"},
		{path: "/staff/properties", name: "Properties"},
		{path: "/staff/accounts", name: "Accounts"},
		{path: "/staff/jobs", name: "Jobs"},
		{path: "/staff/look-up", name: "Look-up"},
	}},
	{"Account", person, []place{
		{path: "/team", name: "Team"},
		{path: "/settings", name: "Settings"},
	}},
	{"Documentation", person, []place{
		{path: "/docs", name: "Docs"},
		{path: "/docs/errors", name: "Error codes"},
	}},
	{"", guest, []place{
		{path: "/", name: "Overview"},
		{path: "/docs", name: "Docs"},
		{path: "/docs/errors", name: "Errors"},
		{path: "/sign-in", name: "Sign in"},
	}},
}
