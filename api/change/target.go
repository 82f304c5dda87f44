package change

import "portal/api/fault"

// Target is the record that a write is about, and the version that the caller has
// seen of it.
type Target struct {
	ID      string
	Version *int64 // nil where the caller does not care
}

// Check refuses a write that was made for another version than the present one.
func (t Target) Check(noun string, present int64) error {
	if t.Version == nil || *t.Version == present {
		return nil
	}
	return fault.New(fault.StaleWrite,
		"The %s is at version %d now, not %d. Retrieve it, apply the change to what it says now and send it again.",
		noun, present, *t.Version)
}
