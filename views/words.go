package views

import (
	"net/http"
	"regexp"
	"strings"

	"github.com/a-h/templ"
)

// Names of fields and headers, and headers with a value, within a sentence.
var names = regexp.MustCompile(`Authorization: Bearer <API_KEY>` +
	`|[A-Z][A-Za-z]*(?:-[A-Z][A-Za-z]+)+(?:: [a-z]+/[a-z]+)?` +
	`|\b[a-z]+(?:[._][a-z]+)+_?`)

// marked is a sentence with its names and the rest each treated in their way.
func marked(s string, rest, name func(string) string) string {
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

// words is a sentence in which names stand out as code.
func words(s string) templ.Component {
	return templ.Raw(marked(s, templ.EscapeString, code))
}

// address is a URL or a path that may break after each slash.
func address(s string) templ.Component {
	return templ.Raw(strings.ReplaceAll(templ.EscapeString(s), "/", "/<wbr>"))
}

func code(s string) string { return "<code>" + templ.EscapeString(s) + "</code>" }

// tone is the class of colour that a status is shown in: who has to act.
func tone(status int) string {
	switch {
	case status < http.StatusMultipleChoices:
		return "good"
	case status >= http.StatusInternalServerError:
		return "ours"
	case status == http.StatusUnauthorized, status == http.StatusForbidden:
		return "access"
	case status == http.StatusConflict, status == http.StatusTooManyRequests:
		return "later"
	}
	return "request"
}
