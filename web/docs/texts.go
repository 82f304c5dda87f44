package docs

import (
	"embed"
	"strings"
	"text/template"

	"portal/api/portfolio/lease/law"
	views "portal/views/docs"
	"portal/web/page"
)

//go:embed samples texts
var templateFiles embed.FS

// templates are the requests of samples in each language, and the Markdown of the pages that are made of what the
// code knows, a file each.
var templates = template.Must(template.New("").Funcs(template.FuncMap{
	"asOf":        asOf,
	"code":        codeBlock,
	"counted":     counted,
	"fee":         feeInWords,
	"fields":      func(all []views.Field) string { return fieldList(all, "") },
	"inMarkdown":  views.InMarkdown,
	"isStatute":   law.IsStatute,
	"notes":       notesOf,
	"reading":     func(r law.Reading) string { return readings[r] },
	"readOrKnown": readOrKnown,
	"stateAt":     stateAt,
	"text":        page.OrEmpty,
	"topic":       func(t law.Topic) string { return topics[t] },
	"trimmed":     func(s string) string { return strings.TrimSuffix(s, ".") },
}).ParseFS(templateFiles, "samples/*", "texts/*"))

// written is the text of a template, filled with what it is about.
func written(name string, about any) string {
	var b strings.Builder
	must(templates.ExecuteTemplate(&b, name, about))
	return b.String()
}

func codeBlock(language, text string) string { return "```" + language + "\n" + text + "\n```" }
