package docs

import (
	"regexp"
	"strings"
	"testing"

	"portal"
	views "portal/views/docs"
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

// allChanges are the releases of all pages of the changelog.
func allChanges() []views.DocRow {
	all := changelogPage(newestChanges(portal.Changelog)).Rows
	for _, b := range earlierChanges(portal.Changelog) {
		all = append(all, b.drawn.Rows...)
	}
	return all
}

func TestEachReleaseHasPageThatNewestOneLeadsTo(t *testing.T) {
	t.Parallel()
	newest := newestChanges(portal.Changelog)
	pages := earlierChanges(portal.Changelog)
	if want := strings.Count(portal.Changelog, "\n## ") - 1; len(pages) != want || want == 0 ||
		strings.Count(newest, "\n## ") != 1 {
		t.Errorf("%d pages of earlier releases, want %d", len(pages), want)
	}
	for _, b := range pages {
		if !strings.Contains(newest, "]("+b.Address+")") || !strings.Contains(b.text, "]("+changelogAt+")") ||
			len(b.drawn.Rows) != 1 {
			t.Errorf("%s and the newest release are not linked", b.Address)
		}
	}
	if one := "# Changelog\n\nWords.\n\n## Unreleased\n\n### Added\n- One.\n"; newestChanges(one) != one {
		t.Errorf("the only release is %q", newestChanges(one))
	}
}

func TestChangelogSectionsHaveUniqueAnchors(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	letter := regexp.MustCompile(`^[a-z]`)
	for _, r := range allChanges() {
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
	for _, r := range allChanges() {
		entries += strings.Count(r.HTML, "<li>")
	}
	if want := strings.Count(portal.Changelog, "\n- "); entries != want || want == 0 {
		t.Errorf("%d of %d entries are shown", entries, want)
	}
}
