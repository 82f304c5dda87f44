package docs

// LeaseRules are the rules of all states.
type LeaseRules struct {
	Doc
	Rules  []string // by which the states are compared
	States []State
}

// State is a state on the map and in the table of lease rules.
type State struct {
	Code  string // of the USPS
	Name  string
	Path  string   // of its page
	Rules []string // in the order of the page, the limit of the deposit in months of rent first
	Step  Step
}

// Step is where the limit of a deposit stands on the scale of the map: the fewer months, the
// stronger its color.
type Step string

// The steps of the scale, as the style sheet knows them.
const (
	OneMonth     Step = "m1"
	MonthAndHalf Step = "m2"
	TwoMonths    Step = "m3"
	MoreMonths   Step = "m4"
	NoLimit      Step = "m5"
)

// scale is the steps from the strictest on, and what they are called.
var scale = []struct {
	Step
	Words string
}{
	{OneMonth, "Up to 1"},
	{MonthAndHalf, "Up to 1.5"},
	{TwoMonths, "Up to 2"},
	{MoreMonths, "Over 2"},
	{NoLimit, "No limit"},
}

// comparison is the section of the page whose table is drawn with cards for phones.
const comparison = "all-states"

// without is the page without its sections, for one that has something before them.
func (d Doc) without() Doc {
	d.Rows = nil
	return d
}
