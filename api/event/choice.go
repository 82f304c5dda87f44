package event

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
