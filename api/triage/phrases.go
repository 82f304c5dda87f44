package triage

import (
	"cmp"
	"slices"
	"strings"
)

// builder makes the tables of a source.
type builder struct {
	*source
	lemmas   map[string]int32 // of each spelling that is known
	words    []string         // by lemma, and then the common words
	soft     []byte           // by lemma: 1 where it may stand inside of a phrase
	root     branch           // of the tree of phrases
	listened map[string][]int32
}

// branch is a node of the tree of phrases.
type branch struct {
	next map[int32]*branch
	ends []int32 // the concepts that end here
}

func (x *source) build() *builder {
	b := &builder{source: x, lemmas: map[string]int32{}, listened: map[string][]int32{}}
	b.addWords()
	for id, c := range b.concepts {
		for _, term := range c.terms {
			b.addPhrase(term, int32(id))
		}
	}
	b.soft = make([]byte, len(b.words))
	for _, term := range b.concepts[b.declare("soft")].terms {
		b.soft[b.lemmas[term]] = 1
	}
	b.words = slices.Concat(b.words, b.plainWords())
	return b
}

// addWords gives each word of a term its lemma; the shortest form of a word is its lemma.
func (b *builder) addWords() {
	var all []string
	for _, c := range b.concepts {
		for _, term := range c.terms {
			all = append(all, strings.Fields(term)...)
		}
	}
	slices.SortFunc(all, func(a, b string) int {
		return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b))
	})
	for _, w := range slices.Compact(all) {
		id, known := reduce(w, func(w string) (int32, bool) { id, known := b.lemmas[w]; return id, known })
		if !known {
			id = int32(len(b.words))
			b.words = append(b.words, w)
		}
		b.lemmas[w] = id
	}
}

func (b *builder) addPhrase(term string, concept int32) {
	at := &b.root
	for w := range strings.FieldsSeq(term) {
		id := b.lemmas[w]
		if at.next == nil {
			at.next = map[int32]*branch{}
		}
		if at.next[id] == nil {
			at.next[id] = &branch{}
		}
		at = at.next[id]
	}
	if !slices.Contains(at.ends, concept) {
		at.ends = append(at.ends, concept)
	}
}

// plainWords are the common words that mean nothing here, in order: a slip in one of them must not
// make it a word that means something.
func (b *builder) plainWords() (all []string) {
	for w := range b.common {
		if _, known := b.lemmas[w]; !known {
			all = append(all, w)
		}
	}
	slices.Sort(all)
	return all
}

// mended are the words that a slip is mended to.
func (b *builder) mended(visit func(id int32, w string)) {
	for id, w := range b.words {
		if len(w) >= leastMended && len(w) <= mostMended && !digit(w[0]) {
			visit(int32(id), w)
		}
	}
}

func (b *builder) listen(id int32, w string) {
	for _, ending := range forms {
		if heard := sound(w) + ending; len(heard) >= leastHeard {
			b.listened[heard] = append(b.listened[heard], id)
		}
	}
}
