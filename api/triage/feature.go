package triage

import "slices"

// Feature is something that a text has, by the hash of its name, and how often.
type Feature struct {
	Key   uint32
	Count int32
}

// features collects what the network sees of a page.
type features struct {
	p   *page
	out []uint64 // the key, and then the count with its bits turned, so that the largest count comes first
}

// Features gives what the network sees of a text, without the rules of a model's
// weights: for those who train it.
func Features(text string) []Feature {
	x := reading()
	p := x.words.read(text)
	p.apply(x.rules)
	return p.features()
}

func (p *page) features() []Feature {
	f := &features{p: p, out: make([]uint64, 0, 32*len(p.tokens)+64)}
	f.add(1, "bias")
	f.lemmas()
	f.concepts()
	f.hints()
	f.rules()
	f.shape()
	return f.merge()
}

func (f *features) add(n int32, parts ...string) {
	h := uint32(2166136261)
	for _, part := range parts {
		for i := range len(part) {
			h = (h ^ uint32(part[i])) * 16777619
		}
		h = (h ^ '|') * 16777619
	}
	f.out = append(f.out, uint64(h)<<32|uint64(^uint32(n)))
}

// merge leaves one of each, in order of their keys.
func (f *features) merge() []Feature {
	slices.Sort(f.out)
	all, last := make([]Feature, 0, len(f.out)), uint64(0)
	for i, v := range f.out {
		if i == 0 || v>>32 != last>>32 {
			all = append(all, Feature{uint32(v >> 32), int32(^uint32(v))})
		}
		last = v
	}
	return all
}

// mostWords is how many tokens are looked at one by one.
const mostWords = 300

func (f *features) lemmas() {
	last, lastWord := "^", "^"
	for i := range f.p.tokens[:min(len(f.p.tokens), mostWords)] {
		t := &f.p.tokens[i]
		if t.lemma >= 0 && f.p.x.isSoft(t.lemma) {
			continue
		}
		w := f.p.meant(t)
		f.add(1, "w", w)
		f.add(1, "b", last, w)
		f.add(1, "wd", t.word)
		f.add(1, "wb", lastWord, t.word)
		f.ends(t, w)
		f.pieces(t.word)
		last, lastWord = w, t.word
	}
}

// meant is the word of the lexicon that a token is a form of, or the token itself.
func (p *page) meant(t *token) string {
	switch {
	case t.lemma >= 0:
		return p.x.words.at(t.lemma)
	case digit(t.word[0]):
		return "0"
	}
	return t.word
}

// ends tells the words of the first and of the last sentence: what people begin with is
// mostly what they write for, and what they end with tells how it stands now.
func (f *features) ends(t *token, w string) {
	all := f.p.tokens
	if t.sentence == all[0].sentence {
		f.add(1, "wf", w)
	}
	if t.sentence == all[len(all)-1].sentence {
		f.add(1, "wl", w)
	}
}

// pieces are four and five letters in a row, so that a new word is known by its parts.
func (f *features) pieces(word string) {
	pad := "^" + word + "$"
	for i := range len(pad) - 3 {
		f.add(1, "g4", pad[i:i+4])
	}
	for i := range len(pad) - 4 {
		f.add(1, "g5", pad[i:i+5])
	}
}

func mark(cancel uint8) string {
	switch {
	case cancel&(resolved) != 0:
		return "over"
	case cancel&(supposed|elsewhere) != 0:
		return "away"
	case cancel != 0:
		return "no"
	}
	return "c"
}

func (f *features) concepts() {
	var live []string
	for _, h := range f.p.hits {
		name := f.p.x.name(h.concept)
		if unseen(name) {
			continue
		}
		m := mark(f.p.over(h))
		f.add(1, m, name)
		if m == "c" && len(live) < 24 && !slices.Contains(live, name) {
			live = append(live, name)
		}
	}
	slices.Sort(live)
	for i, a := range live {
		for _, b := range live[i+1:] {
			f.add(1, "p", a, b)
		}
	}
}

// hints tells which trades the concepts hint at, and which first.
func (f *features) hints() {
	var n [11]int32
	first := true
	for _, h := range f.p.hits {
		t := f.p.x.trade(h.concept)
		if t < 0 {
			continue
		}
		n[t]++
		if first {
			f.add(1, "first", Categories[t])
			first = false
		}
	}
	top := slices.Max(n[:])
	for t, count := range n {
		if count == 0 {
			continue
		}
		f.add(min(count, 3), "h", Categories[t])
		if count == top {
			f.add(1, "top", Categories[t])
		}
	}
}

// rules tells which rules spoke, and what took them back.
func (f *features) rules() {
	for _, r := range f.p.fired {
		if r.rule.late {
			continue
		}
		m, l := mark(r.cancel), Priorities[r.rule.level]
		f.add(1, "r", m, l, r.rule.name)
		f.add(1, "rl", m, l)
		if r.rule.trade >= 0 {
			f.add(1, "rt", m, l, Categories[r.rule.trade])
		}
	}
}

// shape tells what is not said in words.
func (f *features) shape() {
	if f.p.asks {
		f.add(1, "asks")
	}
	switch n := len(f.p.tokens); {
	case n == 0:
		f.add(1, "empty")
	case n <= 3:
		f.add(1, "short")
	case n > 40:
		f.add(1, "long")
	}
	for _, h := range f.p.hits {
		if f.p.over(h)&resolved != 0 {
			f.add(1, "resolved")
			break
		}
	}
}
