package operation

import (
	"strconv"
	"strings"

	"portal/api/texts"
)

// longest is how much of a caller's value a message repeats.
const longest = 60

// clip shortens a value that a message repeats.
func clip(s string) string { return texts.Clip(s, longest) }

// quote is a caller's value for a message, with what is not printable escaped.
func quote(s string) string { return strconv.Quote(clip(s)) }

// nearest is the word that a misspelt one was probably meant to be, "" where none
// is near: within a third of its length in single edits.
func nearest(word string, words []string) string {
	best, near := "", max(len(word)/3, 1)+1
	if len(word) > longest*4 {
		return ""
	}
	for _, w := range words {
		if d := texts.Distance(word, w); d < near {
			best, near = w, d
		}
	}
	return best
}

// spaced is a name in words.
func spaced(name string) string { return strings.ReplaceAll(name, "_", " ") }
