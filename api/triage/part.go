package triage

// A text of more words than this is a story: it is judged in parts, too, so that what is
// said in passing does not drown.
const (
	story     = 32
	partLeast = 6 // words of a part at least
	partMost  = 40
)

// parts cuts a story at the ends of its sentences, or where there are none after some words.
func (p *page) parts() []*page {
	n := int32(len(p.tokens))
	if n <= story {
		return nil
	}
	var all []*page
	from := int32(0)
	for i := int32(1); i <= n; i++ {
		ends := i == n || p.tokens[i].sentence != p.tokens[i-1].sentence
		if i-from >= partMost || ends && (i-from >= partLeast || i == n) {
			all = append(all, p.part(from, i))
			from = i
		}
	}
	return all
}

// part is what stands from one word to another.
func (p *page) part(from, to int32) *page {
	q := &page{x: p.x, text: p.text, tokens: p.tokens[from:to]}
	for _, h := range p.hits[p.first[from]:p.first[to]] {
		if h.to <= to {
			q.hits = append(q.hits, hit{h.concept, h.from - from, h.to - from})
		}
	}
	for _, f := range p.fired {
		if f.from >= from && f.to <= to {
			q.fired = append(q.fired, firing{f.rule, f.from - from, f.to - from, f.cancel, f.harmless})
		}
	}
	return q
}
