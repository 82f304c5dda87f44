package docs

import (
	"fmt"
	"strings"

	"portal/views/kit"
)

// examples is what the operation's examples say, for the ids in it.
func (o *apiEntry) examples() string {
	var b strings.Builder
	for _, p := range o.Parameters {
		if p.In == "path" {
			fmt.Fprintln(&b, p.Example)
		}
	}
	if o.RequestBody != nil {
		b.Write(o.RequestBody.Content[jsonType].Example)
	}
	return b.String()
}

// fields are those of the form on which the operation is tried, with examples in which
// the reader's own records stand.
func (o *apiEntry) fields(own *strings.Replacer) []kit.FieldGroup {
	var all []kit.FieldGroup
	for _, g := range []struct{ in, title string }{{"path", "In the path"}, {"query", "In the query"}} {
		all = append(all, o.group(g.in, g.title, own))
	}
	if o.RequestBody != nil {
		text := own.Replace(pretty(o.RequestBody.Content[jsonType].Example))
		all = append(all, kit.FieldGroup{
			Title: "Body",
			Fields: []kit.Field{{
				Name:     "body",
				Label:    "JSON",
				Value:    text,
				Lines:    strings.Count(text, "\n") + 3,
				Code:     true,
				Complete: "off",
			}},
		})
	}
	all = append(all, o.group("header", "Headers", own))
	kept := all[:0]
	for _, g := range all {
		if len(g.Fields) > 0 {
			kept = append(kept, g)
		}
	}
	return kept
}

func (o *apiEntry) group(in, title string, own *strings.Replacer) kit.FieldGroup {
	g := kit.FieldGroup{Title: title}
	for _, p := range o.Parameters {
		if p.In == in {
			g.Fields = append(g.Fields, p.field(own))
		}
	}
	return g
}

func (p *apiParameter) field(own *strings.Replacer) kit.Field {
	f := kit.Field{
		Name:     fieldName(p),
		Label:    p.Name,
		Optional: !p.Required,
		Code:     true,
		Complete: "off",
	}
	switch {
	case p.In == "path":
		f.Value = own.Replace(fmt.Sprint(p.Example))
	case p.Name == "limit":
		f.Value = "2"
	case len(p.Schema.Enum) > 0:
		f.Kind, f.Code = "select", false
		f.Choices = []kit.Choice{{Label: "–"}}
		for _, e := range p.Schema.Enum {
			f.Choices = append(f.Choices, kit.Choice{Value: fmt.Sprint(e), Label: fmt.Sprint(e)})
		}
	}
	return f
}
