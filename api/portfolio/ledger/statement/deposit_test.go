package statement_test

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"portal/api/agreement/document/documenttest"
	"portal/api/clock"
	"portal/api/language"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/ledger/statement"
)

func deposit() *portfolio.DepositStatement {
	rent := clock.Day(2026, 10, 1)
	return &portfolio.DepositStatement{
		LeaseID: "lea_01KA5R2M7Q8D4E6F9G1H3J5K7M", CreatedAt: 1764000000000, EndedOn: clock.Day(2026, 10, 31),
		Deadline: clock.Day(2026, 11, 30), PaidOn: clock.Day(2026, 11, 12), Held: money.Dollars(1500),
		Refunded: money.Dollars(1170), Method: new(portfolio.PaymentMethod("check")), Reference: new("1182"),
		Content: &portfolio.DepositContent{
			Landlord: "Harbor Lane Rentals LLC", Tenants: []string{"Dana Whitfield", "Zoë Łuczak"},
			Home: "1420 Maple Avenue, Unit 2B, Austin, TX 78701", Days: 30, Citation: "Tex. Prop. Code 92.103",
			Lines: []portfolio.DepositLine{
				{Kind: portfolio.DepositDeduction, Text: "Paint the hall \U000F1234", Amount: money.Cents(20050)},
				{
					Kind:    portfolio.DepositOwed,
					Text:    "Rent for October 2026",
					Amount:  money.Dollars(150),
					RentFor: &rent,
				},
				{Kind: portfolio.DepositCredit, Text: "Credit: Parking", Amount: money.Cents(2050)},
			},
		},
	}
}

func TestStatementSaysEverythingInEnglishAndSpanish(t *testing.T) {
	t.Parallel()
	for reads, want := range map[language.Language][]string{
		language.English: {
			"Security deposit statement", "Harbor Lane Rentals LLC", "Dana Whitfield, Zoë Łuczak", "October 31, 2026",
			"November 30, 2026: 30 days after the end of the tenancy (Tex. Prop. Code 92.103)", "Paint the hall ?",
			"Rent for October 2026", "$1,500.00", "-$200.50", "-$150.00", "$20.50",
			"$1,170.00, November 12, 2026, check, 1182", "Page 1 of 1",
		},
		language.Spanish: {
			"Estado de cuenta del depósito de garantía", "31 de octubre de 2026",
			"30 de noviembre de 2026: 30 días después del fin del arrendamiento", "Renta de octubre de 2026",
			"$1,170.00, 12 de noviembre de 2026, cheque, 1182", "Página 1 de 1",
		},
	} {
		content, err := statement.Deposit(deposit(), reads)
		if err != nil {
			t.Fatal(err)
		}
		text := strings.Join(strings.Fields(documenttest.Tool(t, content, "pdftotext", "-layout", "FILE", "-")), " ")
		for _, s := range want {
			if !strings.Contains(text, s) {
				t.Errorf("the statement lacks %q:\n%s", s, text)
			}
		}
		if strings.Contains(text, "No other fee") || reads == language.Spanish && strings.Contains(text, "Tenancy") {
			t.Errorf("it says what a lease says:\n%s", text)
		}
	}
}

// word is where pdftotext finds a word.
var word = regexp.MustCompile(`xMax="([0-9.]+)"[^>]*>([^<]*)</word>`)

func TestAmountsOfATableStandBelowOneAnother(t *testing.T) {
	t.Parallel()
	content, err := statement.Deposit(deposit(), language.English)
	if err != nil {
		t.Fatal(err)
	}
	ends := map[string][]string{} // the totals have some of the amounts, too
	for _, m := range word.FindAllStringSubmatch(documenttest.Tool(t, content, "pdftotext", "-bbox", "FILE", "-"), -1) {
		at, err := strconv.ParseFloat(m[1], 64)
		if err != nil {
			t.Fatal(err)
		}
		ends[m[2]] = append(ends[m[2]], fmt.Sprintf("%.0f", at))
	}
	head := ends["Amount"]
	if len(head) != 1 {
		t.Fatalf("the head of the column ends at %q", head)
	}
	for _, amount := range []string{"-$200.50", "-$150.00", "$20.50"} {
		if !slices.Contains(ends[amount], head[0]) {
			t.Errorf("%s ends at %q, and its column at %s", amount, ends[amount], head[0])
		}
	}
}

func TestStatementIsTaggedForScreenReaders(t *testing.T) {
	t.Parallel()
	content, err := statement.Deposit(deposit(), language.Spanish)
	if err != nil {
		t.Fatal(err)
	}
	info := documenttest.Tool(t, content, "pdfinfo", "FILE")
	if !strings.Contains(info, "Tagged:          yes") || !strings.Contains(info, "Estado de cuenta") {
		t.Error(info)
	}
	structure := documenttest.Tool(t, content, "pdfinfo", "-struct-text", "FILE")
	for _, want := range []string{
		"H1 (block)\n", "H2 (block)\n", "/Scope /Column", "/Scope /Row", "\"Arrendador\"", "\"Deducción\"",
	} {
		if !strings.Contains(structure, want) {
			t.Errorf("the structure lacks %q:\n%s", want, structure)
		}
	}
	if !strings.Contains(string(content), "pdfuaid:part") && !strings.Contains(
		documenttest.Tool(t, content, "pdfinfo", "-meta", "FILE"), "pdfuaid:part",
	) {
		t.Error("it does not say that it is PDF/UA")
	}
}

func TestStatementWithoutLinesSaysThatAllGoesBack(t *testing.T) {
	t.Parallel()
	s := deposit()
	s.Content.Lines, s.Content.Citation, s.Refunded, s.Reference = []portfolio.DepositLine{}, "", s.Held, nil
	content, err := statement.Deposit(s, language.Unchosen)
	if err != nil {
		t.Fatal(err)
	}
	text := documenttest.Tool(t, content, "pdftotext", "-layout", "FILE", "-")
	if strings.Count(text, "$1,500.00") != 2 || strings.Contains(text, "Deductions") {
		t.Error(text)
	}
}

func TestStatementOfCommercialLeaseHasNoDeadline(t *testing.T) {
	t.Parallel()
	for reads, want := range map[language.Language][]string{
		language.English: {"None: state deadlines are for homes", "This statement is not legal advice."},
		language.Spanish: {"Ninguno: los plazos estatales son para viviendas", "no es asesoría legal."},
	} {
		d := deposit()
		d.Deadline, d.Content.Days, d.Content.Citation = 0, 0, ""
		content, err := statement.Deposit(d, reads)
		if err != nil {
			t.Fatal(err)
		}
		text := strings.Join(strings.Fields(documenttest.Tool(t, content, "pdftotext", "-layout", "FILE", "-")), " ")
		for _, s := range want {
			if !strings.Contains(text, s) {
				t.Errorf("the statement lacks %q:\n%s", s, text)
			}
		}
		if strings.Contains(text, "1970") || strings.Contains(text, "table of state rules") {
			t.Errorf("the statement has a deadline:\n%s", text)
		}
	}
}

func TestStatementShowsChangedItemsBesideEachOther(t *testing.T) {
	t.Parallel()
	s := deposit()
	both := func(text string) portfolio.Translated {
		return portfolio.Translated{English: text, Spanish: "es-" + text}
	}
	s.Content.Changes = &portfolio.ConditionChanges{Items: []portfolio.ConditionChange{
		{Room: both("Kitchen"), Item: both("Floor"), MovedIn: both("Good"), MovedOut: both("Poor \U0001F3E0")},
	}}
	for reads, want := range map[language.Language][]string{
		language.English: {
			"Condition of the home", "Not all tenants have signed both", "Kitchen, Floor", "Good", "Poor ?",
		},
		language.Spanish: {"Estado de la vivienda", "No todos los inquilinos", "es-Kitchen, es-Floor", "es-Poor ?"},
	} {
		content, err := statement.Deposit(s, reads)
		if err != nil {
			t.Fatal(err)
		}
		text := strings.Join(strings.Fields(documenttest.Tool(t, content, "pdftotext", "-layout", "FILE", "-")), " ")
		for _, said := range want {
			if !strings.Contains(text, said) {
				t.Errorf("there is no %q in\n%s", said, text)
			}
		}
	}
	s.Content.Changes.Agreed = true
	content, err := statement.Deposit(s, language.English)
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Join(strings.Fields(documenttest.Tool(t, content, "pdftotext", "-layout", "FILE", "-")), " ")
	if !strings.Contains(text, "the landlord and all tenants have signed") {
		t.Error(text)
	}
}
