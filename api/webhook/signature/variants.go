package signature

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"portal/api/money"
	"portal/api/strictjson"
)

// variant is what may have happened to a body.
type variant struct {
	what   string
	damage bool // to its characters, rather than to how it is laid out
}

// variants are the bodies that may have been sent where another came: what it was
// before a usual mishap.
func variants(body []byte) iter.Seq2[[]byte, variant] {
	return func(yield func([]byte, variant) bool) {
		for _, list := range []func([]byte) iter.Seq2[[]byte, variant]{ends, characters, layouts} {
			for b, v := range list(body) {
				if !yield(b, v) {
					return
				}
			}
		}
	}
}

// ends undoes what editors, echo and text modes do to line breaks.
func ends(body []byte) iter.Seq2[[]byte, variant] {
	lf := bytes.ReplaceAll(body, []byte("\r\n"), []byte("\n"))
	return func(yield func([]byte, variant) bool) {
		_ = yield(bytes.TrimRight(body, "\r\n"), variant{what: "a line break was added at its end"}) &&
			yield(bytes.TrimSpace(body), variant{what: "white space was added around it"}) &&
			yield(with(body, "\n"), variant{what: "the line break at its end was removed"}) &&
			yield(with(body, "\r\n"), variant{what: "the line break at its end was removed"}) &&
			yield(lf, variant{what: "its line breaks became CRLF"}) &&
			yield(bytes.TrimRight(lf, "\n"), variant{what: "its line breaks became CRLF, one more at its end"}) &&
			yield(bytes.ReplaceAll(lf, []byte("\n"), []byte("\r\n")), variant{what: "its line breaks were CRLF"})
	}
}

func with(body []byte, end string) []byte { return append(bytes.Clone(body), end...) }

// characters undoes what wrong encodings do, with and without a line break that was
// added at the end.
func characters(body []byte) iter.Seq2[[]byte, variant] {
	return func(yield func([]byte, variant) bool) {
		for _, c := range []struct {
			undo func([]byte) []byte
			what string
		}{
			{fromMark, "a byte order mark was put in front"},
			{fromUTF16, "it was written as UTF-16"},
			{fromWindows, "it was written as Latin-1 or Windows-1252"},
			{fromTwice, "its UTF-8 was taken for Latin-1 or Windows-1252 and encoded once more"},
			{fromString, "it was put into a JSON string"},
		} {
			was := c.undo(body)
			if was == nil {
				continue
			}
			if v := (variant{c.what, true}); !yield(was, v) || !yield(bytes.TrimRight(was, "\r\n"), v) {
				return
			}
		}
	}
}

func fromMark(body []byte) []byte {
	if was, marked := bytes.CutPrefix(body, []byte("\ufeff")); marked {
		return was
	}
	return nil
}

func fromUTF16(body []byte) []byte {
	var order binary.ByteOrder = binary.LittleEndian
	switch {
	case len(body) < 2 || len(body)%2 != 0:
		return nil
	case body[0] == 0xfe && body[1] == 0xff || body[0] == 0:
		order = binary.BigEndian
	case body[0] != 0xff && body[1] != 0:
		return nil
	}
	units := make([]uint16, 0, len(body)/2)
	for i := 0; i < len(body); i += 2 {
		units = append(units, order.Uint16(body[i:]))
	}
	return bytes.TrimPrefix([]byte(string(utf16.Decode(units))), []byte("\ufeff"))
}

// windows are the characters that Windows-1252 has from 0x80 to 0x9f; in five places
// it has none, and takes those of Latin-1.
var windows = []rune("€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ")

func fromWindows(body []byte) []byte {
	if utf8.Valid(body) {
		return nil
	}
	was := make([]byte, 0, len(body)*2)
	for _, c := range body {
		r := rune(c)
		if c >= 0x80 && c < 0xa0 {
			r = windows[c-0x80]
		}
		was = utf8.AppendRune(was, r)
	}
	return was
}

func fromTwice(body []byte) []byte {
	var was []byte
	for _, r := range string(body) {
		if i := strings.IndexRune(string(windows), r); i >= 0 && r > 0xff {
			r = rune(0x80 + utf8.RuneCountInString(string(windows)[:i]))
		}
		if r > 0xff {
			return nil
		}
		was = append(was, byte(r))
	}
	return was
}

func fromString(body []byte) []byte {
	var was string
	if json.Unmarshal(body, &was) != nil {
		return nil
	}
	return []byte(was)
}

// layouts writes JSON again in all the ways that usual libraries do: what is sent is
// one of them.
func layouts(body []byte) iter.Seq2[[]byte, variant] {
	return func(yield func([]byte, variant) bool) {
		v, err := strictjson.Parse(body)
		if err != nil {
			return
		}
		for l := range everyLayout {
			was := l.append(make([]byte, 0, len(body)), &v, "", "\n")
			for _, end := range []string{"", "\n", "\r\n"} {
				if !yield(append(was, end...), variant{what: "what was sent is " + l.name()}) {
					return
				}
			}
		}
	}
}

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
	"actual_cost", "amount", "amount_paid", "balance_due", "cost_limit", "deposit_held", "estimated_cost",
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

// secretForms finds a secret that signed the delivery and was not given as it was shown.
func (j *judge) secretForms() (Finding, string) {
	if j.signed() {
		return "", ""
	}
	for i, given := range j.Secrets {
		secret, what := normalizeSecret(given)
		if what != "" &&
			slices.ContainsFunc(j.readable, func(s *signing) bool {
				return s.fits(secret, j.Body) &&
					!s.fits(given, j.Body)
			}) {
			return SecretForm, fmt.Sprintf(
				"Secret %d is correct, except for its form: it %s. The receiver needs it exactly as it was shown: "+
					"whsec_ and base64.",
				i+1,
				what,
			)
		}
	}
	return "", ""
}

// normalizeSecret gives a secret the form it should have, and says what was wrong with it, "" for
// nothing.
func normalizeSecret(given string) (secret, what string) {
	drop := func(r rune) rune {
		if unicode.IsSpace(r) || strings.ContainsRune("\"'`“”‘’", r) {
			return -1
		}
		return r
	}
	secret = strings.Map(drop, given)
	if secret != given {
		what = "has quotes or white space in or around it"
	}
	before, after, found := strings.Cut(secret, SecretPrefix)
	switch {
	case !found:
		return SecretPrefix + secret, "lacks whsec_ in front"
	case before != "":
		return SecretPrefix + after, "has something in front of whsec_"
	}
	return secret, what
}

// whole tells what has the form of a signing secret.
func whole(secret string) bool {
	secret, _ = normalizeSecret(secret)
	return len(bytesOf(secret)) == 32
}

// variants finds a form of the body that was signed, and so what happened to it.
func (j *judge) variants() (Finding, string) {
	if j.signed() {
		return "", ""
	}
	for body, v := range variants(j.Body) {
		for _, given := range j.Secrets {
			if secret, what := normalizeSecret(given); !j.fits(given, body) && (what == "" || !j.fits(secret, body)) {
				continue
			}
			if v.damage {
				return BodyDamaged, "The body's characters changed on the way: " + v.what +
					". Verify the raw bytes before anything decodes them."
			}
			return BodyRewritten, "The body was parsed and written again, or edited: " + v.what +
				". Verify the raw bytes before anything parses them."
		}
	}
	return "", ""
}

// damage is what can be seen of a body without knowing the one that was signed.
func (j *judge) damage() (Finding, string) {
	if j.signed() {
		return "", ""
	}
	if len(j.Body) == 0 {
		return BodyCut, "There is no body. Send the raw body of the request on standard input. In a receiver, read " +
			"the body before anything else does."
	}
	length, err := strconv.Atoi(strings.TrimSpace(j.Header.Get("Content-Length")))
	var v any
	broken := json.NewDecoder(bytes.NewReader(j.Body)).Decode(&v)
	switch {
	case err == nil && length > len(j.Body):
		return BodyCut, fmt.Sprintf(
			"The body was cut: Content-Length says %d bytes, but this is %d. Read the request to its end, and "+
				"paste all of it.",
			length,
			len(j.Body),
		)
	case !utf8.Valid(j.Body):
		return BodyDamaged, "The body's characters changed on the way: it was sent as UTF-8, but these bytes " +
			"aren't UTF-8. Verify the raw bytes before anything decodes them."
	case bytes.ContainsRune(j.Body, utf8.RuneError) && (err != nil || length != len(j.Body)):
		return BodyDamaged, "The body's characters probably changed on the way: it contains U+FFFD, which stands " +
			"for bytes that could not be decoded. Verify the raw bytes before anything decodes them. If the body " +
			"was sent like this, the secret is wrong."
	case errors.Is(broken, io.ErrUnexpectedEOF):
		return BodyCut, "The body was cut: its JSON has no end. Read the request to its end, and paste all of it."
	case broken != nil:
		return BodyDamaged, "The body isn't JSON, and the body of every delivery is. Send the raw body of the " +
			"request on standard input, without its headers."
	case err == nil && length < len(j.Body):
		return BodyRewritten, fmt.Sprintf(
			"This is a different body: Content-Length says %d bytes, but this is %d. Verify the raw bytes before "+
				"anything parses them.",
			length,
			len(j.Body),
		)
	}
	return "", ""
}
