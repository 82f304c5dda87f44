package triage

import "slices"

// ruleHead is what a rule is, without its words.
type ruleHead struct {
	name   string
	trade  int // the category, or -1
	level  int // of Priorities, or instruct
	floor  bool
	danger bool  // its name is a safety flag
	doubt  bool  // what it calls an emergency is one only where the model hesitates
	chain  bool  // the slots stand in this order
	late   bool  // the network has not learnt of it and is not told
	within int32 // words between two slots at most
}

// rule says that concepts which stand together mean something.
type rule struct {
	ruleHead
	slots  []u16s // each is one of these concepts
	unless u16s   // concepts that take it back when they stand in it or near it
	// harmless are concepts beside which it decides nothing. The network, which has learnt from
	// what the rule finds, is told of it all the same.
	harmless u16s
	where    u16s // it decides something only where one of these stands in the text, not taken back
	idle     u16s // it decides nothing where one of these stands anywhere in the text
	needs    u16s // concepts of which one stands somewhere in the text, not taken back
	absent   u16s // concepts of which none stands anywhere in the text
}

// instruct is the level of rules that find instructions to the machine.
const instruct = -1

type rules struct {
	rules   []rule
	byFirst lists // rules by a concept of their first slot
}

// What the flags of a rule in the tables mean.
const (
	isFloor = 1 << iota
	isDanger
	isDoubt
	isChain
	isLate
)

// ruleBytes are those of a rule in the tables: trade, level, flags, within, slots.
const ruleBytes = 5

// openRules finds the rules in the tables. What they are is read, as there are few; their
// concepts stay where they are.
func openRules(s *sections) *rules {
	names, heads, concepts := s.texts(), s.next(), s.lists()
	b := &rules{rules: make([]rule, names.count()), byFirst: s.lists()}
	next := 0
	list := func() u16s { next++; return concepts.at(next - 1) }
	for i := range b.rules {
		h := heads[i*ruleBytes : (i+1)*ruleBytes]
		r := &b.rules[i]
		r.ruleHead = ruleHead{
			name:   names.at(int32(i)),
			trade:  int(int8(h[0])),
			level:  int(int8(h[1])),
			floor:  h[2]&isFloor != 0,
			danger: h[2]&isDanger != 0,
			doubt:  h[2]&isDoubt != 0,
			chain:  h[2]&isChain != 0,
			late:   h[2]&isLate != 0,
			within: int32(h[3]),
		}
		r.unless, r.harmless, r.where, r.idle = list(), list(), list(), list()
		r.needs, r.absent = list(), list()
		r.slots = make([]u16s, h[4])
		for j := range r.slots {
			r.slots[j] = list()
		}
	}
	return b
}

// firing is a rule that found its words.
type firing struct {
	rule     *rule
	from, to int32
	cancel   uint8 // what takes it back, 0 for nothing
	harmless bool  // it stands beside what makes it harmless
	inPart   bool  // it stands in a sentence or clause of several
	// outweighed: no sentence or clause that it stands in is by itself as urgent as the rule would have it
	outweighed bool
}

// counts reports whether a firing has a part in what is decided.
func (f firing) counts() bool { return f.cancel == 0 && !f.harmless }

// mostSteps is how many places of a text a rule looks at, so that no text takes long.
const mostSteps = 3000

// search is one rule at work on a page.
type search struct {
	p     *page
	r     *rule
	steps int
	best  firing
	found bool
}

// fire finds where the rules of a kind speak: for each rule the first place where it counts,
// or else the first where it is taken back.
func (p *page) fire(b *rules, pick func(*rule) bool) {
	running := map[int32]*search{}
	var order []int32
	for i := range p.hits {
		starting := b.byFirst.at(int(p.hits[i].concept))
		for k := range starting.count() {
			n := starting.at(k)
			r := &b.rules[n]
			if !pick(r) {
				continue
			}
			s := running[n]
			if s == nil {
				s = &search{p: p, r: r}
				running[n] = s
				order = append(order, n)
			}
			if s.found && s.best.counts() || s.steps > mostSteps {
				continue
			}
			h := p.hits[i]
			s.extend(1, h.from, h.to, p.tokens[h.from].cancel|p.over(h), []hit{h})
		}
	}
	slices.Sort(order)
	for _, n := range order {
		if s := running[n]; s.found {
			p.fired = append(p.fired, s.best)
		}
	}
}

// over is what takes back any of the words of a hit.
func (p *page) over(h hit) (c uint8) {
	for i := h.from; i < h.to; i++ {
		c |= p.tokens[i].cancel
	}
	return c
}

// extend looks for the next slot around what is matched so far, and reports whether it ended
// with a match that counts.
func (s *search) extend(slot int, from, to int32, cancel uint8, taken []hit) bool {
	if s.steps++; s.steps > mostSteps {
		return false
	}
	if slot == len(s.r.slots) {
		return s.done(from, to, cancel)
	}
	p, r := s.p, s.r
	low, high := max(0, from-r.within-4), min(int32(len(p.tokens)), to+r.within+1)
	if r.chain {
		low = to
	}
	for i := p.first[low]; i < p.first[high]; i++ {
		h := p.hits[i]
		if !r.slots[slot].has(h.concept) || !s.fits(h, from, to, taken) {
			continue
		}
		if s.extend(slot+1, min(from, h.from), max(to, h.to), cancel|p.over(h), append(taken, h)) {
			return true
		}
	}
	return false
}

func (s *search) fits(h hit, from, to int32, taken []hit) bool {
	if s.p.tokens[h.from].sentence != s.p.tokens[from].sentence {
		return false
	}
	for _, t := range taken {
		if h.from < t.to && t.from < h.to {
			return false
		}
	}
	if h.to <= from {
		return from-h.to <= s.r.within
	}
	return h.from-to <= s.r.within
}

func (s *search) done(from, to int32, cancel uint8) bool {
	p, r := s.p, s.r
	if p.near(r.unless, from, to) || r.needs != "" && !p.alive(r.needs) || p.anywhere(r.absent) {
		return false
	}
	f := firing{rule: r, from: from, to: to, cancel: cancel}
	f.harmless = p.near(r.harmless, from, to) || r.where != "" && !p.alive(r.where) || p.anywhere(r.idle)
	if !s.found || f.counts() || s.best.cancel != 0 && cancel == 0 {
		s.best, s.found = f, true
	}
	return f.counts()
}

// near reports whether one of the concepts stands in some words or up to three from them,
// in the same sentence.
func (p *page) near(concepts u16s, from, to int32) bool {
	if concepts == "" {
		return false
	}
	low, high := max(0, from-8), min(int32(len(p.tokens)), to+4)
	for _, h := range p.hits[p.first[low]:p.first[high]] {
		if h.to >= from-4 && p.tokens[h.from].sentence == p.tokens[from].sentence && concepts.has(h.concept) {
			return true
		}
	}
	return false
}

func (p *page) anywhere(concepts u16s) bool {
	if concepts == "" {
		return false
	}
	return slices.ContainsFunc(p.hits, func(h hit) bool { return concepts.has(h.concept) })
}

func (p *page) alive(concepts u16s) bool {
	return slices.ContainsFunc(p.hits, func(h hit) bool {
		return concepts.has(h.concept) && p.over(h) == 0
	})
}
