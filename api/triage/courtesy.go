package triage

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
)

//go:embed courtesies.txt
var courtesyFile string

// courtesySlot is a word of a courtesy: one of several, or none where it may be left out.
type courtesySlot struct {
	words    []string
	optional bool
}

// courtesyPhrases are what stands at the ends of a letter, as courtesies.txt has it: a phrase a line, words that may
// stand for each other parted by |, and a ? behind what may be left out. They are no part of the lexicon, so that the
// network reads their words as it has learnt them.
var courtesyPhrases = sync.OnceValue(func() (all [][]courtesySlot) {
	for line := range strings.Lines(courtesyFile) {
		var phrase []courtesySlot
		for field := range strings.FieldsSeq(line) {
			field, optional := strings.CutSuffix(field, "?")
			phrase = append(phrase, courtesySlot{strings.Split(field, "|"), optional})
		}
		all = append(all, phrase)
	}
	return all
})

// courtesies marks the words of courtesies, and tells how many there are.
func (p *page) courtesies() (words []bool, n int) {
	words = make([]bool, len(p.tokens))
	for i := 0; i < len(p.tokens); {
		to := i
		for _, phrase := range courtesyPhrases() {
			if end := p.saysCourtesy(i, phrase); end > to {
				to = end
			}
		}
		if to == i {
			i++
			continue
		}
		for ; i < to; i++ {
			words[i] = true
		}
		n++
	}
	p.restOfCourtesies(words)
	return words, n
}

// courtesyRest is how many words a clause in which a courtesy stands has beside it at most to be a part of it.
const courtesyRest = 8

// restOfCourtesies marks the few words that stand beside a courtesy in its clause, where they name nothing.
func (p *page) restOfCourtesies(words []bool) {
	for from, to := 0, 1; from < len(words); from, to = to, to+1 {
		for to < len(words) && p.tokens[to].clause == p.tokens[from].clause {
			to++
		}
		rest := 0
		for _, marked := range words[from:to] {
			if !marked {
				rest++
			}
		}
		if rest == to-from || rest > courtesyRest || p.names(words, int32(from), int32(to)) {
			continue
		}
		for i := from; i < to; i++ {
			words[i] = true
		}
	}
}

// names reports whether words that are not marked name a thing of a trade, or a rule speaks of them.
func (p *page) names(marked []bool, from, to int32) bool {
	return slices.ContainsFunc(p.hits[p.first[from]:p.first[to]], func(h hit) bool {
		return p.x.trade(h.concept) >= 0 && !marked[h.from]
	}) || slices.ContainsFunc(p.fired, func(f firing) bool {
		return f.rule.level >= 2 && f.from < to && f.to > from
	})
}

// saysCourtesy is where a phrase that begins at a word ends, or -1.
func (p *page) saysCourtesy(i int, phrase []courtesySlot) int {
	for _, slot := range phrase {
		switch {
		case i < len(p.tokens) && slices.Contains(slot.words, p.tokens[i].word):
			i++
		case !slot.optional:
			return -1
		}
	}
	return i
}
