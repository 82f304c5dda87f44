package sheet

import (
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"portal/api/texts"
)

// longestShown is how many characters of a cell a message repeats.
const longestShown = 60

// What can be wrong with a cell of any file.
const (
	notText   = "The line holds bytes that are not text. Save the file as “CSV UTF-8”."
	isControl = "A cell holds a control character (U+%04X). Remove it."
	isFormula = "A cell holds a formula, %s, not a value. Replace it by its value."
)

// clean is the value of a cell. What is not text in it is replaced by U+FFFD, a formula is left out;
// both are problems of the row.
func (r *Row) clean(cell string) string {
	if !plain(cell) {
		cell = r.readable(strings.Join(strings.Fields(cell), " "))
	}
	if text, is := strings.CutPrefix(
		cell,
		"'",
	); is &&
		strings.ContainsRune("=+-@\uff0b\uff0d\uff1d\uff20", first(text)) {
		return text // an export has put the apostrophe before it, so that no spreadsheet takes it for a formula
	}
	if !strings.HasPrefix(cell, "=") {
		return cell
	}
	if text, is := textFormula(cell); is && !strings.HasPrefix(text, "=") {
		return strings.TrimSpace(text)
	}
	r.fail(isFormula, texts.Clip(cell, longestShown))
	return ""
}

// first is the first character of a text, U+FFFD of an empty one.
func first(s string) rune {
	c, _ := utf8.DecodeRuneInString(s)
	return c
}

// plain reports whether a cell is ASCII that needs no cleaning, as nearly all are.
func plain(cell string) bool {
	before := byte(' ')
	for i := range len(cell) {
		b := cell[i]
		if b < ' ' || b > '~' || b == ' ' && before == ' ' {
			return false
		}
		before = b
	}
	return cell == "" || before != ' '
}

// readable replaces invalid UTF-8 and control characters.
func (r *Row) readable(cell string) string {
	if !texts.Unreadable(cell, false) {
		return cell
	}
	if !utf8.ValidString(cell) {
		r.fail(notText)
	}
	return strings.Map(func(c rune) rune { // an invalid byte is utf8.RuneError here
		if unicode.IsControl(c) {
			r.fail(isControl, c)
			return utf8.RuneError
		}
		return c
	}, cell)
}

// textFormula is the text of ="…", which Excel's users write so that 1-2 stays no date.
func textFormula(cell string) (string, bool) {
	quoted, is := strings.CutPrefix(cell, `="`)
	if !is || quoted == "" || closingQuote(quoted) != len(quoted)-1 {
		return "", false
	}
	return strings.ReplaceAll(quoted[:len(quoted)-1], `""`, `"`), true
}

// significant is how many digits of a number Excel keeps; what follows is noise of binary fractions.
const significant = 15

// decimal writes a number of a workbook without an exponent: 1.0E2 is 100, 1700.5000000000002 is 1700.5.
func decimal(value string) (string, bool) {
	if strings.Trim(value, "0123456789") == "" && len(value) > significant {
		return value, true // the digits of an account, which no float keeps
	}
	if strings.Trim(value, "0123456789+-.eE") != "" {
		return "", false // such as NaN or 0x10, which ParseFloat knows
	}
	f, err := strconv.ParseFloat(value, 64)
	if err != nil || math.IsInf(f, 0) {
		return "", false
	}
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(f, 'g', significant, 64), 64)
	if err != nil {
		return "", false
	}
	if rounded == 0 {
		return "0", true // not -0
	}
	return strconv.FormatFloat(rounded, 'f', -1, 64), true
}
