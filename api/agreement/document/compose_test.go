package document_test

import (
	"fmt"
	"strings"
	"testing"

	"portal/api/agreement/document"
	"portal/api/agreement/document/documenttest"
	"portal/api/portfolio/lease/law"
	"portal/api/portfolio/lease/terms"
)

// text is everything that a document says, in one line.
func text(d *document.Document) string {
	var b strings.Builder
	d.Texts(func(s string) { b.WriteString(s + " ") })
	return strings.Join(strings.Fields(b.String()), " ")
}

func TestLeaseOfEveryStateHasRequiredText(t *testing.T) {
	t.Parallel()
	n := 0
	for of := range documenttest.Leases() {
		n++
		answers := []func(){
			func() {},
			func() { documenttest.Answer(of, true) },
			func() { of.Lease.Terms.Answers = nil; documenttest.Answer(of, false) },
		}
		for i, answer := range answers {
			answer()
			said := text(document.Compose(of))
			for _, want := range documenttest.Must(of) {
				if !strings.Contains(said, want) {
					t.Errorf("%s, %s, %d: the lease does not say %q", of.Property.State, of.Lease.LeaseType, i, want)
				}
			}
			for _, odd := range []string{
				"%!", "<nil>", "  ", " .", " 0 days", "not been checked", "haven’t checked", "(none", "(no ",
			} {
				if strings.Contains(said, odd) {
					t.Errorf("%s, %s, %d: the lease says %q", of.Property.State, of.Lease.LeaseType, i, odd)
				}
			}
			for _, fact := range conditions(said) {
				t.Errorf("%s, %s, %d: the lease says as a fact %q", of.Property.State, of.Lease.LeaseType, i, fact)
			}
		}
	}
	if n != 153 {
		t.Errorf("%d leases", n)
	}
}

// conditions are those of disclosures that a text says without an "If" before them.
func conditions(said string) (all []string) {
	said = strings.ToLower(said)
	for _, rules := range law.All() {
		for _, d := range rules.Disclosures {
			if d.When == nil {
				continue
			}
			when := strings.ToLower(*d.When) // if …
			fact := strings.TrimPrefix(when, "if ")
			if strings.Count(said, strings.TrimSuffix(fact, ".")) !=
				strings.Count(said, strings.TrimSuffix(when, ".")) {
				all = append(all, fact)
			}
		}
	}
	return all
}

func TestConditionStatedAsFactIsDetected(t *testing.T) {
	t.Parallel()
	if got := conditions(
		"Foreclosure A foreclosure of the property is pending. If the property has a pool.",
	); len(got) == 0 ||
		got[0] != "a foreclosure of the property is pending." {
		t.Errorf("%q", got)
	}
	if got := conditions("If a foreclosure of the property is pending."); got != nil {
		t.Errorf("%q", got)
	}
}

func TestLeaseOmitsTermsNotAgreed(t *testing.T) {
	t.Parallel()
	of := documenttest.Terms("TX")
	of.Lease.SecurityDeposit, of.Lease.LateFeeAmount, of.Lease.LateFeeGraceDays = 0, nil, nil
	of.Lease.Tenants, of.Emails = of.Lease.Tenants[:1], []string{""}
	of.Property.YearBuilt, of.Landlord.Phone = new(1978), ""
	of.Lease.Terms = terms.Terms{}
	d := document.Compose(of)
	said := text(d)
	for _, want := range []string{
		"No security deposit is taken", "No late fee is charged",
		"The building was built in 1978.", "No pet may be kept in the home",
	} {
		if !strings.Contains(said, want) {
			t.Errorf("the lease does not say %q", want)
		}
	}
	for _, none := range []string{
		"Lead", "addendum", "guarant", "Guarant", "Deposit bank", "can be reached at th",
		"returned payment", "In addition to the rent", "does not sign",
	} {
		if strings.Contains(said, none) {
			t.Errorf("the lease says %q", none)
		}
	}
	if len(d.Charges.Rows) != 2 || d.Sections[len(d.Sections)-1].Number != "26" {
		t.Errorf("%+v", d.Charges)
	}
	of.Property.YearBuilt = nil
	if said := text(document.Compose(of)); !strings.Contains(said, "A. Lead-based paint addendum") ||
		!strings.Contains(said, "The year in which the building was built is not known.") {
		t.Error("a home of an unknown year has no lead-paint addendum")
	}
}

func TestLeaseGraceIsAtLeastStateMinimum(t *testing.T) {
	t.Parallel()
	for _, rules := range law.All() {
		for _, own := range []*int{nil, new(0), new(60)} {
			of := documenttest.Terms(rules.State)
			of.Lease.LateFeeGraceDays = own
			want := rules.GraceDays
			if own != nil {
				want = max(want, *own)
			}
			said := text(document.Compose(of))
			if want > 1 && !strings.Contains(said, fmt.Sprintf("when %d days have passed", want)) ||
				want == 1 && !strings.Contains(said, "when 1 day has passed") ||
				want == 0 && !strings.Contains(said, "If rent is not paid on its due date") {
				t.Errorf("%s with %v: the grace of %d days is not said", rules.State, own, want)
			}
		}
	}
}
