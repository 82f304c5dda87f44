package redact

import (
	"strings"
	"unicode/utf8"
)

// clean reports that Body has nothing to hide in a text of JSON. It looks at each byte about
// once and copies nothing, and it is true of most bodies: to read them as JSON takes four times
// as long. false says nothing, so what is rare may be answered so: strings that hold JSON,
// characters written as \u, numbers of nine digits or more.
//
// It tells strings from what stands between them and does not know the grammar. What it calls
// clean is clean as well where the text turns out not to be JSON and is read as free words.
func clean(s string) bool {
	if !utf8.ValidString(s) {
		return false
	}
	for {
		quote := strings.IndexByte(s, '"')
		if quote < 0 {
			return cleanBetween(s)
		}
		if !cleanBetween(s[:quote]) {
			return false
		}
		s = s[quote+1:]
		end := endOfString(s)
		if end < 0 || !cleanString(s[:end], s[end+1:]) {
			return false
		}
		s = s[end+1:]
	}
}

// cleanBetween reports that what stands outside of strings is made of what JSON has there, and
// holds no long number.
func cleanBetween(s string) bool {
	for i := range len(s) {
		if strings.IndexByte("\t\n\r {}[]:,0123456789+-.eEtrufalsn", s[i]) < 0 {
			return false
		}
	}
	return !numbered(s)
}

// endOfString is where the string at the beginning of a text ends, -1 where it holds what the
// bytes do not show as it is: a control character, or an escape that makes a letter or a slash.
func endOfString(s string) int {
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"':
			return i
		case c < ' ':
			return -1
		case c == '\\':
			if i++; i == len(s) || strings.IndexByte(`"\bfnrt`, s[i]) < 0 {
				return -1
			}
		}
	}
	return -1
}

// cleanString reports that a string, as it is written, hides nothing itself and is no name that
// makes the value behind it private.
func cleanString(s, behind string) bool {
	if s == "" {
		return true
	}
	if s[0] == '{' || s[0] == '[' || !harmless(s) {
		return false
	}
	behind = unspaced(behind)
	return behind == "" || behind[0] != ':' || cleanName(s, unspaced(behind[1:]))
}

// unspaced is a text without the white space before it.
func unspaced(s string) string {
	for s != "" && (s[0] == ' ' || s[0] == '\n' || s[0] == '\r' || s[0] == '\t') {
		s = s[1:]
	}
	return s
}

// cleanName reports that the value behind a name may be kept.
func cleanName(name, value string) bool {
	disguised := strings.ContainsFunc(name, func(c rune) bool { return c >= utf8.RuneSelf || c == '\\' })
	if len(name) > longestPrivate || disguised {
		return false
	}
	const address = "_url"
	if len(name) > len(address) && strings.EqualFold(name[len(name)-len(address):], address) {
		return !links[strings.ToLower(name)] || value == "" || value[0] != '"'
	}
	return !hidden(name) && !endsIn(name, "signature") // the last in free words alone
}
