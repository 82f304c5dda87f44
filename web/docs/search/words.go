package search

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"portal/api/searchtext"
)

// What is read of a query. More says nothing that would find anything.
const (
	longestQuery = 200 // bytes
	mostWords    = 12
	longestWord  = 40 // bytes
)

// common are words that say nothing of what is looked for.
var common = map[string]bool{
	"a": true, "an": true, "and": true, "are": true, "can": true, "do": true, "does": true, "for": true,
	"how": true, "i": true, "in": true, "is": true, "it": true, "my": true, "of": true, "on": true,
	"or": true, "the": true, "to": true, "what": true, "with": true,
}

// wordsOf are the words of a query. Common ones are left out unless there are no others.
func wordsOf(query string) (words []string) {
	if len(query) > longestQuery {
		query = query[:longestQuery]
	}
	var little []string
	for _, t := range tokens(query) {
		if common[t.word] {
			little = append(little, t.word)
		} else if !slices.Contains(words, t.word) {
			words = append(words, t.word)
		}
	}
	if len(words) == 0 {
		words = little
	}
	return words[:min(len(words), mostWords)]
}

// token is a word of a text and where it stands.
type token struct {
	word     string // in lower case, without accents
	from, to int
}

// tokens are the words of a text: letters and digits that stand together.
func tokens(text string) (all []token) {
	from := -1
	for i, r := range text {
		if r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r)) ||
			from >= 0 && unicode.Is(unicode.Mn, r) {
			if from < 0 {
				from = i
			}
			continue
		}
		if from >= 0 {
			all = append(all, token{folded(text[from:i]), from, i})
			from = -1
		}
	}
	if from >= 0 {
		all = append(all, token{folded(text[from:]), from, len(text)})
	}
	return all
}

// folded is a word as it is compared.
func folded(word string) string {
	ascii := strings.IndexFunc(word, func(r rune) bool { return r >= utf8.RuneSelf }) < 0
	if ascii {
		word = strings.ToLower(word)
	} else {
		word = strings.Join(searchtext.Words(word), "")
	}
	return word[:min(len(word), longestWord)]
}

// endings are of words whose forms are found by one another, the longest first.
var endings = []string{
	"ations", "ation", "ating", "ated", "ions", "ings", "ate", "ies", "ion", "ing", "ed", "es", "er", "s",
}

// stem is a word without its ending. It is no word by itself: only stems are alike.
func stem(word string) string {
	const shortest = 3
	for _, e := range endings {
		if root, has := strings.CutSuffix(word, e); has && len(root) >= shortest {
			word = root
			break
		}
	}
	for _, e := range []string{"y", "i", "e"} {
		if root, has := strings.CutSuffix(word, e); has && len(root) >= shortest {
			return root
		}
	}
	return word
}

// typos is how many letters of a word may be wrong. Numbers are never guessed at.
func typos(word string) int {
	n := utf8.RuneCountInString(word)
	switch {
	case n < 4 || strings.IndexFunc(word, unicode.IsDigit) >= 0:
		return 0
	case n < 8:
		return 1
	}
	return 2
}

// distance counts how many letters have to be changed, added, left out or swapped to make one word
// of another (optimal string alignment).
type distance struct {
	word                []rune
	before, above, here []int
}

func newDistance(word string) *distance {
	d := &distance{word: []rune(word)}
	n := longestWord + 1
	d.before, d.above, d.here = make([]int, n), make([]int, n), make([]int, n)
	return d
}

// to is the distance to a known word, or with start to the beginning of it that is nearest. It is
// more than most where it is.
func (d *distance) to(known string, most int, start bool) int {
	if len(known) < len(d.word)-most || !start && len(known) > 4*(len(d.word)+most) {
		return most + 1
	}
	other := []rune(known)
	if len(other) < len(d.word)-most || !start && len(other) > len(d.word)+most {
		return most + 1
	}
	other = other[:min(len(other), len(d.word)+most)]
	for j := range len(other) + 1 {
		d.above[j] = j
	}
	for i, r := range d.word {
		d.here[0] = i + 1
		least := i + 1
		for j, o := range other {
			d.here[j+1] = d.step(i, j, r, o, other)
			least = min(least, d.here[j+1])
		}
		if least > most {
			return most + 1
		}
		d.before, d.above, d.here = d.above, d.here, d.before
	}
	if start {
		return slices.Min(d.above[:len(other)+1])
	}
	return d.above[len(other)]
}

// step is the distance of two beginnings that end with r and o.
func (d *distance) step(i, j int, r, o rune, other []rune) int {
	same := 1
	if r == o {
		same = 0
	}
	n := min(d.above[j]+same, d.above[j+1]+1, d.here[j]+1)
	if i > 0 && j > 0 && r == other[j-1] && d.word[i-1] == o {
		n = min(n, d.before[j-1]+1)
	}
	return n
}
