// Package overview draws the first page of a signed-in user.
//
// It knows nothing of requests, records or rules, nor of other sections’ pages.
package overview

import "portal/views/kit"

// Dashboard is a portfolio and what is built on it at a glance.
type Dashboard struct {
	kit.Frame
	About     string
	Period    string            // that is shown
	Periods   []kit.Link        // that can be shown instead
	Trigger   string            // address of the page that triggers test events, "" in live mode
	Next      kit.NoticeContent // without a title for none
	Tiles     []kit.Tile
	Requests  kit.Chart
	Rent      kit.Chart
	Events    []RecentEvent
	AllEvents string
	Attention []Attention
	Arrears   []Arrears // empty where nothing is overdue
	Overdue   string    // address of the charges that are overdue
	// What there is still to do before an integration works, of a landlord who has records of their own.
	FirstSteps FirstSteps
}

// RecentEvent is an event in a short list.
type RecentEvent struct {
	Path  string
	Icon  string
	Type  string
	About string // what it is about, "" where that is not known
	At    kit.Time
}

// Arrears are what is overdue for some time, with the address of those charges.
type Arrears struct{ Name, Amount, Path string }

// Attention is a problem, which leads to where it is seen.
type Attention struct {
	Path  string
	Icon  string
	Tone  kit.Tone
	Title string
	Words string
}
