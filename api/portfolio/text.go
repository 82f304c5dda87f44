package portfolio

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Unreadable tells a text that cannot be stored or shown as it is: it is not UTF-8,
// has control characters beside those of layout, breaks a line that is one, or turns the direction of what
// stands around it.
func Unreadable(s string, lines bool) bool {
	return !utf8.ValidString(s) || strings.ContainsFunc(s, func(r rune) bool {
		if lines && (r == '\n' || r == '\t') {
			return false
		}
		return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || !lines && (r == '\u2028' || r == '\u2029')
	})
}
