package triage

import (
	"unicode"
	"unicode/utf8"
)

// accents folds what tenants write with and without marks.
var accents = map[rune]byte{
	'á': 'a', 'à': 'a', 'â': 'a', 'ä': 'a', 'ã': 'a', 'å': 'a',
	'é': 'e', 'è': 'e', 'ê': 'e', 'ë': 'e',
	'í': 'i', 'ì': 'i', 'î': 'i', 'ï': 'i',
	'ó': 'o', 'ò': 'o', 'ô': 'o', 'ö': 'o', 'õ': 'o',
	'ú': 'u', 'ù': 'u', 'û': 'u', 'ü': 'u',
	'ñ': 'n', 'ç': 'c',
}

// fold gives the plain lower-case letter or digit of a rune, or 0 where it is neither. Letters
// of other scripts fold to 'x' with a token of their own kind: no rule knows them.
func fold(r rune) byte {
	switch {
	case 'a' <= r && r <= 'z', '0' <= r && r <= '9':
		return byte(r)
	case 'A' <= r && r <= 'Z':
		return byte(r) + 'a' - 'A'
	case r < utf8.RuneSelf:
		return 0
	case 0xFF21 <= r && r <= 0xFF3A: // full-width letters, a way to hide a word
		return byte(r-0xFF21) + 'a'
	case 0xFF41 <= r && r <= 0xFF5A:
		return byte(r-0xFF41) + 'a'
	}
	if c, known := accents[unicode.ToLower(r)]; known {
		return c
	}
	return 0
}

// invisible tells the runes that part nothing: joiners, marks and soft hyphens.
func invisible(r rune) bool {
	return unicode.Is(unicode.Mn, r) || unicode.Is(unicode.Cf, r)
}

func apostrophe(r rune) bool {
	switch r {
	case '\'', '’', '‘', '`', '´', 'ʼ', '′':
		return true
	}
	return false
}

// stop tells how a rune parts a text: 2 ends a sentence, 1 a clause, 0 neither.
func stop(r rune) uint8 {
	switch r {
	case '.', '!', '?', '\n', '\r', '。', '！', '？', '¡', '¿', '…', '•':
		return 2
	case ',', ';', ':', '(', ')', '[', ']', '—', '–', '|', '，', '、':
		return 1
	}
	return 0
}
