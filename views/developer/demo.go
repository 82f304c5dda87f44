package developer

import "portal/views/kit"

// Demo is the page of the demo portfolio.
type Demo struct {
	kit.Frame
	Numbers  []kit.Term // headline figures
	Triggers []Trigger
	Happened *Happened // what was just set off, nil for nothing
	Add      string    // address where an endpoint is added
	Events   string    // address of all events
	Reset    string    // address where it is put back, "" for somebody who may not
}

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
