package developer

import "portal/views/kit"

// Access is the page of an account's request for access to the API.
type Access struct {
	kit.Frame
	State   kit.Status
	Tone    kit.Tone
	Words   string // what the state means, and what to do
	Reason  string // what the staff wrote, "" for nothing
	Request *kit.Application
	Apply   *kit.Form // to apply, nil where that cannot be done now
	Do      kit.Link  // what comes next, "" for nothing
	Undo    string
	Past    []PastRequest
}

// PastRequest is one that is no longer open.
type PastRequest struct {
	kit.Moment
	Reason string
}
