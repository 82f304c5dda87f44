package rentroll

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"portal/api/clock"
	"portal/api/fault"
	"portal/api/money"
	"portal/api/texts"
)

// textProblem refuses what is no text: bytes that are not UTF-8, and control characters apart from
// tabs where they part columns.
func textProblem(s string, tabs bool) string {
	if !utf8.ValidString(s) {
		return "This is not text in UTF-8. Save the file as “CSV UTF-8”."
	}
	for _, r := range s {
		if texts.Unreadable(string(r), tabs) {
			return fmt.Sprintf("There is a control character (U+%04X) in it; remove it.", r)
		}
	}
	return ""
}

// readText reads a text of at most so many characters; spaces within count once.
func readText(into *string, s string, most int) string {
	s = oneSpaced(s)
	if n := utf8.RuneCountInString(s); n > most {
		return quote(s) + " " + fault.Characters(n, nil, &most)
	}
	*into = s
	return ""
}

// oneSpaced has one space wherever s has some.
func oneSpaced(s string) string {
	if !strings.Contains(s, "  ") && !strings.ContainsFunc(s, wideSpace) {
		return s
	}
	return strings.Join(strings.Fields(s), " ")
}

func wideSpace(r rune) bool { return r != ' ' && unicode.IsSpace(r) }

// readWhole reads a whole number, with or without separators of thousands.
func readWhole(into *int, s string, least, most int) string {
	digits, grouped := ungroup(s)
	n, err := strconv.Atoi(digits)
	if !grouped || err != nil || n < least || n > most {
		return fmt.Sprintf("%s is not a whole number between %d and %d.", quote(s), least, most)
	}
	*into = n
	return ""
}

// parseMoney reads dollars, with or without the sign and separators of thousands.
func parseMoney(s string) (money.Cents, bool) {
	digits, negative := strings.CutPrefix(s, "-")
	digits = strings.TrimLeft(strings.TrimPrefix(digits, "$"), " ")
	digits, grouped := ungroup(digits)
	c, err := money.Parse(digits)
	if negative && c > 0 {
		c = -c
	}
	return c, grouped && err == nil
}

// ungroup takes the separators of thousands out of a number; it is false where
// one stands in a wrong place.
func ungroup(s string) (string, bool) {
	whole, _, _ := strings.Cut(s, ".")
	if !strings.Contains(whole, ",") {
		return s, true
	}
	groups := strings.Split(whole, ",")
	for i, g := range groups[1:] {
		if len(g) != 3 || i == 0 && (groups[0] == "" || len(groups[0]) > 3) {
			return s, false
		}
	}
	return strings.Join(groups, "") + s[len(whole):], true
}

// parseDate reads YYYY-MM-DD, and M/D/YYYY as it is written in the US.
func parseDate(s string) (clock.Date, error) {
	if !strings.Contains(s, "/") {
		return clock.ParseDate(s)
	}
	t, err := time.Parse("1/2/2006", s)
	if err != nil {
		return 0, err
	}
	return clock.ParseDate(t.Format(time.DateOnly))
}

func allDigits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}
