// Package search finds sections of the documentation by words: ranked, tolerant of typing errors, and
// in a time that no query can make long.
//
// It knows nothing of HTTP, pages or where the entries come from.
package search

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// Entry is something that can be found.
type Entry struct {
	Title  string  // of the section, or of the page where Page is ""
	Page   string  // title of the page that has the section, "" for the page itself
	Kind   string  // what it is, in a word or two
	Path   string  // its address, with a fragment for a section
	Names  string  // identifiers by which programs know it
	Also   string  // what people call it who do not know its title
	Body   string  // its text
	Code   string  // its samples, which are never shown
	Weight float64 // how much it counts beside others, 0 for 1
}

// Index has entries by their words. It does not change once it is made, and many may search it at once.
type Index struct {
	entries []Entry
	words   []string           // of all entries, in ascending order
	byStem  map[string][]int32 // their numbers, by what is left without an ending
	found   [][]posting        // of each word, the entries that have it
	titles  []int              // the number of different words in the title of each entry
	spare   chan *scratch      // for the next queries
}

// posting says that an entry has a word.
type posting struct {
	entry   int32
	weight  float32
	inTitle bool
}

// How much a word counts by where it stands.
const (
	inPageTitle = 10
	inAlso      = 8
	inHeading   = 7
	inNames     = 5
	inPage      = 3
	inBody      = 1
	inCode      = .3
)

// New makes an index of entries.
func New(entries []Entry) *Index {
	x := &Index{
		entries: entries,
		byStem:  map[string][]int32{},
		titles:  make([]int, len(entries)),
		spare:   make(chan *scratch, 1),
	}
	all := map[string][]posting{}
	for i := range entries {
		for word, p := range x.read(int32(i)) {
			all[word] = append(all[word], p)
		}
	}
	for word := range all {
		x.words = append(x.words, word)
	}
	slices.Sort(x.words)
	for i, word := range x.words {
		x.found = append(x.found, all[word])
		x.byStem[stem(word)] = append(x.byStem[stem(word)], int32(i))
	}
	return x
}

// read is what the words of an entry count in it.
func (x *Index) read(i int32) map[string]posting {
	e, all := &x.entries[i], map[string]posting{}
	title := float32(inPageTitle)
	if e.Page != "" {
		title = inHeading
	}
	add := func(text string, weight float32, isTitle bool) {
		times := map[string]int{}
		for _, t := range tokens(text) {
			times[t.word]++
		}
		for word, n := range times {
			p := all[word]
			p.entry, p.inTitle = i, p.inTitle || isTitle
			p.weight += weight * float32(1+math.Log(float64(n))/2)
			all[word] = p
		}
		if isTitle {
			x.titles[i] = len(times)
		}
	}
	add(e.Title, title, true)
	add(e.Also, inAlso, false)
	add(e.Page, inPage, false)
	add(e.Names, inNames, false)
	add(e.Body, inBody, false)
	add(e.Code, inCode, false)
	return all
}

// Result is an entry that was found.
type Result struct {
	*Entry
	Marked  []Part // its title
	Snippet []Part // of its text
}

// Found is what a query finds, the best first.
type Found struct {
	Results []Result
	Total   int // also those beyond the limit
}

// mostOfPage is how many sections of one page are among the results.
const mostOfPage = 4

// Find searches for entries that have every word of a query, the last one as the beginning of a word.
// Words that nothing has are taken as misspelled. At most limit results are in the answer.
func (x *Index) Find(query string, limit int) Found {
	asked := wordsOf(query)
	if len(asked) == 0 {
		return Found{}
	}
	s := x.take()
	defer x.giveBack(s)
	x.match(s, strings.TrimSpace(query), asked, false)
	if len(s.all) == 0 {
		x.match(s, strings.TrimSpace(query), asked, true)
	}
	ranked := s.all
	slices.SortFunc(ranked, func(a, b scored) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.entry, b.entry))
	})
	found, ofPage := Found{}, map[string]int{}
	for _, r := range ranked {
		e := &x.entries[r.entry]
		page := pageOf(e.Path)
		if ofPage[page]++; ofPage[page] > mostOfPage {
			continue
		}
		if found.Total++; len(found.Results) < limit {
			hit := func(word string) bool { return x.isHit(s, word) }
			found.Results = append(found.Results, Result{e, mark(e.Title, hit), snippet(e.Body, hit)})
		}
	}
	return found
}

// scored is an entry with what it counts for a query.
type scored struct {
	entry int32
	score float64
}
