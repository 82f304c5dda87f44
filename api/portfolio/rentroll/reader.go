package rentroll

import (
	"fmt"
	"io"
	"strings"
)

// maxSwallowed is how many lines a quoted text that stays open may hide.
const maxSwallowed = 20

// reader reads one file into a roll.
type reader struct {
	*lines
	header
	roll     *Roll
	problems *problems
	index    index
	fields   []string // of the present line
	entry    entry    // what it says
}

func newReader(r io.Reader) *reader {
	roll := &Roll{byAddress: map[string]int32{}}
	return &reader{
		lines:    newLines(r),
		roll:     roll,
		problems: &roll.problems,
		index:    newIndex(),
	}
}

func (r *reader) read() {
	if r.readHeader() {
		r.readRows()
	}
	if why := r.problem(); why != "" {
		r.problems.add(r.at+1, "", why)
	}
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
		r.swallow(problem)
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

// swallow skips the lines that a quoted text with line breaks goes on in.
func (r *reader) swallow(problem string) {
	if problem != openQuote {
		return
	}
	for range maxSwallowed {
		text, ok := r.next()
		if !ok || closes(text) {
			return
		}
	}
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
