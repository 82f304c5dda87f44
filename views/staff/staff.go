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
	Asked   string   // for how many units it asks, "" where nothing is open
	Decline kit.Form // closes that request
}

// LookUp is the page on which a request of the log is found.
type LookUp struct {
	kit.Frame
	Filters kit.Filters
	Trouble string
	Found   *kit.LoggedRequest // without what is secret
	Minute  *UnkeyedMinute     // of a request without a row of its own
}

// UnkeyedMinute is what the log has of the requests without a valid key of a minute.
type UnkeyedMinute struct {
	From             kit.Time
	Requests, Counts kit.RelatedTable
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
