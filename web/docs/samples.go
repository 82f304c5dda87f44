package docs

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// sampleKey stands in samples for the reader's key.
const sampleKey = "sk_test_pm_…"

// sampleFiles are the names of the files that samples send, by their operations.
var sampleFiles = map[string]string{
	"create_import":           "rentroll.csv",
	"create_lease_attachment": "house-rules.pdf",
}

// inLanguages are the languages of samples, by the tags of their code blocks.
var inLanguages = []struct{ tag, template string }{
	{"sh", "curl.tmpl"},
	{"js", "javascript.tmpl"},
	{"python", "python.tmpl"},
	{"go", "go.tmpl"},
	{"ruby", "ruby.tmpl"},
	{"php", "php.tmpl"},
}

// sampled is a request that a sample makes, as the templates read it.
type sampled struct {
	Method string
	URL    string
	Body   json.RawMessage // nil for none
	Once   bool            // carries an Idempotency-Key
	File   string          // name of the file that is sent, "" where none is
}

// samples are a request in each language, as Markdown.
func (r *reference) samples(name string) string {
	op := r.operation(name)
	if op == nil {
		return ""
	}
	return r.samplesOf(op)
}

func (r *reference) samplesOf(op *apiEntry) string {
	q := r.request(op)
	if op.streams() {
		return codeBlock("sh", q.sample("stream.tmpl"))
	}
	if op.downloads() {
		return codeBlock("sh", q.sample("file.tmpl"))
	}
	var all []string
	for _, l := range inLanguages {
		all = append(all, codeBlock(l.tag, q.sample(l.template)))
	}
	return strings.Join(all, "\n\n")
}

// request is that of an operation with its examples.
func (r *reference) request(op *apiEntry) sampled {
	q := sampled{Method: op.Method, URL: r.base + op.Path, Once: op.writes()}
	for _, p := range op.Parameters {
		switch {
		case p.In == "path":
			q.URL = strings.ReplaceAll(q.URL, "{"+p.Name+"}", fmt.Sprint(p.Example))
		case p.Name == "limit" && r.lists(op):
			q.URL += "?limit=2"
		}
	}
	if op.takesFile() {
		q.File = sampleFiles[op.OperationID]
	} else if op.RequestBody != nil {
		q.Body = op.RequestBody.Content[jsonType].Example
	}
	return q
}

func (q sampled) sample(name string) string { return strings.TrimSuffix(written(name, q), "\n") }

// Key is sampleKey.
func (sampled) Key() string { return sampleKey }

// QuotedJSON is the body between the single quotes of a shell.
func (q sampled) QuotedJSON() string { return strings.ReplaceAll(pretty(q.Body), "'", `'\''`) }

// IndentedJSON is the body in a function of Go.
func (q sampled) IndentedJSON() string { return strings.ReplaceAll(pretty(q.Body), "\n", "\n\t\t") }

// RubyMethod is the class of a request by its method: Get, Post.
func (q sampled) RubyMethod() string { return q.Method[:1] + strings.ToLower(q.Method[1:]) }

// JavaScript is the body as a literal; so are Python, Ruby and PHP.
func (q sampled) JavaScript() string { return javaScript.of(q.Body, "  ") }

// Python is the body as a literal.
func (q sampled) Python() string { return python.of(q.Body, "    ") }

// Ruby is the body as a literal.
func (q sampled) Ruby() string { return ruby.of(q.Body, "") }

// PHP is the body as a literal.
func (q sampled) PHP() string { return php.of(q.Body, "  ") }

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
