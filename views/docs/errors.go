package docs

import (
	"strconv"
	"strings"
	"text/template"

	"portal/views/kit"
)

// envelopeFields are the fields of the envelope (docs/decisions/0008).
var envelopeFields = []kit.Definition{
	{Name: "type", What: "The type of the error, one of those below."},
	{Name: "code", What: "The error code, one of those below."},
	{
		Name: "message",
		What: "What went wrong and how to fix it, for people. The wording can change, so don’t match on it.",
	},
	{
		Name: "param",
		What: "Path of the first invalid field or parameter, such as mailing_address.state. Null if there is none.",
	},
	{
		Name: "errors",
		What: "Every invalid field with its param, code, and message. Empty if there is none.",
	},
	{Name: "request_id", What: "ID of the request. Send it to support when you ask for help."},
	{Name: "doc_url", What: "Link to the code on this page."},
}

// envelope is an answer as an example; page is where the dictionary stands.
func envelope(page string) string {
	return `{
  "error": {
    "type": "validation_error",
    "code": "invalid_field",
    "message": "limit must be a whole number between 1 and 100; not \"500\".",
    "param": "limit",
    "errors": [
      {
        "param": "limit",
        "code": "invalid_field",
        "message": "limit must be a whole number between 1 and 100; not \"500\"."
      }
    ],
    "request_id": "req_01KA5R2M7Q8D4E6F9G1H3J5K7M",
    "doc_url": "` + page + `#invalid_field"
  }
}`
}

// Errors is the error dictionary.
type Errors struct {
	URL    string // public address of this page, which answers link to
	Asked  string // what the codes are filtered by, "" for nothing
	Types  []ErrorType
	Groups []ErrorGroup
}

// ErrorType is a class of errors.
type ErrorType struct {
	Type  string
	Title string // what it means, in a few words
	About string // what a caller does about it
}

// ErrorGroup is the codes of one status.
type ErrorGroup struct {
	Status  int
	Phrase  string // of the status
	Entries []ErrorEntry
}

// ErrorEntry is one code of the dictionary.
type ErrorEntry struct {
	Code   string
	Type   string
	Status int
	Cause  string
	Remedy string
}

// Draw puts the dictionary into a page.
func (e Errors) Draw(d *Doc) {
	d.Rows, d.Intro = nil, drawn(errorsIntro(e))
	if e.Asked == "" {
		d.section("envelope", "Error body", errorEnvelope(e))
		d.section("types", "Types", errorTypes(e.Types))
	}
	for _, g := range e.Groups {
		status := strconv.Itoa(g.Status)
		d.section("status-"+status, status+" "+g.Phrase, errorEntries(g.Entries))
	}
}

// summary says how many codes match a filter.
func (e Errors) summary() string {
	n := 0
	for _, g := range e.Groups {
		n += len(g.Entries)
	}
	switch n {
	case 0:
		return "No codes match “" + e.Asked + "”."
	case 1:
		return "1 code matches “" + e.Asked + "”."
	}
	return strconv.Itoa(n) + " codes match “" + e.Asked + "”."
}

// ErrorsMarkdown is the error dictionary for programs and assistants.
func ErrorsMarkdown(e Errors) string {
	var b strings.Builder
	must(errorsMarkdown.Execute(&b, struct {
		Errors
		Fields []kit.Definition
	}{e, envelopeFields}))
	return b.String()
}

// errorsMarkdown is a template whose single quotes are Markdown's backticks.
var errorsMarkdown = template.Must(template.New("errors").Funcs(template.FuncMap{
	"envelope": envelope,
	"words":    InMarkdown,
}).Parse(strings.ReplaceAll(`# Error dictionary

Every error code that the API can return, with its cause and how to fix it.

## Error body

Every error has this body.

'''json
{{envelope .URL}}
'''
{{range .Fields}}
- '{{.Name}}': {{words .What}}{{end}}

## Types
{{range .Types}}
- '{{.Type}}' ({{.Title}}): {{words .About}}{{end}}

## Contents
{{range .Groups}}
- {{.Status}} {{.Phrase}}:{{range $i, $e := .Entries}}{{if $i}},{{end}} [{{.Code}}](#{{.Code}}){{end}}{{end}}
{{range .Groups}}
## {{.Status}} {{.Phrase}}
{{range .Entries}}
### {{.Code}}

- Status: {{.Status}}
- Type: '{{.Type}}'
- Cause: {{words .Cause}}
- What to do: {{words .Remedy}}
{{end}}{{end}}`, "'", "`")))

// special escapes what is plain in a sentence but means something to Markdown.
var special = strings.NewReplacer(`\`, `\\`, "<", `\<`, "*", `\*`, "`", "\\`")

// InMarkdown is a sentence as Markdown, in which names stand out as code. What stands between
// backticks stays as it is: it is code already.
func InMarkdown(s string) string {
	parts := strings.Split(s, "`")
	if len(parts)%2 == 0 {
		parts = []string{s}
	}
	for i := range parts {
		if i%2 == 0 {
			parts[i] = kit.Marked(parts[i], special.Replace, func(name string) string { return "`" + name + "`" })
		}
	}
	return strings.Join(parts, "`")
}
