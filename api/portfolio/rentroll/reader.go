package rentroll

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"strings"

	"portal/api/clock"
	"portal/api/money"
)

// maxSwallowed is how many lines a quoted text that stays open may hide.
const maxSwallowed = 20

// reader reads one file into a roll.
type reader struct {
	lines
	header
	roll     *Roll
	problems *problems
	index    index
	fields   []string // of the present line
	entry    entry    // what it says
}

func (r *reader) readRows() {
	for text, ok := r.next(); ok; text, ok = r.next() {
		if !r.readRow(text) {
			return
		}
	}
	if r.roll.Units() == 0 && len(r.problems.listed) == 0 && r.problem() == "" {
		r.problems.add(r.header.line, "", "No unit follows the line of column names.")
	}
}

// readRow reads a line of a unit; it is false where no more are read.
func (r *reader) readRow(text string) bool {
	var problem string
	r.fields, problem = split(r.fields[:0], text, r.delimiter)
	switch {
	case problem != "":
		r.problems.add(r.at, r.fieldName(len(r.fields)-1), problem)
		if problem != openQuote {
			return true
		}
		for range maxSwallowed { // the lines that the quoted text goes on in
			if hidden, ok := r.next(); !ok || closes(hidden) {
				break
			}
		}
	case blank(r.fields):
	case r.roll.Units() == MaxUnits:
		r.problems.add(r.at, "", fmt.Sprintf("A rent roll has at most %d units; split the file.", MaxUnits))
		return false
	case r.fits():
		r.readEntry()
		r.keep()
	}
	return true
}

// fits reports whether the line has as many values as the header has names; empty
// ones beyond are nothing.
func (r *reader) fits() bool {
	n := len(r.columns)
	if len(r.fields) > n && blank(r.fields[n:]) {
		r.fields = r.fields[:n]
	}
	if len(r.fields) == n {
		return true
	}
	r.problems.add(r.at, "", fmt.Sprintf(
		"The line has %d values, the first line names %d columns. Put a value that holds the delimiter in quotes.",
		len(r.fields), n))
	return false
}

// reject notes what is wrong in a column of the present line. A column that the
// file does not have is at fault once, in the header.
func (r *reader) reject(c column, format string, args ...any) {
	line := r.at
	r.entry.bad.add(c)
	if !r.present.has(c) {
		if r.told.has(c) {
			return
		}
		r.told.add(c)
		line = r.header.line
		format = "The column is missing. Line %d: " + format
		args = append([]any{r.at}, args...)
	}
	r.problems.add(line, c.String(), fmt.Sprintf(format, args...))
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

// maxLine is the length of the longest line in bytes.
const maxLine = 64 << 10

// lines reads a file line by line. A line ends as on Windows, Unix or the
// classic Mac.
type lines struct {
	scan *bufio.Scanner
	at   int // the line read last
}

// next is the next line; at the end and at an error there is none.
func (l *lines) next() (string, bool) {
	if !l.scan.Scan() {
		return "", false
	}
	l.at++
	return l.scan.Text(), true
}

// problem is why reading stopped before the end, "" where it did not.
func (l *lines) problem() string {
	switch err := l.scan.Err(); {
	case err == nil:
		return ""
	case errors.Is(err, bufio.ErrTooLong):
		return "The line is longer than 64 KiB; reading stopped here. Check that the file is a CSV file."
	default:
		return "The file could not be read from here on: " + err.Error() + "."
	}
}

// cutLine is the bufio.SplitFunc of lines.
func cutLine(data []byte, atEOF bool) (int, []byte, error) {
	i := bytes.IndexAny(data, "\r\n")
	switch {
	case i < 0 && atEOF && len(data) > 0:
		return len(data), data, nil
	case i < 0:
		return 0, nil, nil
	case data[i] == '\r' && i+1 == len(data) && !atEOF:
		return 0, nil, nil // a line feed may follow
	case bytes.HasPrefix(data[i:], []byte("\r\n")):
		return i + 2, data[:i], nil
	}
	return i + 1, data[:i], nil
}

// closes reports whether a line ends a quoted text that an earlier one began.
func closes(line string) bool { return strings.Count(line, `"`)%2 == 1 }

// What can be wrong with the quotes of a line.
const (
	openQuote  = `The quoted text does not end in its line. Close it with a quote; a value cannot hold a line break.`
	strayQuote = `After a quoted value comes more text. Double the quotes inside a value, as in "The ""Oaks""".`
)

// split cuts a line at the delimiter into fields, without the spaces around
// them. A field in quotes may hold the delimiter and, doubled, quotes (RFC 4180).
// A problem is one of the field that comes last.
func split(fields []string, line string, delimiter byte) (_ []string, problem string) {
	for {
		quoted, is := strings.CutPrefix(strings.TrimLeft(line, " "), `"`)
		if !is {
			field, rest, more := strings.Cut(line, string(delimiter))
			fields = append(fields, strings.TrimSpace(field))
			if !more {
				return fields, ""
			}
			line = rest
			continue
		}
		end := closingQuote(quoted)
		if end < 0 {
			return append(fields, ""), openQuote
		}
		rest := strings.TrimLeft(quoted[end+1:], " ")
		if rest != "" && rest[0] != delimiter {
			return append(fields, ""), strayQuote
		}
		fields = append(fields, strings.TrimSpace(strings.ReplaceAll(quoted[:end], `""`, `"`)))
		if rest == "" {
			return fields, ""
		}
		line = rest[1:]
	}
}

// closingQuote is where the quote that is not doubled stands, -1 without one.
func closingQuote(s string) int {
	for i := 0; i < len(s); i++ {
		if s[i] != '"' {
			continue
		}
		if i+1 == len(s) || s[i+1] != '"' {
			return i
		}
		i++
	}
	return -1
}

// delimiterOf is the one of comma, semicolon and tab that a header has most of,
// the comma where it has none.
func delimiterOf(header string) byte {
	best := byte(',')
	for _, d := range []byte(";\t") {
		if strings.Count(header, string(d)) > strings.Count(header, string(best)) {
			best = d
		}
	}
	return best
}

// blank tells a line without any value.
func blank(fields []string) bool {
	for _, f := range fields {
		if f != "" {
			return false
		}
	}
	return true
}

// row is a unit with its lease, in little memory.
type row struct {
	line, property int32
	person         int32 // none where the unit is vacant
	next           int32 // the next row of the same person, 0 at the last
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

// index finds what a line has in common with earlier ones.
type index struct {
	units  map[unitKey]int32 // the line of each unit
	emails map[string]int32  // the person of each address
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
	if !r.newUnit(property) {
		return
	}
	r.roll.rows.add(row{
		line:        int32(r.at),
		property:    property,
		person:      r.person(at),
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
	})
}

// newUnit reports whether the unit is the first of its number in its property.
func (r *reader) newUnit(property int32) bool {
	number := r.entry.number
	key := unitKey{property, strings.ToLower(number)} // mostly the same text, in the same memory
	line, twice := r.index.units[key]
	if twice {
		why := ""
		if !r.entry.given.has(unitNumber) {
			why = ` An empty unit_number means "1".`
		}
		r.reject(unitNumber, "Unit %s of this property is in line %d already.%s", quote(number), line, why)
		return false
	}
	r.index.units[key] = int32(r.at)
	return true
}
