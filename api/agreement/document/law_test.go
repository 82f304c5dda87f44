package document_test

import (
	"slices"
	"testing"

	"portal/api/agreement/document/documenttest"
	"portal/api/contact"
	"portal/api/portfolio/lease/law"
)

// TestCleaningIsDeductedOnlyWhereLawAllowsIt: Massachusetts and New York do not let it be taken from the deposit, and
// of most states it is not known.
func TestCleaningIsDeductedOnlyWhereLawAllowsIt(t *testing.T) {
	t.Parallel()
	allowed := []contact.State{"CA", "HI", "MT", "NV", "OR", "UT"}
	cleaning := []string{"the cost of cleaning the home to the condition in which it was when the tenants moved in."}
	const damage = "the cost of damage beyond ordinary wear and tear that the tenants or their guests have caused"
	for _, rules := range law.All() {
		of := documenttest.Terms(rules.State)
		if slices.Contains(allowed, rules.State) {
			says(t, of, append(cleaning, damage+";"), nil)
		} else {
			says(t, of, []string{damage + "."}, cleaning)
		}
	}
}

// TestDisclosureWithoutKnownLawHasDash: a range of the state's act is no law of one disclosure.
func TestDisclosureWithoutKnownLawHasDash(t *testing.T) {
	t.Parallel()
	dashes := 0
	for _, rules := range law.All() {
		for _, d := range documenttest.Terms(rules.State).Disclosures() {
			if d.Authority == nil {
				dashes++
				says(t, documenttest.Terms(rules.State), []string{d.Title + " " + d.Reason + " —"}, nil)
			}
		}
	}
	if dashes == 0 {
		t.Error("every disclosure has a law")
	}
}
