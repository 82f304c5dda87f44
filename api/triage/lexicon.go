package triage

import (
	_ "embed"
	"errors"
	"sync"
)

//go:embed tables.bin
var tablesFile string

// lexicon knows words and phrases, and the concepts that they stand for.
type lexicon struct {
	spelling dictionary // words that are written for others
	meant    texts      // by the number of such a word
	lemmas   dictionary // each spelling that is known
	lemmaOf  u16s       // by the number of a spelling
	repair   *speller   // nil mends nothing
	words    texts      // by lemma, and then the common words
	soft     string     // by lemma: 1 where it may stand inside of a phrase
	common   dictionary // words that are right as they are and mean nothing here
	concepts dictionary // their names
	trades   string     // by concept: the category that it hints at, or -1
	parents  lists      // by concept: the concepts that it is one of
	start    u32s       // by lemma: its node of the tree of phrases, or 0
	children u32s       // by node: its first child; those of the next node come after its own
	by       u16s       // by node: the lemma that leads to it, rising among the children of a node
	ends     lists      // by node: the concepts that end there
}

type parsed struct {
	words *lexicon
	rules *rules
}

// reading is what the tables say.
var reading = sync.OnceValue(func() parsed { return must(openTables(tablesFile)) })

const tablesMagic = "TRT1"

var errTables = errors.New("the file of the tables is damaged: make it again with go run ./cmd/triage tables")

// openTables finds the parts of a file as Compile writes it.
func openTables(file string) (parsed, error) {
	if len(file) < len(tablesMagic) || file[:len(tablesMagic)] != tablesMagic {
		return parsed{}, errTables
	}
	s := &sections{file: file[len(tablesMagic):]}
	x := &lexicon{
		spelling: s.dictionary(),
		meant:    s.texts(),
		lemmas:   s.dictionary(),
		lemmaOf:  u16s(s.next()),
		words:    s.texts(),
		soft:     s.next(),
		common:   s.dictionary(),
		concepts: s.dictionary(),
		trades:   s.next(),
		parents:  s.lists(),
		start:    u32s(s.next()),
		children: u32s(s.next()),
		by:       u16s(s.next()),
		ends:     s.lists(),
	}
	x.repair = &speller{
		words:   x.words,
		buckets: u32s(s.next()),
		entries: u32s(s.next()),
		sounds:  s.dictionary(),
		bySound: s.lists(),
	}
	if s.broken {
		return parsed{}, errTables
	}
	r := openRules(s)
	if s.broken || s.file != "" {
		return parsed{}, errTables
	}
	return parsed{x, r}, nil
}

// lemma gives the lemma of a spelling.
func (x *lexicon) lemma(w string) (int32, bool) {
	i := x.lemmas.find(w)
	if i < 0 {
		return unknown, false
	}
	return x.lemmaOf.at(int(i)), true
}

func (x *lexicon) isSoft(lemma int32) bool { return x.soft[lemma] != 0 }

// name is that of a concept.
func (x *lexicon) name(concept int32) string { return x.concepts.words.at(concept) }

// trade is the category that a concept hints at, or -1.
func (x *lexicon) trade(concept int32) int { return int(int8(x.trades[concept])) }

// next is the node of the tree of phrases that a lemma leads to, 0 where none is.
func (x *lexicon) next(node, lemma int32) int32 {
	from, to := x.children.at(int(node)), x.children.at(int(node)+1)
	return int32(max(0, x.by.search(lemma, int(from), int(to))))
}
