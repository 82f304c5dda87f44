package event

import "slices"

// Choice is whom an event is to happen to in a demo portfolio, and in which words. What is nil is left to
// the Trigger.
type Choice struct {
	LeaseID     *string
	PaymentID   *string
	TenantID    *string
	Description *string
}

// The parts of a Choice, as a Trigger takes them and bodies name them.
const (
	LeaseID     = "lease_id"
	PaymentID   = "payment_id"
	TenantID    = "tenant_id"
	Description = "description"
)

// Given are the names of the parts that are not left to the Trigger.
func (c Choice) Given() (names []string) {
	for _, part := range []struct {
		name  string
		value *string
	}{
		{LeaseID, c.LeaseID},
		{PaymentID, c.PaymentID},
		{TenantID, c.TenantID},
		{Description, c.Description},
	} {
		if part.value != nil {
			names = append(names, part.name)
		}
	}
	return names
}

// Fits reports whether a Trigger takes a part of a Choice.
func (t *Trigger) Fits(part string) bool { return slices.Contains(t.Takes, part) }

// names reports whether a part of a Choice names a record.
func names(part string) bool { return part != Description }

// Second is the second record that a Choice names, "" where it names one at most: an event happens to one.
func (c Choice) Second() string {
	if named := slices.DeleteFunc(c.Given(), func(part string) bool { return !names(part) }); len(named) > 1 {
		return named[1]
	}
	return ""
}
