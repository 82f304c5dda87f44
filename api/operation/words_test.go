package operation

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestNearestWordSuggestion(t *testing.T) {
	t.Parallel()
	words := []string{"limit", "starting_after", "status", "state", "due", "x"}
	for word, want := range map[string]string{
		"limit":                      "limit",
		"limt":                       "limit",
		"Limit":                      "limit",
		"limits":                     "limit",
		"limiit":                     "limit",
		"startingafter":              "starting_after",
		"starting-after":             "starting_after",
		"stat":                       "state",
		"statu":                      "status",
		"dux":                        "due",
		"du":                         "due",
		"y":                          "x",
		"":                           "x",
		"page":                       "",
		"offset":                     "",
		"completely_different":       "",
		"lim":                        "",
		strings.Repeat("limit", 200): "",
	} {
		if got := Nearest(word, words); got != want {
			t.Errorf("the nearest of %.30q is %q, want %q", word, got, want)
		}
	}
	fields := []string{"tenant_id", "additional_tenant_ids", "unit_id", "term_months"}
	for word, want := range map[string]string{
		"tenant_ids":    "additional_tenant_ids",
		"co_tenant_ids": "additional_tenant_ids",
		"tenantid":      "tenant_id",
		"months":        "",
		"_ids":          "",
	} {
		if got := Nearest(word, fields); got != want {
			t.Errorf("the nearest of %q is %q, want %q", word, got, want)
		}
	}
	if Nearest("limit", nil) != "" {
		t.Error("nothing is near where there is nothing")
	}
}

func TestMessageQuotesAtMost60Characters(t *testing.T) {
	t.Parallel()
	for _, s := range []string{
		"",
		"short",
		strings.Repeat("ä", 60),
		strings.Repeat("ä", 61),
		strings.Repeat("\U0001F3E1", 5000),
		strings.Repeat("\xff", 100),
	} {
		got := clip(s)
		n := utf8.RuneCountInString(s)
		if n <= 60 && got != s || n > 60 && (utf8.RuneCountInString(got) != 61 || !strings.HasSuffix(got, "…")) {
			t.Errorf("%d characters are clipped to %q", n, got)
		}
	}
	if got := quote("a\"b\x00\n\xffä"); got != `"a\"b\x00\n\xffä"` {
		t.Errorf("quoted as %s", got)
	}
}
