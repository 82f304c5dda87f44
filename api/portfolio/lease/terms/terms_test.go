package terms_test

import (
	"reflect"
	"testing"

	"portal/api/clock"
	"portal/api/money"
	"portal/api/portfolio/lease/terms"
)

func TestTermsRoundTrip(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]terms.Terms{
		"none": {},
		"all": {
			LateFeeFrequency:   terms.Daily,
			ReturnedPaymentFee: new(money.Cents(2550)),
			Occupants:          []string{"Łucja Żółć"},
			Pets:               []terms.Pet{{Kind: "Cat", Name: new("Łatek"), WeightPounds: new(9)}, {Kind: "Dog"}},
			Vehicles:           []terms.Vehicle{{Make: "Toyota", Model: new("Corolla"), Plate: new("ABC 1234")}},
			Utilities:          []terms.Utility{{Name: "Water", PaidBy: terms.Landlord}},
			Clauses:            terms.Clauses{Pets: new("One cat.\nNo dogs.")},
			Fees: []terms.Fee{
				{Name: "Parking", Amount: money.Cents(5001), Frequency: terms.Monthly},
				{
					Name:       "Keys",
					Amount:     1,
					Frequency:  terms.OneTime,
					Refundable: true,
				},
			},
			Answers: []terms.Answer{{Code: "mold"}, {Code: "flood", Applies: true, Text: new("In 2019.")}},
			LeadPaint: &terms.LeadPaint{
				Hazards: terms.KnownHazards,
				Details: new("Window sills."),
				Records: terms.NoRecords,

				PamphletGivenOn: new(clock.Day(2026, 11, 20)),
			},
			HeldDeposit: new(money.Dollars(900)),
		},
	} {
		text := want.Encode()
		got, err := terms.Decode(text)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %s is read as %+v, %v", name, text, got, err)
		}
		if name == "none" && text != "{}" {
			t.Errorf("nothing is written as %s", text)
		}
	}
	if got, err := terms.Decode(`{"clauses":{"pets":"One cat."}}`); err != nil || *got.Clauses.Pets != "One cat." {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := terms.Decode("{"); err == nil {
		t.Error("what is no JSON is read")
	}
}

func TestTermsAreDescribedInWords(t *testing.T) {
	t.Parallel()
	all := terms.Terms{
		ReturnedPaymentFee: new(money.Dollars(25)),
		Occupants:          []string{"Sam", "Ada"},
		Pets:               []terms.Pet{{Kind: "Cat", Name: new("Miso"), WeightPounds: new(9)}, {Kind: "Dog"}},
		Vehicles: []terms.Vehicle{
			{Make: "Toyota", Model: new("Corolla"), Plate: new("ABC 1234")}, {Make: "Vespa"},
		},
		Utilities: []terms.Utility{
			{Name: "Water", PaidBy: terms.Landlord}, {Name: "Electricity", PaidBy: terms.Tenant},
			{Name: "Trash", PaidBy: terms.Landlord},
		},
		Fees: []terms.Fee{
			{Name: "Parking", Amount: money.Dollars(50), Frequency: terms.Monthly},
			{
				Name:       "Keys",
				Amount:     money.Dollars(10),
				Frequency:  terms.OneTime,
				Refundable: true,
			},
		},
		LeadPaint: &terms.LeadPaint{Hazards: terms.KnownHazards, Details: new("Window sills."),
			PamphletGivenOn: new(clock.Day(2026, 11, 20))},
	}
	want := []terms.Line{
		{"Parking", "$50 each month"}, {"Keys", "$10 once, refundable"}, {"Returned payment fee", "$25"},
		{"Also live there", "Sam, Ada"}, {"Pets", "Cat Miso (9 lb), Dog"},
		{"Vehicles", "Toyota Corolla (ABC 1234), Vespa"},
		{"Utilities that the landlord pays", "Water, Trash"}, {"Utilities that the tenants pay", "Electricity"},
		{"Lead-based paint", "Known: Window sills."},
		{"Lead pamphlet", "Handed over on paper on November 20, 2026"},
	}
	if got := all.Lines(); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
	if got := (&terms.Terms{}).Lines(); got != nil {
		t.Errorf("nothing is said as %+v", got)
	}
}
