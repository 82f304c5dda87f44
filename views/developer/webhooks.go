// Package developer draws the pages for developers: keys, logs, webhooks, events and usage.
//
// It knows nothing of requests, records or rules, nor of other sections’ pages.
package developer

import "portal/views/kit"

// Endpoint is the page of one.
type Endpoint struct {
	kit.Record
	Attempts   kit.Chart
	Latency    kit.Chart
	Deliveries kit.Grid
	Log        string // address of all its deliveries
}

// NewEndpoint is the form for an endpoint.
type NewEndpoint struct {
	kit.FormView
	Listen kit.CommandText // forwards test events to the reader's machine; none in live mode
}

// EndpointSecret shows a signing secret this one time.
type EndpointSecret struct {
	kit.Frame
	Heading  kit.Heading
	Warnings []string
	Secret   kit.Secret
	Endpoint string // address of the endpoint's page
	Test     string // address of the test, "" where none can be sent
	Docs     string // address of how to verify, "" where it is not served
}

// Delivery is the page of one.
type Delivery struct {
	kit.Record
	Sums  []kit.Term // what it is, in a row
	Made  string     // how many attempts there were
	Tries []Attempt  // the latest first
	Body  kit.Body   // that every attempt sent
}

// Attempt is one try at a delivery.
type Attempt struct {
	kit.Moment
	Took     string // "" before it ended
	Error    string // "" where it was acknowledged
	Request  string // the headers, "" once they have been forgotten
	Code     int    // status of the answer, 0 for none
	Response string // the headers
	Answer   kit.Body
}

// Class is that of the mark beside the attempt.
func (a Attempt) Class() string {
	switch a.Status.Tone {
	case kit.Done:
		return "ok"
	case kit.Failed:
		return "bad"
	case kit.Waiting, kit.Idle, kit.Warned:
	}
	return ""
}

// Icon is the mark beside the attempt.
func (a Attempt) Icon() string {
	switch a.Status.Tone {
	case kit.Done:
		return "check"
	case kit.Failed:
		return "x"
	case kit.Waiting, kit.Idle, kit.Warned:
	}
	return "clock"
}
