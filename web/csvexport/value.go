package csvexport

import (
	"strconv"
	"strings"

	"portal/api/clock"
	"portal/api/money"
)

// Value is a cell of a file.
type Value struct{ text string }

// ours are the types whose text is always a number or a date.
type ours interface {
	money.Cents | clock.Date | clock.Time
	String() string
}

// Text is a cell of words.
func Text[S ~string](s S) Value { return Value{inert(string(s))} }

// TextOr is a cell of words that may be absent.
func TextOr[S ~string](s *S) Value {
	if s == nil {
		return Value{}
	}
	return Text(*s)
}

// Of is an amount in dollars such as 1450.00, a day such as 2026-11-26, or a moment in UTC.
func Of[V ours](v V) Value { return Value{v.String()} }

// Or is Of for a value that may be absent.
func Or[V ours](v *V) Value {
	if v == nil {
		return Value{}
	}
	return Of(*v)
}

// Number is a cell with a whole number.
func Number(n int) Value { return Value{strconv.Itoa(n)} }

// NumberOr is a cell with a whole number that may be absent.
func NumberOr(n *int) Value {
	if n == nil {
		return Value{}
	}
	return Number(*n)
}

// formula are the characters that let a spreadsheet run a cell which begins with them, full-width
// forms included (OWASP, CSV injection).
const formula = "=+-@\t\r\n\uff0b\uff0d\uff1d\uff20"

// inert is a text that no spreadsheet takes for a formula: an apostrophe in front makes it words.
// Tenants write names and descriptions, so every text goes through here.
func inert(s string) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	if first := strings.IndexAny(s, formula); first == 0 {
		return "'" + s
	}
	return s
}
