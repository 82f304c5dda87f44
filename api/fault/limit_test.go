package fault

import "testing"

func TestLimitWordingIsConsistent(t *testing.T) {
	for want, got := range map[string]string{
		"must have between 1 and 127 characters, not 130.":    Characters(130, new(1), new(127)),
		"must have at most 10,000 characters, not 1,234,567.": Characters(1_234_567, nil, new(10_000)),
		"must have at least 20 characters, not 3.":            Characters(3, new(20), nil),
		"must have between 1 and 4 items, not 0.":             Items(0, new(1), new(4)),
		"of at least -1,000":                                  Between("of", new(-1000), nil),
		"":                                                    Between("of", nil, nil),
		"name must not contain invisible characters.":         Wrong("name", Invisible+".").Message,
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
