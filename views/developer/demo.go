package developer

import "portal/views/kit"

// Demo is the page of the demo portfolio.
type Demo struct {
	kit.Frame
	Numbers  []DemoNumber
	Triggers []Trigger
	Happened *Happened // what was just set off, nil for nothing
	Add      string    // address where an endpoint is added
	Events   string    // address of all events
	Reset    string    // address where it is put back, "" for somebody who may not
}

// DemoNumber is a headline figure.
type DemoNumber struct{ Name, Number string }

// Trigger is something that can be set off.
type Trigger struct {
	Kind  string // of the event
	Title string
	Words string
}

// Happened is an event that was set off.
type Happened struct {
	Path       string
	Type       string
	To         string // how many endpoints it goes to, in words
	Deliveries kit.Grid
	Waits      bool // an attempt has not begun yet
}

// counts are the headline figures as facts in a row.
func (d Demo) counts() []kit.Term {
	terms := make([]kit.Term, len(d.Numbers))
	for i, n := range d.Numbers {
		terms[i] = kit.Term{Name: n.Name, Text: n.Number}
	}
	return terms
}
