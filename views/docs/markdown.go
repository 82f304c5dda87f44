package docs

import (
	"io"
	"strings"
	"text/template"

	"portal/views/kit"
)

// ErrorsMarkdown writes the error dictionary for programs and assistants.
func ErrorsMarkdown(w io.Writer, e Errors) error {
	return errorsMarkdown.Execute(w, struct {
		Errors
		Fields []kit.Definition
	}{e, envelopeFields})
}

// errorsMarkdown is a template whose single quotes are Markdown's backticks.
var errorsMarkdown = template.Must(template.New("errors").Funcs(template.FuncMap{
	"envelope": envelope,
	"words":    markdownWords,
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

// markdownWords leaves what stands between backticks as it is: it is code already.
func markdownWords(s string) string {
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

// InMarkdown is a sentence as Markdown, in which names stand out as code.
func InMarkdown(s string) string { return markdownWords(s) }
