package portfolio

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Unreadable reports whether a text cannot be stored or shown as it is: it is invalid UTF-8, has
// control characters, or changes the direction of text around it. Line feeds, tabs and line
// separators are allowed only if lines is true.
func Unreadable(s string, lines bool) bool {
	return !utf8.ValidString(s) || strings.ContainsFunc(s, func(r rune) bool {
		if lines && (r == '\n' || r == '\t') {
			return false
		}
		return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || !lines && (r == '\u2028' || r == '\u2029')
	})
}
