package triage

import (
	"cmp"
	"encoding/binary"
	"errors"
	"io/fs"
	"maps"
	"math/bits"
	"slices"
	"strings"
)

// Compile makes the file of the tables, tables.bin, of the texts in a folder: lexicon/*.txt and
// rules/*.txt. The same texts always give the same file.
func Compile(folder fs.FS) ([]byte, error) {
	x, err := readSource(folder)
	if err != nil {
		return nil, err
	}
	w := &writer{file: []byte(tablesMagic)}
	b := x.build()
	w.words(b)
	w.concepts(b)
	w.phrases(b)
	w.speller(b)
	w.rules(x.rules, len(x.concepts))
	return w.file, w.err
}

// writer writes sections, as sections reads them.
type writer struct {
	file []byte
	err  error
}

func (w *writer) section(bytes []byte) {
	w.file = binary.LittleEndian.AppendUint32(w.file, uint32(len(bytes)))
	w.file = append(w.file, bytes...)
}

var errTooMany = errors.New("the tables number words, concepts and rules with 16 bits, and there are more")

func (w *writer) u16s(numbers []int32) {
	var out []byte
	for _, n := range numbers {
		if n < 0 || n >= 1<<16 {
			w.err = errTooMany
		}
		out = binary.LittleEndian.AppendUint16(out, uint16(n))
	}
	w.section(out)
}

func (w *writer) u32s(numbers []uint32) {
	var out []byte
	for _, n := range numbers {
		out = binary.LittleEndian.AppendUint32(out, n)
	}
	w.section(out)
}

// ends are where each ends of what is written in a row.
func ends[S ~string | ~[]int32](all []S) []uint32 {
	at := make([]uint32, len(all))
	end := 0
	for i, one := range all {
		end += len(one)
		at[i] = uint32(end)
	}
	return at
}

func (w *writer) texts(all []string) {
	w.u32s(ends(all))
	w.section([]byte(strings.Join(all, "")))
}

func (w *writer) lists(all [][]int32) {
	w.u32s(ends(all))
	w.u16s(slices.Concat(all...))
}

func (w *writer) dictionary(words []string) {
	slots := make([]int32, 1<<bits.Len(uint(2*len(words))))
	mask := uint32(len(slots) - 1)
	for i, word := range words {
		at := wordHash(word) & mask
		for slots[at] != 0 {
			at = (at + 1) & mask
		}
		slots[at] = int32(i + 1)
	}
	w.u16s(slots)
	w.texts(words)
}

func (w *writer) words(b *builder) {
	written := slices.Sorted(maps.Keys(b.spelling))
	meant := make([]string, len(written))
	for i, s := range written {
		meant[i] = b.spelling[s]
	}
	w.dictionary(written)
	w.texts(meant)
	spellings := slices.Sorted(maps.Keys(b.lemmas))
	lemmas := make([]int32, len(spellings))
	for i, s := range spellings {
		lemmas[i] = b.lemmas[s]
	}
	w.dictionary(spellings)
	w.u16s(lemmas)
	w.texts(b.words)
	w.section(b.soft)
	w.dictionary(slices.Sorted(maps.Keys(b.common)))
}

func (w *writer) concepts(b *builder) {
	var names []string
	var trades []byte
	var parents [][]int32
	for _, c := range b.source.concepts {
		names, trades, parents = append(names, c.name), append(trades, byte(c.trade)), append(parents, c.parents)
	}
	w.dictionary(names)
	w.section(trades)
	w.lists(parents)
}

// phrases writes the tree level by level, so that the children of a node stand in a row.
func (w *writer) phrases(b *builder) {
	start := make([]uint32, len(b.soft))
	var children []uint32
	var by []int32
	var ends [][]int32
	queue := []*branch{&b.root}
	by = append(by, 0)
	for len(queue) > 0 {
		at := queue[0]
		queue = queue[1:]
		children, ends = append(children, uint32(len(by))), append(ends, at.ends)
		for _, lemma := range slices.Sorted(maps.Keys(at.next)) {
			if at == &b.root {
				start[lemma] = uint32(len(by))
			}
			by, queue = append(by, lemma), append(queue, at.next[lemma])
		}
	}
	w.u32s(start)
	w.u32s(append(children, uint32(len(by))))
	w.u16s(by)
	w.lists(ends)
}

// speller writes the words by their spellings with slips and by their sounds.
func (w *writer) speller(b *builder) {
	type slip struct {
		hash uint64
		word int32
	}
	var all []slip
	for id, word := range b.words {
		if len(word) < leastMended || len(word) > mostMended || digit(word[0]) {
			continue
		}
		shorter(word, slips(word), func(h uint64) { all = append(all, slip{h, int32(id)}) })
		for _, ending := range forms {
			if heard := sound(word) + ending; len(heard) >= leastHeard {
				b.listened[heard] = append(b.listened[heard], int32(id))
			}
		}
	}
	buckets := make([]uint32, 1<<(bits.Len(uint(len(all)))-1))
	mask := uint64(len(buckets) - 1)
	slices.SortFunc(all, func(a, b slip) int {
		return cmp.Or(cmp.Compare(a.hash&mask, b.hash&mask), cmp.Compare(a.hash, b.hash), cmp.Compare(a.word, b.word))
	})
	entries := make([]uint32, len(all))
	for i, s := range all {
		entries[i] = entry(s.hash, s.word)
		buckets[s.hash&mask] = uint32(i + 1)
	}
	for i := 1; i < len(buckets); i++ {
		buckets[i] = max(buckets[i], buckets[i-1])
	}
	w.u32s(buckets)
	w.u32s(entries)
	heard := slices.Sorted(maps.Keys(b.listened))
	words := make([][]int32, len(heard))
	for i, s := range heard {
		words[i] = b.listened[s]
	}
	w.dictionary(heard)
	w.lists(words)
}

func (w *writer) rules(all []ruleSource, concepts int) {
	var names []string
	var heads []byte
	var lists [][]int32
	byFirst := make([][]int32, concepts)
	for i, r := range all {
		names = append(names, r.name)
		heads = append(heads, byte(r.trade), byte(r.level), r.flags(), byte(r.within), byte(len(r.slots)))
		lists = append(append(lists, r.unless, r.harmless, r.where, r.idle, r.needs, r.absent), r.slots...)
		for _, c := range r.slots[0] {
			byFirst[c] = append(byFirst[c], int32(i))
		}
	}
	w.texts(names)
	w.section(heads)
	w.lists(lists)
	w.lists(byFirst)
}

func (r *ruleSource) flags() (f byte) {
	for flag, is := range map[byte]bool{
		isFloor: r.floor, isDanger: r.danger, isDoubt: r.doubt, isChain: r.chain, isLate: r.late,
	} {
		if is {
			f |= flag
		}
	}
	return f
}

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
	// A slip in a common word that means nothing here must not make it a word that means something.
	for _, w := range slices.Sorted(maps.Keys(b.common)) {
		if _, known := b.lemmas[w]; !known {
			b.words = append(b.words, w)
		}
	}
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
