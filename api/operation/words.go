package operation

import (
	"strconv"
	"unicode/utf8"
)

// longest is how much of a caller's value a message repeats.
const longest = 60

// clip shortens a value that a message repeats.
func clip(s string) string {
	if utf8.RuneCountInString(s) <= longest {
		return s
	}
	return string([]rune(s)[:longest]) + "…"
}

// quote is a caller's value for a message, with what is not printable escaped.
func quote(s string) string { return strconv.Quote(clip(s)) }

// nearest is the word that a misspelt one was probably meant to be, "" where none
// is near: within a third of its length in single edits.
func nearest(word string, words []string) string {
	best, near := "", max(len(word)/3, 1)+1
	for _, w := range words {
		if d := distance(word, w); d < near {
			best, near = w, d
		}
	}
	return best
}

// distance counts the insertions, deletions and substitutions between two words
// (Levenshtein).
func distance(a, b string) int {
	if len(a) > longest*4 {
		return len(a)
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost = min(diagonal, row[j], row[j+1]) + 1
			}
			diagonal, row[j+1] = row[j+1], cost
		}
	}
	return row[len(b)]
}
