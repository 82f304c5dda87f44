package texts

import "strings"

// formula are the characters that let a spreadsheet run a cell which begins with them, full-width
// forms included (OWASP, CSV injection).
const formula = "=+-@\t\r\n\uff0b\uff0d\uff1d\uff20"

// Inert is a text that no spreadsheet takes for a formula: an apostrophe in front makes it words.
// Tenants write names and descriptions, so every text of a file goes through here.
func Inert(s string) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	if first := strings.IndexAny(s, formula); first == 0 {
		return "'" + s
	}
	return s
}
