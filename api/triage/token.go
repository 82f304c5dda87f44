package triage

import (
	"unicode"
	"unicode/utf8"
)

// What is read of a text at most: a ticket has 10,000 characters.
const (
	maxBytes = 20_000
	maxWord  = 32 // bytes of a word that are kept
)

// token is a word of the text.
type token struct {
	from, to int32 // bytes of the text
	lemma    int32 // in the lexicon, or unknown
	clause   int32
	sentence int32
	repaired bool   // the spelling was mended
	cancel   uint8  // what takes back a danger named here, see scope.go
	word     string // folded
}

// scanner cuts a text into tokens.
type scanner struct {
	text     string
	tokens   []token
	word     [maxWord]byte
	n        int // bytes in word
	from     int
	clause   int32
	sentence int32
	asks     bool // a question mark was seen
}

func scan(text string) *scanner {
	if len(text) > maxBytes {
		text = text[:maxBytes]
	}
	s := &scanner{text: text, tokens: make([]token, 0, len(text)/5+4)}
	for i, r := range text {
		s.step(i, r)
	}
	s.end(len(text))
	return s
}

func (s *scanner) step(i int, r rune) {
	if c := fold(r); c != 0 {
		s.add(i, c)
		return
	}
	if s.n > 0 && (apostrophe(r) || invisible(r)) {
		return
	}
	if r == '.' && s.decimal(i) {
		return
	}
	s.end(i)
	s.asks = s.asks || r == '?' || r == '¿'
	switch stop(r) {
	case 2:
		s.clause++
		s.sentence++
	case 1:
		s.clause++
	}
	if r == '°' {
		s.from, s.n = i, copy(s.word[:], "degrees")
		s.end(i + utf8.RuneLen(r))
	}
}

// add takes a letter. A digit after letters or a letter after digits begins a new word,
// so that 104F and 4th are two.
func (s *scanner) add(i int, c byte) {
	if s.n > 0 && digit(s.word[s.n-1]) != digit(c) {
		s.end(i)
	}
	if s.n == 0 {
		s.from = i
		if digit(c) && i > 0 && s.text[i-1] == '-' && (i == 1 || !unicode.IsDigit(rune(s.text[i-2]))) {
			s.word[0], s.n = '-', 1
			s.put(c)
			return
		}
	}
	s.put(c)
}

func (s *scanner) put(c byte) {
	if s.n < maxWord {
		s.word[s.n] = c
		s.n++
	}
}

// decimal tells a point between digits, which ends nothing.
func (s *scanner) decimal(i int) bool {
	return s.n > 0 && digit(s.word[s.n-1]) && i+1 < len(s.text) && digit(s.text[i+1])
}

func (s *scanner) end(at int) {
	if s.n == 0 {
		return
	}
	s.tokens = append(s.tokens, token{
		from:     int32(s.from),
		to:       int32(at),
		lemma:    unknown,
		clause:   s.clause,
		sentence: s.sentence,
		word:     string(s.word[:s.n]),
	})
	s.n = 0
}

func digit(c byte) bool { return '0' <= c && c <= '9' || c == '-' }

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
