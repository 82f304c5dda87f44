package triage

import (
	"cmp"
	"slices"
)

// page is a text as the lexicon reads it.
type page struct {
	x      *lexicon
	text   string
	tokens []token
	hits   []hit   // by their first token
	first  []int32 // by token: its first hit, and one more for the end
	fired  []firing
	asks   bool
	late   bool  // cues that the network has not learnt of count, too
	start  int32 // of a part: its first token in the page
	pieces []*page
	cutUp  bool
	whole  bool // of a part: it is a sentence
	// kernel is what the page is written for, without so many trifles, once it is cored
	kernel  *page
	trifles int
	cored   bool
	// weighed is what the model gives to the page, nil before it was asked
	weighed *shares
}

// hit is a concept that stands in the tokens from (and with) one to (and without) another.
type hit struct{ concept, from, to int32 }

// mostSoft is how many soft words a phrase may have inside; one with more is not looked for.
const mostSoft = 2

func (x *lexicon) read(text string) *page {
	s := scan(text)
	p := &page{
		x:      x,
		text:   s.text,
		tokens: s.tokens,
		asks:   s.asks,
	}
	for i := range p.tokens {
		x.find(&p.tokens[i])
	}
	p.number()
	p.look()
	return p
}

// look finds the concepts in the tokens.
func (p *page) look() {
	p.hits = p.hits[:0]
	for i := range p.tokens {
		if l := p.tokens[i].lemma; l >= 0 && p.x.start.at(int(l)) != 0 {
			p.follow(int32(p.x.start.at(int(l))), int32(i), int32(i)+1, 0)
		}
	}
	slices.SortStableFunc(p.hits, func(a, b hit) int {
		return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(b.to, a.to), cmp.Compare(a.concept, b.concept))
	})
	p.hits = slices.Compact(p.hits)
	p.mask()
	p.index()
}

// index notes where the hits of each token begin.
func (p *page) index() {
	p.first = make([]int32, len(p.tokens)+1)
	n := 0
	for i := range p.first {
		for n < len(p.hits) && int(p.hits[n].from) < i {
			n++
		}
		p.first[i] = int32(n)
	}
}

// follow walks the tree of phrases. A soft word may stand inside of a phrase, a stop may not.
func (p *page) follow(node, from, to int32, skipped int) {
	ends := p.x.ends.at(int(node))
	for i := range ends.count() {
		p.add(hit{ends.at(i), from, to}, 0)
	}
	p.walkOn(node, from, to, skipped)
}

// walkOn follows a node by the next word, or by the one behind a soft word.
func (p *page) walkOn(node, from, to int32, skipped int) {
	if int(to) >= len(p.tokens) || p.tokens[to].lemma < 0 || p.tokens[to].sentence != p.tokens[from].sentence {
		return
	}
	l := p.tokens[to].lemma
	if n := p.x.next(node, l); n != 0 {
		p.follow(n, from, to+1, skipped)
	} else if p.x.isSoft(l) && skipped < mostSoft {
		p.walkOn(node, from, to+1, skipped+1)
	}
}

// add notes a concept and what it is one of.
func (p *page) add(h hit, depth int) {
	p.hits = append(p.hits, h)
	if depth > 3 {
		return
	}
	parents := p.x.parents.at(int(h.concept))
	for i := range parents.count() {
		p.add(hit{parents.at(i), h.from, h.to}, depth+1)
	}
}

// all calls with each hit of a concept, in order, until told to stop.
func (p *page) all(concept int32, do func(hit) bool) {
	for _, h := range p.hits {
		if h.concept == concept && !do(h) {
			return
		}
	}
}

// words are what is written at some tokens, at most mostMatched characters.
func (p *page) words(from, to int32) string {
	s := p.text[p.tokens[from].from:p.tokens[to-1].to]
	n := 0
	for i := range s {
		if n == mostMatched {
			return s[:i]
		}
		n++
	}
	return s
}

// masks are the concepts that take the place of others inside of their words: a fire pit is
// no fire, and "stopped working" mends nothing. One that is named alone masks all others.
var masks = map[string][]string{
	"figurative":     nil,
	"old_mark":       nil,
	"smoke_detector": nil,
	"alarm_thing":    nil,
	"extinguisher":   nil,
	"exit_thing":     nil,
	"sprinkler_fire": nil,
	"unmended":       {"mended", "over"},
	"relapse_not":    {"relapse"},
	"elsewhere_not":  {"elsewhere"},
}

// mask takes away the hits inside of a mask's words. What spans as much or more stays.
func (p *page) mask() {
	var spans []hit
	for _, h := range p.hits {
		if _, is := masks[p.x.name(h.concept)]; is {
			spans = append(spans, h)
		}
	}
	if len(spans) == 0 {
		return
	}
	p.hits = slices.DeleteFunc(p.hits, func(h hit) bool {
		return slices.ContainsFunc(spans, func(m hit) bool { return p.masked(h, m) })
	})
}

func (p *page) masked(h, m hit) bool {
	if h.from < m.from || h.to > m.to || h.concept == m.concept {
		return false
	}
	what := masks[p.x.name(m.concept)]
	if what == nil {
		return h.to-h.from < m.to-m.from && p.x.name(h.concept) != "relapse"
	}
	return slices.Contains(what, p.x.name(h.concept))
}

// What a part has: at least so many words, or it is the number of an item, and at most so many, as some
// write without a stop.
const (
	partLeast = 2
	partMost  = 40
)

// parts are the sentences and the clauses of a page, if it has several, that name something.
func (p *page) parts() []*page {
	if !p.cutUp {
		p.pieces, p.cutUp = p.cutIntoParts(), true
	}
	return p.pieces
}

func (p *page) cutIntoParts() []*page {
	var all []*page
	p.cut(func(a, b *token) bool { return a.sentence == b.sentence }, func(from, to int32) {
		q := p.part(from, to)
		q.whole = true
		all = append(all, q)
	})
	p.cut(func(a, b *token) bool { return a.clause == b.clause }, func(from, to int32) {
		if !slices.ContainsFunc(all, func(q *page) bool { return q.start == from && int(to-from) == len(q.tokens) }) {
			all = append(all, p.part(from, to))
		}
	})
	return all
}

// cut calls with where the parts of a page begin and end, each of tokens that belong together.
func (p *page) cut(together func(a, b *token) bool, part func(from, to int32)) {
	n, from := int32(len(p.tokens)), int32(0)
	for i := int32(1); i <= n; i++ {
		if i < n && i-from < partMost && together(&p.tokens[i-1], &p.tokens[i]) {
			continue
		}
		if i-from >= partLeast && i-from < n && p.first[i] > p.first[from] {
			part(from, i)
		}
		from = i
	}
}

// part is what stands from one word to another.
func (p *page) part(from, to int32) *page {
	q := &page{x: p.x, text: p.text, tokens: p.tokens[from:to], start: from}
	for _, h := range p.hits[p.first[from]:p.first[to]] {
		if h.to <= to {
			q.hits = append(q.hits, hit{h.concept, h.from - from, h.to - from})
		}
	}
	q.index()
	for _, f := range p.fired {
		if f.from >= from && f.to <= to {
			f.from, f.to = f.from-from, f.to-from
			q.fired = append(q.fired, f)
		}
	}
	return q
}
