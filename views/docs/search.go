package docs

import (
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"portal/views/kit"
)

// Search is a search of the documentation and what it found.
type Search struct {
	Doc
	Asked   string // "" before anything is
	Results []Found
	Total   int // also those that are not shown
}

// Found is a section of the documentation.
type Found struct {
	Title   []FoundPart
	Page    string // that it stands on, "" for a page itself
	Kind    string
	Path    string
	Snippet []FoundPart
}

// FoundPart is a piece of a text. Hit says that it is a word that was looked for.
type FoundPart struct {
	Text string
	Hit  bool
}

// summary says how much was found.
func (s Search) summary() string {
	said := "1 result"
	if s.Total != 1 {
		said = kit.Number(float64(s.Total)) + " results"
	}
	if s.Total > len(s.Results) {
		said = "The best " + strconv.Itoa(len(s.Results)) + " of " + said
	}
	return said + " for “" + s.Asked + "”"
}

// marked is HTML of a text in which the words that were looked for stand out.
func marked(parts []FoundPart) string {
	var b strings.Builder
	for _, p := range parts {
		if p.Hit {
			b.WriteString("<mark>" + templ.EscapeString(p.Text) + "</mark>")
		} else {
			b.WriteString(templ.EscapeString(p.Text))
		}
	}
	return b.String()
}
