package search

import (
	"math"
	"slices"
	"strings"
	"unicode"
)

// How much a word of an entry counts beside the word that was asked for.
const (
	asExact = 1
	asStem  = .8
	asStart = .7
	asTypo  = .4
)

// scratch is what one query writes down.
type scratch struct {
	best    []float64 // of each entry for the word that is matched
	title   []float64 // how well that word fits one in the title of the entry
	touched []int32   // entries with a best
	score   []float64 // of each entry for the words before
	titles  []float64 // how well they fit its title
	passed  []int     // how many words before it has
	all     []scored  // what has all words
	words   []int32   // numbers of the words of the index that a word stands for, with their quality
	quality []float64 // by the same place as words
	hits    map[int32]bool
}

func (x *Index) take() *scratch {
	select {
	case s := <-x.spare:
		return s
	default:
		n := len(x.entries)
		return &scratch{
			best:   make([]float64, n),
			title:  make([]float64, n),
			score:  make([]float64, n),
			titles: make([]float64, n),
			passed: make([]int, n),
			hits:   map[int32]bool{},
		}
	}
}

func (x *Index) giveBack(s *scratch) {
	select {
	case x.spare <- s:
	default:
	}
}

// match scores the entries that have every word. Misspelled words are looked for where nothing else
// fits, or for every word.
func (x *Index) match(s *scratch, query string, asked []string, misspelled bool) {
	clear(s.score)
	clear(s.titles)
	clear(s.passed)
	clear(s.hits)
	s.all = s.all[:0]
	for n, word := range asked {
		x.expand(s, word, n+1 == len(asked), misspelled)
		x.add(s, n)
	}
	for i, n := range s.passed {
		if n < len(asked) {
			continue
		}
		e := &x.entries[i]
		share := s.titles[i] / float64(max(1, x.titles[i], len(asked)))
		score := s.score[i] * (1 + share*share)
		if strings.EqualFold(e.Title, query) {
			score *= 2
		}
		if e.Weight != 0 {
			score *= e.Weight
		}
		s.all = append(s.all, scored{int32(i), score})
	}
}

// expand finds the words of the index that a word which was asked for may stand for.
func (x *Index) expand(s *scratch, word string, last, misspelled bool) {
	s.words, s.quality = s.words[:0], s.quality[:0]
	start, has := slices.BinarySearch(x.words, word)
	if has {
		s.stands(start, asExact)
	}
	if root := stem(word); strings.IndexFunc(word, unicode.IsDigit) < 0 {
		for _, i := range x.byStem[root] {
			s.stands(int(i), asStem)
		}
	}
	if last {
		for i := start; i < len(x.words) && strings.HasPrefix(x.words[i], word); i++ {
			s.stands(i, asStart)
		}
	}
	if len(s.words) > 0 && !misspelled {
		return
	}
	if len(s.words) == 0 && len(word) > 1 {
		for i := start; i < len(x.words) && strings.HasPrefix(x.words[i], word); i++ {
			s.stands(i, asTypo)
		}
	}
	most := typos(word)
	if most == 0 {
		return
	}
	d := newDistance(word)
	for i, known := range x.words {
		if n := d.to(known, most, last); n <= most {
			s.stands(i, asTypo/float64(max(1, n)))
		}
	}
}

func (s *scratch) stands(word int, quality float64) {
	s.words, s.quality = append(s.words, int32(word)), append(s.quality, quality)
}

// add scores the entries for a word, the nth of the query.
func (x *Index) add(s *scratch, n int) {
	s.touched = s.touched[:0]
	for k, word := range s.words {
		s.hits[word] = true
		for _, p := range x.found[word] {
			if s.passed[p.entry] < n { // lacks an earlier word
				continue
			}
			if s.best[p.entry] == 0 {
				s.touched = append(s.touched, p.entry)
			}
			s.best[p.entry] = max(s.best[p.entry], float64(p.weight)*s.quality[k])
			if p.inTitle {
				s.title[p.entry] = max(s.title[p.entry], s.quality[k])
			}
		}
	}
	rare := math.Log(1 + float64(len(x.entries))/float64(1+len(s.touched)))
	for _, i := range s.touched {
		s.score[i] += s.best[i] * rare
		s.passed[i] = n + 1
		s.titles[i] += s.title[i]
		s.best[i], s.title[i] = 0, 0
	}
}

// isHit reports whether a word of a text is one that the query found.
func (x *Index) isHit(s *scratch, word string) bool {
	i, has := slices.BinarySearch(x.words, word)
	return has && s.hits[int32(i)]
}

func pageOf(path string) string {
	page, _, _ := strings.Cut(path, "#")
	return page
}
