package money

import (
	"encoding/json"
	"math/big"
	"strings"
	"testing"
)

func TestAmountParsesToTheCent(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]Cents{
		"0":             0,
		"0.0":           0,
		"0.00":          0,
		"-0":            0,
		"1450":          145_000,
		"1450.5":        145_050,
		"1450.50":       145_050,
		"0.01":          1,
		"0.1":           10,
		"19.99":         1999,
		"4.35":          435,
		"-12.34":        -1234,
		"-0.01":         -1,
		"999999999.99":  Max,
		"-999999999.99": -Max,
		"007":           700,
	} {
		if got, err := Parse(s); err != nil || got != want {
			t.Errorf("%q is %s, want %s: %v", s, got, want, err)
		}
	}
}

func TestInvalidAmountsAreRefused(t *testing.T) {
	t.Parallel()
	for _, s := range []string{
		"",
		"-",
		".",
		"1.",
		".5",
		"-.5",
		"1.234",
		"0.001",
		"1e3",
		"1E3",
		"+1",
		"--1",
		"1-",
		"$1",
		"1,450",
		"1 450",
		" 1",
		"1 ",
		"0x10",
		"NaN",
		"Infinity",
		"null",
		"1.5.0",
		"1..5",
		"1.-5",
		"1000000000",
		"9999999999.99",
		"٣",
		"1\x00",
		"1.5\n",
		`"1"`,
		strings.Repeat("9", 10_000),
		"0." + strings.Repeat("0", 10_000),
	} {
		if got, err := Parse(s); err == nil {
			t.Errorf("%.40q is read as %s", s, got)
		}
	}
}

func TestAmountIsFormattedWithTwoDecimals(t *testing.T) {
	t.Parallel()
	for c, want := range map[Cents]string{
		0:          "0.00",
		1:          "0.01",
		10:         "0.10",
		99:         "0.99",
		100:        "1.00",
		-1:         "-0.01",
		-100:       "-1.00",
		-12_345:    "-123.45",
		145_050:    "1450.50",
		Max:        "999999999.99",
		-Max:       "-999999999.99",
		Dollars(7): "7.00",
	} {
		text, err := json.Marshal(c)
		if c.String() != want || string(text) != want || err != nil {
			t.Errorf("%d is %s and %s in JSON, want %s: %v", int64(c), c, text, want, err)
		}
	}
}

func TestJSONAcceptsOnlyPlainNumbers(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]Cents{`1450`: 145_000, `1450.5`: 145_050, `-0.01`: -1, `0`: 0} {
		var c Cents
		if err := json.Unmarshal([]byte(text), &c); err != nil || c != want {
			t.Errorf("%s is %s: %v", text, c, err)
		}
	}
	for _, text := range []string{`"1450"`, `1e3`, `1.005`, `true`, `[]`, `{}`, `""`, `1000000000`} {
		c := Cents(7)
		if err := json.Unmarshal([]byte(text), &c); err == nil || c != 7 {
			t.Errorf("%s is read as %s", text, c)
		}
	}
}

func FuzzAnAmountIsWhatItsDigitsSay(f *testing.F) {
	for _, s := range []string{"0", "1450.50", "-0.01", "19.99", "1e3", "1.234", "", "-", "999999999.99"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		c, err := Parse(s)
		if err != nil {
			return
		}
		exact, ok := new(big.Rat).SetString(s)
		if !ok || exact.Cmp(big.NewRat(int64(c), 100)) != 0 {
			t.Errorf("%q is read as %s", s, c)
		}
		if c > Max || c < -Max {
			t.Errorf("%q is %s, beyond the bounds", s, c)
		}
		if again, err := Parse(c.String()); err != nil || again != c {
			t.Errorf("%q is written as %s: %v", s, c, err)
		}
		if !json.Valid(c.AppendJSON(nil)) {
			t.Errorf("%s is not JSON", c)
		}
	})
}

func TestAmountIsFormattedNaturally(t *testing.T) {
	t.Parallel()
	for c, want := range map[Cents]string{
		0:              "$0",
		5:              "$0.05",
		99_900:         "$999",
		145_000:        "$1,450",
		145_050:        "$1,450.50",
		123_456_789_00: "$123,456,789",
		-145_050:       "-$1,450.50",
		-5_000:         "-$50",
	} {
		if got := c.Words(); got != want {
			t.Errorf("%d is %q, want %q", int64(c), got, want)
		}
	}
	if got := Cents(-5_000).Dollars(); got != "−$50.00" {
		t.Errorf("a credit is %q", got)
	}
}
