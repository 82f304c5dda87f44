package agreement_test

import (
	"strings"
	"testing"

	"portal/api/agreement"
	"portal/api/change"
	"portal/api/fault"
	"portal/api/money"
	"portal/api/portfolio/lease"
	"portal/api/portfolio/lease/terms"
)

func TestOwnDocumentTakesNoWordsOfTheStandardOne(t *testing.T) {
	onEach(t, func(f *fixture) {
		own := func(g *agreement.LeaseGenerate) { g.Document, g.Send = new(terms.Own), new(false) }
		for param, change := range map[string]func(*agreement.LeaseGenerate){
			"clauses.pets": func(g *agreement.LeaseGenerate) { g.Clauses = &terms.Clauses{Pets: new("One cat.")} },
			"disclosures": func(g *agreement.LeaseGenerate) {
				g.Disclosures = &[]terms.Answer{{Code: "floodplain", Applies: true}}
			},
		} {
			g := f.asked()
			own(&g)
			change(&g)
			if _, err := f.Generate(f.Context(), f.by, g); !fault.Is(err, fault.InvalidField) ||
				fault.From(err).Param != param {
				t.Errorf("%s: %v", param, err)
			}
		}
		l := f.generates(own)
		for param, u := range map[string]lease.Update{
			"clauses.smoking": {Clauses: change.To(&terms.Clauses{Smoking: new("Outside.")})},
			"disclosures":     {Disclosures: change.To([]terms.Answer{{Code: "floodplain", Applies: true}})},
		} {
			_, err := f.UpdateLease(f.Context(), f.by, change.Target{ID: l.ID}, u)
			if !fault.Is(err, fault.InvalidField) || fault.From(err).Param != param {
				t.Errorf("%s: %v", param, err)
			}
		}
		if l = f.withTerms(l.ID); *l.Document != terms.Own || !l.TextMissing() || len(l.Disclosures) == 0 {
			t.Errorf("document %v, %d disclosures", *l.Document, len(l.Disclosures))
		}
		if standard := f.generates(nil); *standard.Document != terms.Standard || standard.TextMissing() {
			t.Errorf("document %v", *standard.Document)
		}
	})
}

// The law's limits hold whoever writes the text, and a template gives a lease of one's own all but its clauses.
func TestLimitsHoldForOwnDocument(t *testing.T) {
	onEach(t, func(f *fixture) {
		g := f.asked()
		g.Document, g.LateFeeAmount = new(terms.Own), new(money.Dollars(900))
		if _, err := f.Generate(f.Context(), f.by, g); !fault.Is(err, fault.LateFeeAboveMaximum) {
			t.Errorf("a late fee of $900: %v", err)
		}
		template := f.addsTemplate(agreement.TemplateInput{
			Name:          "House",
			RentDueDay:    new(5),
			LateFeeAmount: new(money.Dollars(50)),
			Clauses:       &terms.Clauses{Pets: new("One cat.")},
		})
		g.LateFeeAmount, g.RentDueDay, g.TemplateID = nil, nil, &template.ID
		made, err := f.Generate(f.Context(), f.by, g)
		f.ok(err)
		l := made.After
		if l.RentDueDay != 5 || *l.LateFeeAmount != money.Dollars(50) || l.Terms.Clauses.Pets != nil {
			t.Errorf("%+v", l.Terms)
		}
		codes := map[string]string{}
		for _, w := range made.Warnings {
			codes[w.Code] = w.Message
		}
		if !strings.Contains(codes["own_document_disclosures"], "The law of Texas asks") ||
			codes["own_document_missing"] == "" {
			t.Errorf("warned of %v", codes)
		}
		for _, of := range []string{"disclosure_unanswered", "lead_paint_unanswered"} {
			if codes[of] != "" {
				t.Errorf("warned of %s, which the document of one's own says: %s", of, codes[of])
			}
		}
		if !strings.Contains(codes["own_document_disclosures"], "lead_paint") {
			t.Errorf("lead paint is not among what the document has to say: %s", codes["own_document_disclosures"])
		}
		u := lease.Update{LeadPaint: change.To(&terms.LeadPaint{Hazards: terms.NoHazards, Records: terms.NoRecords})}
		_, err = f.UpdateLease(f.Context(), f.by, change.Target{ID: l.ID}, u)
		f.ok(err)
		read, _, err := f.Review(f.Context(), f.by, l.ID)
		f.ok(err)
		if last := read.Sections[len(read.Sections)-2]; last.Title != "Lead-based paint addendum" {
			t.Errorf("no addendum where the landlord states what is known, but %q", last.Title)
		}
	})
}
