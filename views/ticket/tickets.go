// Package ticket draws the pages of tickets.
//
// It knows nothing of requests, records or rules, nor of other sections’ pages.
package ticket

import "portal/views/kit"

// Ticket is the page of one.
type Ticket struct {
	kit.Record
	Reported     Reported
	New          bool // its tenant has written since somebody looked
	Description  string
	By           string // who wrote it
	Photos       []Photo
	Conversation *Conversation // nil where landlord and tenant do not follow the ticket together
	Visit        Visit
	Priority     kit.Status
	Triage       *Triage // nil where it has not looked
	History      []kit.Moment
}

// Triage is what was made of a ticket’s text.
type Triage struct {
	Suggested []kit.Term
	Review    bool // the confidence is too low to rely on
	Reasons   []string
	Decided   string // by what
	Time      kit.Time
}

// Reported is from whom a ticket comes, and when it came.
type Reported struct {
	By   kit.Link // the tenant, without a path for everybody else
	How  string
	Time kit.Time
}

// Photo is a photo of a ticket.
type Photo struct {
	Path      string
	Thumbnail string
	Words     string // that describe it
}

// Conversation is what landlord and tenant follow together.
type Conversation struct {
	Earlier    kit.Link // leads to those that are not shown, without a path where all are
	Activities []Activity
	Reply      kit.Form
}

// Activity is what has happened to a ticket.
type Activity struct {
	Icon   string
	Tone   kit.Tone
	Title  string
	Status kit.Status // beside the title, "" for none
	Words  string     // that somebody wrote, "" for none
	New    bool
	Time   kit.Time
}

// Visit is when somebody comes for the work.
type Visit struct {
	Planned string // "" for no plan
	Over    bool   // the work is, so none can be planned
	Form    kit.Form
}

// fresh marks what is new to the landlord.
var fresh = kit.Status{Tone: kit.Waiting, Text: "New"}
