package triage

import (
	"slices"
	"strings"
)

// What is told beside trifles is judged without them: a towel bar that is loose neither hides a fire nor makes one of
// a drain that is slow.

// Of a trifle the model gives to an emergency and to high less than this, and it has so many words at least.
const (
	trifleEmergency = 0.02
	trifleHigh      = 0.3
	trifleLeast     = 2
	besideLeast     = 3 // of the part beside it
)

// coreBeside is how many trifles a page has at least to be judged without them, as a clause alone misleads the model
// more often than the page does.
const coreBeside = 2

// What the model gives to an emergency, and to its trade, where a core is one that no rule finds, and to an emergency
// where the rule that finds it in a part is doubtful or the part is short.
const (
	certain       = 0.99
	certainTrade  = 0.95
	certainLeast  = 6 // words
	allButCertain = 0.98
)

// unit is a clause of a page.
type unit struct {
	*page
	weighed shares
	trades  uint32 // a bit for each that is hinted at
	urgent  bool   // a rule finds something urgent in it, be it taken back
	drop    bool
}

// units are the clauses of a page as the model weighs them, none where none of several can be a trifle.
func (m *Model) units(p *page) (all []unit) {
	n, from, trifles := int32(len(p.tokens)), int32(0), 0
	for i := int32(1); i <= n; i++ {
		if i < n && p.tokens[i].clause == p.tokens[i-1].clause && i-from < partMost {
			continue
		}
		q := p.part(from, i)
		u := unit{page: q, trades: q.hinted(), urgent: q.urges()}
		if u.mayBeTrifle() {
			trifles++
		}
		all = append(all, u)
		from = i
	}
	if trifles == 0 || len(all) < 2 {
		return nil
	}
	for i := range all {
		all[i].weighed = m.shares(all[i].page)
	}
	return all
}

// hinted are the trades that the concepts hint at, a bit for each.
func (p *page) hinted() (trades uint32) {
	for _, h := range p.hits {
		if t := p.x.trade(h.concept); t >= 0 {
			trades |= 1 << t
		}
	}
	return trades
}

// trifle reports whether a unit tells of something small.
func (u *unit) trifle() bool { return u.mayBeTrifle() && u.weighed.small() }

// mayBeTrifle reports whether a unit names something of which no rule says that it is urgent.
func (u *unit) mayBeTrifle() bool {
	return u.trades != 0 && !u.urgent && len(u.tokens) >= trifleLeast
}

func (s *shares) small() bool { return s.priority[3] < trifleEmergency && s.priority[2] < trifleHigh }

// chatter reports whether a unit is of the words around a message.
func (u *unit) chatter() bool {
	return u.weighed.category[len(Categories)-1] > 0.5 && u.weighed.priority[0] > 0.5
}

// urgency tells which unit a page is for: the most urgent one.
func (u *unit) urgency() float64 {
	p := &u.weighed.priority
	return p[3] + float64(0.1*p[2]) + float64(0.001*p[1])
}

// core is what a page is written for, without its trifles and what goes on about them, or nil where it has no trifles
// or what is left names nothing.
func (m *Model) core(p *page) *page {
	if !p.cored {
		p.kernel, p.trifles = m.cutCore(p)
		p.cored = true
	}
	return p.kernel
}

// cutCore finds the core of a page, nil where it has none, and how many trifles are dropped.
func (m *Model) cutCore(p *page) (core *page, trifles int) {
	all := m.units(p)
	if len(all) < 2 {
		return nil, 0
	}
	most := 0
	for i := range all {
		if all[i].urgency() > all[most].urgency() {
			most = i
		}
	}
	for i := range all {
		if all[i].drop = i != most && all[i].trifle(); all[i].drop {
			trifles++
		}
	}
	if trifles == 0 || all[most].trades == 0 && !all[most].urgent {
		return nil, 0
	}
	sentence := all[most].tokens[0].sentence
	for i := range all {
		u := &all[i]
		if i == most || u.drop || u.trades != 0 || u.urgent {
			continue
		}
		goesOn := i > 0 && all[i-1].drop
		u.drop = goesOn && u.tokens[0].sentence != sentence || i < most && (i == 0 || goesOn) && u.chatter()
	}
	return p.without(all), trifles
}

// without is a page without the units that are dropped.
func (p *page) without(all []unit) *page {
	q := &page{x: p.x, text: p.text, asks: p.asks}
	for i := 0; i < len(all); i++ {
		if all[i].drop {
			continue
		}
		first := i
		for i+1 < len(all) && !all[i+1].drop {
			i++
		}
		run, n := p.part(all[first].start, all[i].start+int32(len(all[i].tokens))), int32(len(q.tokens))
		q.tokens = append(q.tokens, run.tokens...)
		for _, h := range run.hits {
			q.hits = append(q.hits, hit{h.concept, h.from + n, h.to + n})
		}
		for _, f := range run.fired {
			f.from, f.to = f.from+n, f.to+n
			q.fired = append(q.fired, f)
		}
	}
	q.index()
	return q
}

// chatterLeast is how many sentences that say nothing a letter has at least.
const chatterLeast = 2

// telling is a page without the sentences that say nothing about a home and without courtesies, as what stands at the
// ends of a letter. A page that is no letter, or of which no sentence names anything, is left as it is.
func (p *page) telling() *page {
	if len(p.tokens) <= story {
		return p
	}
	drop, dropped := p.courtesies()
	names := false
	for from := int32(0); int(from) < len(p.tokens); {
		to := from + 1
		for int(to) < len(p.tokens) && p.tokens[to].sentence == p.tokens[from].sentence {
			to++
		}
		tells := slices.ContainsFunc(p.fired, func(f firing) bool {
			return f.from >= from && f.to <= to && !drop[f.from]
		})
		for _, h := range p.hits[p.first[from]:p.first[to]] {
			names = names || p.x.trade(h.concept) >= 0
			tells = tells || !drop[h.from] && !saysNothing(p.x.name(h.concept))
		}
		if !tells {
			dropped++
		}
		for i := from; i < to; i++ {
			drop[i] = drop[i] || !tells
		}
		from = to
	}
	if !names || dropped < chatterLeast {
		return p
	}
	var all []unit
	for from, i := 0, 1; i <= len(drop); i++ {
		if i == len(drop) || drop[i] != drop[from] {
			all = append(all, unit{page: &page{tokens: p.tokens[from:i], start: int32(from)}, drop: drop[from]})
			from = i
		}
	}
	return p.without(all)
}

// saysNothing reports whether a concept is of words that any sentence may have.
func saysNothing(concept string) bool {
	switch concept {
	case "soft", "break", "no", "neg_word", "turn", "thanks", "please", "want", "test", "strong", "pest_many",
		"long_while":
		return true
	}
	return concept[0] == '\'' || strings.HasPrefix(concept, "inject_")
}

// besideTrifle reports whether another of the parts tells of something small that is of other trades.
func (m *Model) besideTrifle(part *page, parts []*page) bool {
	own, end := part.hinted(), part.start+int32(len(part.tokens))
	return slices.ContainsFunc(parts, func(q *page) bool {
		if q.start < end && q.start+int32(len(q.tokens)) > part.start || len(q.tokens) < trifleLeast {
			return false
		}
		if trades := q.hinted(); trades == 0 || trades&own != 0 {
			return false
		}
		s := m.shares(q)
		return s.small()
	})
}

// A text of more words than this is a story: what is said in passing in one of its sentences, of so many words at
// least, does not drown.
const (
	story      = 32
	storyLeast = 6
)
