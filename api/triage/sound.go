package triage

import "strings"

// sounds are spellings that sound alike in English or Spanish, the longer ones first.
var sounds = strings.NewReplacer(
	"tion",
	"sn",
	"shun",
	"sn",
	"ing",
	"n",
	"ght",
	"t",
	"gh",
	"",
	"ph",
	"f",
	"ck",
	"k",
	"sch",
	"sk",
	"ch",
	"x",
	"sh",
	"x",
	"ce",
	"s",
	"ci",
	"s",
	"cy",
	"s",
	"c",
	"k",
	"qu",
	"k",
	"q",
	"k",
	"z",
	"s",
	"v",
	"b",
	"dge",
	"j",
	"ge",
	"j",
	"gi",
	"j",
	"kn",
	"n",
	"wr",
	"r",
	"mb",
	"m",
	"h",
	"",
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
