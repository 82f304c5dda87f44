package rentroll

import (
	"regexp"
	"slices"
	"strings"

	"portal/api/money"
	"portal/api/portfolio/rentroll/cell"
)

// totalWords is how a line of totals begins.
var totalWords = regexp.MustCompile(
	`(?i)^((grand|portfolio|property|report) |sub[- ]?)?totals?\b|\btotals?:?$|^\d+ (units?|unidades)$|^(averages?|sum|suma):?$`,
)

// saysTotal reports whether a value says that its line is one of totals.
func saysTotal(s string) bool {
	s = strings.ToLower(s)
	for _, word := range []string{"total", "unit", "unidades", "sum", "average"} {
		if strings.Contains(s, word) { // which most values do not, and is known sooner
			return totalWords.MatchString(s)
		}
	}
	return false
}

// summed are the columns whose totals are compared.
var summed = []column{marketRent, monthlyRent, deposit, balance}

// sums are what the lines add up to: all of them, and those since the latest property or total began.
type sums struct {
	all, part   [columnCount]money.Cents
	units, some int
}

func (s *sums) begin() { s.part, s.some = [columnCount]money.Cents{}, 0 }

func (s *sums) count() {
	s.units++
	s.some++
}

func (s *sums) add(c column, amount money.Cents) {
	s.all[c] += amount
	s.part[c] += amount
}

// readTotal reads a line of totals, which is left out: one that says so and names no tenant and no place, or one that
// has nothing but what the lines above add up to. Where its amounts are others than that, it is a guess.
func (r *reader) readTotal(cells []string) bool {
	label := slices.IndexFunc(cells, saysTotal)
	for i, s := range cells {
		switch {
		case i == label || s == "" || i >= len(r.columns):
		case label < 0 && !slices.Contains(summed, r.columns[i]):
			return false
		case slices.Contains(ofOneUnit, r.columns[i]): // a street may be called Total
			return false
		}
	}
	differs, whole := r.compared(cells, &r.sums.part), false
	if len(differs) > 0 || r.sums.some == 0 {
		if others := r.compared(cells, &r.sums.all); len(others) < len(differs) || r.sums.some == 0 {
			differs, whole = others, true
		}
	}
	says := "This line, which names nothing,"
	if label >= 0 {
		says = "“" + clip(cells[label]) + "”"
	} else if len(differs) > 0 || r.sums.units < 2 {
		return false
	}
	if len(differs) == 0 {
		r.notes.add(Note{Line: r.at, Message: says + " is a total and was left out."})
	}
	for _, d := range differs {
		r.guess(
			r.at,
			d.column.String(),
			"%s is taken for a total and left out. It says %s, and the lines above add up "+
				"to %s.",
			says,
			d.says.Dollars(),
			d.sum.Dollars(),
		)
	}
	if !whole {
		r.sums.begin()
	}
	return true
}

// ofOneUnit are the columns of which a total has no value.
var ofOneUnit = []column{
	streetAddress, city, state, postalCode, tenantName, firstName, lastName, email, phone, leaseStart, leaseEnd, moveIn,
}

// difference is a total that is not what the lines add up to.
type difference struct {
	column    column
	says, sum money.Cents
}

// compared are the totals of a line that are others than sums.
func (r *reader) compared(cells []string, sums *[columnCount]money.Cents) (all []difference) {
	for i, c := range r.columns {
		if i >= len(cells) || cells[i] == "" || !slices.Contains(summed, c) {
			continue
		}
		if says, ok := cell.Money(cells[i]); ok && says != sums[c] {
			all = append(all, difference{c, says, sums[c]})
		}
	}
	return all
}
