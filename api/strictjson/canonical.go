package strictjson

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Canonical appends a value in the one form that equal values share: names in
// order, numbers as decimals, no white space.
func (v *Value) Canonical(b []byte) []byte {
	switch v.Kind {
	case Text:
		return AppendString(b, v.Text)
	case Number:
		if plain, ok := Decimal(v.Text); ok {
			return append(b, plain...)
		}
		return append(b, v.Text...)
	case Array:
		b = append(b, '[')
		for i := range v.Items {
			if i > 0 {
				b = append(b, ',')
			}
			b = v.Items[i].Canonical(b)
		}
		return append(b, ']')
	case Object:
		return v.canonicalObject(b)
	}
	return append(b, v.Text...)
}

func (v *Value) canonicalObject(b []byte) []byte {
	members := slices.SortedFunc(
		slices.Values(v.Members),
		func(x, y Member) int { return strings.Compare(x.Name, y.Name) },
	)
	b = append(b, '{')
	for i := range members {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(AppendString(b, members[i].Name), ':')
		b = members[i].Canonical(b)
	}
	return append(b, '}')
}

// Decimal writes a JSON number without an exponent and without zeros that say
// nothing, so that 1450, 1450.00 and 1.45e3 are one. A number of more than some
// thirty digits is none that any field takes.
func Decimal(s string) (string, bool) {
	digits, negative := strings.CutPrefix(s, "-")
	exponent := 0
	if i := strings.IndexAny(digits, "eE"); i >= 0 {
		n, err := strconv.Atoi(strings.TrimPrefix(digits[i+1:], "+"))
		if err != nil || n < -30 || n > 30 {
			return "", false
		}
		digits, exponent = digits[:i], n
	}
	whole, fraction, _ := strings.Cut(digits, ".")
	for ; exponent > 0; exponent-- {
		fraction += "0"
		whole, fraction = whole+fraction[:1], fraction[1:]
	}
	for ; exponent < 0; exponent++ {
		whole = "0" + whole
		whole, fraction = whole[:len(whole)-1], whole[len(whole)-1:]+fraction
	}
	whole, fraction = strings.TrimLeft(whole, "0"), strings.TrimRight(fraction, "0")
	if whole == "" {
		whole = "0"
	}
	if fraction != "" {
		whole += "." + fraction
	}
	if negative && whole != "0" {
		whole = "-" + whole
	}
	return whole, true
}

const hex = "0123456789abcdef"

// AppendString appends a JSON string. What is not valid UTF-8 becomes U+FFFD.
func AppendString[S string | []byte](b []byte, s S) []byte {
	b = append(b, '"')
	start := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' && c < utf8.RuneSelf {
			i++
			continue
		}
		if c < utf8.RuneSelf {
			b = append(b, s[start:i]...)
			b = appendEscape(b, c)
			i++
			start = i
			continue
		}
		r, size := utf8.DecodeRuneInString(string(s[i:min(i+utf8.UTFMax, len(s))]))
		if r == utf8.RuneError && size == 1 {
			b = append(append(b, s[start:i]...), `\ufffd`...)
			start = i + 1
		}
		i += size
	}
	return append(append(b, s[start:]...), '"')
}

func appendEscape(b []byte, c byte) []byte {
	switch c {
	case '"', '\\':
		return append(b, '\\', c)
	case '\n':
		return append(b, `\n`...)
	case '\r':
		return append(b, `\r`...)
	case '\t':
		return append(b, `\t`...)
	}
	return append(b, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
}
