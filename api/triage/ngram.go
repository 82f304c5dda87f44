package triage

import (
	"encoding/binary"
	"math"
	"slices"
)

// A second linear model weighs the words of a text, pairs of them, and the letters that they
// are made of, as they are written, by how telling each is (TF-IDF). It knows nothing of the
// lexicon and its repair of typos, and so is wrong about other texts than the first model.

// TrainedNGrams is what a training gives: the n-grams by rising key, how rare each is, and its
// weights.
type TrainedNGrams struct {
	Keys    []uint32
	Rarity  []uint8 // the inverse document frequency times RarityScale
	Weights [][Classes]int8
	Scale   uint32 // what a weight of 1 is stored as
}

// RarityScale is what an inverse document frequency of 1 is stored as.
const RarityScale = 24

// frequency is 16 (1 + ln n) for an n-gram that stands n times in a text.
var frequency = [...]int32{0, 16, 27, 34, 38, 42, 45, 47, 49}

// ngrams is a TrainedNGrams that is ready to be asked.
type ngrams struct {
	TrainedNGrams
	rows table
}

// NGrams gives the n-grams of a text as the model sees it, without the instructions in it and
// with what it takes back marked: for those who train it.
func NGrams(text string) []Feature {
	x := reading()
	p := x.words.read(text)
	p.apply(x.rules)
	return p.ngrams()
}

// ngrams gives words, pairs of words and two to five letters in a row, the edges of words
// included, by rising key with how often each stands in the text. A word that is denied, over,
// supposed or elsewhere has a key for that, too: "no gas" is not "gas".
func (p *page) ngrams() []Feature {
	keys := make([]uint32, 0, 28*len(p.tokens))
	last := ""
	for i := range p.tokens[:min(len(p.tokens), mostWords)] {
		w := p.tokens[i].word
		keys = append(keys, key('w', w, ""), key('p', last, w))
		if p.tokens[i].cancel != 0 {
			keys = append(keys, key('t', w, ""), key('t', "", ""))
		}
		keys = pieces(keys, "^"+w+"$")
		last = w
	}
	slices.Sort(keys)
	var out []Feature
	for _, k := range keys {
		if n := len(out); n > 0 && out[n-1].Key == k {
			out[n-1].Count++
			continue
		}
		out = append(out, Feature{k, 1})
	}
	return out
}

// pieces adds two to five letters in a row.
func pieces(keys []uint32, word string) []uint32 {
	for n := 2; n <= 5; n++ {
		for i := range len(word) - n + 1 {
			keys = append(keys, key(byte('0'+n), word[i:i+n], ""))
		}
	}
	return keys
}

// key is FNV-1a of a kind and one or two words.
func key(kind byte, a, b string) uint32 {
	h := (uint32(2166136261) ^ uint32(kind)) * 16777619
	for i := range len(a) {
		h = (h ^ uint32(a[i])) * 16777619
	}
	h = (h ^ '|') * 16777619
	for i := range len(b) {
		h = (h ^ uint32(b[i])) * 16777619
	}
	return h
}

// Value is how much an n-gram of some rarity counts that stands so often in a text, before
// the values of the text are made one long.
func Value(rarity uint8, count int32) int32 {
	return frequency[min(count, int32(len(frequency)-1))] * int32(rarity)
}

// score gives the scores of a text.
func (g *ngrams) score(all []Feature) (scores [Classes]float64) {
	var sums [Classes]int64
	var square int64
	for _, f := range all {
		i := g.rows.find(f.Key)
		if i < 0 {
			continue
		}
		v := int64(Value(g.Rarity[i], f.Count))
		square += v * v
		for c, w := range g.Weights[i] {
			sums[c] += v * int64(w)
		}
	}
	if square == 0 {
		return scores
	}
	by := math.Sqrt(float64(square)) * float64(g.Scale)
	for c, s := range sums {
		scores[c] = float64(s) / by
	}
	return scores
}

const ngramRow = 4 + 1 + Classes

// Encode writes the file of the n-grams.
func (t TrainedNGrams) Encode() []byte {
	out := binary.LittleEndian.AppendUint32([]byte(ngramMagic), t.Scale)
	for i, k := range t.Keys {
		out = append(binary.LittleEndian.AppendUint32(out, k), t.Rarity[i])
		for _, w := range t.Weights[i] {
			out = append(out, byte(w))
		}
	}
	return out
}

const ngramMagic = "TRN1"

func decodeNGrams(file []byte) (*ngrams, error) {
	if len(file) < 8 || string(file[:4]) != ngramMagic || (len(file)-8)%ngramRow != 0 {
		return nil, errModel
	}
	g := &ngrams{TrainedNGrams: TrainedNGrams{Scale: max(binary.LittleEndian.Uint32(file[4:]), 1)}}
	for file = file[8:]; len(file) > 0; file = file[ngramRow:] {
		var w [Classes]int8
		for c := range w {
			w[c] = int8(file[5+c])
		}
		g.Keys = append(g.Keys, binary.LittleEndian.Uint32(file))
		g.Rarity, g.Weights = append(g.Rarity, file[4]), append(g.Weights, w)
	}
	g.rows = newTable(g.Keys)
	return g, nil
}

// table finds the row of a key: open addressing, at most half full.
type table struct {
	keys []uint32
	at   []int32 // one more than the row, 0 where nothing is
}

func newTable(keys []uint32) table {
	size := 2
	for size < 2*len(keys) {
		size *= 2
	}
	t := table{keys, make([]int32, size)}
	for i, k := range keys {
		at := t.slot(k)
		for t.at[at] != 0 {
			at = (at + 1) & uint32(size-1)
		}
		t.at[at] = int32(i + 1)
	}
	return t
}

func (t table) slot(k uint32) uint32 { return (k ^ k>>15) & uint32(len(t.at)-1) }

// find gives the row of a key, -1 where there is none.
func (t table) find(k uint32) int {
	for at := t.slot(k); t.at[at] != 0; at = (at + 1) & uint32(len(t.at)-1) {
		if i := t.at[at] - 1; t.keys[i] == k {
			return int(i)
		}
	}
	return -1
}
