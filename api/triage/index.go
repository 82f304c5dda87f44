package triage

import (
	"cmp"
	"slices"
	"strings"
)

// index makes the tree of phrases and the table of lemmas of all terms.
func (x *lexicon) index() {
	x.lemmas, x.next, x.ends = map[string]int32{}, map[uint64]int32{}, make([][]int32, 1)
	x.addWords()
	x.start = make([]int32, len(x.words))
	for id, c := range x.concepts {
		for _, term := range c.terms {
			x.addPhrase(term, int32(id))
		}
	}
	x.soft = make([]bool, len(x.words))
	for _, term := range x.concepts[x.declare("soft")].terms {
		x.soft[x.lemmas[term]] = true
	}
	x.repair = newSpeller(slices.Concat(x.words, x.plainWords()))
}

// addWords gives each word of a term its lemma; the shortest form of a word is its lemma.
func (x *lexicon) addWords() {
	var all []string
	for _, c := range x.concepts {
		for _, term := range c.terms {
			all = append(all, strings.Fields(term)...)
		}
	}
	slices.SortFunc(all, func(a, b string) int {
		return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b))
	})
	for _, w := range slices.Compact(all) {
		id, known := reduce(w, x.lemma)
		if !known {
			id = int32(len(x.words))
			x.words = append(x.words, w)
		}
		x.lemmas[w] = id
	}
}

func (x *lexicon) lemma(w string) (int32, bool) {
	id, known := x.lemmas[w]
	return id, known
}

func (x *lexicon) addPhrase(term string, concept int32) {
	node := int32(0)
	for i, w := range strings.Fields(term) {
		id := x.lemmas[w]
		var to *int32
		if i == 0 {
			to = &x.start[id]
		} else {
			n := x.next[edge(node, id)]
			to = &n
		}
		if *to == 0 {
			*to = int32(len(x.ends))
			x.ends = append(x.ends, nil)
		}
		if i > 0 {
			x.next[edge(node, id)] = *to
		}
		node = *to
	}
	if !slices.Contains(x.ends[node], concept) {
		x.ends[node] = append(x.ends[node], concept)
	}
}

func edge(node, lemma int32) uint64 { return uint64(node)<<32 | uint64(uint32(lemma)) }

// find gives the lemma of a word as it stands in a text.
func (x *lexicon) find(t *token) {
	if digit(t.word[0]) {
		return
	}
	if meant, known := x.spelling[t.word]; known {
		t.word = meant
	}
	if id, known := x.lemmas[t.word]; known {
		t.lemma = id
		return
	}
	if id, known := reduce(t.word, x.lemma); known {
		t.lemma = id
		return
	}
	if x.repair == nil || x.common[t.word] || x.inflected(t.word) {
		return
	}
	short := squeeze(t.word)
	if id, known := x.lemmas[short]; known && len(short) >= 3 {
		t.lemma, t.repaired = id, true
		return
	}
	id, known := x.repair.meant(t.word)
	if !known {
		id, known = x.repair.phoneticMatch(t.word)
	}
	switch {
	case known && int(id) < len(x.words):
		t.lemma, t.repaired = id, true
	case known:
		t.word = x.repair.words[id]
	}
}

// plainWords are the common words that mean nothing here, in order: a slip in one of them must not
// make it a word that means something.
func (x *lexicon) plainWords() (all []string) {
	for w := range x.common {
		if _, known := x.lemmas[w]; !known {
			all = append(all, w)
		}
	}
	slices.Sort(all)
	return all
}

// inflected tells the forms of common words.
func (x *lexicon) inflected(w string) bool {
	_, known := reduce(w, func(stem string) (int32, bool) { return 0, x.common[stem] })
	return known
}

// squeeze makes sooo and heeelp shorter: of three and more letters of a kind one is left.
func squeeze(w string) string {
	var b []byte
	for i := range len(w) {
		if i >= 2 && w[i] == w[i-1] && w[i] == w[i-2] {
			if n := len(b); n >= 2 && b[n-1] == b[n-2] {
				b = b[:n-1]
			}
			continue
		}
		b = append(b, w[i])
	}
	return string(b)
}
