package rentroll

import (
	"portal/api/clock"
	"portal/api/money"
	"portal/api/portfolio"
)

// none is a number that a row leaves empty.
const none = -1

// entry is one line, each value for itself.
type entry struct {
	given columnSet // the columns that hold a value
	bad   columnSet // the columns at fault

	address
	kind                 portfolio.PropertyType
	year                 int
	number               string
	bedrooms, bathrooms  int
	squareFeet           int
	marketRent           money.Cents
	first, last          string
	email, phone         string
	start, end           clock.Date
	monthlyRent, deposit money.Cents
}

// good reports whether a column holds a value without a problem.
func (e *entry) good(c column) bool { return e.given.has(c) && !e.bad.has(c) }

// readEntry reads the values of the present line.
func (r *reader) readEntry() {
	e := &r.entry
	*e = entry{
		number:     "1",
		bedrooms:   none,
		bathrooms:  none,
		squareFeet: none,
		marketRent: none,
	}
	var values [columnCount]string
	for i, c := range r.columns {
		if c != unknown {
			values[c] = r.fields[i]
		}
	}
	for c, value := range values {
		r.readValue(column(c), value)
	}
	r.checkTenancy()
}

func (r *reader) readValue(c column, value string) {
	if value == "" {
		if c.required() && r.present.has(c) {
			r.reject(c, "Every line needs a %s.", c)
		}
		return
	}
	r.entry.given.add(c)
	problem := textProblem(value, false)
	if problem == "" {
		problem = rules[c](&r.entry, value)
	}
	if problem != "" {
		r.reject(c, "%s", problem)
	}
}
