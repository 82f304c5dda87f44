package signature

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf16"

	"portal/api/money"
	"portal/api/strictjson"
)

// layout is a way to write JSON.
type layout struct {
	spacing
	escapes
	sorted bool // by name
	exact  bool // amounts with two decimals, which most libraries drop
}

// spacing is what stands between values; an indent breaks lines.
type spacing struct{ comma, colon, indent, words string }

// escapes says which characters are written as escapes beyond those that must be.
type escapes struct {
	must    func(rune) bool
	letters string // the control characters that have a letter instead of a number
	words   string
}

var spacings = []spacing{
	{",", ":", "", "compact"},
	{", ", ": ", "", "with a space behind commas and colons, as Python writes it"},
	{",", ": ", "  ", "indented by two spaces"},
	{",", ": ", "    ", "indented by four spaces"},
	{",", ": ", "\t", "indented by tabs"},
}

const five = "\b\t\n\f\r"

var escaping = []escapes{
	{func(r rune) bool { return r == '\u2028' || r == '\u2029' }, five, ""},
	{
		func(r rune) bool { return strings.ContainsRune("<>&\u2028\u2029", r) },
		five,
		"with HTML's characters escaped, as Go writes it",
	},
	{func(rune) bool { return false }, five, ""},
	{func(rune) bool { return false }, "\t\n\r", ""},
	{func(r rune) bool { return r > '~' }, five, "in ASCII with escapes, as Python writes it"},
	{
		func(r rune) bool { return r > '~' || r == '/' },
		five,
		"in ASCII with escapes and slashes escaped, as PHP writes it",
	},
	{func(r rune) bool { return r == '/' }, five, "with slashes escaped"},
}

// everyLayout yields every combination, the more likely ones first.
func everyLayout(yield func(layout) bool) {
	for i := range 4 {
		for _, s := range spacings {
			for _, e := range escaping {
				if !yield(layout{s, e, i&2 != 0, i&1 != 0}) {
					return
				}
			}
		}
	}
}

func (l layout) name() string {
	said := "JSON, " + l.spacing.words
	if l.escapes.words != "" {
		said += ", " + l.escapes.words
	}
	if l.sorted {
		said += ", its members sorted by name"
	}
	if l.exact {
		said += ", its amounts with two decimals"
	}
	return said
}

// append writes a value; line is the line break in front of its end, with its indent.
func (l layout) append(b []byte, v *strictjson.Value, name, line string) []byte {
	switch v.Kind {
	case strictjson.Text:
		return l.appendText(b, v.Text)
	case strictjson.Number:
		return append(b, l.number(name, v.Text)...)
	case strictjson.Array:
		return l.appendAll(b, "[]", line, len(v.Items), func(b []byte, i int, line string) []byte {
			return l.append(b, &v.Items[i], name, line)
		})
	case strictjson.Object:
		members := l.order(v.Members)
		return l.appendAll(b, "{}", line, len(members), func(b []byte, i int, line string) []byte {
			b = append(l.appendText(b, members[i].Name), l.colon...)
			return l.append(b, &members[i].Value, members[i].Name, line)
		})
	}
	return append(b, v.Text...)
}

func (l layout) appendAll(
	b []byte, brackets, line string, n int, one func(b []byte, i int, line string) []byte,
) []byte {
	b = append(b, brackets[0])
	for i := range n {
		if i > 0 {
			b = append(b, l.comma...)
		}
		if l.indent != "" {
			b = append(b, line+l.indent...)
		}
		b = one(b, i, line+l.indent)
	}
	if n > 0 && l.indent != "" {
		b = append(b, line...)
	}
	return append(b, brackets[1])
}

func (l layout) order(members []strictjson.Member) []strictjson.Member {
	if !l.sorted {
		return members
	}
	return slices.SortedFunc(
		slices.Values(members), func(x, y strictjson.Member) int { return strings.Compare(x.Name, y.Name) },
	)
}

// amounts are the members that hold dollars; verify_test.go holds them against the
// records.
var amounts = []string{
	"actual_cost", "amount", "amount_paid", "balance_due", "cost_limit", "estimated_cost",
	"late_fee_amount", "market_rent", "monthly_rent", "offered_rent", "security_deposit",
}

func (l layout) number(name, written string) string {
	if !l.exact || !slices.Contains(amounts, name) {
		return written
	}
	cents, err := money.Parse(written)
	if err != nil {
		return written
	}
	return cents.String()
}

func (l layout) appendText(b []byte, s string) []byte {
	b = append(b, '"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b = append(b, '\\', byte(r))
		case r < ' ':
			b = append(b, l.control(r)...)
		case !l.must(r):
			b = append(b, string(r)...)
		case r == '/':
			b = append(b, `\/`...)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			b = fmt.Appendf(b, `\u%04x\u%04x`, high, low)
		default:
			b = fmt.Appendf(b, `\u%04x`, r)
		}
	}
	return append(b, '"')
}

// control is how a control character is written.
func (l layout) control(r rune) string {
	if strings.ContainsRune(l.letters, r) {
		i := strings.IndexRune(five, r)
		return `\` + "btnfr"[i:i+1]
	}
	return fmt.Sprintf(`\u%04x`, r)
}
