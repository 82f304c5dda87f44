package operation

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestTheNearestWordIsTheOneThatWasProbablyMeant(t *testing.T) {
	t.Parallel()
	words := []string{"limit", "starting_after", "status", "state", "due", "x"}
	for word, want := range map[string]string{
		"limit": "limit", "limt": "limit", "Limit": "limit", "limits": "limit", "limiit": "limit", "startingafter": "starting_after", "starting-after": "starting_after", "stat": "state", "statu": "status", "dux": "due",
		"du": "due", "y": "x", "": "x", "page": "", "offset": "", "completely_different": "", "lim": "", strings.Repeat("limit", 200): "",
	} {
		if got := nearest(word, words); got != want {
			t.Errorf("the nearest of %.30q is %q, want %q", word, got, want)
		}
	}
	if nearest("limit", nil) != "" {
		t.Error("nothing is near where there is nothing")
	}
}

// slow is Levenshtein's distance by its definition.
func slow(a, b string) int {
	switch {
	case a == "":
		return len(b)
	case b == "":
		return len(a)
	case a[0] == b[0]:
		return slow(a[1:], b[1:])
	}
	return 1 + min(slow(a[1:], b), slow(a, b[1:]), slow(a[1:], b[1:]))
}

func FuzzTheDistanceIsThatOfItsDefinition(f *testing.F) {
	f.Add("limit", "limt")
	f.Add("", "abc")
	f.Add("kitten", "sitting")
	f.Add("ab", "ba")
	f.Fuzz(func(t *testing.T, a, b string) {
		a, b = a[:min(len(a), 7)], b[:min(len(b), 7)]
		if got, want := distance(a, b), slow(a, b); got != want || distance(b, a) != want {
			t.Errorf("from %q to %q it is %d, want %d", a, b, got, want)
		}
	})
}

func TestAMessageRepeatsAtMost60Characters(t *testing.T) {
	t.Parallel()
	for _, s := range []string{"", "short", strings.Repeat("ä", 60), strings.Repeat("ä", 61), strings.Repeat("\U0001F3E1", 5000), strings.Repeat("\xff", 100)} {
		got := clip(s)
		if n := utf8.RuneCountInString(s); n <= 60 && got != s || n > 60 && (utf8.RuneCountInString(got) != 61 || !strings.HasSuffix(got, "…")) {
			t.Errorf("%d characters are clipped to %q", n, got)
		}
	}
	if got := quote("a\"b\x00\n\xffä"); got != `"a\"b\x00\n\xffä"` {
		t.Errorf("quoted as %s", got)
	}
}
