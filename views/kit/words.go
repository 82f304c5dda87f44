package kit

import (
	"net/http"
	"regexp"
	"strings"

	"github.com/a-h/templ"
)

// names of fields and headers, and headers with a value, within a sentence.
var names = regexp.MustCompile(`Authorization: Bearer <API_KEY>` +
	`|[A-Z][A-Za-z]*(?:-[A-Z][A-Za-z]+)+(?:: [a-z]+/[a-z]+)?` +
	`|\b[a-z]+(?:[._][a-z]+)+_?`)

// Marked is a sentence with its names and the rest each treated in their way.
func Marked(s string, rest, name func(string) string) string {
	var b strings.Builder
	last := 0
	for _, at := range names.FindAllStringIndex(s, -1) {
		b.WriteString(rest(s[last:at[0]]))
		b.WriteString(name(s[at[0]:at[1]]))
		last = at[1]
	}
	b.WriteString(rest(s[last:]))
	return b.String()
}

// Sentence is a sentence in which names stand out as code.
func Sentence(s string) templ.Component {
	return templ.Raw(Marked(s, templ.EscapeString, code))
}

// BreakableURL is a URL or a path that may break after each slash.
func BreakableURL(s string) templ.Component {
	return templ.Raw(strings.ReplaceAll(templ.EscapeString(s), "/", "/<wbr>"))
}

func code(s string) string { return "<code>" + templ.EscapeString(s) + "</code>" }

// httpClass is the class of color that an HTTP status is shown in.
func httpClass(status int) string {
	switch {
	case status < http.StatusMultipleChoices:
		return "ok"
	case status >= http.StatusInternalServerError:
		return "bad"
	}
	return "warn"
}
