package search

import "strings"

// Part is a piece of a text. Hit says that it is a word that was looked for.
type Part struct {
	Text string
	Hit  bool
}

// Plain is a text without its marks.
func Plain(parts []Part) string {
	var b strings.Builder
	for _, p := range parts {
		b.WriteString(p.Text)
	}
	return b.String()
}

// The size of a snippet in bytes, and how much stands before its first hit.
const (
	snippetSize = 180
	lead        = 50
)

// mark marks the words of a text that were looked for.
func mark(text string, hit func(word string) bool) (parts []Part) {
	last := 0
	for _, t := range tokens(text) {
		if !hit(t.word) {
			continue
		}
		if t.from > last {
			parts = append(parts, Part{Text: text[last:t.from]})
		}
		parts = append(parts, Part{Text: text[t.from:t.to], Hit: true})
		last = t.to
	}
	if last < len(text) {
		parts = append(parts, Part{Text: text[last:]})
	}
	return parts
}

// snippet is the piece of a text that has the most of what was looked for, its beginning where it has
// nothing of it.
func snippet(text string, hit func(word string) bool) []Part {
	all := tokens(text)
	if len(all) == 0 {
		return nil
	}
	from := window(all, hit)
	start := all[from].from
	if from == 0 {
		start = 0
	}
	to := from
	for to+1 < len(all) && all[to+1].to-start <= snippetSize {
		to++
	}
	end := min(all[to].to, start+2*snippetSize)
	if to+1 == len(all) && len(text)-start <= snippetSize {
		end = len(text)
	}
	parts := mark(strings.ToValidUTF8(text[start:end], ""), hit)
	if start > 0 {
		parts = append([]Part{{Text: "… "}}, parts...)
	}
	if end < len(text) {
		parts = append(parts, Part{Text: " …"})
	}
	return parts
}

// window is the number of the word at which the best piece begins.
func window(all []token, hit func(word string) bool) int {
	var hits []int
	for i, t := range all {
		if hit(t.word) {
			hits = append(hits, i)
		}
	}
	best, most := 0, 0
	for k, first := range hits {
		different := map[string]bool{}
		for _, i := range hits[k:] {
			if all[i].to-all[first].from > snippetSize-lead {
				break
			}
			different[all[i].word] = true
		}
		if len(different) > most {
			best, most = first, len(different)
		}
	}
	if all[len(all)-1].to <= snippetSize { // it fits as a whole
		return 0
	}
	at := best
	for at > 0 && all[best].from-all[at-1].from <= lead {
		at--
	}
	return at
}
