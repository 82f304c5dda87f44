package portfolio

import "portal/api/clock"

// TestClock is how far the today of a demo portfolio was moved.
type TestClock struct {
	Ahead     int         // days by which it is ahead of the real day
	AdvanceTo *clock.Date // day to which it is being advanced, nil while it stands
}
