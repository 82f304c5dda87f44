package triage

import "slices"

// firing is a rule that found its words.
type firing struct {
	rule     *rule
	from, to int32
	cancel   uint8 // what takes it back, 0 for nothing
	harmless bool  // it stands beside what makes it harmless
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
	f := firing{r, from, to, cancel, p.near(r.harmless, from, to)}
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
