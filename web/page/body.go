package page

import (
	"bytes"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"unicode"

	"portal/views/kit"
)

// BodyView makes bytes that others wrote fit to be shown: JSON is indented, what is no
// text is drawn as signs.
func BodyView(text string) kit.Body {
	if text == "" {
		return kit.Body{Absent: "It was empty."}
	}
	shown, changed := Readable(text)
	b := kit.Body{Text: shown}
	if changed {
		b.Note = "It holds bytes that are no text; they are shown as signs."
	}
	var indented bytes.Buffer
	if !changed && json.Indent(&indented, []byte(text), "", "  ") == nil && indented.String() != text {
		b.Text, b.Exact = indented.String(), text
	}
	return b
}

// Readable draws what does not show itself, or shows what follows in another order.
func Readable(text string) (shown string, changed bool) {
	shown = strings.Map(func(c rune) rune {
		switch {
		case c == '\n' || c == '\t' || c == '\r':
			return c
		case c < ' ':
			changed = true
			return '\u2400' + c
		case c == 0x7f:
			changed = true
			return '\u2421'
		case unicode.Is(unicode.Cc, c), unicode.Is(unicode.Bidi_Control, c), c == unicode.ReplacementChar:
			changed = true
			return unicode.ReplacementChar
		}
		return c
	}, text)
	return shown, changed
}

// HeaderLines are headers as they are written, in the order of their names.
func HeaderLines(h http.Header) string {
	names := make([]string, 0, len(h))
	for name := range h {
		names = append(names, name)
	}
	slices.Sort(names)
	var b strings.Builder
	for _, name := range names {
		for _, value := range h[name] {
			line, _ := Readable(name + ": " + value)
			b.WriteString(line + "\n")
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}
