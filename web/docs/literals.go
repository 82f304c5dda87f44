package docs

import (
	"bytes"
	"encoding/json"
	"strings"
)

// literals is how a language writes what JSON says.
type literals struct {
	object [2]string
	colon  string
	words  *strings.Replacer // of true, false and null
	text   *strings.Replacer // of what means something within quotes
	indent string
}

var (
	javaScript = literals{[2]string{"{", "}"}, ": ", strings.NewReplacer(), strings.NewReplacer(), "  "}
	python     = literals{
		[2]string{"{", "}"},
		": ",
		strings.NewReplacer("true", "True", "false", "False", "null", "None"),
		strings.NewReplacer(),
		"    ",
	}
	ruby = literals{
		[2]string{"{", "}"},
		" => ",
		strings.NewReplacer("null", "nil"),
		strings.NewReplacer("#", `\#`),
		"  ",
	}
	php = literals{[2]string{"[", "]"}, " => ", strings.NewReplacer(), strings.NewReplacer("$", `\$`), "  "}
)

// of writes a value whose first line stands behind an indentation.
func (l literals) of(value json.RawMessage, indent string) string {
	value = bytes.TrimSpace(value)
	switch value[0] {
	case '{':
		var members inOrder[json.RawMessage]
		must(json.Unmarshal(value, &members))
		var lines []string
		for _, m := range members {
			lines = append(lines, l.quoted(m.Name)+l.colon+l.of(m.Value, indent+l.indent))
		}
		return l.block(l.object, lines, indent)
	case '[':
		var items []json.RawMessage
		must(json.Unmarshal(value, &items))
		var lines []string
		for _, item := range items {
			lines = append(lines, l.of(item, indent+l.indent))
		}
		return l.block([2]string{"[", "]"}, lines, indent)
	case '"':
		var text string
		must(json.Unmarshal(value, &text))
		return l.quoted(text)
	}
	return l.words.Replace(string(value))
}

func (l literals) block(around [2]string, lines []string, indent string) string {
	if len(lines) == 0 {
		return around[0] + around[1]
	}
	inner := "\n" + indent + l.indent
	return around[0] + inner + strings.Join(lines, ","+inner) + ",\n" + indent + around[1]
}

func (l literals) quoted(text string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	must(e.Encode(text))
	return l.text.Replace(strings.TrimSpace(b.String()))
}

// must is for the examples of our own document, which are JSON.
func must(err error) {
	if err != nil {
		panic(err)
	}
}
