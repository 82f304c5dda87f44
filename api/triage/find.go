package triage

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
	if x.repair == nil || x.common.has(t.word) || x.inflected(t.word) {
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

// inflected tells the forms of common words.
func (x *lexicon) inflected(w string) bool {
	_, known := reduce(w, func(stem string) (int32, bool) { return 0, x.common.has(stem) })
	return known
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
