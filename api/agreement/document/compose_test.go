package document_test

import (
	"fmt"
	"strings"
	"testing"

	"portal/api/agreement/document"
	"portal/api/agreement/document/documenttest"
	"portal/api/money"
	"portal/api/portfolio/leaserules"
	"portal/api/portfolio/leaseterms"
)

// text is everything that a document says, in one line.
func text(d *document.Document) string {
	var b strings.Builder
	d.Texts(func(s string) { b.WriteString(s + " ") })
	return strings.Join(strings.Fields(b.String()), " ")
}

func TestTheLeaseOfEveryStateSaysWhatItMust(t *testing.T) {
	t.Parallel()
	n := 0
	for of := range documenttest.Leases() {
		n++
		said := text(document.Compose(of))
		for _, want := range documenttest.Must(of) {
			if !strings.Contains(said, want) {
				t.Errorf("%s, %s: the lease does not say %q", of.Property.State, of.Lease.LeaseType, want)
			}
		}
		for _, odd := range []string{"%!", "<nil>", "  ", " .", " 0 days"} {
			if strings.Contains(said, odd) {
				t.Errorf("%s, %s: the lease says %q", of.Property.State, of.Lease.LeaseType, odd)
			}
		}
	}
	if n != 153 {
		t.Errorf("%d leases", n)
	}
}

func TestWhatIsNotAgreedIsNotInTheLease(t *testing.T) {
	t.Parallel()
	of := documenttest.Terms("TX")
	of.Lease.SecurityDeposit, of.Lease.LateFeeAmount, of.Lease.LateFeeGraceDays = 0, nil, nil
	of.Lease.Tenants, of.Emails = of.Lease.Tenants[:1], []string{""}
	of.Property.YearBuilt, of.Landlord.Phone = new(1978), ""
	of.Lease.Terms = leaseterms.Terms{}
	d := document.Compose(of)
	said := text(d)
	for _, want := range []string{"No security deposit is taken", "No late fee is charged", "The building was built in 1978.", "No pet is kept in the home"} {
		if !strings.Contains(said, want) {
			t.Errorf("the lease does not say %q", want)
		}
	}
	for _, none := range []string{"Lead", "addendum", "guarant", "Guarant", "Deposit bank", "can be reached at th", "returned payment", "Beside the rent", "does not sign"} {
		if strings.Contains(said, none) {
			t.Errorf("the lease says %q", none)
		}
	}
	if len(d.Charges.Rows) != 2 || d.Sections[len(d.Sections)-1].Number != "26" {
		t.Errorf("%+v", d.Charges)
	}
	of.Property.YearBuilt = nil
	if said := text(document.Compose(of)); !strings.Contains(said, "A. Lead-based paint addendum") || !strings.Contains(said, "The year in which the building was built is not known.") {
		t.Error("a home of an unknown year has no lead-paint addendum")
	}
}

func TestALeaseIsNeverMilderThanTheGraceOfTheState(t *testing.T) {
	t.Parallel()
	for _, rules := range leaserules.All() {
		for _, own := range []*int{nil, new(0), new(60)} {
			of := documenttest.Terms(rules.State)
			of.Lease.LateFeeGraceDays = own
			want := rules.GraceDays
			if own != nil {
				want = max(want, *own)
			}
			said := text(document.Compose(of))
			if want > 1 && !strings.Contains(said, fmt.Sprintf("when %d days have passed", want)) || want == 1 && !strings.Contains(said, "when 1 day has passed") || want == 0 && !strings.Contains(said, "If rent is not paid on its due date") {
				t.Errorf("%s with %v: the grace of %d days is not said", rules.State, own, want)
			}
		}
	}
}

func TestADisclosureSaysWhyItIsMade(t *testing.T) {
	t.Parallel()
	of := documenttest.Terms("CA")
	for _, d := range of.Disclosures() {
		if d.Code == "" || d.Title == "" || d.Reason == "" || d.Authority == "" {
			t.Errorf("%+v", d)
		}
		if d.Code == "lead_paint" && d.Reason != "The home was built in 1974, before 1978." {
			t.Errorf("%+v", d)
		}
	}
	all := len(of.Disclosures())
	of.Property.YearBuilt, of.Lease.SecurityDeposit = new(2001), money.Cents(0)
	if n := len(of.Disclosures()); n != all-1 {
		t.Errorf("%d disclosures of a new home, %d of an old one", n, all)
	}
}
