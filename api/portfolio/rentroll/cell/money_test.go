package cell_test

import (
	"strings"
	"testing"

	"portal/api/money"
	"portal/api/portfolio/rentroll/cell"
)

// hostile are texts that no function may trip over, and that none reads as anything.
func hostile() []string {
	return []string{
		"", " ", "\x00", "\xff\xfe", "5\xff", "\u202e00.5", "\u061c", "\u2028", "1e9", "1.00E+02", "0x1F",
		"NaN", "Inf", "１２３",
		",", ".", "$", "()", "((1))", "#", "&", ";", "/", ", ,", "=1+1", "'", strings.Repeat("1", 1<<20),
		strings.Repeat("(", 1<<20), strings.Repeat("a ", 1<<19), strings.Repeat("é", 1<<19), "½½", "<script>",
	}
}

func TestMoneyReadsDollarsAsLandlordsWriteThem(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]money.Cents{
		"$1,450.00": 145000, "1450": 145000, "1.450,00": 145000, "1325,00": 132500, "(1,200.00)": -120000,
		"-25.00": -2500, "25.00-": -2500, "25.00 CR": -2500, "USD 1,450": 145000, "$ -5.": -500, "-": 0, "—": 0,
		"–":       0,
		" $ -   ": 0, "1,325": 132500, "1,325,000": 132500000, "1.325.000": 132500000, "1,325.5": 132550,
		"1325,5": 132550,
		".50":    50, "0": 0, "$0.00": 0, "0.00": 0, "-0.00": 0, "($25.00)": -2500, "$(25.00)": -2500,
		"-$25":   -2500,
		"−25.00": -2500, "$1,640.00": 164000, "1,450 USD": 145000, "US$ 1450": 145000, "1450 $": 145000,
		"1450.5000": 145050, "1,450.000": 145000, "1700.5": 170050, "\u00a01\u200e450.00": 145000, "007": 700,
		"999999999.99": money.Max, "$1,250.00 cr": -125000, "1234.": 123400,
		// the cells of the samples
		"1,250.00": 125000, "1,195.00": 119500, "1,050.00": 105000, "875.00": 87500, "850.00": 85000,
		"425.00": 42500,
		"412.50": 41250, "3,175.00": 317500, "1,900.00": 190000, "(25.00)": -2500, "387.50": 38750,
		"$1,375.00": 137500,
		"$700.00":   70000, "1325": 132500, "2650": 265000, "3050.5": 305050,
	} {
		if got, ok := cell.Money(in); !ok || got != want {
			t.Errorf("Money(%q) = %s, %t; want %s", in, got, ok, want)
		}
	}
}

func TestMoneyRefusesWhatIsAmbiguousOrNoAmount(t *testing.T) {
	t.Parallel()
	for _, in := range append(hostile(),
		"1.325", "1325.000", "1.325 USD", "12.345", "1450.501", "1,45.00", "14,50.00", "1,4500", "0,450",
		"1325,000",
		"1325,", "1,450,00", "1.450.00", "1.2.3", "1,2,3", "(-25)", "--25", "-25-", "-25 CR", "$$5", "$5 USD",
		"5 EUR",
		"1 450", "1'450", "free", "5 months", "1000000000", "9,999,999,999.00", "$1,450/mo", "1,450.00 per month",
		"66.7% Occupied", "4 Units", "2/1.00",
	) {
		if got, ok := cell.Money(in); ok {
			t.Errorf("Money(%.40q) = %s; want a refusal", in, got)
		}
	}
}

func FuzzMoneyPrintsBackToItself(f *testing.F) {
	for _, s := range append(hostile(), "$1,450.00", "1.450,00", "(1,200.00)", "25.00 CR", "USD 1,450") {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		cell.Whole(s)
		c, ok := cell.Money(s)
		if !ok {
			return
		}
		for _, printed := range []string{c.String(), c.Dollars(), c.Words()} {
			if again, ok := cell.Money(printed); !ok || again != c {
				t.Errorf("%q is %s, which prints as %s, which is %s, %t", s, c, printed, again, ok)
			}
		}
		if c > money.Max || c < -money.Max {
			t.Errorf("%q is %s", s, c)
		}
	})
}

func TestWholeReadsNumbersAndAreas(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]int{
		"1,320": 1320, "810": 810, "810.00": 810, "1,320 sq ft": 1320, "1,320 sf": 1320, "1320sf": 1320,
		"640 sq. ft.": 640,
		"480 SqFt":    480, "480 square feet": 480, "600 ft²": 600, "600 ft2": 600, "0": 0, "810.": 810,
		"1.320,00": 1320,
		" 810 ":    810, "1,930": 1930, "3,250": 3250, "600": 600, "840": 840, "820": 820, "1,234,567": 1234567,
		"007":       7,
		"999999999": 999999999, "12.0000": 12, "1,320 Sq Ft": 1320, "640": 640, "900 s.f.": 900,
	} {
		if got, ok := cell.Whole(in); !ok || got != want {
			t.Errorf("Whole(%q) = %d, %t; want %d", in, got, ok, want)
		}
	}
	for _, in := range append(hostile(),
		"-5", "810.5", "1.320", "1000000000", "12 m²", "sf", "about 800", "800-900", "1,32", "8 10", "$800",
		"800 units",
		"810 sq ft approx", "4 Units", "(810)", "2 BR", "1,320.50 sf",
	) {
		if got, ok := cell.Whole(in); ok {
			t.Errorf("Whole(%.40q) = %d; want a refusal", in, got)
		}
	}
}
