package web

import "portal/web/page"

// navigation is all places, in the order in which they are needed. Those of guests are
// for who is not signed in.
var navigation = []page.Group{
	{Title: "", Audience: page.Member, Places: []page.Place{
		{Path: "/overview", Name: "Overview"},
	}},
	{Title: "Developers", Audience: page.Member, Places: []page.Place{
		{Path: "/access", Name: "API access"},
		{Path: "/keys", Name: "API keys"},
		{Path: "/{mode}/webhooks", Name: "Webhooks"},
		{Path: "/{mode}/events", Name: "Events"},
		{Path: "/{mode}/logs", Name: "Logs"},
		{Path: "/usage", Name: "Usage"},
		{Path: "/{mode}/activity", Name: "Activity"},
		{Path: "/{mode}/mail", Name: "Mail"},
	}},
	{Title: "Portfolio", Audience: page.Member, Places: []page.Place{
		{Path: "/{mode}/search", Name: "Search"},
		{Path: "/{mode}/properties", Name: "Properties"},
		{Path: "/{mode}/tenants", Name: "Tenants"},
		{Path: "/{mode}/leases", Name: "Leases"},
		{Path: "/{mode}/tickets", Name: "Tickets"},
		{Path: "/{mode}/ledger", Name: "Ledger"},
		{Path: "/{mode}/applications", Name: "Applications"},
		{Path: "/{mode}/import", Name: "Import"},
		{Path: "/test/demo", Name: "Demo portfolio"},
	}},
	{Title: "Staff", Audience: page.Staff, Places: []page.Place{
		{Path: "/staff/requests", Name: "Requests"},
		{Path: "/staff/properties", Name: "Properties"},
		{Path: "/staff/accounts", Name: "Accounts"},
		{Path: "/staff/jobs", Name: "Jobs"},
		{Path: "/staff/look-up", Name: "Look-up"},
	}},
	{Title: "Account", Audience: page.SignedIn, Places: []page.Place{
		{Path: "/team", Name: "Team"},
		{Path: "/settings", Name: "Settings"},
	}},
	{Title: "Documentation", Audience: page.SignedIn, Places: []page.Place{
		{Path: "/docs", Name: "Docs"},
		{Path: "/docs/errors", Name: "Error codes"},
	}},
	{Title: "", Audience: page.Guest, Places: []page.Place{
		{Path: "/", Name: "Overview"},
		{Path: "/docs", Name: "Docs"},
		{Path: "/docs/errors", Name: "Errors"},
		{Path: "/sign-in", Name: "Sign in"},
	}},
}
