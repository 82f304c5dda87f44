// Package redact takes out of a text what must not be written down, wherever a caller
// has put it: keys and secrets, and of what people tell their assistants the numbers
// of cards and of social security.
//
// It does not know where the text comes from, or where it is stored.
package redact

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// secrets matches API keys (all but the prefix that is shown of them), signing secrets, and words
// as long as the rest of a key, since the first characters of a key may be percent-encoded.
var secrets = regexp.MustCompile(
	`(sk_(?:test|live)_pm_[0-9A-Za-z]{0,6})[0-9A-Za-z]+|(whsec_)[0-9A-Za-z+/=_%-]+|[0-9A-Za-z]{40,}`,
)

// Text is a path, a query or a header without keys and signing secrets.
func Text(s string) string {
	if strings.Contains(s, "%") {
		if plain := unescaped(s); strings.Contains(plain, "sk_") || strings.Contains(plain, "whsec_") {
			s = plain // a secret in disguise; what is logged need not be sent again
		}
	}
	if !strings.Contains(s, "sk_") && !strings.Contains(s, "whsec_") && !hasWord(s, 40, "") {
		return s // most of what comes; the expression would take microseconds
	}
	return secrets.ReplaceAllString(s, "$1$2…")
}

// hasWord reports whether so many letters and digits stand side by side, among them any
// of some other characters.
func hasWord(s string, length int, others string) bool {
	run := 0
	for i := 0; i < len(s) && run < length; i++ {
		if c := s[i]; digit(c) || upper(c) || lower(c) || strings.IndexByte(others, c) >= 0 {
			run++
		} else {
			run = 0
		}
	}
	return run == length
}

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
