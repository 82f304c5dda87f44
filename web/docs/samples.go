package docs

import (
	"embed"
	"encoding/json"
	"fmt"
	"strings"
	"text/template"
)

//go:embed samples
var sampleFiles embed.FS

// sampleTemplates are a request in each language, a file each.
var sampleTemplates = template.Must(template.ParseFS(sampleFiles, "samples/*.tmpl"))

// sampleKey stands in samples for the reader's key.
const sampleKey = "sk_test_pm_…"

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
	var p markdown
	q := r.request(op)
	if op.streams() {
		p.code("sh", q.sample("stream.tmpl"))
		return strings.TrimSuffix(p.String(), "\n\n")
	}
	for _, l := range inLanguages {
		p.code(l.tag, q.sample(l.template))
	}
	return strings.TrimSuffix(p.String(), "\n\n")
}

// request is that of an operation with its examples.
func (r *reference) request(op *apiEntry) sampled {
	q := sampled{Method: op.method, URL: r.base + op.path, Once: op.writes()}
	for _, p := range op.Parameters {
		switch {
		case p.In == "path":
			q.URL = strings.ReplaceAll(q.URL, "{"+p.Name+"}", fmt.Sprint(p.Example))
		case p.Name == "limit" && r.lists(op):
			q.URL += "?limit=2"
		}
	}
	if op.RequestBody != nil {
		q.Body = op.RequestBody.Content[jsonType].Example
	}
	return q
}

func (q sampled) sample(name string) string {
	var b strings.Builder
	must(sampleTemplates.ExecuteTemplate(&b, name, q))
	return strings.TrimSuffix(b.String(), "\n")
}

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
