// Package ledger draws the pages of the rent ledger.
//
// It knows nothing of requests, records or rules, nor of other sections’ pages.
package ledger

import "portal/views/kit"

// Ledger are rows of the rent ledger.
type Ledger struct {
	kit.Frame
	Of      string // whose they are, "" for all
	Owed    string // rent that is owed through today
	Filters kit.Filters
	Rows    []kit.ChargeLine
	Pages   kit.Pages
	Leases  string // address of the leases
}

// Charge is the page of a row.
type Charge struct {
	kit.Record
	Sums    []kit.Term
	History []kit.Moment // the newest first
}

func ledgerTable(l Ledger) kit.Table {
	t := kit.Table{
		Caption: "Ledger",
		Pages:   l.Pages,
		Empty: kit.Empty{
			Title:  "No charges yet",
			Words:  "Rent, deposits and fees of all leases are listed here, with what was paid of them.",
			Action: kit.Link{Name: "Go to the leases", Path: l.Leases},
		},
	}
	if l.Filters.Clear != "" {
		t.Empty = kit.Empty{
			Title:  "No charges match these filters",
			Words:  "Change or clear the filters to see more.",
			Action: kit.Link{Name: "Show the whole ledger", Path: l.Filters.Clear},
		}
	}
	return t
}
