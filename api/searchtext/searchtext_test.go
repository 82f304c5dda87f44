package searchtext_test

import (
	"strings"
	"testing"

	"portal/api/searchtext"
)

func TestSearchFoldsCaseAccentsAndPunctuation(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"1420 Maple Ave.":                   "1420 ave maple",
		"Maple maple MAPLES":                "maples",
		"Cañon CITY Łódź straße Ærø":        "aero canon city lodz strasse",
		"O’Brien o'br":                      "obrien",
		"Smith-Jones":                       "jones smith",
		"dana.w+x@Example.com":              "com dana example w x",
		"(512) 555-0142":                    "0142 512 555",
		"ｆｕｌｌ ﬁne e\u0301te\u0301 a\u200bb": "ab ete fine full",
		"дом 北京":                            "дом 北京",
		"% _ ' \\ --":                       "",
		"":                                  "",
	} {
		if got := strings.Join(searchtext.Terms(text), " "); got != want {
			t.Errorf("%q asks for %q, want %q", text, got, want)
		}
	}
}
