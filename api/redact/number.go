package redact

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// Numbers as people write them: in one piece or in groups, with blanks or dashes of
// any kind between them.
var (
	ssn    = regexp.MustCompile(`[0-9]{3}` + between + `[0-9]{2}` + between + `[0-9]{4}`)
	groups = regexp.MustCompile(`[0-9]{4,}(?:` + between + `{1,2}[0-9]{4,})*(?:` + between + `{1,2}[0-9]{1,3})?`)
)

const between = `[ \x{a0}\x{202f}\x{2010}-\x{2015}-]`

// A card has 13 to 19 digits (ISO/IEC 7812). No number of a landlord's has twenty.
const (
	shortest = 13
	longest  = 19
)

// numberless is without the numbers of cards and of social security.
func numberless(s string) string {
	if !numbered(s) {
		return s
	}
	return ssn.ReplaceAllString(groups.ReplaceAllStringFunc(s, cardless), "…")
}

// numbered reports whether a text may hold one of these numbers: thirteen digits side by side,
// as the shortest card has, or nine in groups, as a social security number has.
func numbered(s string) bool {
	var run digitRun
	for i := range len(s) {
		if run.add(s[i]) {
			return true
		}
	}
	return false
}

// digitRun is a row of digits and of what may stand between them.
type digitRun struct {
	digits  int
	between bool // something stands behind the first of them
	grouped bool // something stands between two of them
}

// add takes the next byte of a text, and reports whether the run is as long as a number that is
// taken out.
func (r *digitRun) add(c byte) bool {
	const grouped = 9
	switch {
	case digit(c):
		r.digits++
		r.grouped = r.grouped || r.between
		return r.digits >= shortest || r.grouped && r.digits >= grouped
	case c == ' ' || c == '-' || c >= utf8.RuneSelf:
		r.between = r.digits > 0
	default:
		*r = digitRun{}
	}
	return false
}

func digitsOf(s string) (n int) {
	for i := range len(s) {
		if digit(s[i]) {
			n++
		}
	}
	return n
}

// span is where a group of digits begins and ends.
type span struct{ from, to int }

// cardless takes cards out of groups of digits. A card is one group or several; other
// numbers may stand beside it.
func cardless(s string) string {
	if digitsOf(s) < shortest {
		return s
	}
	all := spans(s)
	var b strings.Builder
	kept := 0
	for i := range all {
		end := card(s, all[i:])
		if end <= kept {
			continue
		}
		if start := max(all[i].from, kept); start > kept || kept == 0 {
			b.WriteString(s[kept:start])
			b.WriteString("…")
		}
		kept = end
	}
	b.WriteString(s[kept:])
	return b.String()
}

func spans(s string) (all []span) {
	for i := 0; i < len(s); i++ {
		if !digit(s[i]) {
			continue
		}
		from := i
		for i < len(s) && digit(s[i]) {
			i++
		}
		all = append(all, span{from, i})
	}
	return all
}

// card is the end of the longest card that begins with the first of some groups, 0
// where none does.
func card(s string, all []span) (end int) {
	var digits []byte
	for _, g := range all {
		digits = append(digits, s[g.from:g.to]...)
		if len(digits) > longest {
			break
		}
		if len(digits) >= shortest && checks(digits) {
			end = g.to
		}
	}
	if first := all[0]; first.to-first.from > longest {
		return first.to
	}
	return end
}

// checks reports whether the last digit checks the others (Luhn).
func checks(digits []byte) bool {
	sum := 0
	for i, c := range digits {
		n := int(c - '0')
		if (len(digits)-i)%2 == 0 {
			n = n*2 - n/5*9
		}
		sum += n
	}
	return sum%10 == 0
}

// Who signs in and with what may stand in front of the host of an address. A password is as
// it was typed, not as RFC 3986 wants it: it may hold @, spaces and slashes; slashes of the
// address may be escaped, and all of it may be percent-encoded.
var (
	userinfo  = regexp.MustCompile(`(:\\?/\\?/)[^/\s"'<>]+@`)
	spacious  = regexp.MustCompile(`(:\\?/\\?/)([^/\s@"'<>:]*:)([^\s"'<>@][^"'<>@\r\n]*)@`)
	disguised = regexp.MustCompile(`(?i)(:|%3a)(/|%2f){2}(?:[^&#;\s"'<>/%]|%(?:[013-9a-f][0-9a-f]|2[0-9a-e]))+%40`)
)

// ported tells a host with its port, and what may follow in an address or in a sentence, from
// a name with a password that begins like a port.
var ported = regexp.MustCompile(`^(?:localhost|[^:]*\.[^:]*):[0-9]{1,5}[/?#\s,;)]`)

// loginless is a text without what stands before the hosts of addresses.
func loginless(s string) string {
	if strings.Contains(s, "%40") {
		s = disguised.ReplaceAllStringFunc(s, func(found string) string {
			return disguised.ReplaceAllString(found, "${1}//…@")
		})
	}
	if !strings.Contains(s, "//") && !strings.Contains(s, `/\/`) || strings.IndexByte(s, '@') < 0 {
		return s
	}
	s = userinfo.ReplaceAllString(s, "$1…@")
	return spacious.ReplaceAllStringFunc(s, func(found string) string {
		parts := spacious.FindStringSubmatch(found)
		if ported.MatchString(parts[2]+parts[3]) || strings.Contains(parts[3], "://") {
			return found
		}
		return parts[1] + "…@"
	})
}
