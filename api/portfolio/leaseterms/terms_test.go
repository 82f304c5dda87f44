package leaseterms_test

import (
	"reflect"
	"testing"

	"portal/api/money"
	"portal/api/portfolio/leaseterms"
)

func TestTermsAreReadAsTheyWereWritten(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]leaseterms.Terms{
		"none": {},
		"all": {
			LateFeeFrequency:   leaseterms.Daily,
			ReturnedPaymentFee: new(money.Cents(2550)),
			Occupants:          []string{"Łucja Żółć"},
			Clauses:            leaseterms.Clauses{Pets: new("One cat.\nNo dogs.")},
			Fees: []leaseterms.Fee{
				{Name: "Parking", Amount: money.Cents(5001), Frequency: leaseterms.Monthly},
				{
					Name:       "Keys",
					Amount:     1,
					Frequency:  leaseterms.OneTime,
					Refundable: true,
				},
			},
			Answers: []leaseterms.Answer{{Code: "mold"}, {Code: "flood", Applies: true, Text: new("In 2019.")}},
			LeadPaint: &leaseterms.LeadPaint{
				Hazards: leaseterms.KnownHazards,
				Details: new("Window sills."),
				Records: leaseterms.NoRecords,
			},
		},
	} {
		text := want.Encode()
		got, err := leaseterms.Decode(text)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %s is read as %+v, %v", name, text, got, err)
		}
		if name == "none" && text != "{}" {
			t.Errorf("nothing is written as %s", text)
		}
	}
	if got, err := leaseterms.Decode(`{"clauses":{"pets":"One cat."}}`); err != nil || *got.Clauses.Pets != "One cat." {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := leaseterms.Decode("{"); err == nil {
		t.Error("what is no JSON is read")
	}
}

func TestTermsAreSaidInWords(t *testing.T) {
	t.Parallel()
	all := leaseterms.Terms{
		ReturnedPaymentFee: new(money.Dollars(25)),
		Occupants:          []string{"Sam", "Ada"},
		Fees: []leaseterms.Fee{
			{Name: "Parking", Amount: money.Dollars(50), Frequency: leaseterms.Monthly},
			{
				Name:       "Keys",
				Amount:     money.Dollars(10),
				Frequency:  leaseterms.OneTime,
				Refundable: true,
			},
		},
		LeadPaint: &leaseterms.LeadPaint{Hazards: leaseterms.KnownHazards, Details: new("Window sills.")},
	}
	want := []leaseterms.Line{
		{"Parking", "$50 each month"}, {"Keys", "$10 once, refundable"}, {"Returned payment fee", "$25"},
		{"Also live there", "Sam, Ada"}, {"Lead-based paint", "Known: Window sills."},
	}
	if got := all.Lines(); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
	if got := (&leaseterms.Terms{}).Lines(); got != nil {
		t.Errorf("nothing is said as %+v", got)
	}
}
