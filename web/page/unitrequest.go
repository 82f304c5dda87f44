package page

import (
	"strconv"

	"portal/api/clock"
	"portal/api/developer"
	"portal/api/texts"
	"portal/views/kit"
)

// MoreUnits is the button that asks for more units than the plan has.
const MoreUnits = "Ask for more units"

// UnitsAsked is what is said to somebody who asked for more units.
const UnitsAsked = "Request sent. We answer by email."

// mostUnits is the largest number of units that the form asks for.
const mostUnits = 1_000_000

// unitsName is the field of the units that are asked for.
const unitsName = "plan_units"

// UnitRequest says that an account has asked for more units.
func (v *Request) UnitRequest(r developer.UnitRequest) string {
	who := "Your team"
	if r.AskedBy == v.Person.UserID {
		who = "You"
	}
	return who + " asked for " + texts.Number(r.Units) + " units on " +
		Date(clock.DateOf(r.AskedAt.Std(), v.Zone())) + ". We answer by email."
}

// UnitsField asks how many units an account needs. The hint may be empty.
func UnitsField(units int, hint string) kit.Field {
	return kit.Field{
		Name:     unitsName,
		Label:    "Units you need in total",
		Hint:     hint,
		Value:    strconv.Itoa(units),
		Mode:     "numeric",
		Complete: "off",
		Short:    true,
	}
}

// UnitsWanted is how many units were asked for, more than a limit, or refuses the field.
func (f *Form) UnitsWanted(limit int) (units int, ok bool) {
	return f.Between(unitsName, limit+1, mostUnits,
		"Enter a whole number from "+texts.Number(limit+1)+" to "+texts.Number(mostUnits)+".")
}

// RefuseUnits says at the field of the units why nothing was added.
func (f *Form) RefuseUnits(words string) { f.Reject(unitsName, words) }
