package developer

import "portal/views/kit"

// Event is the page of one.
type Event struct {
	kit.Record
	Body       kit.Body
	Deliveries kit.Grid
}
