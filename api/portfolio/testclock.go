package portfolio

import "portal/api/clock"

// TestClock is how far the today of a demo portfolio was moved, as it is stored.
type TestClock struct {
	Ahead       int         // days by which it is ahead of the real day
	AdvanceTo   *clock.Date // day to which it is being advanced, nil while it is not
	AdvanceFrom *clock.Date // day on which that began
}

// TestClockStatus is what a test clock is doing.
type TestClockStatus string

// The statuses of a test clock.
const (
	ClockReady     TestClockStatus = "ready"
	ClockAdvancing TestClockStatus = "advancing"
)

// Values are all statuses of a test clock.
func (TestClockStatus) Values() []string { return []string{string(ClockReady), string(ClockAdvancing)} }

// SchemaName is the name of the OpenAPI component.
func (TestClockStatus) SchemaName() string { return "TestClockStatus" }

// TestClockOut is the test clock of a demo portfolio as callers see it.
type TestClockOut struct {
	// The kind of object.
	Object string `json:"object" const:"test_clock"`
	// advancing until what falls due on the way has happened, then ready.
	Status TestClockStatus `json:"status" example:"advancing"`
	// The demo portfolio's today, in the account's time zone.
	Today clock.Date `json:"today" example:"2026-11-02"`
	// The day to which the clock is being advanced; null while it is ready.
	AdvanceTo *clock.Date `json:"advance_to" example:"2027-11-02"`
	// From is the day on which the advance began, nil while the clock is ready.
	From *clock.Date `json:"-"`
}

// SchemaName is the name of the OpenAPI component.
func (TestClockOut) SchemaName() string { return "TestClockOut" }
