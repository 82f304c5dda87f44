package page

import (
	"net/http"
	"slices"
	"strings"
	"unicode"
)

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
