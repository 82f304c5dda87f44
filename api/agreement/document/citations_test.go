package document_test

import (
	"cmp"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"portal/api/agreement/document"
	"portal/api/agreement/document/documenttest"
	"portal/api/portfolio/lease/law"
)

// citation is a reference to a law: the name of a collection of laws, and the number of a section behind it.
var citation = regexp.MustCompile(
	`(Code|Stat\.|Stats?|Laws?|Ann\.|Act|R\.S\.|U\.S\.C\.|C\.F\.R\.|C\.S\.|G\.L\.|R\.C\.|§)[A-Za-z. ,]{0,24}\d[\w.:-]*`,
)

// federal are the laws of the United States that a lease names, in any state, and a sentence that looks like one.
var federal = []string{
	"15 U.S.C. 7001", "42 U.S.C. 4852d", "50 U.S.C. 3955", "40 CFR 745.107 and 745.113", "40 CFR 745.113(b)(1)",
	"State law requires it.",
}

// strs are all texts of a value.
func strs(t *testing.T, of any) (all []string) {
	t.Helper()
	b, err := json.Marshal(of)
	if err != nil {
		t.Fatal(err)
	}
	var v any
	if err = json.Unmarshal(b, &v); err != nil {
		t.Fatal(err)
	}
	var walk func(any)
	walk = func(v any) {
		switch v := v.(type) {
		case string:
			all = append(all, v)
		case []any:
			for _, one := range v {
				walk(one)
			}
		case map[string]any:
			for _, one := range v {
				walk(one)
			}
		}
	}
	walk(v)
	slices.SortFunc(all, func(a, b string) int { return cmp.Compare(len(b), len(a)) }) // the longest first
	return all
}

// TestLeaseCitesOnlyLawsOfItsState reads the lease of every state, with every field, as text: what looks like a
// reference to a law is one that the tables have for this state, or one of the United States.
func TestLeaseCitesOnlyLawsOfItsState(t *testing.T) {
	t.Parallel()
	known := map[string][]string{}
	for _, rules := range law.All() {
		known[string(rules.State)] = strs(t, rules)
	}
	cited := 0
	for of := range documenttest.Leases() {
		said := text(document.Compose(of))
		cited += len(citation.FindAllString(said, -1))
		for _, one := range known[string(of.Property.State)] {
			if strings.ContainsAny(one, "0123456789") && len(one) > 4 {
				said = strings.ReplaceAll(said, one, "")
			}
		}
		for _, one := range federal {
			said = strings.ReplaceAll(said, one, "")
		}
		for _, left := range citation.FindAllStringIndex(said, -1) {
			t.Errorf("%s: the lease cites %q", of.Property.State, said[max(0, left[0]-40):min(len(said), left[1]+20)])
		}
	}
	if cited < 51*10 {
		t.Errorf("%d references were found in all", cited)
	}
}
