package texts

import (
	"strings"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// SameName reports whether a name was typed as a document has it. Upper and lower case, accents, the width of
// characters and repeated spaces do not matter; letters do.
func SameName(typed, name string) bool { return FoldedName(typed) == FoldedName(name) }

// FoldedName is a name as it is compared.
func FoldedName(name string) string {
	var b strings.Builder
	var base rune
	for _, r := range norm.NFKD.String(name) {
		switch {
		case accent(base, r):
			continue
		case !unicode.Is(unicode.Mn, r):
			base = r
		}
		b.WriteRune(r)
	}
	return strings.Join(strings.Fields(cases.Fold().String(b.String())), " ")
}

// accent reports whether a mark on a letter makes no other letter of it. Marks of other scripts, such as the
// vowels of Devanagari and Thai or the voicing of kana, are kept.
func accent(base, mark rune) bool {
	switch {
	case mark == '\u200c', mark == '\u200d': // how letters join
		return true
	case mark == '\u0640', '\u064b' <= mark && mark <= '\u0652', mark == '\u0670': // tatweel and harakat of Arabic
		return true
	case !unicode.Is(unicode.Mn, mark):
		return false
	case unicode.Is(unicode.Hebrew, mark):
		return true
	case unicode.Is(unicode.Cyrillic, base):
		return cyrillicAccent(unicode.ToLower(base), mark)
	}
	return unicode.In(base, unicode.Latin, unicode.Greek)
}

// cyrillicAccent reports whether a mark is a stress, or the dots of ё, which are often left out. Others make
// letters: й, ї, ў, ѓ, ќ.
func cyrillicAccent(base, mark rune) bool {
	switch mark {
	case '\u0300', '\u0301': // grave and acute
		return base != 'г' && base != 'к'
	case '\u0308':
		return base == 'е'
	}
	return false
}
