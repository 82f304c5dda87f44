package web

import "portal/web/page"

// navigation is all places, in the order in which they are needed. Those of guests are
// for somebody who is not signed in.
var navigation = []page.NavGroup{
	{Title: "", Audience: page.Member, Items: []page.NavItem{
		{Path: "/{mode}/overview", Icon: "layout-dashboard", Name: "Overview"},
	}},
	{Title: "Build", Audience: page.Member, Items: []page.NavItem{
		{Path: "/access", Icon: "shield-check", Name: "API access"},
		{Path: "/keys", Icon: "key-round", Name: "API keys"},
		{Path: "/{mode}/webhooks", Icon: "webhook", Name: "Webhooks"},
		{Path: "/{mode}/events", Icon: "zap", Name: "Events"},
		{Path: "/{mode}/logs", Icon: "scroll-text", Name: "Logs"},
		{Path: "/usage", Icon: "chart-column", Name: "Usage"},
		{Path: "/{mode}/activity", Icon: "bot", Name: "Activity"},
		{Path: "/{mode}/mail", Icon: "mail", Name: "Mail"},
	}},
	{Title: "Portfolio", Audience: page.Member, Items: []page.NavItem{
		{Path: "/{mode}/properties", Icon: "building-2", Name: "Properties"},
		{Path: "/{mode}/leases", Icon: "file-text", Name: "Leases"},
		{Path: "/{mode}/tenants", Icon: "users", Name: "Tenants"},
		{Path: "/{mode}/tickets", Icon: "wrench", Name: "Tickets"},
		{Path: "/{mode}/ledger", Icon: "receipt", Name: "Ledger"},
		{Path: "/{mode}/applications", Icon: "user-plus", Name: "Applications"},
		{Path: "/{mode}/import", Icon: "upload", Name: "Import"},
		{Path: "/test/demo", Icon: "flask-conical", Name: "Test data"},
	}},
	{Title: "Staff", Audience: page.Staff, Items: []page.NavItem{
		{Path: "/staff/requests", Icon: "shield-check", Name: "Requests"},
		{Path: "/staff/properties", Icon: "building-2", Name: "Properties"},
		{Path: "/staff/accounts", Icon: "landmark", Name: "Accounts"},
		{Path: "/staff/jobs", Icon: "activity", Name: "Jobs"},
		{Path: "/staff/status", Icon: "circle-check", Name: "Status"},
		{Path: "/staff/look-up", Icon: "search", Name: "Look-up"},
	}},
	{Title: "Account", Audience: page.SignedIn, Items: []page.NavItem{
		{Path: "/team", Icon: "users-round", Name: "Team"},
		{Path: "/settings", Icon: "settings", Name: "Settings"},
	}},
	{Title: "", Audience: page.SignedIn, Items: []page.NavItem{
		{Path: "/docs", Icon: "book-open", Name: "Docs"},
	}},
	{Title: "", Audience: page.Guest, Items: []page.NavItem{
		{Path: "/docs", Name: "Docs"},
		{Path: "/docs/api", Name: "API reference"},
		{Path: "/docs/errors", Name: "Errors"},
		{Path: "/docs/changelog", Name: "Changelog"},
		{Path: "/sign-in", Name: "Sign in"},
		{Path: "/sign-up", Name: "Sign up"},
	}},
}
