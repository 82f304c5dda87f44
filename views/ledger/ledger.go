// Package ledger draws the pages of the rent ledger.
//
// It knows nothing of requests, records or rules, nor of other sections’ pages.
package ledger

import "portal/views/kit"

// Charge is the page of a row.
type Charge struct {
	kit.Record
	Sums    []kit.Term
	History []kit.Moment // the newest first
}
