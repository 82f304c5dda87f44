package rentroll

import (
	"strings"
	"unicode"
)

// address is an address without a unit; postal may be "".
type address struct {
	street, city, state, postal string
}

// key is the same for the ways to write one address: case, spaces, punctuation
// and the common abbreviations do not count, nor does the ZIP code. A full stop
// between digits counts: 1.5 Oak St is not 15 Oak St.
func (p address) key() string {
	var b strings.Builder
	for _, part := range [...]string{p.street, p.city, p.state} {
		for word := range strings.FieldsFuncSeq(audible(part), parting) {
			if abbreviated, ok := short[word]; ok {
				word = abbreviated
			}
			b.WriteByte(' ')
			b.WriteString(word)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// audible is a text without what may be left out within a word, and without case.
func audible(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	for i, r := range s {
		decimal := r == '.' && i > 0 && i+1 < len(s) && allDigits(s[i-1:i]) && allDigits(s[i+1:i+2])
		if decimal || !strings.ContainsRune(".'’", r) {
			b.WriteRune(unicode.ToLower(r))
		}
	}
	return b.String()
}

func parting(r rune) bool { return strings.ContainsRune(" ,;#", r) || wideSpace(r) }

// line is the address of a unit in one line, of the whole place with unit "".
func (p address) line(unit string) string {
	parts := make([]string, 1, 4)
	parts[0] = p.street
	if unit != "" {
		parts = append(parts, designated(unit))
	}
	tail := p.state
	if p.postal != "" {
		tail += " " + p.postal
	}
	return strings.Join(append(parts, p.city, tail), ", ")
}

// designated is a unit's number with a word that says what it is.
func designated(unit string) string {
	word, _, _ := strings.Cut(strings.ToLower(unit), " ")
	if unit[0] == '#' || designators[strings.TrimRight(word, ".")] {
		return unit
	}
	return "Unit " + unit
}

// designators are words that a unit's number may bring with it, and short the
// abbreviations in addresses, both of USPS Publication 28, appendix C.
var (
	designators = setOfWords(`apartment apt basement bldg bsmt building fl floor front garage house lot
		lower ofc office penthouse ph rear rm room space spc ste studio suite trailer trlr unit upper`)

	short = map[string]string{
		"avenue": "ave", "av": "ave", "boulevard": "blvd", "circle": "cir", "court": "ct",
		"drive": "dr", "highway": "hwy", "lane": "ln", "parkway": "pkwy", "place": "pl",
		"road": "rd", "square": "sq", "street": "st", "terrace": "ter", "trail": "trl",
		"fort": "ft", "mount": "mt", "saint": "st",
	}
)

func setOfWords(s string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(s) {
		set[word] = true
	}
	return set
}
