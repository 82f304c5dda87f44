package triage

import "slices"

// What takes back a danger that a text names.
const (
	denied    uint8 = 1 << iota // no gas smell
	resolved                    // fixed now, false alarm
	supposed                    // what if
	elsewhere                   // last year, in the news
)

// reach is how many words a "no" reaches.
const reach = 5

// scope marks the words that something takes back. Which phrases do is in the lexicon, in
// the concepts that are named here.
func (p *page) scope() {
	p.deny()
	p.spread("supposed", supposed, false)
	p.spread("elsewhere", elsewhere, true)
	if p.late {
		p.spread("past_event", elsewhere, true)
	}
	p.resolve()
}

func (p *page) concept(name string) int32 {
	return p.x.concepts.find(name)
}

// deny marks what follows a "no", unless it belongs to a phrase, such as "no water".
func (p *page) deny() {
	no, brk := p.concept("no"), p.concept("break")
	spent := p.spent(no)
	breaks := p.at(brk)
	p.all(no, func(h hit) bool {
		if spent[h.from] {
			return true
		}
		for i := h.to; i < min(h.to+reach, int32(len(p.tokens))); i++ {
			if breaks[i] || p.tokens[i].clause != p.tokens[h.from].clause {
				break
			}
			p.tokens[i].cancel |= denied
		}
		return true
	})
}

// spent tells the tokens that are inside of a longer phrase.
func (p *page) spent(but int32) []bool {
	in := make([]bool, len(p.tokens))
	for _, h := range p.hits {
		if h.to-h.from < 2 || h.concept == but || unseen(p.x.name(h.concept)) {
			continue
		}
		for i := h.from; i < h.to; i++ {
			in[i] = true
		}
	}
	return in
}

// at tells where a concept begins.
func (p *page) at(concept int32) []bool {
	where := make([]bool, len(p.tokens)+1)
	p.all(concept, func(h hit) bool { where[h.from] = true; return true })
	return where
}

// spread marks the sentence, or the clause, of a cue; a "but" or "now" ends it.
func (p *page) spread(name string, mark uint8, clause bool) {
	turns := p.at(p.concept("turn"))
	p.all(p.concept(name), func(h hit) bool {
		for i := h.from - 1; i >= 0 && h.from-i < 16 && p.together(i, h.from, clause) && !turns[i]; i-- {
			p.tokens[i].cancel |= mark
		}
		for i := h.from; i < int32(len(p.tokens)) && p.together(i, h.from, clause); i++ {
			if turns[i] && i >= h.to {
				break
			}
			p.tokens[i].cancel |= mark
		}
		return true
	})
}

func (p *page) together(i, j int32, clause bool) bool {
	if clause {
		return p.tokens[i].clause == p.tokens[j].clause
	}
	return p.tokens[i].sentence == p.tokens[j].sentence
}

// resolve marks what the text says is over. "It's fixed" and "cancel my request" speak of all
// that came before; "the sink is fixed" of the sink. What comes back after that counts again.
func (p *page) resolve() {
	turns, back := p.at(p.concept("turn")), p.concept("relapse")
	mark := func(cue string, beginning func(hit) int32) {
		p.all(p.concept(cue), func(h hit) bool {
			if p.tokens[h.from].cancel&(denied|supposed) == 0 && !p.after(back, h) {
				for i, end := beginning(h), p.ending(h, turns); i < end; i++ {
					p.tokens[i].cancel |= resolved
				}
			}
			return true
		})
	}
	mark("over", func(hit) int32 { return 0 })
	mark("mended", p.beginning)
}

// after reports whether a concept stands behind a hit, in its sentence or the one after.
func (p *page) after(concept int32, h hit) bool {
	found := false
	p.all(concept, func(b hit) bool {
		found = b.from >= h.from && b.to > h.to && p.tokens[b.from].sentence <= p.tokens[h.from].sentence+2
		return !found
	})
	return found
}

// ending is where what a cue says ends: at a turn, or with its clause.
func (p *page) ending(h hit, turns []bool) int32 {
	i := h.to
	for i < int32(len(p.tokens)) && !turns[i] && p.tokens[i].clause == p.tokens[h.from].clause {
		i++
	}
	return i
}

// beginning is where what a cue says begins: with its clause where that names its subject,
// else with its sentence, else with the text.
func (p *page) beginning(h hit) int32 {
	clause, sentence := h.from, h.from
	for clause > 0 && p.tokens[clause-1].clause == p.tokens[h.from].clause {
		clause--
	}
	if p.topic(clause, h.from) || p.topic(h.to, h.to+4) {
		return clause
	}
	for sentence > 0 && p.tokens[sentence-1].sentence == p.tokens[h.from].sentence {
		sentence--
	}
	if p.topic(sentence, clause) {
		return sentence
	}
	return 0
}

// topic reports whether some words name a thing of a trade.
func (p *page) topic(from, to int32) bool {
	to = min(to, int32(len(p.tokens)))
	if from >= to {
		return false
	}
	for _, h := range p.hits[p.first[from]:p.first[to]] {
		if p.x.trade(h.concept) >= 0 {
			return true
		}
	}
	return false
}

// withoutInstructions takes away what a text says to the machine that reads it: to ignore
// its instructions, to set a priority, to be somebody else. What is left of such a sentence
// goes too where it names nothing.
func (p *page) withoutInstructions(b *rules) {
	p.fire(b, func(r *rule) bool { return r.level == instruct })
	if len(p.fired) == 0 {
		return
	}
	drop := make([]bool, len(p.tokens))
	for _, f := range p.fired {
		p.dropAll(drop, f)
	}
	p.fired = p.fired[:0]
	p.keep(drop)
	p.look()
	p.withoutInstructions(b) // of each rule one place goes at a time
}

// dropAll marks what a rule found and the label words around it.
func (p *page) dropAll(drop []bool, f firing) {
	label := p.concept("inject_tail")
	for i := f.from; i < f.to; i++ {
		drop[i] = true
	}
	sentence := p.tokens[f.from].sentence
	tails := make(map[int32]int32)
	p.all(label, func(h hit) bool { tails[h.from] = max(tails[h.from], h.to); return true })
	for i := f.to; i < int32(len(p.tokens)) && p.tokens[i].sentence <= sentence+1; {
		to, is := tails[i]
		if !is {
			break
		}
		for ; i < to; i++ {
			drop[i] = true
		}
	}
	p.dropRest(drop, sentence)
}

// dropRest marks a sentence of which nothing is left that names a thing.
func (p *page) dropRest(drop []bool, sentence int32) {
	from, to := int32(0), int32(len(p.tokens))
	for from < to && p.tokens[from].sentence < sentence {
		from++
	}
	for to > from && p.tokens[to-1].sentence > sentence {
		to--
	}
	for _, h := range p.hits[p.first[from]:p.first[to]] {
		if p.x.trade(h.concept) >= 0 && !drop[h.from] {
			return
		}
	}
	for i := from; i < to; i++ {
		drop[i] = true
	}
}

func (p *page) keep(drop []bool) {
	kept := p.tokens[:0]
	for i := range p.tokens {
		if !drop[i] {
			kept = append(kept, p.tokens[i])
		}
	}
	p.tokens = kept
}

// lateCues are the concepts of phrases that the network has not learnt of: what tells of a day long past, what is said
// in another sense, and what rules that are late look for.
var lateCues = []string{"past_event", "said_otherwise", "through_roof", "gas_line_hit"}

// otherSense are the concepts of phrases whose words are no danger in them: heat or a deal that is "on fire", and a
// vent of which "nothing comes out". The network does not see them.
var otherSense = []string{"heat_on_fire", "no_air", "not_burning"}

// withoutOtherSense takes away what such phrases say but for the thing that they say it of, and runs the rules again.
func (p *page) withoutOtherSense(b *rules) {
	drop := make([]bool, len(p.tokens))
	for _, name := range otherSense {
		p.all(p.concept(name), func(h hit) bool {
			for i := h.from; i < h.to; i++ {
				drop[i] = !p.thing(i)
			}
			return true
		})
	}
	past, anew := p.concept("past_event"), p.flats() || slices.Contains(drop, true)
	if !anew && !slices.ContainsFunc(p.hits, func(h hit) bool { return h.concept == past }) {
		return
	}
	p.keep(drop)
	for i := range p.tokens {
		p.tokens[i].cancel = 0
	}
	p.look()
	p.fired, p.late = nil, true
	p.apply(b)
}

// unseen reports whether a concept is a word of a rule or a phrase in another sense.
func unseen(concept string) bool {
	return concept[0] == '\'' || slices.Contains(otherSense, concept) || slices.Contains(lateCues, concept)
}

// thing reports whether a word by itself names a thing of a trade.
func (p *page) thing(i int32) bool {
	return slices.ContainsFunc(p.hits, func(h hit) bool {
		return h.from == i && h.to == i+1 && p.x.trade(h.concept) >= 0
	})
}

// apply runs the rules on a page: first those that clean it, then those that judge it.
func (p *page) apply(b *rules) {
	p.withoutInstructions(b)
	p.scope()
	p.fire(b, func(r *rule) bool { return r.level != instruct })
}
