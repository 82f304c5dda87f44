// Package staff draws the pages for staff.
//
// It knows nothing of requests, records or rules, nor of other sections’ pages.
package staff

import "portal/views/kit"

// CaseView is the page on which a request is reviewed.
type CaseView struct {
	kit.Record
	UseCase string
	Reason  string // that the applicant reads, "" for none
	Notes   string
	Write   string // address of the form of the notes
}

// Account is the page of an account for the staff.
type Account struct {
	kit.Record
	Members kit.RelatedTable
	Form    kit.Form
}

// LookUp is the page on which a request of the log is found.
type LookUp struct {
	kit.Frame
	Filters kit.Filters
	Trouble string
	Line    *LogLine
	Sent    kit.Exchange   // with the line
	Minute  *UnkeyedMinute // of a request without a row of its own
}

// UnkeyedMinute is what the log has of the requests without a valid key of a minute.
type UnkeyedMinute struct {
	From     kit.Time
	Requests []LogLine
	Counts   []UnkeyedCount
}

// UnkeyedCount is how many of them a client sent that have no row of their own.
type UnkeyedCount struct {
	Client string // "" for all that are not counted alone
	Total  string
	Codes  string
}

// LogLine is a request as it is logged, without what is secret.
type LogLine struct {
	ID, Operation, Method, Path, Query, Code, Param, Took, Size, Address, Agent, AccountID, KeyID, Idempotency string
	Status                                                                                                     int
	At                                                                                                         kit.Time
}

// Failure is an attempt at a job that failed.
type Failure struct {
	kit.Moment
	Error string
}

// JobView is the page of a job.
type JobView struct {
	kit.Record
	Args     kit.Body
	Failures []Failure
}
