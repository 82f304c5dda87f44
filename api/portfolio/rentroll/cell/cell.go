// Package cell understands what stands in one cell of a rent roll as landlords have them: amounts, dates, names of
// tenants, addresses, rooms, phone numbers and words of status, in the ways that people and programs of property
// management write them, in English and partly in Spanish.
//
// A function reads one text and says whether it can be read (ok), and where more than one reading is plausible,
// whether the one that it gives is certain (sure). What is unsure is for a person to confirm. Functions are pure, take
// any string and never panic.
//
// The package does not know the other cells of a line, the column's name or the file: which of two orders of day and
// month a file has, whether a spreadsheet counts days from 1904, whether a number is an amount or a ZIP code. It knows
// common given names but no surnames, no cities, and no streets beyond the suffixes of USPS Publication 28; it knows
// the 50 states and DC, as the service takes no others. It does not check that an address exists. Two words without a
// comma are a first and a last name unless a known given name says otherwise: it cannot know that a file has the last
// name first, nor that Mei Ling & Elena Marsh share a last name.
package cell

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"portal/api/texts"
)

// longest bounds the bytes of a text that is read at all; the cells that this package understands are far shorter.
const longest = 1000

// clean is a text without the spaces around it, with one space wherever it has some, and without the invisible marks
// that spreadsheets and browsers copy along. It is false for what nobody can read: invalid UTF-8, control characters,
// marks that reorder a text, and more bytes than a cell of a rent roll has.
func clean(s string) (string, bool) {
	if len(s) > longest || !utf8.ValidString(s) {
		return "", false
	}
	s = strings.Join(strings.Fields(strings.Map(visible, s)), " ")
	if ascii(s) {
		return s, !texts.Unreadable(s, false)
	}
	return norm.NFC.String(s), !texts.Unreadable(s, false) && !texts.Reordered(s)
}

// visible drops marks that set the direction from left to right or change nothing, spaces of no width and the mark of
// byte order.
func visible(r rune) rune {
	switch r {
	case '\u200b', '\u200e', '\u200f', '\u202a', '\u202c', '\u2060', '\ufeff':
		return -1
	}
	return r
}

// fold is a text as it is looked up in a table: in lower case, without accents and dots.
func fold(s string) string {
	if ascii(s) { // most cells
		return strings.ReplaceAll(strings.ToLower(s), ".", "")
	}
	return strings.Map(func(r rune) rune {
		if r == '.' || unicode.Is(unicode.Mn, r) {
			return -1
		}
		return unicode.ToLower(r)
	}, norm.NFD.String(s))
}

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// words is the set of the words of a text, made at first use.
func words(s string) func() map[string]bool {
	return sync.OnceValue(func() map[string]bool {
		set := map[string]bool{}
		for word := range strings.FieldsSeq(s) {
			set[word] = true
		}
		return set
	})
}

// allDigits reports whether a text is one or more of the digits 0 to 9.
func allDigits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}
