package law

import (
	"regexp"
	"slices"
	"testing"
)

func TestEveryStateSaysAsOfWhen(t *testing.T) {
	t.Parallel()
	form := regexp.MustCompile(`^(20[0-9]{2}|20[0-9]{2}-[01][0-9]-[0-3][0-9])$`)
	days := 0
	for _, r := range All() {
		if !form.MatchString(r.AsOf) {
			t.Errorf("%s is as of %q", r.State, r.AsOf)
		}
		if r.AsOf == lookedAt {
			days++
		}
	}
	if days != 9 || Of("TX").AsOf != lookedAt {
		t.Errorf("%d states have the day on which the table was looked at", days)
	}
}

// A state of which the text of the law was seen has a source with it, unless a guide quoted it.
func TestSourcesAreStatutesOrGuides(t *testing.T) {
	t.Parallel()
	quoted := []string{"DE", "IA", "SC", "VT", "WY"}
	statutes := 0
	for _, r := range All() {
		seen := slices.ContainsFunc(r.Authorities, func(a Authority) bool { return a.LawText })
		has := slices.ContainsFunc(r.Sources, IsStatute)
		if has {
			statutes++
		}
		if seen && !has && !slices.Contains(quoted, string(r.State)) {
			t.Errorf("%s: the text of the law was seen: %v; the sources are %q", r.State, seen, r.Sources)
		}
	}
	if statutes < 20 {
		t.Errorf("%d states have a statute among their sources", statutes)
	}
	for source, want := range map[string]bool{
		"https://www.mass.gov/ago/x":                   true,
		"https://sdlegislature.gov/api/Statutes/43":    true,
		"https://rocketrent.com/landlord-tenant-laws/": false,
		"https://example.com/mass.gov":                 false,
		"%zz":                                          false,
	} {
		if IsStatute(source) != want {
			t.Errorf("%s is a statute: %v", source, !want)
		}
	}
}
