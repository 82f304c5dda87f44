package overview

import "portal/views/kit"

// Overview is the first page of a signed-in user who has not received a webhook yet.
type Overview struct {
	kit.Frame
	Name       string // of the account
	FirstSteps FirstSteps
	Notice     string // what stands in the way, "" for nothing
}
