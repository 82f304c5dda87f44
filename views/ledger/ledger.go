// Package ledger draws the pages of the rent ledger.
//
// It knows nothing of requests, records or rules, nor of other sections’ pages.
package ledger

import "portal/views/kit"

// Charge is the page of a row.
type Charge struct {
	kit.Record
	Sums    []kit.Term
	History []Movement // the newest first
	Online  []Online   // the latest first, none where the row was part of none
}

// Online is an online payment that a row was part of.
type Online struct {
	Title   string
	Status  kit.Status
	Problem string // what the processor reports differently, "" for nothing
	Facts   []kit.Term
}

// Movement is something that has happened to a row.
type Movement struct {
	kit.Moment
	Receipt string   // address of the receipt, "" for none
	Label   string   // of the link, which begins with its text
	Refund  kit.Link // to the form that refunds it, without an address where nothing of it can be
}
