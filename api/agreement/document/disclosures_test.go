package document_test

import (
	"strings"
	"testing"

	"portal/api/agreement/document"
	"portal/api/agreement/document/documenttest"
	"portal/api/clock"
	"portal/api/contact"
	"portal/api/money"
	"portal/api/portfolio/lease/law"
	"portal/api/portfolio/lease/terms"
)

// disclosure finds one of a lease by its code, nil where the lease has none.
func disclosure(of *document.Terms, code string) *document.Disclosure {
	for _, d := range of.Disclosures() {
		if d.Code == code {
			return &d
		}
	}
	return nil
}

func TestDisclosureStatesItsReason(t *testing.T) {
	t.Parallel()
	for _, rules := range law.All() {
		for _, d := range documenttest.Terms(rules.State).Disclosures() {
			if d.Code == "" || d.Title == "" || d.Reason == "" ||
				d.Authority != nil && *d.Authority == "" || d.Applies != nil {
				t.Errorf("%s: %+v", rules.State, d)
			}
		}
	}
	of := documenttest.Terms("WA")
	for code, want := range map[string]string{
		"lead_paint":           "The home was built in 1974, before 1978.",
		"deposit_bank":         "This lease takes a deposit.",
		"nonrefundable_fees":   "A fee of this lease is not refundable.",
		"owner_agent_identity": "State law requires it.",
	} {
		if d := disclosure(of, code); d == nil || d.Reason != want || d.Conditional {
			t.Errorf("%s: %+v", code, d)
		}
	}
	of.Property.YearBuilt, of.Lease.SecurityDeposit = new(1978), money.Cents(0)
	of.Lease.Terms.Fees = of.Lease.Terms.Fees[1:] // the one that is refundable
	for _, code := range []string{"lead_paint", "deposit_bank", "nonrefundable_fees"} {
		if d := disclosure(of, code); d != nil {
			t.Errorf("%+v", d)
		}
	}
	of.Property.YearBuilt = nil
	if d := disclosure(of, "lead_paint"); d == nil || d.Reason != "The year in which the home was built is not known." {
		t.Errorf("%+v", d)
	}
}

func TestOnlyLandlordsAnswerResolvesCondition(t *testing.T) {
	t.Parallel()
	of := documenttest.Terms("NV")
	open := disclosure(of, "foreclosure")
	if open == nil || !open.Conditional || open.Applies != nil ||
		open.Reason != "If a foreclosure of the property is pending." {
		t.Errorf("unanswered: %+v", open)
	}
	answer := terms.Answer{
		Code:    "foreclosure",
		Applies: true,
		Text:    new("Case 27-CV-114, filed in May.\n\nThe sale is set for June."),
	}
	of.Lease.Terms.Answers = []terms.Answer{answer}
	yes := disclosure(of, "foreclosure")
	if yes == nil || yes.Applies == nil || !*yes.Applies || yes.Reason != "The landlord states that this applies." {
		t.Errorf("yes: %+v", yes)
	}
	const told = "Foreclosure: Case 27-CV-114, filed in May. The sale is set for June."
	if said := text(document.Compose(of)); !strings.Contains(said, told) {
		t.Errorf("the landlord's text is missing in %q", said)
	}
	of.Lease.Terms.Answers[0].Applies = false
	if no := disclosure(of, "foreclosure"); no != nil {
		t.Errorf("no: %+v", no)
	}
	if said := text(document.Compose(of)); strings.Contains(said, "oreclosure") || strings.Contains(said, "27-CV-114") {
		t.Error("a disclosure that does not apply is in the lease")
	}
}

func TestAnsweringNoKeepsMandatoryDisclosure(t *testing.T) {
	t.Parallel()
	of := documenttest.Terms("NV")
	of.Lease.Terms.Answers = []terms.Answer{{Code: "flag_display", Text: new("No flags.")}}
	d := disclosure(of, "flag_display")
	if d == nil || d.Conditional || d.Applies == nil || *d.Applies || d.Reason != "State law requires it." {
		t.Errorf("%+v", d)
	}
	if strings.Contains(text(document.Compose(of)), "No flags.") {
		t.Error("a text about what does not apply is in the lease")
	}
	of.Lease.Terms.Answers[0].Applies = true
	if !strings.Contains(text(document.Compose(of)), "Right to display the flag: No flags.") {
		t.Error("the landlord's text is missing")
	}
}

func TestLeadAddendumShowsLandlordsStatement(t *testing.T) {
	t.Parallel()
	const received = "By signing, the tenants confirm that they have received what the landlord states in addendum A"
	for name, c := range map[string]struct {
		lead *terms.LeadPaint
		want []string
		none []string
	}{
		"nothing": {
			nil,
			[]string{"The lease cannot be signed until this is answered.", received},
			[]string{"The landlord knows", "certifies"},
		},
		"none": {
			&terms.LeadPaint{Hazards: terms.NoHazards, Records: terms.NoRecords},
			[]string{
				"The landlord knows of no lead-based paint",
				"The landlord has no records or reports", received + ".", "the landlord certifies",
				"Before the tenants sign, the landlord hands over the pamphlet",
			},
			[]string{"The landlord noted", "cannot be signed until", "records and reports named there"},
		},
		"known": {
			&terms.LeadPaint{
				Hazards: terms.KnownHazards,
				Details: new("Lead in the window frames."),
				Records: terms.RecordsProvided,
			},
			[]string{
				"The landlord knows of lead-based paint",
				"What is known: Lead in the window frames.",
				"all records and reports that the landlord has",
				received + " and the records and reports named there.",
				"the landlord certifies",
			},
			[]string{"cannot be signed until", "knows of no"},
		},
		"pamphlet": {
			&terms.LeadPaint{
				Hazards:         terms.NoHazards,
				Records:         terms.NoRecords,
				PamphletGivenOn: new(clock.Day(2026, 11, 20)),
			},
			[]string{
				"The landlord noted that the pamphlet “Protect Your Family From Lead in Your Home” was handed over on paper " +
					"on November 20, 2026.",
				received + ".",
			},
			[]string{"the landlord hands over the pamphlet"},
		},
	} {
		of := documenttest.Terms("TX")
		of.Lease.Terms.LeadPaint = c.lead
		said := text(document.Compose(of))
		for _, want := range c.want {
			if !strings.Contains(said, want) {
				t.Errorf("%s: the lease does not say %q", name, want)
			}
		}
		for _, none := range append(c.none, "[ ", "____", "nitials") {
			if strings.Contains(said, none) {
				t.Errorf("%s: the lease says %q", name, none)
			}
		}
	}
}

// The service does not deliver the pamphlet about lead: nobody confirms by signing that they have it.
func TestNobodyConfirmsPamphletBySigning(t *testing.T) {
	t.Parallel()
	for _, records := range []terms.LeadRecords{terms.NoRecords, terms.RecordsProvided} {
		of := documenttest.Terms("TX")
		of.Lease.Terms.LeadPaint.Records = records
		d := document.Compose(of)
		for _, b := range d.Sections[len(d.Sections)-1].Blocks {
			if b.Signature != nil && strings.Contains(b.Signature.Confirms, "amphlet") {
				t.Errorf("%s: %s", b.Signature.Role, b.Signature.Confirms)
			}
		}
	}
}

func TestOnlyAddendumRecipientsConfirmIt(t *testing.T) {
	t.Parallel()
	of := documenttest.Terms("TX")
	if got := confirmed(document.Compose(of)); got != "Tenant Tenant Landlord, Harbor Lane Rentals LLC" {
		t.Errorf("these confirm something: %s", got)
	}
	of.Property.YearBuilt = new(1978)
	if got := confirmed(document.Compose(of)); got != "" {
		t.Errorf("these confirm something of a home without addendum: %s", got)
	}
}

// confirmed are the roles of those who confirm something by signing.
func confirmed(d *document.Document) string {
	var all []string
	for _, b := range d.Sections[len(d.Sections)-1].Blocks {
		if b.Signature != nil && b.Signature.Confirms != "" {
			all = append(all, b.Signature.Role)
		}
	}
	return strings.Join(all, " ")
}

func TestOnlyIllinoisHasFrontPage(t *testing.T) {
	t.Parallel()
	for _, rules := range law.All() {
		front := document.Compose(documenttest.Terms(rules.State)).Front
		if (len(front) > 0) != (rules.State == "IL") {
			t.Errorf("%s: %d pages at the front", rules.State, len(front))
		}
	}
	d := document.Compose(documenttest.Terms("IL"))
	if got := front(d); got != "Nguyễn Thị Phương Thảo, Łukasz Żółć" {
		t.Errorf("these sign the page: %s", got)
	}
	if got := d.Front[0].Heading(); got != "Summary of rights: Safer Homes Act (765 ILCS 750)" {
		t.Error(got)
	}
	c := documenttest.Certificate()
	c.Signed[0].Typed, c.Signed[1].Typed = "Typed First", "Typed Second"
	e, err := d.Execute(c)
	if err != nil {
		t.Fatal(err)
	}
	if got := front(e); got != "Typed First, Typed Second" {
		t.Errorf("these have signed the page: %s", got)
	}
	if got := front(d); got != "Nguyễn Thị Phương Thảo, Łukasz Żółć" {
		t.Errorf("the document that was signed has changed: %s", got)
	}
}

// front are the names on the lines before the key terms: as they were typed, or as they are to be.
func front(d *document.Document) string {
	var all []string
	for _, s := range d.Front {
		for _, b := range s.Blocks {
			switch {
			case b.Signature == nil:
			case b.Signature.Typed != "":
				all = append(all, b.Signature.Typed)
			default:
				all = append(all, b.Signature.Name)
			}
		}
	}
	return strings.Join(all, ", ")
}

func TestCitationIsPrintedWithoutRemarks(t *testing.T) {
	t.Parallel()
	for state, want := range map[contact.State]string{
		"CO": "reasonable notice, normally 24 hours. ", // none (48h for bed bugs only, …)
		"AR": "reasonable notice, normally 24 hours (Ark. Code 18-17-602). ",
		"GA": "reasonable notice, normally 24 hours. ",
		"AZ": "(A.R.S. 33-1343). ",
	} {
		if said := text(document.Compose(documenttest.Terms(state))); !strings.Contains(said, want) {
			t.Errorf("%s: the lease does not say %q", state, want)
		}
	}
}
