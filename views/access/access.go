// Package access draws the page on which an account asks for access to the API.
//
// It knows nothing of requests, records or rules, nor of other sections’ pages.
package access

import "portal/views/kit"

// Access is the page of an account's request for access to the API.
type Access struct {
	kit.Record
	Reason  string    // what the staff wrote, "" for nothing
	Sent    bool      // there was a request
	UseCase string    // of the latest
	Apply   *kit.Form // to apply, nil where that cannot be done now
	Past    []PastRequest
}

// PastRequest is one that is no longer open.
type PastRequest struct {
	kit.Moment
	Reason string
}
