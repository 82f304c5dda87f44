package redact_test

import (
	"strings"
	"testing"

	"portal/api/redact"
)

func TestLineIsPrintableAndShort(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"":                              "",
		"Claude Desktop":                "Claude Desktop",
		"  two\tlines\r\nof it  ":       "two lines  of it",
		"\x00\x1b[31mred\u009b2J":       "[31mred2J",
		"a\u202eb\u200bc\ufeffd":        "abcd",
		"caf\xc3":                       "caf",
		"東京 🏠":                          "東京 🏠",
		"exactly twenty chars":          "exactly twenty chars",
		"more than twenty chars":        "more than twenty ch…",
		"ünder äll ümständen größer":    "ünder äll ümständen…",
		"key " + live:                   "key sk_live_pm_4fKq…",
		"sk_li\u200bve_pm_" + live[11:]: "sk_live_pm_4fKq2Z…",
		"a\u0000b" + card:               "ab…",
		strings.Repeat("x y ", 9000):    "x y x y x y x y x y…",
		strings.Repeat("x", 9000):       "…",
		"Mozilla/5.0 (X11; " + social:   "Mozilla/5.0 (X11; …",
	} {
		if got := redact.Line(in, 20); got != want {
			t.Errorf("%q is told as %q, want %q", in, got, want)
		}
	}
}

func TestLogLineContainsNoKeys(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"/api/v1/external/properties/prop_1":    "/api/v1/external/properties/prop_1",
		"city=Austin&x=%20":                     "city=Austin&x=%20",
		"key=" + live:                           "key=" + leads,
		"sk%5Flive_pm_" + live[11:]:             leads,
		"100%&sk%5Flive%5Fpm%5F" + live[11:]:    "100%&" + leads,
		"q=whsec%5Fab+/cd&x=%zz":                "q=whsec_…&x=%zz",
		signs:                                   "whsec_…",
		strings.Repeat("a", 39):                 strings.Repeat("a", 39),
		strings.Repeat("a", 40):                 "…",
		card + " " + social + " Bearer a1b2c3d": card + " " + social + " Bearer a1b2c3d",
	} {
		if got := redact.Text(in); got != want {
			t.Errorf("%q is told as %q, want %q", in, got, want)
		}
	}
}
