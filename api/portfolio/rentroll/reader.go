package rentroll

import (
	"fmt"
	"iter"
	"slices"
	"strings"
	"unicode"

	"portal/api/clock"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/rentroll/cell"
	"portal/api/portfolio/rentroll/sheet"
)

// reader reads one file into a roll.
type reader struct {
	table *sheet.File
	said  *said
	ahead []sheet.Row // those that were sampled and not read yet
	header
	roll     *Roll
	problems *problems
	notes    *notes
	index    index
	group    cell.Address // of the property that the lines belong to, where lines of their own name them
	sums     sums
	asked    map[string]bool // the properties whose address was asked for, in lower case
	at       int             // the present line
	fields   []string        // of the present line
	entry    entry           // what it says
}

// next is the next row; at the end and at a problem there is none.
func (r *reader) next() (row sheet.Row, ok bool) {
	if len(r.ahead) > 0 {
		row, r.ahead = r.ahead[0], r.ahead[1:]
		return row, true
	}
	r.ahead = nil
	if !r.table.Next() {
		return row, false
	}
	return r.table.Row(), true
}

func (r *reader) readRows() {
	for row, ok := r.next(); ok; row, ok = r.next() {
		r.at = row.Line
		if r.said.without[r.at] {
			r.notes.add(Note{Line: r.at, Message: "The line is left out, as you have said."})
			continue
		}
		if row.Problem != "" {
			r.problems.add(r.at, "", row.Problem, askLine(r.at))
			continue
		}
		if !r.readRow(&row) {
			return
		}
	}
	if r.roll.Units() == 0 && len(r.problems.listed) == 0 && r.table.Problem() == nil {
		r.problems.add(r.header.line, "", "No unit follows the line of column names.", Ask{})
	}
}

// readRow reads a line; it is false where no more are read.
func (r *reader) readRow(row *sheet.Row) bool {
	cells := row.Cells
	switch {
	case slices.Equal(cells, r.names): // the names again, as on the next page
	case r.readGroup(cells):
	case r.readTotal(cells):
	case r.roll.Units() == MaxUnits:
		r.problems.add(r.at, "", tooMany(), Ask{})
		return false
	case r.fits(row):
		r.readEntry()
		r.keep()
	}
	return true
}

// readGroup reads a line that names the property of the lines below it.
func (r *reader) readGroup(cells []string) bool {
	if r.present.has(streetAddress) && r.present.has(city) || r.present.has(wholeAddress) {
		return false
	}
	a, is := r.groupOf(cells)
	value, alone := single(cells)
	if !is && alone && value == cells[0] && len(r.columns) > 1 && namesPlace(value) {
		if a, is = r.said.places[strings.ToLower(value)]; !is {
			a, is = cell.Address{Name: value}, true
			r.problems.add(
				r.at,
				"",
				quote(value)+" names a property without its address. Write it as in “Harrow House - 220 "+
					"Harrow St, Dayton, OH 45402”.",
				Ask{Question: "address:" + value},
			)
		}
	}
	if is {
		r.group = a
		r.sums.begin()
	}
	return is
}

// namesPlace reports whether a text alone in its line is the name of a property rather than the number of a unit.
func namesPlace(s string) bool {
	words := strings.Fields(s)
	letters := 0
	for _, c := range s {
		if unicode.IsLetter(c) {
			letters++
		}
	}
	unit := s[0] == '#' || designators[strings.TrimRight(strings.ToLower(words[0]), ".")]
	return letters >= 5 && !unit && !saysTotal(s) &&
		(len(words) > 1 || !strings.ContainsAny(s, "0123456789"))
}

// fits reports whether the line has as many values as the header has names; empty
// ones beyond are nothing, and a sheet leaves out those at the end.
func (r *reader) fits(row *sheet.Row) bool {
	n := len(r.columns)
	if row.Written < n && r.table.Sheet() == "" || len(row.Cells) > n {
		r.problems.add(r.at, "", fmt.Sprintf(
			"The line has %d values, the first line names %d columns. Put a value that holds the delimiter in quotes.",
			row.Written, n), askLine(r.at))
		return false
	}
	r.fields = append(r.fields[:0], row.Cells...)
	for len(r.fields) < n {
		r.fields = append(r.fields, "")
	}
	return true
}

// reject notes what is wrong in a column of the present line, together with the rest of the line: an answer is of this
// line alone.
func (r *reader) reject(c column, format string, args ...any) {
	r.refuse(c, r.askCell(c), format, args...)
}

// rejectValue notes what is wrong with a value of the present line, wherever it stands.
func (r *reader) rejectValue(c column, format string, args ...any) {
	r.refuse(c, r.askValue(c), format, args...)
}

// refuse notes what is wrong in a column of the present line. A column that the file does not have is at fault once,
// in the header.
func (r *reader) refuse(c column, ask Ask, format string, args ...any) {
	line := r.at
	r.entry.bad.add(c)
	absent := !r.present.has(c) && !r.entry.given.has(c)
	if absent && r.told.has(c) {
		return
	}
	if absent && r.source(c) == c {
		r.told.add(c)
		line = r.header.line
		format = "The column is missing. Line %d: " + format
		args = append([]any{r.at}, args...)
	}
	r.problems.add(line, c.String(), fmt.Sprintf(format, args...), ask)
}

// maxWords is how many texts are remembered: those of a file whose texts all
// differ would take more than they save.
const maxWords = 10_000

// intern gives one copy of a text for all its occurrences, apart from the line
// that it was cut from. Beyond the first maxWords each has a copy of its own.
func (r *reader) intern(s string) string {
	if known, ok := r.index.words[s]; ok {
		return known
	}
	s = strings.Clone(s)
	if len(r.index.words) < maxWords {
		r.index.words[s] = s
	}
	return s
}

// row is a unit with its lease, in little memory.
type row struct {
	line, property int32
	person         int32 // none where the unit is vacant
	rare           int32 // the index of its extras, none where it has none
	number         string
	squareFeet     int32
	bedrooms       int16
	bathrooms      int16
	start, end     clock.Date
	openEnded      bool
	marketRent     money.Cents
	monthlyRent    money.Cents
	deposit        money.Cents
}

// extras are what most rows do not have.
type extras struct {
	others    []int32     // co-tenants
	unit      int32       // the first row of the unit, none where that is this one
	next      int32       // the next row of the unit, none for the last
	balance   money.Cents // what is brought forward, below 0 for a credit
	moveIn    clock.Date  // 0 for none
	moveOut   clock.Date
	leaseKind portfolio.LeaseType // "" where the days say it
	dueDay    int8                // of rent, 0 for the first day of a month
	lateFee   *money.Cents        // nil for none
	graceDays *int
}

// plainly are the extras of a row without any.
var plainly = extras{unit: none, next: none}

// extrasOf are the extras of a row, to be read.
func (r *Roll) extrasOf(row *row) *extras {
	if row.rare == none {
		return &plainly
	}
	return r.rare.at(row.rare)
}

// extend are the extras of a row, to be written.
func (r *Roll) extend(row *row) *extras {
	if row.rare == none {
		row.rare = r.rare.add(plainly)
	}
	return r.rare.at(row.rare)
}

// unitOf is the first row of the unit of a row.
func (r *Roll) unitOf(at int32) int32 {
	if first := r.extrasOf(r.rows.at(at)).unit; first != none {
		return first
	}
	return at
}

// index finds what a line has in common with earlier ones.
type index struct {
	units  map[unitKey]int32 // the row of each unit
	emails map[string]int32  // the person of each address
	crowds map[int32]int     // the lines and further tenants of a unit, by its first row, where there are several
	words  map[string]string // one copy of each text
}

// unitKey is a unit of a property; case does not count.
type unitKey struct {
	property int32
	number   string
}

// keep puts the present line into the roll, if it can be told which unit it is.
func (r *reader) keep() {
	e := &r.entry
	if !e.good(streetAddress) || !e.good(city) || !e.good(state) || e.bad.has(unitNumber) {
		return
	}
	at := int32(r.roll.rows.len())
	property := r.property()
	e.number = r.intern(e.number)
	key := unitKey{property, strings.ToLower(e.number)} // mostly the same text, in the same memory
	first, twice := r.index.units[key]
	if !twice {
		first = at
	}
	if r.crowded(first, twice) {
		return
	}
	if twice {
		r.again(first)
		return
	}
	r.index.units[key] = at
	r.sums.count()
	person := r.person(at, e.Person, e.email, e.phone)
	r.roll.units++
	r.addRow(at, property, person)
}

// maxCrowd is how many lines and further tenants a unit may have: each is compared with all others.
const maxCrowd = 300

// crowded refuses the present line where its unit has too many.
func (r *reader) crowded(first int32, twice bool) bool {
	n := 1 + len(r.entry.others)
	if twice {
		n += max(r.index.crowds[first], 1)
	}
	if n > maxCrowd {
		r.reject(unitNumber, "A unit has at most %d leases and tenants in a file.", maxCrowd)
		return true
	}
	if n > 1 {
		r.index.crowds[first] = n
	}
	return false
}

// addRow adds the present line as a row.
func (r *reader) addRow(at, property, person int32) {
	e := &r.entry
	made := row{
		line:        int32(r.at),
		property:    property,
		person:      person,
		rare:        none,
		number:      e.number,
		squareFeet:  int32(e.squareFeet),
		bedrooms:    int16(e.bedrooms),
		bathrooms:   int16(e.bathrooms),
		start:       e.start,
		end:         e.end,
		openEnded:   !e.given.has(leaseEnd),
		marketRent:  e.marketRent,
		monthlyRent: e.monthlyRent,
		deposit:     e.deposit,
	}
	if others := r.coTenants(at, person); len(others) > 0 {
		r.roll.extend(&made).others = others
	}
	if e.balance != 0 || e.moveIn != 0 || e.moveOut != 0 || e.given.hasAny(termColumns) {
		x := r.roll.extend(&made)
		x.balance, x.moveIn, x.moveOut = e.balance, e.moveIn, e.moveOut
		x.leaseKind, x.dueDay, x.lateFee, x.graceDays = e.leaseKind, int8(e.dueDay), e.lateFee, e.graceDays
	}
	r.roll.rows.add(made)
}

// rowsOf are the rows of a unit, by its first.
func (r *Roll) rowsOf(first int32) iter.Seq2[int32, *row] {
	return func(yield func(int32, *row) bool) {
		for at := first; at != none; at = r.extrasOf(r.rows.at(at)).next {
			if !yield(at, r.rows.at(at)) {
				return
			}
		}
	}
}

// again reads another line of a unit: one of a co-tenant, whose lease has the same days and the same amounts, or none
// of its own; or one of a lease before or after the others.
func (r *reader) again(first int32) {
	e, last := &r.entry, first
	e.unit = first
	if !e.good(firstName) || !e.good(lastName) || !e.good(leaseStart) || e.bad.has(leaseEnd) {
		r.twice(first)
		return
	}
	for at, of := range r.roll.rowsOf(first) {
		last = at
		switch {
		case of.person == none, r.overlaps(of):
			r.twice(first)
			return
		case e.start == of.start:
			r.coTenant(at, of)
			return
		}
	}
	r.agree(r.roll.rows.at(first))
	r.sums.count()
	at := int32(r.roll.rows.len())
	r.addRow(at, r.roll.rows.at(first).property, r.person(at, e.Person, e.email, e.phone))
	r.roll.extend(r.roll.rows.at(at)).unit = first
	r.roll.extend(r.roll.rows.at(last)).next = at
}

// overlaps reports whether the lease of the present line has a day in common with another one, other than that both
// have the same days.
func (r *reader) overlaps(of *row) bool {
	e := &r.entry
	if e.start == of.start {
		return e.end != of.end || e.given.has(leaseEnd) == of.openEnded
	}
	return (of.openEnded || e.start <= of.end) && (!e.given.has(leaseEnd) || e.end >= of.start)
}

// twice says that the present line is of a unit that another line has already.
func (r *reader) twice(first int32) {
	why := ""
	if !r.entry.given.has(unitNumber) {
		why = ` An empty unit_number means "1".`
	}
	r.reject(unitNumber, "Unit %s of this property is in line %d already.%s", quote(r.entry.number),
		r.roll.rows.at(first).line, why)
}

// coTenant reads the line of a co-tenant of a lease.
func (r *reader) coTenant(at int32, of *row) {
	e := &r.entry
	agree := func(amount, other money.Cents) bool { return amount == 0 || amount == other }
	if !agree(e.monthlyRent, of.monthlyRent) || !agree(e.deposit, of.deposit) ||
		!agree(e.balance, r.roll.extrasOf(of).balance) {
		r.reject(
			monthlyRent,
			"Line %d has a lease of unit %s with the same days and other amounts. Give the amounts of "+
				"the lease in both lines, or in the first alone.",
			of.line,
			quote(e.number),
		)
		return
	}
	person := r.person(at, e.Person, e.email, e.phone)
	if person == none {
		return
	}
	others := append([]int32{person}, r.coTenants(at, person)...)
	others = slices.DeleteFunc(others, func(person int32) bool { return r.roll.has(of, person) })
	if len(others) == 0 {
		r.guess(r.at, "", "It has the unit, the days, and the tenant of line %d, and is left out.", of.line)
		return
	}
	x := r.roll.extend(of)
	x.others = append(x.others, others...)
	person = others[0]
	r.notes.add(Note{Line: r.at, Message: fmt.Sprintf("It is of the lease in line %d, with the same days: %s is a "+
		"co-tenant.", of.line, r.roll.people.at(person).name())})
}

// agree has the present line, of another lease of a unit, say of the unit what the first one says.
func (r *reader) agree(of *row) {
	e := &r.entry
	has := entry{
		bedrooms: int(of.bedrooms), bathrooms: int(of.bathrooms), squareFeet: int(of.squareFeet),
		marketRent: of.marketRent,
	}
	for _, each := range []struct {
		column   column
		says, is int
	}{
		{bedrooms, e.bedrooms, has.bedrooms},
		{bathrooms, e.bathrooms, has.bathrooms},
		{squareFeet, e.squareFeet, has.squareFeet},
		{marketRent, int(e.marketRent), int(has.marketRent)},
	} {
		if e.good(each.column) && each.says != each.is {
			r.reject(each.column, "Line %d says something else of the same unit; the lines of a unit must agree.",
				of.line)
		}
	}
}

// coTenants finds or adds the other tenants of the present line.
func (r *reader) coTenants(at, primary int32) (all []int32) {
	if primary == none {
		return nil
	}
	for i, p := range r.entry.others {
		person := r.person(at, p, r.entry.otherEmails[i], "")
		if person != none && person != primary && !slices.Contains(all, person) {
			all = append(all, person)
		}
	}
	return all
}
