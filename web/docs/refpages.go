package docs

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"text/template"
	"time"

	"portal/api/developer"
	"portal/api/fault"
	"portal/api/idempotency"
	"portal/api/middleware"
	"portal/api/texts"
	"portal/api/webhook"
	"portal/api/webhook/signature"
	views "portal/views/docs"
)

// pages are those of the reference: one that lists all, one a resource and one an
// operation.
func (r *reference) pages() []*bound {
	if len(r.resources) == 0 {
		return nil
	}
	all := []*bound{{
		Address: referenceAt,
		Name:    "All operations",
		text:    written("api.md", map[string]any{"URL": r.base + apiBase, "Resources": r.resources}),
		Listed:  true,
	}}
	for _, a := range r.resources {
		all = append(all, &bound{
			Address:  a.Address(),
			Name:     a.Name,
			text:     r.resourceText(a),
			Listed:   true,
			resource: a,
		})
		for _, op := range a.Operations {
			view := &bound{
				Address:   op.Address(),
				Name:      op.Summary,
				text:      r.operationText(op),
				operation: op,
				resource:  a,
			}
			view.drawn = r.operationPage(op)
			if op.streams() || op.downloads() || op.takesFile() {
				// An answer without an end and a file cannot be tried on a page, nor is there a field for a file.
				view.operation = nil
			}
			all = append(all, view)
		}
	}
	return all
}

const apiBase = "/api/v1/external"

// resourceText tells of the operations of a resource and of its record.
func (r *reference) resourceText(a *apiResource) string {
	about := map[string]any{"Name": a.Name, "About": a.About, "Operations": a.Operations}
	for _, op := range a.Operations {
		if s := r.record(op); s != nil {
			about["Record"] = map[string]string{
				"Noun":   strings.ToLower(op.Summary[:1]) + op.Summary[1:],
				"Fields": r.whole(s),
				"Sample": pretty(op.Responses[0].Value.example()),
			}
			break
		}
	}
	return written("resource.md", about)
}

// record is the schema of what an operation retrieves, nil where it is none that does.
func (r *reference) record(op *apiEntry) *apiSchema {
	if op.writes() || op.streams() || op.downloads() || strings.HasPrefix(op.OperationID, "list_") {
		return nil
	}
	answer, _ := op.Responses.of("200")
	return r.schema(answer.Content[jsonType].Schema)
}

// operationText is what the page of an operation says, in Markdown.
func (r *reference) operationText(op *apiEntry) string {
	var own []fault.Entry
	for _, code := range op.fails {
		own = append(own, fault.Code(code).Entry())
	}
	return written("operation.md", map[string]any{
		"Op":       op,
		"Request":  r.samplesOf(op),
		"Fields":   r.fieldGroups(op),
		"Answers":  r.answered(op),
		"Own":      own,
		"Failures": r.failed(op),
	})
}

// said is what an answer is, in Markdown.
func (r *reference) said(op *apiEntry, a *apiAnswer) string {
	if a.Description == "Success." && r.lists(op) {
		return "A page of records; the fields of each stand on [" + op.Resource.Name + "](" +
			op.Resource.Address() + ")."
	}
	return strings.TrimPrefix(a.Description, "Success. ")
}

func (r *reference) lists(op *apiEntry) bool { return strings.HasPrefix(op.OperationID, "list_") }

// pretty is JSON as people read it.
func pretty(text json.RawMessage) string {
	var b bytes.Buffer
	must(json.Indent(&b, text, "", "  "))
	return b.String()
}

// The marks between which a text has the table of all events.
const (
	eventsBegin = "<!-- events -->\n"
	eventsEnd   = "<!-- end of events -->\n"
)

// withEvents puts the events of the catalogue where a text has a table of them. The file has the same
// table, for people who read it where it lies.
func withEvents(text string) string {
	before, rest, has := strings.Cut(text, eventsBegin)
	_, after, ends := strings.Cut(rest, eventsEnd)
	if !has || !ends {
		return text
	}
	return before + eventTable() + "\nThe [event catalog](" + catalogAt +
		") has the fields of each, a payload and how to trigger it.\n" + after
}

func eventTable() string {
	var table strings.Builder
	table.WriteString("| Type | What has happened | `data.object` |\n|---|---|---|\n")
	for _, k := range webhook.Kinds() {
		table.WriteString("| `" + k.Type + "` | " + k.Description + " | " + k.Object + " |\n")
	}
	return table.String()
}

// figures are the figures that the texts of the documentation name, taken from the code.
type figures struct {
	Base       string
	API        string
	Plans      []planFact
	PerAddress string
	List       listFact
	KeyLength  int
	KeyHours   int
	RetryHours int
	Tolerance  int
	api        *reference
}

type planFact struct{ Name, Sustained, Burst, Units string }

// listFact is the range of limit.
type listFact struct{ Least, Most, Usual string }

func (p *Section) figures() *figures {
	f := &figures{
		Base:       p.Base(),
		API:        p.Base() + "/api/v1/external",
		KeyLength:  idempotency.Longest,
		KeyHours:   int(idempotency.Keep / time.Hour),
		RetryHours: int(webhook.GiveUp / time.Hour),
		Tolerance:  int(signature.Tolerance / time.Second),
		PerAddress: texts.Number(middleware.PerAddress.Sustained) + " a minute, " +
			texts.Number(middleware.PerAddress.Burst) + " in a burst",
	}
	for _, tier := range developer.Tier("").Values() {
		l := developer.Plan{Tier: developer.Tier(tier)}.Limits()
		f.Plans = append(f.Plans, planFact{
			strings.ToUpper(tier[:1]) + tier[1:],
			texts.Number(l.Sustained),
			texts.Number(l.Burst),
			texts.Number(l.Units),
		})
	}
	var document []byte
	if p.OpenAPI != nil {
		document = p.OpenAPI()
	}
	f.api = readReference(document, p.Base())
	f.List = f.api.limits()
	return f
}

// fill fills the figures and samples into a text.
func (f *figures) fill(name, text string) string {
	t := template.Must(template.New(name).Funcs(template.FuncMap{
		"samples": f.api.samples,
		"preview": f.api.preview,
		"answer":  f.api.answer,
	}).Parse(text))
	var b strings.Builder
	must(t.Execute(&b, f))
	return b.String()
}

// deepest is how far objects within objects are told of.
const deepest = 2

// fieldList lists fields in Markdown, those of objects within one below it.
func fieldList(all []views.Field, indent string) string {
	var b strings.Builder
	for _, f := range all {
		kind := strings.Replace(f.Kind, closedList, "string", 1)
		if f.Required {
			kind += ", required"
		}
		name := f.Name[strings.LastIndexByte(f.Name, '.')+1:]
		fmt.Fprintf(&b, "%s- **`%s`** %s. %s%s\n", indent, name, kind, views.InMarkdown(f.About), limitsOf(f))
		b.WriteString(fieldList(f.Children, indent+"  "))
	}
	return b.String()
}

// one is the schema that says most of what a value may be, and whether it may be null.
func (r *reference) one(s *apiSchema) (own *apiSchema, null bool) {
	s = r.schema(s)
	null = s.is("null")
	for _, alternative := range s.OneOf {
		a := r.schema(alternative)
		switch {
		case a.is("null"):
			null = true
		case own == nil:
			own = a
		}
	}
	if own == nil {
		own = s
	}
	return own, null
}

// is reports whether a value of the schema may be of a type.
func (s *apiSchema) is(kind string) bool {
	switch t := s.Type.(type) {
	case string:
		return t == kind
	case []any:
		return slices.Contains(t, any(kind))
	}
	return false
}

// kind is the type of a value, in a word or two.
func (r *reference) kind(s *apiSchema) string {
	if s.Items != nil {
		item, _ := r.one(s.Items)
		return "array of " + r.kind(item) + "s"
	}
	for _, t := range []string{"string", "integer", "number", "boolean", "object"} {
		if s.is(t) {
			switch s.Format {
			case "date":
				return "date"
			case "date-time":
				return "timestamp"
			case "email":
				return "email address"
			case "uri":
				return "URL"
			}
			return t
		}
	}
	return "any value"
}

// limitsOf says in Markdown what a value has to keep to.
func limitsOf(f views.Field) (said string) {
	values := "`" + strings.Join(f.Values, "`, `") + "`."
	switch {
	case strings.HasPrefix(f.Kind, closedList):
		said = " One of " + values
	case f.Values != nil:
		said = " Always " + values
	}
	said += strings.Join(append([]string{""}, f.Ranges...), " ")
	if f.Default != "" {
		said += " `" + f.Default + "` when absent."
	}
	return said
}

// ranges says how great, how long and how many a value may be.
func ranges(s *apiSchema) (all []string) {
	switch {
	case s.Minimum != nil && s.Maximum != nil:
		all = append(all, fmt.Sprintf("%s to %s.", s.Minimum, s.Maximum))
	case s.Minimum != nil:
		all = append(all, fmt.Sprintf("At least %s.", s.Minimum))
	case s.Maximum != nil:
		all = append(all, fmt.Sprintf("At most %s.", s.Maximum))
	}
	switch {
	case s.MinLength != nil && s.MaxLength != nil:
		all = append(all, fmt.Sprintf("%d to %d characters.", *s.MinLength, *s.MaxLength))
	case s.MaxLength != nil:
		all = append(all, fmt.Sprintf("At most %d characters.", *s.MaxLength))
	}
	if s.MinItems != nil && s.MaxItems != nil {
		all = append(all, fmt.Sprintf("%d to %d entries.", *s.MinItems, *s.MaxItems))
	}
	return all
}

// whole lists the fields of a record. One that is of several variants, told apart by one of
// their fields, has those of the first; the field itself has the values of all.
func (r *reference) whole(s *apiSchema) string {
	if s.Discriminator == nil {
		return fieldList(r.fieldViews("", s, 0), "")
	}
	by, variants := s.Discriminator.PropertyName, r.alternatives(s)
	first := variants[0]
	kind, _ := first.Properties.of(by)
	var all []views.Field
	for _, f := range first.Properties {
		field := f.Value
		if f.Name == by {
			field = &apiSchema{Type: field.Type, Description: field.Description, Enum: values(variants, by)}
		}
		required := slices.Contains(first.Required, f.Name)
		all = append(all, r.fieldView("", f.Name, field, field.Description, required, 0))
	}
	return fmt.Sprintf("%s depends on `%s`; the fields shown are those of `%v`.\n\n", varying(variants, by), by,
		kind.Const) + fieldList(all, "")
}

// alternatives are the schemas of which a value fits one.
func (r *reference) alternatives(s *apiSchema) []*apiSchema {
	all := make([]*apiSchema, len(s.OneOf))
	for i, a := range s.OneOf {
		all[i] = r.schema(a)
	}
	return all
}

// values are the constants that a property has in the variants.
func values(variants []*apiSchema, name string) (all []any) {
	for _, v := range variants {
		property, _ := v.Properties.of(name)
		all = append(all, property.Const)
	}
	return all
}

// varying names, in Markdown, the properties that refer to another schema in each variant.
func varying(variants []*apiSchema, but string) string {
	var names []string
	for _, f := range variants[0].Properties {
		other, _ := variants[len(variants)-1].Properties.of(f.Name)
		if f.Name != but && (other == nil || other.Ref != f.Value.Ref) {
			names = append(names, fmt.Sprintf("`%s`", f.Name))
		}
	}
	return strings.Join(names, ", ")
}
