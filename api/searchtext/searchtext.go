// Package searchtext finds the words of records and of searches, without case, accents and signs.
//
// It knows nothing of what is searched.
package searchtext

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Text is what a search looks at: each different word once, behind a blank, in
// ascending order. It is a single blank where there is no word.
type Text string

// Of is the text of words.
func Of(words []string) Text {
	slices.Sort(words)
	return Text(" " + strings.Join(slices.Compact(words), " "))
}

// Terms are the words that a search asks for, each of which must begin a word of what
// is found. One that begins another of them goes without saying.
func Terms(text string) []string {
	var terms []string
	for _, word := range strings.FieldsFunc(folded(text), parts) {
		if word = strings.ReplaceAll(word, "'", ""); word != "" {
			terms = append(terms, word)
		}
	}
	slices.Sort(terms)
	terms = slices.Compact(terms)
	var kept []string
	for i, term := range terms {
		if i+1 == len(terms) || !strings.HasPrefix(terms[i+1], term) {
			kept = append(kept, term)
		}
	}
	return kept
}

// Words are the words of texts. A word with an apostrophe is found with and without it,
// and by what follows it.
func Words(texts ...string) (words []string) {
	for _, text := range texts {
		for _, word := range strings.FieldsFunc(folded(text), parts) {
			_, behind, more := strings.Cut(word, "'")
			for word = strings.ReplaceAll(word, "'", ""); word != ""; {
				words = append(words, word)
				word = ""
				if more {
					word = strings.ReplaceAll(behind, "'", "")
					_, behind, more = strings.Cut(behind, "'")
				}
			}
		}
	}
	return words
}

// Phone are the digits of a number in E.164, and for one of North America also those
// behind the country code, the area code and the exchange, as people write them apart.
func Phone(phone string) []string {
	digits := strings.TrimPrefix(phone, "+")
	words := []string{digits}
	if len(digits) == 11 && digits[0] == '1' {
		words = append(words, digits[1:], digits[4:], digits[7:])
	}
	return words
}

// parts tells the characters that stand between words.
func parts(r rune) bool {
	return r != '\'' && !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.Is(unicode.Mc, r)
}

// unaccented is for letters that have no decomposition into a plain one and an accent.
var unaccented = strings.NewReplacer(
	"ß", "ss", "ẞ", "ss",
	"æ", "ae", "Æ", "ae",
	"œ", "oe", "Œ", "oe",
	"ø", "o", "Ø", "o",
	"ł", "l", "Ł", "l",
	"đ", "d", "Đ", "d", "ð", "d", "Ð", "d",
	"þ", "th", "Þ", "th",
	"ı", "i",
	"’", "'", "‘", "'", "ʼ", "'", "`", "'", "´", "'", "′", "'",
)

// folded is a text without case and accents, and without characters that are not seen.
func folded(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.In(r, unicode.Mn, unicode.Cf) {
			return -1
		}
		return unicode.ToLower(r)
	}, norm.NFKD.String(unaccented.Replace(text)))
}
