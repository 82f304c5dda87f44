package notice

import (
	"strings"
	"testing"

	"portal/api/agreement/document/documenttest"
	"portal/api/clock"
	"portal/api/language"
	"portal/api/money"
	"portal/api/portfolio/lease/law"
)

// sample is a notice of a kind.
func sample(kind Kind) *Notice {
	l := monthly(clock.Day(2027, 3, 1))
	c := &Content{
		Landlord: "Maple & Oak LLC",
		Address:  "12 Elm Street, Fresno, CA 93701",
		Reach:    "ada@example.com",
		Signer:   "Ada Reyes",
		Tenants:  []string{"Dana Whitfield", "Thảo Nguyễn"},
		Home:     "1420 Maple Avenue, Fresno, CA 93701",
		State:    "CA",
		Rent:     l.MonthlyRent,
		Rule:     RuleFor(law.Of("CA"), l, kind, given, money.Dollars(1050)),
	}
	switch kind {
	case RentIncrease:
		c.NewRent = money.Dollars(1050)
	case Entry:
		c.From, c.Until, c.Purpose = "09:00", "12:30", "Check the smoke alarms"
	case EndOfTenancy:
		c.Reason = "The owner moves in"
	case PayOrQuit:
		c.Owed = []Owed{
			{Text: "Rent for May 2027", DueOn: clock.Day(2027, 5, 1), Amount: money.Dollars(1000)},
			{Text: "Rent for June 2027", DueOn: clock.Day(2027, 6, 1), Amount: money.Cents(40050)},
		}
	}
	return &Notice{
		ID: "ntc_01KJMMA2G00400000000000002", Kind: kind, GivenOn: given, EffectiveOn: c.Rule.Usual, Content: c,
	}
}

func contains(all []string, said string) bool { return strings.Contains(strings.Join(all, "\n"), said) }

func TestNoticeIsPrintedInBothLanguages(t *testing.T) {
	t.Parallel()
	for kind, want := range map[Kind][2][]string{
		RentIncrease: {
			{
				"Notice of rent increase", "$1,000", "$1,050 a month", "Sunday, August 1, 2027",
				"Dana Whitfield, Thảo Nguyễn",
			},
			{"Aviso de aumento de renta", "$1,050 al mes", "1 de agosto de 2027"},
		},
		Entry: {
			{"Notice of entry", "9:00 AM to 12:30 PM", "What for: Check the smoke alarms", "at least 24 hours"},
			{"Aviso de entrada", "de 09:00 a 12:30", "Motivo: Check the smoke alarms", "al menos 24 horas"},
		},
		EndOfTenancy: {
			{"Notice to end the tenancy", "Saturday, July 31, 2027", "The reason: The owner moves in"},
			{"Aviso de fin del arrendamiento", "31 de julio de 2027", "El motivo: The owner moves in"},
		},
		PayOrQuit: {
			{
				"Notice to pay rent or leave", "$1,400.50", "Rent for May 2027", "$400.50",
				"Only a court can order you to leave",
			},
			{"Aviso de pagar la renta o desocupar", "$1,400.50", "Solo un juzgado puede"},
		},
	} {
		for i, reads := range []language.Language{language.English, language.Spanish} {
			content, err := Render(sample(kind), reads)
			if err != nil {
				t.Fatal(err)
			}
			documenttest.Tool(t, content, "qpdf", "--check", "FILE")
			text := strings.Join(
				strings.Fields(documenttest.Tool(t, content, "pdftotext", "-layout", "FILE", "-")),
				" ",
			)
			for _, said := range want[i] {
				if !strings.Contains(text, said) {
					t.Errorf("%s in %q lacks %q:\n%s", kind, reads, said, text)
				}
			}
		}
	}
}

func TestNoticeShowsNamesThatNoFontHas(t *testing.T) {
	t.Parallel()
	n := sample(EndOfTenancy)
	n.Content.Tenants, n.Content.Home = []string{"Dana \U0001F3E0 Whitfield"}, strings.Repeat("Long Avenue ", 40)
	content, err := Render(n, language.English)
	if err != nil {
		t.Fatal(err)
	}
	if text := documenttest.Tool(t, content, "pdftotext", "FILE", "-"); !strings.Contains(text, "Dana ? Whitfield") {
		t.Error(text)
	}
}
