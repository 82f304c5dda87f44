package triage

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

// apply runs the rules on a page: first those that clean it, then those that judge it.
func (p *page) apply(b *rules) {
	p.withoutInstructions(b)
	p.scope()
	p.fire(b, func(r *rule) bool { return r.level != instruct })
}
