package triage

import "strings"

// unknown is the lemma of a word that no table has.
const unknown = -1

// endings are what a word may lose, and what it may get instead, to become one that the
// lexicon has. The first that leads to a known word is taken.
var endings = []struct {
	cut, put string
	least    int // letters that must be left
}{
	{"s", "", 3}, {"es", "", 3}, {"ies", "y", 2},
	{"ing", "", 3}, {"ing", "e", 3}, {"in", "", 4}, {"in", "e", 4},
	{"ed", "", 3}, {"ed", "e", 3}, {"d", "", 4}, {"ied", "y", 2},
	{"ly", "", 4},
	{"ada", "ado", 2}, {"ida", "ido", 2}, {"adas", "ado", 2}, {"idas", "ido", 2},
	{"osa", "oso", 2}, {"ita", "ito", 2}, {"itas", "ito", 2},
	{"ando", "ar", 2}, {"iendo", "er", 2}, {"iendo", "ir", 2},
	{"ado", "ar", 2}, {"ido", "er", 2}, {"ido", "ir", 2},
	{"aron", "ar", 3}, {"aba", "ar", 3}, {"aban", "ar", 3}, {"an", "a", 3}, {"en", "e", 3},
}

// kept are words that lose nothing: what would be left means something else.
var kept = toSet("news evening building means wedding ceiling during morning nothing something anything " +
	"everything gas glass less unless bed red shed need feed speed indeed hundred children kitchen broken open " +
	"listen happen often even seven eleven when then been seen keen green screen oven alien within begin again " +
	"cabin basin drain main certain captain curtain rain pain train chain stain plain explain remain contain " +
	"fountain mountain bargain resin origin virgin cousin coffin dolphin muffin pumpkin napkin margin satin toxin " +
	"fan plan man can van pan tan ran than woman human organ ocean mean clean bean jean lean wheat bus plus this his " +
	"was has does goes its yes us thus always perhaps being king ring sing thing spring string bring wing living " +
	"landing hearing meeting parking lighting wiring dining washing plumbing painting heading reading greeting " +
	"missing leaving running used based feed seed weed bleed breed proceed used said paid laid lied tied died " +
	"crackly watering siding molding moulding swallowed bulletin barely hardly nearly paneling panelling droppings missed nosing losing " +
	"paredes linen humedad sliding lettings lasted dormido metido piping fried antes housing training rowing dated " +
	"shorted armed drilled drilling fired shocking kidding sparkling sparkle sparkly party caused closed fixed locked stuck burned burnt resolved solved repaired lodged")

func toSet(words string) map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		set[w] = true
	}
	return set
}

// reduce finds what a word is a form of, by has, or gives "" where it is none.
func reduce(word string, has func(string) (int32, bool)) (int32, bool) {
	if kept[word] {
		return unknown, false
	}
	for _, e := range endings {
		stem, cut := strings.CutSuffix(word, e.cut)
		if !cut || len(stem) < e.least || e.cut == "s" && strings.HasSuffix(stem, "s") {
			continue
		}
		if id, known := has(stem + e.put); known {
			return id, true
		}
		if e.cut == "s" || e.cut == "es" || e.cut == "ly" {
			continue
		}
		if id, known := undouble(stem, e.put, has); known {
			return id, true
		}
	}
	return unknown, false
}

// undouble knows that stopped is of stop and dripping of drip.
func undouble(stem, put string, has func(string) (int32, bool)) (int32, bool) {
	n := len(stem)
	if put != "" || n < 4 || stem[n-1] != stem[n-2] {
		return unknown, false
	}
	return has(stem[:n-1])
}
