package docs

import (
	"regexp"
	"strings"
	"testing"

	"portal"
)

func TestChangelogEntriesStartBold(t *testing.T) {
	t.Parallel()
	for entry, want := range map[string]string{
		"Search of everything. It has keys.":      "**Search of everything**. It has keys.",
		"Fields `a. b` (see c. d) stay. Then.":    "**Fields `a. b` (see c. d) stay**. Then.",
		"Tabs, " + strings.Repeat("long ", 40):    "**Tabs**, " + strings.Repeat("long ", 40),
		"`" + strings.Repeat("a, ", 60) + "` end": "`" + strings.Repeat("a, ", 60) + "` end",
	} {
		if got := stressed(entry); got != want {
			t.Errorf("%q is drawn as %q", entry, got)
		}
	}
}

func TestChangelogSectionsHaveUniqueAnchors(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	letter := regexp.MustCompile(`^[a-z]`)
	for _, r := range changelogPage(portal.Changelog).Rows {
		if !letter.MatchString(r.ID) || len(r.Parts) == 0 {
			t.Errorf("the release %q has the id %q and %d parts", r.Title, r.ID, len(r.Parts))
		}
		for _, p := range r.Parts {
			if seen[p.ID] || !letter.MatchString(p.ID) || !strings.Contains(r.HTML, `id="`+p.ID+`"`) {
				t.Errorf("the part %q of %q has the id %q", p.Title, r.Title, p.ID)
			}
			seen[p.ID] = true
		}
	}
	if !seen["unreleased-added"] {
		t.Error("what was added is not named")
	}
}

func TestChangelogKeepsEveryEntry(t *testing.T) {
	t.Parallel()
	entries := 0
	for _, r := range changelogPage(portal.Changelog).Rows {
		entries += strings.Count(r.HTML, "<li>")
	}
	if want := strings.Count(portal.Changelog, "\n- "); entries != want || want == 0 {
		t.Errorf("%d of %d entries are shown", entries, want)
	}
}
