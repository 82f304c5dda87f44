package redact

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"portal/api/strictjson"
)

// Limits of a value's depth and of its names, in bytes, beyond what the arguments of any tool
// have. The rest is left out. The marker that stands for it and the closing brackets of all levels
// fit into the reserve.
const (
	deepest     = 8
	longestName = 100
	marker      = `"…":"…"`
	reserve     = 64
)

// lengths are the string limits to try, longest first, in bytes. The first limit with which the
// whole value fits is used.
var lengths = []int{1000, 250, 60}

// private are ends of names whose values are not told, without dashes and in lower case.
var private = []string{
	"password", "passwd", "passphrase", "secret", "privatekey", "apikey", "token", "authorization",
	"ssn", "socialsecuritynumber", "taxid", "cardnumber", "cvv", "cvc",
}

// Value renders a value as JSON within a limit in bytes (512 at least), without secrets in its
// values or names, and with long strings shortened. What does not fit is left out and marked.
// It is an empty object for nil.
func Value(v *strictjson.Value, most int) string {
	if v == nil {
		return "{}"
	}
	w := &writer{}
	for _, length := range lengths {
		*w = writer{most: most - reserve, length: length}
		w.value("", v, 0)
		if !w.full {
			break
		}
	}
	return string(w.b)
}

// JSON is Value of a text. What is not JSON is told as a string.
func JSON(text []byte, most int) string {
	v, err := strictjson.Parse(text)
	if err != nil {
		v = strictjson.Value{Kind: strictjson.Text, Text: strings.ToValidUTF8(string(text), "\ufffd")}
	}
	return Value(&v, most)
}

// writer writes a value until it is full.
type writer struct {
	b      []byte
	most   int
	length int // of a string
	full   bool
}

// over takes back what was written since a position if it is too much.
func (w *writer) over(since int, instead string) bool {
	if w.full || len(w.b) <= w.most {
		return w.full
	}
	w.b, w.full = append(w.b[:since], instead...), true
	return true
}

func (w *writer) value(name string, v *strictjson.Value, level int) {
	start := len(w.b)
	switch {
	case v.Kind == strictjson.Text:
		w.b = strictjson.AppendString(w.b, w.text(name, v.Text))
	case v.Kind == strictjson.Number:
		w.number(name, v.Text)
	case v.Kind != strictjson.Array && v.Kind != strictjson.Object:
		w.b = append(w.b, v.Text...)
	case level == deepest || hidden(name):
		w.b = append(w.b, `"…"`...)
	case v.Kind == strictjson.Array:
		w.array(v, level+1)
	default:
		w.object(v, level+1)
	}
	if level == 0 {
		w.over(start, `"…"`)
	}
}

func (w *writer) array(v *strictjson.Value, level int) {
	w.b = append(w.b, '[')
	for i := range v.Items {
		start := len(w.b)
		w.b = appendComma(w.b, i)
		w.value("", &v.Items[i], level)
		if w.over(start, w.left(i, `"…"`)) {
			break
		}
	}
	w.b = append(w.b, ']')
}

func (w *writer) object(v *strictjson.Value, level int) {
	seen := map[string]bool{"…": true} // what is left out
	w.b = append(w.b, '{')
	for i := range v.Members {
		m := &v.Members[i]
		start := len(w.b)
		w.b = appendComma(w.b, i)
		name := strings.ToValidUTF8(cut(FreeText(head(m.Name)), longestName), "\ufffd")
		for seen[name] { // as two are that differ in what must not be told
			name += "…"
		}
		seen[name] = true
		w.b = append(strictjson.AppendString(w.b, name), ':')
		if len(w.b) <= w.most {
			w.value(m.Name, &m.Value, level)
		}
		if w.over(start, w.left(i, marker)) {
			break
		}
	}
	w.b = append(w.b, '}')
}

// appendComma appends what stands before the i-th member.
func appendComma(b []byte, i int) []byte {
	if i > 0 {
		b = append(b, ',')
	}
	return b
}

// left is the mark for what is left out from the i-th member on.
func (w *writer) left(i int, mark string) string {
	if i > 0 {
		return "," + mark
	}
	return mark
}

// text is what is told of a string. An Idempotency-Key may be any long word.
func (w *writer) text(name, s string) string {
	switch {
	case s == "":
		return ""
	case hidden(name):
		return "…"
	case name == "idempotency_key":
		return cut(named(head(s)), w.length)
	}
	return cut(FreeText(head(s)), w.length)
}

// number writes a number, or a mark if it is too long, could be a card or social security number,
// or belongs to a private name.
func (w *writer) number(name, s string) {
	const many = 40
	plain, _ := strictjson.Decimal(s)
	if len(s) > many || hidden(name) || numberless(s) != s || numberless(plain) != plain {
		s = `"…"`
	}
	w.b = append(w.b, s...)
}

// privateEnds are the last letters of the private names, in both cases.
const privateEnds = "dDeEtTyYnNrRvVcC"

// longestPrivate is how long a name is at most, in bytes, that may be private.
const longestPrivate = 60

// hidden reports whether the value behind a name is private.
func hidden(name string) bool {
	if name == "" || len(name) > longestPrivate {
		return false
	}
	return slices.ContainsFunc(privateBy[name[len(name)-1]], func(end string) bool { return endsIn(name, end) })
}

// privateBy are the private names by their last letter, in both cases.
var privateBy = func() (by [256][]string) {
	for _, name := range private {
		last := name[len(name)-1]
		by[last] = append(by[last], name)
		by[last-'a'+'A'] = by[last]
	}
	return by
}()

// endsIn reports whether a name ends in a word of lower-case letters, whatever its case and
// with any dashes, blanks and underscores between its letters.
func endsIn(name, word string) bool {
	for word != "" {
		c, size := utf8.DecodeLastRuneInString(name)
		name = name[:len(name)-size]
		switch {
		case size == 0:
			return false
		case c == '_' || c == '-' || c == ' ':
		case unicode.ToLower(c) != rune(word[len(word)-1]):
			return false
		default:
			word = word[:len(word)-1]
		}
	}
	return true
}

// head is the part of a long text that is searched for secrets. It ends at the end of a word or
// number, because half a secret would not be recognized.
func head(s string) string {
	const looked = 4096
	if len(s) <= looked {
		return s
	}
	s = strings.TrimRightFunc(whole(s, looked), func(c rune) bool {
		return c < utf8.RuneSelf &&
			(digit(byte(c)) || upper(byte(c)) || lower(byte(c)) || strings.ContainsRune("+/=_%.~-", c))
	})
	return strings.TrimRightFunc(s, func(c rune) bool {
		return c >= '0' && c <= '9' || strings.ContainsRune(" -\u00a0\u202f", c) || c >= '\u2010' && c <= '\u2015'
	}) + "…"
}

// cut shortens to so many bytes, and says so.
func cut(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return whole(s, most) + "…"
}

// whole is at most so many bytes of a text, no character torn.
func whole(s string, most int) string {
	for most > 0 && !utf8.RuneStart(s[most]) {
		most--
	}
	return s[:most]
}

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
