package developer

import "portal/views/kit"

// Overview is the first page of a signed-in user.
type Overview struct {
	kit.Frame
	Name       string // of the account
	FirstSteps FirstSteps
	Notice     string // what stands in the way, "" for nothing
	Numbers    []Headline
}

// Headline is a headline figure of both portfolios.
type Headline struct {
	Name, Live, Demo string
	List             string // what is counted, below the address of a mode; "" for what no list shows
}
