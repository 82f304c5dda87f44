package rentroll

import "strings"

// What can be wrong with the quotes of a line.
const (
	openQuote  = `The quoted text does not end in its line. Close it with a quote; a value cannot hold a line break.`
	strayQuote = `After a quoted value comes more text. Double the quotes inside a value, as in "The ""Oaks""".`
)

// split cuts a line at the delimiter into fields, without the spaces around
// them. A field in quotes may hold the delimiter and, doubled, quotes (RFC 4180).
// A problem is one of the field that comes last.
func split(fields []string, line string, delimiter byte) (_ []string, problem string) {
	for more := true; more && problem == ""; {
		var field string
		field, line, more, problem = cutField(line, delimiter)
		fields = append(fields, field)
	}
	return fields, problem
}

func cutField(s string, delimiter byte) (field, rest string, more bool, problem string) {
	if q, ok := strings.CutPrefix(strings.TrimLeft(s, " "), `"`); ok {
		return cutQuoted(q, delimiter)
	}
	if i := strings.IndexByte(s, delimiter); i >= 0 {
		return strings.TrimSpace(s[:i]), s[i+1:], true, ""
	}
	return strings.TrimSpace(s), "", false, ""
}

// cutQuoted cuts a field whose opening quote is gone.
func cutQuoted(s string, delimiter byte) (field, rest string, more bool, problem string) {
	end := closingQuote(s)
	if end < 0 {
		return "", "", false, openQuote
	}
	field = strings.TrimSpace(strings.ReplaceAll(s[:end], `""`, `"`))
	rest = strings.TrimLeft(s[end+1:], " ")
	switch {
	case rest == "":
		return field, "", false, ""
	case rest[0] == delimiter:
		return field, rest[1:], true, ""
	}
	return "", "", false, strayQuote
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
