package conditionpdf

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"portal/api/agreement/document/documenttest"
	"portal/api/clock"
	"portal/api/language"
	"portal/api/portfolio"
	"portal/api/portfolio/lease/condition"
)

// report has as many items as a report can have, a tenant who disagrees about the first one, and a photo of it.
func report(kind condition.Kind, floor condition.State) *condition.Report {
	r := &condition.Report{LeaseID: "lea_1", Kind: kind}
	r.ID = "cond_01KJMMA2G00400000000000002"
	for a := range 10 {
		area := condition.Area{ID: fmt.Sprint("area_", a), Code: condition.Bedroom, Number: a + 1}
		for i := range condition.MostAreaItems {
			item := condition.Item{ID: fmt.Sprint("item_", a, "_", i), Name: fmt.Sprint("Thing ", a, " ", i)}
			item.Landlord.Condition = new(condition.Good)
			area.Items = append(area.Items, item)
		}
		r.Areas = append(r.Areas, area)
	}
	first := &r.Areas[0].Items[0]
	first.Code, first.Name = "floor", ""
	first.Landlord.Condition, first.Landlord.Note = &floor, "Oak \U0001F3E0"
	first.Tenant = condition.Remark{Condition: new(condition.Poor), Note: "A scratch"}
	first.Photos = []condition.Photo{{By: condition.Tenant, TenantID: new("ten_1"), SHA256: strings.Repeat("ab", 32)}}
	return r
}

func source(r, before *condition.Report) *Source {
	return &Source{
		Report: r, MovedIn: before, Landlord: "Maple & Oak", Zone: time.UTC,
		Lease: &portfolio.Lease{
			RentalAddress: "1420 Maple Avenue", StartDate: clock.Day(2026, 1, 1),
			Tenants: []portfolio.Party{
				{ID: "ten_1", Name: "Dana Whitfield", Role: portfolio.PartyPrimary},
				{ID: "ten_2", Name: "Gail Renner", Role: portfolio.PartyGuarantor},
			},
		},
	}
}

// text is what a PDF says, in one line.
func text(t *testing.T, s *Source, reads language.Language) string {
	t.Helper()
	content, err := Render(s, reads)
	if err != nil {
		t.Fatal(err)
	}
	documenttest.Tool(t, content, "qpdf", "--check", "FILE")
	return strings.Join(strings.Fields(documenttest.Tool(t, content, "pdftotext", "-layout", "FILE", "-")), " ")
}

func TestReportSaysWhatBothSidesSay(t *testing.T) {
	t.Parallel()
	r := report(condition.MoveIn, condition.Fair)
	said := text(t, source(r, nil), language.English)
	for _, want := range []string{
		"Move-in report", "Not signed", "Bedroom 1", "Bedroom 10", "Fair: Oak ?", "Poor: A scratch", "Thing 9 29",
		"Dana Whitfield", "Nobody has signed.", "Photos", strings.Repeat("ab", 32),
	} {
		if !strings.Contains(said, want) {
			t.Errorf("there is no %q in\n%.2000s", want, said)
		}
	}
	if strings.Contains(said, "Gail Renner") {
		t.Error("a guarantor is named")
	}
	spanish := text(t, source(r, nil), language.Spanish)
	for _, want := range []string{
		"Informe de entrada", "Dormitorio 1", "Regular: Oak ?", "Malo: A scratch", "Nadie ha firmado.",
	} {
		if !strings.Contains(spanish, want) {
			t.Errorf("there is no %q in\n%.2000s", want, spanish)
		}
	}
}

func TestMoveOutReportHasTheMoveInReportBesideIt(t *testing.T) {
	t.Parallel()
	before, after := report(condition.MoveIn, condition.Good), report(condition.MoveOut, condition.Missing)
	before.Areas[0].Items[1].Name, after.Areas[0].Items = "Lamp", after.Areas[0].Items[:1]
	at := clock.At(time.Date(2026, 12, 1, 15, 4, 0, 0, time.UTC))
	after.Signatures = []condition.Signature{
		{
			By:       condition.Landlord,
			Name:     "Ada Reyes",
			SignedAt: at,
			Address:  "192.0.2.1",
			SHA256:   strings.Repeat("c", 64),
		},
		{
			By:       condition.Tenant,
			TenantID: new("ten_1"),
			Name:     "Dana Whitfield",
			SignedAt: at,
			SHA256:   strings.Repeat("d", 64),
		},
	}
	after.CompletedAt = &at
	said := text(t, source(after, before), language.English)
	for _, want := range []string{
		"Move-out report", "At moving in", "Good: Oak ?.", "Tenants: Poor: A scratch", "Missing: Oak ?", "Lamp",
		"Not in this report",
		"Signed by all on Dec 1, 2026, 3:04 PM UTC", "Ada Reyes, landlord", "192.0.2.1", strings.Repeat("d", 64),
	} {
		if !strings.Contains(said, want) {
			t.Errorf("there is no %q in\n%.3000s", want, said)
		}
	}
}
