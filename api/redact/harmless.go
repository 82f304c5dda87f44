package redact

import (
	"strings"
	"unicode/utf8"
)

// harmless tells, in one pass, that a text has nothing in which Said could find a secret. It
// is true of most texts, and all of them would otherwise be looked at by a dozen expressions.
// Each case is a byte that the beginning of a secret ends with.
func harmless(s string) bool {
	word := 0 // how many bytes of a word stand side by side
	var number digitRun
	colon, marked, looked := false, false, false
	for i := range len(s) {
		kind := kinds[s[i]]
		if kind&inWord == 0 {
			word = 0
		} else if word++; word >= 40 {
			return false
		}
		if kind&inNumber == 0 {
			number = digitRun{}
		} else if !looked && number.add(s[i]) {
			if looked = true; numberless(s) != s { // a ZIP code of nine digits stays, and so does an id
				return false
			}
		}
		if kind&telling == 0 {
			continue
		}
		switch s[i] {
		case ':':
			colon = true
		case '"', '\'', '@':
			marked = true
		default:
			if begins(s[:i+1]) {
				return false
			}
		}
	}
	return !colon || !marked // a name before a value, or who signs in before a host
}

// begins reports whether a text ends as the beginning of a secret does: percent-encoding, a
// parameter, keys of ours and of others, a token after its scheme.
func begins(s string) bool {
	switch s[len(s)-1] {
	case '%':
		return true
	case '=':
		return endsPrivately(s[:len(s)-1])
	case '_':
		return strings.HasSuffix(s, "k_") || strings.HasSuffix(s, "whsec_") ||
			len(s) > 3 && s[len(s)-4:len(s)-2] == "gh"
	case '-':
		return strings.HasSuffix(s, "sk-") || len(s) > 4 && s[len(s)-5:len(s)-2] == "xox"
	case 'A':
		return strings.HasSuffix(s, "AKIA")
	case 'J':
		return strings.HasSuffix(s, "eyJ")
	default: // of bearer and basic, however they are written
		end := strings.ToLower(s[max(0, len(s)-4):])
		return end == "arer" || end == "asic"
	}
}

// endsPrivately reports whether a text ends in a name that may be a private one; the shortest has
// three letters.
func endsPrivately(s string) bool {
	if len(s) < 3 || strings.IndexByte(privateEnds, s[len(s)-1]) < 0 {
		return false
	}
	inName := func(c byte) bool { return kinds[c]&inWord != 0 || c >= utf8.RuneSelf }
	return inName(s[len(s)-2]) && inName(s[len(s)-3])
}

// What a byte may be: part of a long word, part of a number or between its digits, the end
// of what a secret begins with.
const (
	inWord = 1 << iota
	inNumber
	telling
)

var kinds = func() (all [256]uint8) {
	for c := range 256 {
		b := byte(c)
		if digit(b) || upper(b) || lower(b) || strings.IndexByte("+/=_-", b) >= 0 {
			all[c] |= inWord
		}
		if digit(b) || b == ' ' || b == '-' || b >= utf8.RuneSelf {
			all[c] |= inNumber
		}
		if strings.IndexByte("%=_-AJrRcC:\"'@", b) >= 0 {
			all[c] |= telling
		}
	}
	return all
}()
