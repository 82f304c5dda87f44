package docs

import (
	"regexp"
	"strings"
	"time"

	views "portal/views/docs"
)

// changelogAt is the page of all changes.
const changelogAt = "/docs/changelog"

// newestChanges is the text of the changelog with its newest release, and links to the pages of the others.
func newestChanges(text string) string {
	parts := strings.Split(text, "\n## ")
	if len(parts) < 3 {
		return text
	}
	var earlier []string
	for _, release := range parts[2:] {
		version, _ := releaseOf(release)
		earlier = append(earlier, "["+version+"]("+changelogAt+"/"+version+")")
	}
	intro := strings.TrimRight(parts[0], "\n") + " Earlier versions: " + strings.Join(earlier, ", ")
	return intro + ".\n\n## " + parts[1]
}

// earlierChanges are the pages of all releases but the newest one.
func earlierChanges(text string) (all []*bound) {
	for _, release := range strings.Split(text, "\n## ")[2:] {
		version, day := releaseOf(release)
		title := "Changelog of version " + version
		whole := "# " + title + "\n\nWhat version " + version + day + " added, changed, and fixed. [Changelog](" +
			changelogAt + ") has the newest version.\n\n## " + release
		all = append(all, &bound{
			Address: changelogAt + "/" + version,
			Name:    title,
			About:   "What version " + version + " added, changed, and fixed.",
			text:    whole,
			drawn:   changelogPage(whole),
		})
	}
	return all
}

// releaseOf is the version of a release, and on which day it was made: " of 2026-11-22", "" for none.
func releaseOf(release string) (version, day string) {
	title, _, _ := strings.Cut(release, "\n")
	version, day, dated := strings.Cut(title, " - ")
	if dated {
		day = " of " + day
	}
	return version, day
}

// changelogPage draws the changelog: a section a release, in which each kind of change shows its first entries and
// folds the others.
func changelogPage(text string) views.Doc {
	page := views.Markdown(text)
	for i, release := range strings.Split(text, "\n## ")[1:] {
		row := &page.Rows[i]
		row.DrawChanges(changesOf(release, row.ID))
		version, day, dated := strings.Cut(row.Title, " - ")
		if at, err := time.Parse(time.DateOnly, day); dated && err == nil {
			row.Title = version + ", " + at.Format("January 2, 2006")
		}
	}
	return page
}

// changesOf are the changes of a release by kind.
func changesOf(release, id string) (all []views.Changes) {
	for _, part := range strings.Split(release, "\n### ")[1:] {
		title, entries, _ := strings.Cut(part, "\n")
		of := views.Changes{ID: id + "-" + strings.ToLower(title), Title: title}
		for line := range strings.SplitSeq(entries, "\n") {
			if entry, is := strings.CutPrefix(line, "- "); is {
				of.Entries = append(of.Entries, stressed(entry))
			}
		}
		all = append(all, of)
	}
	return all
}

// longestStress is how long the first words of an entry may be, in bytes, to stand out.
const longestStress = 110

// stressed makes the first words of an entry stand out: its first sentence, or what stands before the first pause
// that is outside of brackets and code.
func stressed(entry string) string {
	for _, end := range []*regexp.Regexp{sentenceStop, pause} {
		for _, at := range end.FindAllStringIndex(entry, -1) {
			first, rest := entry[:at[0]], entry[at[0]:]
			if len(first) <= longestStress && whole(first) {
				return "**" + first + "**" + rest
			}
		}
	}
	return entry
}

var (
	sentenceStop = regexp.MustCompile(`[.;:](\s|$)`)
	pause        = regexp.MustCompile(`,? (\(|and |but |which |where |when |while |until |so that |also )|, `)
)

// whole reports whether nothing is open at the end of a text in Markdown, and whether stressing it is plain.
func whole(text string) bool {
	return strings.Count(text, "`")%2 == 0 && strings.Count(text, "*") == 0 &&
		strings.Count(text, "(") == strings.Count(text, ")") &&
		strings.Count(text, "[") == strings.Count(text, "]") && len(text) > 3
}
