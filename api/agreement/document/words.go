package document

import (
	"regexp"
	"strconv"
	"strings"

	"portal/api/clock"
	"portal/api/portfolio"
)

// alternative is [several|one] in a text: what it says of several tenants, and of one.
var alternative = regexp.MustCompile(`\[([^\[\]|]*)\|([^\[\]|]*)\]`)

// count chooses among the alternatives of a text by how many tenants there are. It is for texts of the
// document alone: what somebody has typed may hold brackets.
func (c *composer) count(s string) string {
	if c.alone {
		return alternative.ReplaceAllString(s, "$2")
	}
	return alternative.ReplaceAllString(s, "$1")
}

// long is a day as a document writes it.
func long(d clock.Date) string { return d.Std().Format("January 2, 2006") }

// period is two days of a month and all between them: January 9 to January 31, 2027.
func period(from, to clock.Date) string { return from.Std().Format("January 2") + " to " + long(to) }

// ordinal is a day of the month: 1st, 2nd, 3rd, 4th.
func ordinal(n int) string {
	suffix := "th"
	if n%100 < 11 || n%100 > 13 {
		switch n % 10 {
		case 1:
			suffix = "st"
		case 2:
			suffix = "nd"
		case 3:
			suffix = "rd"
		}
	}
	return strconv.Itoa(n) + suffix
}

// bathrooms are a count of them with its noun.
func bathrooms(n portfolio.Half) string {
	switch n {
	case 0:
		return "no bathroom of its own"
	case 1:
		return "a half bathroom"
	case 2:
		return "1 bathroom"
	}
	return string(n.AppendJSON(nil)) + " bathrooms"
}

// phone is a number as people in the United States write it. Others stay as they are.
func phone(s string) string {
	digits, is := strings.CutPrefix(s, "+1")
	if !is || len(digits) != 10 {
		return s
	}
	return "(" + digits[:3] + ") " + digits[3:6] + "-" + digits[6:]
}

// lines are those of a text that somebody has typed, without empty ones.
func lines(s string) []string {
	all := strings.FieldsFunc(strings.ReplaceAll(s, "\t", " "), func(r rune) bool {
		return strings.ContainsRune("\n\r\u2028\u2029", r)
	})
	kept := all[:0]
	for _, line := range all {
		if line = strings.TrimSpace(line); line != "" {
			kept = append(kept, line)
		}
	}
	return kept
}
