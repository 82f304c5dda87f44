package triage

import "strings"

// Words this short are not mended: too many others are one slip away.
const (
	leastMended = 4
	leastTwice  = 8 // from here on two slips are mended
	mostMended  = 20
)

// speller finds the word that was meant. The tables hold each word of the lexicon under all
// spellings with a letter, or in long words two, left out; so does it look.
type speller struct {
	words   texts
	buckets u32s       // by the lower bits of a spelling's hash: where its entries end
	entries u32s       // the upper 16 bits of a spelling's hash, and the number of a word
	sounds  dictionary // what is heard of words
	bySound lists      // the words that are heard so
}

// entry is what the tables have of a word under a hash.
func entry(h uint64, word int32) uint32 { return uint32(h>>48)<<16 | uint32(word) }

func slips(w string) int {
	if len(w) >= leastTwice {
		return 2
	}
	return 1
}

// meant gives the word of the lexicon nearest to one that it does not have. Of several the
// one with the same first letter and then the first of the lexicon is taken.
func (s *speller) meant(w string) (int32, bool) {
	if len(w) < leastMended || len(w) > mostMended {
		return unknown, false
	}
	best, id := 1000, int32(unknown)
	shorter(w, slips(w), func(h uint64) {
		s.under(h, func(c int32) {
			if cost := s.cost(w, s.words.at(c)); cost < best || cost == best && c < id {
				best, id = cost, c
			}
		})
	})
	return id, id != unknown
}

// under visits the words that the tables have under a hash. A word that stands there by chance
// is not near enough to be taken.
func (s *speller) under(h uint64, visit func(int32)) {
	bucket := int(h) & (s.buckets.count() - 1)
	from := uint32(0)
	if bucket > 0 {
		from = s.buckets.at(bucket - 1)
	}
	for i := from; i < s.buckets.at(bucket); i++ {
		if e := s.entries.at(int(i)); e>>16 == uint32(h>>48) {
			visit(int32(e & 0xFFFF))
		}
	}
}

// cost weighs a mending, 1000 where it goes too far.
func (s *speller) cost(w, candidate string) int {
	d := distance(w, candidate)
	allowed := min(slips(w), slips(candidate))
	switch {
	case d > allowed, len(w) == leastMended && len(candidate) <= len(w) && !swapped(w, candidate):
		return 1000
	case len(candidate) == leastMended && len(w) != leastMended+1 && (!swapped(w, candidate) || w[0] != candidate[0]):
		return 1000
	}
	cost := d * 4
	if w[0] != candidate[0] {
		cost += 3
	}
	switch { // a letter is left out more often than one is put in
	case len(w) < len(candidate), swapped(w, candidate):
		cost -= 2
	case len(w) > len(candidate):
		cost--
	}
	return cost
}

// swapped tells words with the same letters.
func swapped(a, b string) bool {
	if len(a) != len(b) {
		return false
	}
	var n [256]int
	for i := range len(a) {
		n[a[i]]++
		n[b[i]]--
	}
	return n == [256]int{}
}

// shorter visits the hashes of a word and of all that is left when letters are left out.
func shorter(w string, letters int, visit func(uint64)) {
	visit(hash(w, -1, -1))
	for i := range len(w) {
		if i > 0 && w[i] == w[i-1] {
			continue
		}
		visit(hash(w, i, -1))
		if letters < 2 {
			continue
		}
		for j := i + 1; j < len(w); j++ {
			visit(hash(w, i, j))
		}
	}
}

// hash is FNV-1a of a word without two of its letters.
func hash(w string, i, j int) uint64 {
	h := uint64(14695981039346656037)
	for k := range len(w) {
		if k != i && k != j {
			h = (h ^ uint64(w[k])) * 1099511628211
		}
	}
	return h
}

// distance counts letters left out, put in, exchanged, and neighbours swapped.
func distance(a, b string) int {
	var rows [3][mostMended + 2]int
	for j := range len(b) + 1 {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		row, last, before := &rows[i%3], &rows[(i+2)%3], &rows[(i+1)%3]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			change := 1
			if a[i-1] == b[j-1] {
				change = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+change)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
	}
	return rows[len(a)%3][len(b)]
}

// sounds are spellings that sound alike in English or Spanish, the longer ones first.
var sounds = strings.NewReplacer(
	"tion", "sn", "shun", "sn", "ing", "n", "ght", "t", "gh", "", "ph", "f", "ck", "k", "sch", "sk",
	"ch", "x", "sh", "x", "ce", "s", "ci", "s", "cy", "s", "c", "k", "qu", "k", "q", "k", "z", "s",
	"v", "b", "dge", "j", "ge", "j", "gi", "j", "kn", "n", "wr", "r", "mb", "m", "h", "",
)

// sound is what is heard of a word, without its vowels but for one that it begins with: "tolet"
// and "toilet" sound alike.
func sound(w string) string {
	b := make([]byte, 0, len(w))
	for i, c := range []byte(sounds.Replace(w)) {
		if strings.IndexByte("aeiouyw", c) >= 0 {
			if i > 0 {
				continue
			}
			c = 'a'
		}
		if n := len(b); n == 0 || b[n-1] != c {
			b = append(b, c)
		}
	}
	return string(b)
}

const (
	leastHeard = 3 // sounds of a word that is found by them
	mostHeard  = 2 // slips between two words that sound alike, and one more in long ones
	longHeard  = 9
)

// forms are the sounds of the endings that a word may have where it is heard.
var forms = []string{"", "d", "n", "s", "r"}

// phoneticMatch gives the word nearest to one among those that sound like it.
func (s *speller) phoneticMatch(w string) (int32, bool) {
	if len(w) < leastMended || len(w) > mostMended {
		return unknown, false
	}
	best, id := mostHeard+1, int32(unknown)
	if len(w) >= longHeard {
		best++
	}
	heard := s.sounds.find(sound(w))
	if heard < 0 {
		return unknown, false
	}
	alike := s.bySound.at(int(heard))
	for i := range alike.count() {
		c := alike.at(i)
		word := s.words.at(c)
		if word[0] != w[0] {
			continue
		}
		if d := distance(w, word); d < best {
			best, id = d, c
		}
	}
	return id, id != unknown
}
