// Package status is the pages that say whether the service works: its templates, and the plain data
// that they are given.
package status

import "portal/views/kit"

// Part is a part of the service.
type Part struct {
	Name   string
	Status kit.Status
	Words  string
}

// Status says for everybody whether the service works.
type Status struct {
	kit.Frame
	Overall kit.Tone
	Words   string
	Parts   []Part
	Checked kit.Time
}

// Figures says for the staff how the service works.
type Figures struct {
	Status
	Groups []Group
}

// Group is figures that belong together.
type Group struct {
	ID, Title string
	Facts     []Fact
}

// Fact is a figure and what it is of.
type Fact struct {
	Name, Value string
	Time        kit.Time // instead of a value, where its Text is not ""
}
