package redact

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Line is Said in one line of at most so many characters, none of which is invisible
// or moves a cursor. They go first: they might part a secret.
func Line(s string, most int) string {
	s = strings.Map(func(c rune) rune {
		switch {
		case c == utf8.RuneError, !unicode.IsSpace(c) && !unicode.IsPrint(c):
			return -1
		case unicode.IsSpace(c):
			return ' '
		}
		return c
	}, head(s))
	s = strings.TrimSpace(FreeText(s))
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	return string([]rune(s)[:most-1]) + "…"
}
