package texts

import "testing"

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
		if got, want := Distance(a, b), slow(a, b); got != want || Distance(b, a) != want {
			t.Errorf("from %q to %q it is %d, want %d", a, b, got, want)
		}
	})
}
