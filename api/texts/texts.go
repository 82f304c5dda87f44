// Package texts has what every surface asks of a text: whether it can be stored and shown as it is,
// how it is shortened, how far it is from another, and how a number is written.
//
// It knows nothing of what a text is for.
package texts

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Unreadable reports whether a text cannot be stored or shown as it is: it is invalid UTF-8 or has
// control characters or line separators. Ends of lines and tabs are allowed if lines is true.
func Unreadable(s string, lines bool) bool {
	return !utf8.ValidString(s) || strings.ContainsFunc(s, func(r rune) bool {
		switch r {
		case '\n', '\r', '\t':
			return !lines
		case '\u2028', '\u2029':
			return !lines
		}
		return unicode.IsControl(r)
	})
}

// Reordered reports whether a text changes the direction of the text around it. Names in some
// scripts need that, so only what a stranger sends is refused for it.
func Reordered(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.Is(unicode.Bidi_Control, r) })
}

// Clip is at most so many characters of a text; where some are cut off, "…" follows.
func Clip(s string, most int) string {
	if len(s) <= most || utf8.RuneCountInString(s) <= most {
		return s
	}
	return string([]rune(s)[:most]) + "…"
}

// ClipBytes is at most so many bytes of a text. No character is torn. NUL and what is not UTF-8 are
// left out: PostgreSQL refuses both.
func ClipBytes(s string, most int) string {
	return strings.ToValidUTF8(strings.ReplaceAll(s[:min(len(s), most)], "\x00", ""), "")
}

// Grouped is a number of digits with commas between its thousands.
func Grouped(digits string) string {
	for at := len(digits) - 3; at > 0; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return digits
}

// Number is a whole number with commas between its thousands, such as -12,480.
func Number[N int | int64](n N) string {
	digits, negative := strings.CutPrefix(strconv.FormatInt(int64(n), 10), "-")
	if negative {
		return "-" + Grouped(digits)
	}
	return Grouped(digits)
}

// Counted is a number of things, in words: 1 unit, 2 units, 3 properties.
func Counted[N int | int64](n N, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	stem, ends := strings.CutSuffix(thing, "y")
	if ends && !strings.ContainsRune("aeo", rune(stem[len(stem)-1])) {
		return Number(n) + " " + stem + "ies"
	}
	return Number(n) + " " + thing + "s"
}

// List puts texts one after the other, with a comma between them and another separator, such as " and ",
// before the last.
func List(all []string, last string) string {
	if len(all) < 2 {
		return strings.Join(all, "")
	}
	return strings.Join(all[:len(all)-1], ", ") + last + all[len(all)-1]
}
