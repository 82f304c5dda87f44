package portfolio

import (
	"slices"
	"testing"
)

// TestEveryStatusIsClassifiedByEachRule holds the closed sets to docs/site/records.md: a status that is
// added later has to be put on a side here.
func TestEveryStatusIsClassifiedByEachRule(t *testing.T) {
	t.Parallel()
	for rule, sides := range map[string]struct{ all, inside, outside []string }{
		"open ticket":   {TicketStatus("").Values(), named(OpenTickets()), []string{"completed", "cancelled"}},
		"occupied unit": {UnitStatus("").Values(), named(OccupiedUnits()), []string{"vacant", "off_market"}},
		"unpaid payment": {
			PaymentStatus("").Values(),
			named(UnpaidPayments()),
			[]string{"scheduled", "processing", "succeeded", "refunded", "void"},
		},
		"payable payment": {
			PaymentStatus("").Values(),
			named(PayablePayments()),
			[]string{"processing", "succeeded", "refunded", "void"},
		},
		"unsigned lease": {
			LeaseStatus("").Values(),
			named(UnsignedLeases()),
			[]string{"signed", "active", "expired", "renewed", "terminated"},
		},
	} {
		both := append(slices.Clone(sides.inside), sides.outside...)
		if !slices.Equal(sorted(both), sorted(sides.all)) {
			t.Errorf("%s: %v and %v are not %v", rule, sides.inside, sides.outside, sides.all)
		}
	}
}

func named[T ~string](all []T) []string {
	list := make([]string, len(all))
	for i, s := range all {
		list[i] = string(s)
	}
	return list
}

func sorted(all []string) []string { return slices.Sorted(slices.Values(all)) }
