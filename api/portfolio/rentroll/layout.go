package rentroll

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"portal/api/fault"
	"portal/api/portfolio/rentroll/cell"
	"portal/api/portfolio/rentroll/sheet"
	"portal/api/texts"
)

// header is the line that names the columns, and what the lines below it have in common.
type header struct {
	line    int // its number
	columns []column
	names   []string                // as the file writes them
	present columnSet               // the columns that the file has
	told    columnSet               // those absent ones that a problem was made of
	orders  [columnCount]cell.Order // of dates
}

// headerWithin is among how many rows with a value the names of the columns are looked for.
const headerWithin = 20

// sampled is how many rows are looked at before the first of them is read: what they have in common decides how all
// are read. A later one that is not so is a problem.
const sampled = 1000

// sampledBytes bounds the text of those rows, which are in memory together: a workbook may unpack to 200 MB.
const sampledBytes = 4 << 20

// maxColumns bounds a header; a rent roll has some 20 columns.
const maxColumns = 100

// readHeader finds the names of the columns; it is false where reading on would say nothing of use.
func (r *reader) readHeader() bool {
	for size := 0; len(r.ahead) < sampled && size < sampledBytes && r.table.Next(); {
		row := r.table.Row()
		row.Cells = slices.Clone(row.Cells)
		r.ahead = append(r.ahead, row)
		for _, s := range row.Cells {
			size += len(s)
		}
	}
	if len(r.ahead) == 0 {
		if r.table.Problem() == nil { // lines of delimiters alone
			r.problems.add(1, "", empty(), Ask{})
		}
		return false
	}
	at := r.findHeader()
	if problem := r.ahead[at].Problem; problem != "" {
		r.problems.add(r.ahead[at].Line, "", problem, Ask{})
		return false
	}
	r.header.line = r.ahead[at].Line
	above := r.ahead[:at]
	r.titles(above)
	names := r.ahead[at].Cells
	r.ahead = r.ahead[at+1:]
	if !r.nameColumns(names) {
		return false
	}
	r.survey()
	return true
}

// findHeader is the index of the row that names the most columns, of several the first.
func (r *reader) findHeader() (best int) {
	most := 0
	for i := range r.ahead[:min(headerWithin, len(r.ahead))] {
		var known columnSet
		for _, name := range r.ahead[i].Cells {
			if c := columnOf(name); c != unknown {
				known.add(c)
			}
		}
		if n := known.len(); n > most {
			best, most = i, n
		}
	}
	return best
}

// titles says of the lines above the header that they were left out.
func (r *reader) titles(above []sheet.Row) {
	for _, row := range above {
		r.notes.add(Note{Line: row.Line, Message: fmt.Sprintf(
			"“%s” stands above the names of the columns and was left out.", clip(joined(row.Cells)))})
	}
}

// joined are the values of a row in one line.
func joined(cells []string) string {
	return strings.Join(slices.DeleteFunc(slices.Clone(cells), func(s string) bool { return s == "" }), ", ")
}

// nameColumns finds the column of each name. Empty names at the end are nothing.
func (r *reader) nameColumns(names []string) bool {
	for len(names) > 0 && names[len(names)-1] == "" {
		names = names[:len(names)-1]
	}
	if len(names) > maxColumns {
		r.problems.add(r.header.line, "", fmt.Sprintf("The first line names %d columns; a rent roll has %d.",
			len(names), templateCount), Ask{})
		return false
	}
	r.names, r.roll.header = names, fingerprint(names)
	tenants := r.namingTenants(names)
	for i, name := range names {
		r.nameColumn(i, name, tenants)
	}
	r.head()
	if r.present == 0 {
		r.problems.listed, r.notes.listed = nil, nil
		r.problems.add(r.header.line, "", "The first line names no column of a rent roll. The columns are "+
			strings.Join(Columns(), ", ")+".", Ask{})
		return false
	}
	return true
}

// namingTenants is, of several columns that may hold the names of tenants, the one with the most first and last names:
// others have numbers of residents. It is -1 where there is none.
func (r *reader) namingTenants(names []string) (best int) {
	best, most := -1, -1
	for i, name := range names {
		if columnOf(name) != tenantName {
			continue
		}
		n := 0
		for _, row := range r.ahead {
			if i >= len(row.Cells) || cell.Vacant(row.Cells[i]) {
				continue
			}
			if people, _ := cell.People(row.Cells[i]); len(people) > 0 && people[0].First != "" {
				n++
			}
		}
		if n > most {
			best, most = i, n
		}
	}
	return best
}

// nameColumn finds the column of a name. One that a rent roll does not have is left out, and said to be. The names of
// tenants are in one column.
func (r *reader) nameColumn(i int, name string, tenants int) {
	c, ask := columnOf(name), Ask{Question: "column:" + strconv.Itoa(i+1), Value: texts.Clip(name, longestShown)}
	if said, answered := r.said.columns[i]; answered {
		r.columns = append(r.columns, said)
		if said != unknown {
			r.present.add(said)
		}
		return
	}
	switch filled := r.filled(i); {
	case name == "" && filled:
		r.problems.add(r.header.line, "", fmt.Sprintf("Column %d has no name.", i+1), ask)
	case c == unknown && filled:
		if best, misspelled := nearest(name); misspelled {
			ask.Suggested = best.String()
			r.problems.add(r.header.line, texts.Clip(name, longestShown), fmt.Sprintf(
				"There is no such column in a rent roll; the nearest is %s.", best), ask)
			break
		}
		r.notes.add(Note{Line: r.header.line, Column: ask.Value, Guess: true, Ask: ask,
			Message: "A rent roll has no such column. It is left out."})
	case c == unknown:
	case !r.present.has(c) && (c != tenantName || i == tenants):
		r.present.add(c)
	case c < templateCount && plain(name) == c.String():
		r.problems.add(r.header.line, c.String(), "The column is named twice; leave one of them out.", ask)
		c = unknown
	default:
		c = unknown
		if filled {
			r.notes.add(Note{Line: r.header.line, Column: ask.Value, Guess: true, Ask: ask, Message: fmt.Sprintf(
				"Another column is taken for %s. This one is left out.", columnOf(name))})
		}
	}
	r.columns = append(r.columns, c)
}

// filled reports whether any of the sampled rows has a value in a column.
func (r *reader) filled(i int) bool {
	return slices.ContainsFunc(r.ahead, func(row sheet.Row) bool { return i < len(row.Cells) && row.Cells[i] != "" })
}

// survey learns from the sampled rows in which order dates are written, and names columns that are missing.
func (r *reader) survey() {
	for i, c := range r.columns {
		switch c {
		case leaseStart, leaseEnd, moveIn, moveOut:
			r.orders[c] = r.orderOf(i, c)
		}
	}
	if !r.present.hasAny(setOf(streetAddress, city, state, wholeAddress)) || r.hasAddress() {
		return
	}
	for _, c := range []column{streetAddress, city, state} {
		if _, given := r.said.values[c][""]; given || r.present.has(c) {
			continue
		}
		ask := Ask{Question: "value:" + c.String() + ":"}
		if c == streetAddress {
			ask = Ask{}
		}
		r.told.add(c)
		r.problems.add(r.header.line, c.String(), "The column is missing; every line needs it.", ask)
	}
}

// orderOf is the order of day and month in a column: the one in which all dates of it are dates. Where both are
// possible the month comes first, as in the US, unless the dates are written with dots, as they are elsewhere.
func (r *reader) orderOf(i int, c column) cell.Order {
	if said, answered := r.said.orders[c]; answered {
		return said
	}
	ask := Ask{Question: "dates:" + c.String()}
	var line int
	monthFirst, dayFirst, dotted := true, true, false
	for _, row := range r.ahead {
		if i >= len(row.Cells) || row.Cells[i] == "" {
			continue
		}
		month, day := cell.Orders(row.Cells[i])
		if !month && !day {
			continue
		}
		if dayFirst && !day || monthFirst && !month {
			line = row.Line
		}
		monthFirst, dayFirst = monthFirst && month, dayFirst && day
		dotted = dotted || strings.Count(row.Cells[i], ".") == 2
	}
	switch {
	case monthFirst && dayFirst && dotted:
		r.problems.add(
			r.header.line,
			c.String(),
			"The dates of this column can be read with the day or with the month "+
				"first. Write them as 2026-11-02.",
			ask,
		)
	case !monthFirst && !dayFirst:
		r.problems.add(line, c.String(), "Some dates of this column have the day first, others the month. Write all "+
			"of them as 2026-11-02.", ask)
	case !monthFirst:
		r.notes.add(Note{Line: r.header.line, Column: c.String(), Guess: true, Ask: ask,
			Message: "The dates of this column have the day first."})
		return cell.DayFirst
	}
	return cell.MonthFirst
}

// hasAddress reports whether the places can be told without all three columns of an address: from one that holds whole
// addresses, or from lines that are a property each. A line of which the place cannot be told is a problem.
func (r *reader) hasAddress() bool {
	if r.group.Street != "" {
		return true
	}
	if r.present.has(wholeAddress) || r.present.has(streetAddress) || r.present.has(propertyName) {
		for _, row := range r.ahead {
			for i, c := range r.columns {
				if i >= len(row.Cells) || c != wholeAddress && c != streetAddress && c != propertyName {
					continue
				}
				if _, _, is := cell.SplitAddress(row.Cells[i]); is {
					return true
				}
			}
		}
	}
	return slices.ContainsFunc(r.ahead, func(row sheet.Row) bool {
		_, is := r.groupOf(row.Cells)
		return is
	})
}

// groupOf is the property that a line names which has nothing but its name and address.
func (r *reader) groupOf(cells []string) (a cell.Address, is bool) {
	value, alone := single(cells)
	if !alone {
		return a, false
	}
	a, _, is = cell.SplitAddress(value)
	return a, is
}

// single is the only value of a line.
func single(cells []string) (value string, alone bool) {
	for _, s := range cells {
		if s != "" && value != "" {
			return "", false
		}
		value += s
	}
	return value, value != ""
}

// longestShown is how many characters of a name of a column a message repeats.
const longestShown = 60

// clip is a text that is at most so long in a message.
func clip(s string) string { return texts.Clip(s, longestShown) }

// empty is said of a file without a value.
func empty() string {
	return sheet.Empty + " Its first line names the columns: " + strings.Join(Columns(), ", ") + "."
}

// tooMany is said of a file that has more units than a rent roll may.
func tooMany() string {
	return fmt.Sprintf("A rent roll has at most %d units; split the file.", MaxUnits)
}

// unreadable is what keeps a file from being read at all.
func unreadable(err error) *sheet.Problem {
	if p, is := err.(*sheet.Problem); is { //nolint:errorlint // Open says so
		return p
	}
	return &sheet.Problem{Line: 1, Message: fault.From(err).Message}
}
