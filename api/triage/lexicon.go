package triage

import (
	_ "embed"
	"errors"
	"strings"
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

// find gives the lemma of a word as it stands in a text.
func (x *lexicon) find(t *token) {
	if digit(t.word[0]) {
		return
	}
	if i := x.spelling.find(t.word); i >= 0 {
		t.word = x.meant.at(i)
	}
	if id, known := x.lemma(t.word); known {
		t.lemma = id
		return
	}
	if id, known := reduce(t.word, x.lemma); known {
		t.lemma = id
		return
	}
	if x.repair == nil || x.common.has(t.word) {
		return
	}
	if _, common := reduce(t.word, func(stem string) (int32, bool) { return 0, x.common.has(stem) }); common {
		return
	}
	short := squeeze(t.word)
	if id, known := x.lemma(short); known && len(short) >= 3 {
		t.lemma, t.repaired = id, true
		return
	}
	id, known := x.repair.meant(t.word)
	if !known {
		id, known = x.repair.phoneticMatch(t.word)
	}
	switch {
	case known && int(id) < len(x.soft):
		t.lemma, t.repaired = id, true
	case known:
		t.word = x.words.at(id)
	}
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

// unknown is the lemma of a word that no table has.
const unknown = -1

// endings are what a word may lose, and what it may get instead, to become one that the
// lexicon has. The first that leads to a known word is taken.
var endings = []struct {
	cut, put string
	least    int // letters that must be left
}{
	{"s", "", 3}, {"es", "", 3}, {"ies", "y", 2},
	{"ing", "", 3}, {"ing", "e", 3}, {"in", "", 4}, {"in", "e", 4},
	{"ed", "", 3}, {"ed", "e", 3}, {"d", "", 4}, {"ied", "y", 2},
	{"ly", "", 4},
	{"ada", "ado", 2}, {"ida", "ido", 2}, {"adas", "ado", 2}, {"idas", "ido", 2},
	{"osa", "oso", 2}, {"ita", "ito", 2}, {"itas", "ito", 2},
	{"ando", "ar", 2}, {"iendo", "er", 2}, {"iendo", "ir", 2},
	{"ado", "ar", 2}, {"ido", "er", 2}, {"ido", "ir", 2},
	{"aron", "ar", 3}, {"aba", "ar", 3}, {"aban", "ar", 3}, {"an", "a", 3}, {"en", "e", 3},
}

// kept are words that lose nothing: what would be left means something else.
var kept = toSet("news evening building means wedding ceiling during morning nothing something anything " +
	"everything gas glass less unless bed red shed need feed speed indeed hundred children kitchen broken open " +
	"listen happen often even seven eleven when then been seen keen green screen oven alien within begin again " +
	"cabin basin drain main certain captain curtain rain pain train chain stain plain explain remain contain " +
	"fountain mountain bargain resin origin virgin cousin coffin dolphin muffin pumpkin napkin margin satin toxin " +
	"fan plan man can van pan tan ran than woman human organ ocean mean clean bean jean lean wheat bus plus this his " +
	"was has does goes its yes us thus always perhaps being king ring sing thing spring string bring wing living " +
	"landing hearing meeting parking lighting wiring dining washing plumbing painting heading reading greeting " +
	"missing leaving running used based feed seed weed bleed breed proceed used said paid laid lied tied died " +
	"crackly watering siding molding moulding swallowed bulletin barely hardly nearly paneling panelling droppings " +
	"missed nosing losing " +
	"paredes linen humedad sliding lettings lasted dormido metido piping fried antes housing training rowing dated " +
	"shorted armed drilled drilling fired shocking kidding sparkling sparkle sparkly party caused closed fixed " +
	"locked stuck burned burnt resolved solved repaired lodged")

func toSet(words string) map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		set[w] = true
	}
	return set
}

// reduce finds what a word is a form of, by has, or gives "" where it is none.
func reduce(word string, has func(string) (int32, bool)) (int32, bool) {
	if kept[word] {
		return unknown, false
	}
	for _, e := range endings {
		stem, cut := strings.CutSuffix(word, e.cut)
		if !cut || len(stem) < e.least || e.cut == "s" && strings.HasSuffix(stem, "s") {
			continue
		}
		if id, known := has(stem + e.put); known {
			return id, true
		}
		if e.cut == "s" || e.cut == "es" || e.cut == "ly" {
			continue
		}
		if id, known := undouble(stem, e.put, has); known {
			return id, true
		}
	}
	return unknown, false
}

// undouble knows that stopped is of stop and dripping of drip.
func undouble(stem, put string, has func(string) (int32, bool)) (int32, bool) {
	n := len(stem)
	if put != "" || n < 4 || stem[n-1] != stem[n-2] {
		return unknown, false
	}
	return has(stem[:n-1])
}
