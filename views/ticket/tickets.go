// Package ticket draws the pages of tickets.
//
// It knows nothing of requests, records or rules, nor of other sections’ pages.
package ticket

import "portal/views/kit"

// Tickets are the tickets of a portfolio.
type Tickets struct {
	kit.Frame
	Of      string // whose they are, "" for all
	New     string // address of the form that opens one
	Filters kit.Filters
	Tickets []Line
	Pages   kit.Pages
}

// Line is a ticket in a list.
type Line struct {
	Path     string
	Number   string
	Title    string
	Status   kit.Status
	Priority kit.Status
	Category string
	Site     string
	Age      string
}

// Ticket is the page of one.
type Ticket struct {
	kit.Record
	Description string
	By          string // who wrote it
	Status      kit.Status
	Priority    kit.Status
	Category    string
	Triage      []kit.Term // none where nobody has looked at it
	History     []kit.Moment
	Move        string       // address that changes the status
	Next        []kit.Choice // what may follow
	Version     string
}

// SiteSearch is the step that asks where the work is.
type SiteSearch struct {
	kit.Frame
	Heading kit.Heading
	Filters kit.Filters
	Asked   bool // something was searched for
	Hits    []SiteHit
	Full    bool // there may be more hits
}

// SiteHit is a property that fits.
type SiteHit struct {
	Path    string
	Address string
	City    string
	Name    string // "" for none
	Units   string
}

func ticketTable(t Tickets) kit.Table {
	table := kit.Table{
		Caption: "Tickets",
		Columns: []kit.Column{
			{Name: "Ticket"},
			{Name: "Status"},
			{Name: "Priority"},
			{Name: "Category"},
			{Name: "Place"},
			{Name: "Age", Right: true},
		},
		Rows:  len(t.Tickets),
		Pages: t.Pages,
		Empty: kit.Empty{
			Title:  "No tickets yet",
			Words:  "A ticket is something to be repaired. Tenants write them on their page, programs over the API, and you here.",
			Action: kit.Link{Name: "Open a ticket", Path: t.New},
		},
	}
	if t.Filters.Clear != "" {
		table.Empty = kit.Empty{
			Title:  "No tickets match these filters",
			Words:  "Change or clear the filters to see more.",
			Action: kit.Link{Name: "Show all tickets", Path: t.Filters.Clear},
		}
	}
	return table
}

func hitTable(p SiteSearch) kit.Table {
	return kit.Table{
		Caption: "Properties that fit",
		Columns: kit.Columns("Property", "City", "Units"),
		Rows:    len(p.Hits),
		Empty: kit.Empty{
			Title: "No property fits",
			Words: "Use fewer words, or a part of the street’s name. Archived properties are not found.",
		},
	}
}
