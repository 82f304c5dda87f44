package rentroll

import (
	"fmt"
	"strings"

	"portal/api/texts"
)

// header is what the first line says.
type header struct {
	line      int // its number, 1 where no empty line comes before
	delimiter byte
	columns   []column  // of each field, unknown where the name is
	names     []string  // as the file writes them
	present   columnSet // the columns that the file has
	told      columnSet // those absent ones that a problem was made of
}

// maxColumns bounds a header; a rent roll has 19 columns.
const maxColumns = 100

// foreign are the first bytes of files that are no CSV in UTF-8.
var foreign = []struct{ prefix, message string }{
	{"PK\x03\x04", "This is a spreadsheet, not a CSV file. Save it as “CSV UTF-8”."},
	{"\xd0\xcf\x11\xe0", "This is a spreadsheet, not a CSV file. Save it as “CSV UTF-8”."},
	{"%PDF", "This is a PDF, not a CSV file. Export the rent roll as “CSV UTF-8”."},
	{"\xff\xfe", "This file is in UTF-16. Save it as “CSV UTF-8”."},
	{"\xfe\xff", "This file is in UTF-16. Save it as “CSV UTF-8”."},
}

// readHeader reads the names of the columns; it is false where reading on would
// say nothing of use.
func (r *reader) readHeader() bool {
	text, ok := r.next()
	text = strings.TrimPrefix(text, "\ufeff")
	for ok && strings.TrimSpace(text) == "" {
		text, ok = r.next()
	}
	if !ok {
		if r.problem() == "" {
			r.problems.add(
				1,
				"",
				"The file is empty. Its first line names the columns: "+strings.Join(Columns(), ", ")+".",
			)
		}
		return false
	}
	r.header.line = r.at
	r.delimiter = delimiterOf(text)
	names, problem := split(nil, text, r.delimiter)
	if problem == "" {
		problem = headerProblem(text)
	}
	if problem != "" {
		r.problems.add(r.at, "", problem)
		return false
	}
	return r.nameColumns(names)
}

func headerProblem(text string) string {
	for _, f := range foreign {
		if strings.HasPrefix(text, f.prefix) {
			return f.message
		}
	}
	return textProblem(text, true)
}

// nameColumns finds the column of each name. Empty names at the end are nothing.
func (r *reader) nameColumns(names []string) bool {
	for len(names) > 0 && names[len(names)-1] == "" {
		names = names[:len(names)-1]
	}
	if len(names) > maxColumns {
		r.problems.add(r.at, "", fmt.Sprintf("The first line names %d columns; a rent roll has %d.",
			len(names), columnCount))
		return false
	}
	r.names = names
	for i, name := range names {
		r.nameColumn(i, name)
	}
	if r.present == 0 {
		r.problems.listed = nil
		r.problems.add(
			r.at,
			"",
			"The first line names no column of a rent roll. The columns are "+strings.Join(Columns(), ", ")+".",
		)
		return false
	}
	for c := range columnCount {
		if c.required() && !r.present.has(c) {
			r.told.add(c)
			r.problems.add(r.at, c.String(), "The column is missing; every line needs it.")
		}
	}
	return true
}

func (r *reader) nameColumn(i int, name string) {
	c := columnOf(name)
	switch {
	case name == "":
		r.problems.add(r.at, "", fmt.Sprintf("Column %d has no name.", i+1))
	case c == unknown:
		r.problems.add(r.at, texts.Clip(name, longestShown), fmt.Sprintf(
			"There is no such column in a rent roll; the nearest is %s.", nearest(name)))
	case r.present.has(c):
		r.problems.add(r.at, c.String(), "The column is named twice; leave one of them out.")
		c = unknown
	default:
		r.present.add(c)
	}
	r.columns = append(r.columns, c)
}

// longestShown is how many characters of a name of a column a message repeats.
const longestShown = 60

// fieldName is the name of the column of a field, "" beyond the last.
func (h *header) fieldName(i int) string {
	switch {
	case i >= len(h.columns):
		return ""
	case h.columns[i] == unknown:
		return texts.Clip(h.names[i], longestShown)
	}
	return h.columns[i].String()
}
