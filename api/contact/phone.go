package contact

import (
	"fmt"
	"regexp"
	"strings"
)

// extension is what people write behind a number, and ;ext=, as RFC 3966 has it.
var extension = regexp.MustCompile(`(?i)\s*(?:[,;]?\s*(?:extension|ext\.?|x\.?|#)|;ext=)\s*([0-9]{1,7})$`)

// Phone reads a phone number and gives it in E.164, with ";ext=" and its digits behind it where it has an
// extension (RFC 3966). A number of the US may be written as people do, with or without 1 before it; one of
// another country starts with + and its code.
func Phone(s string) (string, error) {
	number := strings.TrimSpace(s)
	if at := extension.FindStringSubmatchIndex(number); at != nil {
		whole, err := e164(number[:at[0]])
		if err == nil {
			return whole + ";ext=" + number[at[2]:at[3]], nil
		}
	}
	return e164(number)
}

func e164(s string) (string, error) {
	digits, international := strings.CutPrefix(s, "+")
	digits = strings.Map(unpunctuated, digits)
	if !international || strings.HasPrefix(digits, "1") {
		national := digits
		if len(digits) == 11 {
			national = strings.TrimPrefix(digits, "1")
		}
		if northAmerican(national) {
			return "+1" + national, nil
		}
	} else if abroad(digits) {
		return "+" + digits, nil
	}
	return "", fmt.Errorf("not a phone number, such as (512) 555-0142 or +15125550142: %q", s)
}

// unpunctuated drops what people write between digits: spaces, brackets, dots,
// slashes, and the hyphens and dashes of spreadsheets.
func unpunctuated(r rune) rune {
	if strings.ContainsRune(" ().-/\u00a0\u2010\u2011\u2012\u2013", r) {
		return -1
	}
	return r
}

// northAmerican tells the ten digits of the North American Numbering Plan, whose
// area codes and exchanges start with 2 to 9.
func northAmerican(s string) bool {
	return len(s) == 10 && allDigits(s) && s[0] >= '2' && s[3] >= '2'
}

// abroad tells a number of another country: with its code 8 to 15 digits, the
// most that E.164 has; no country code starts with 0.
func abroad(s string) bool {
	return len(s) >= 8 && len(s) <= 15 && allDigits(s) && s[0] != '0'
}

func allDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}
