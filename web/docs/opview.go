package docs

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"portal/api/fault"
	"portal/api/operation"
	views "portal/views/docs"
	"portal/views/kit"
)

// operationPage is the page of an operation: what it takes and answers at the left, samples at
// the right.
func (r *reference) operationPage(op *apiEntry) views.Doc {
	lead, notes := told(op.About)
	page := views.Markdown("# " + op.Summary + "\n\n" + lead)
	o := views.OperationParts{
		Operation: views.Operation{
			Resource: kit.Link{Name: op.Resource.Name, Path: op.Resource.Address()},
			Method:   op.Method,
			Path:     op.Path,
			Scope:    op.Scope,
		},
		Notes:    notes,
		Fields:   r.fieldGroups(op),
		Request:  views.Samples(r.samplesOf(op)),
		Failures: r.failed(op),
	}
	for _, p := range op.Parameters {
		switch p.Name {
		case "Idempotency-Key":
			o.Traits = append(o.Traits, "Idempotent with a key")
		case "Dry-Run":
			o.Traits = append(o.Traits, "Supports dry run")
		}
	}
	o.Answers = r.answered(op)
	o.Errors = r.erred(o.Failures, mostSamples-len(o.Answers))
	o.Draw(&page)
	return page
}

// shortest is how long a description may be that is not parted, in bytes.
const shortest = 160

// told parts what an operation does into the sentence that begins its page and the notes that follow, in Markdown.
func told(about string) (lead string, notes []string) {
	all := []string{about}
	if len(about) > shortest {
		all = strings.Split(sentenceEnd.ReplaceAllString(about, ".\x00$1"), "\x00")
	}
	for i, s := range all {
		s = strings.Replace(views.InMarkdown(s), "Records guide", "[Records guide]("+"/docs/records"+")", 1)
		if all[i] = s; i > 0 {
			notes = append(notes, s)
		}
	}
	return all[0], notes
}

// sentenceEnd is where the next sentence begins.
var sentenceEnd = regexp.MustCompile(`\.\s+([A-Z` + "`" + `])`)

// fieldGroups are the parameters of an operation by where they stand, and its body.
func (r *reference) fieldGroups(op *apiEntry) (all []views.FieldGroup) {
	for _, g := range []views.FieldGroup{
		{ID: "path", Title: "Path parameters"},
		{ID: "query", Title: "Query parameters"},
		{ID: "header", Title: "Headers"},
	} {
		for _, p := range op.Parameters {
			if p.In == g.ID {
				g.Fields = append(g.Fields, r.fieldView("", p.Name, p.Schema, p.Description, p.Required, deepest))
			}
		}
		if len(g.Fields) > 0 {
			all = append(all, g)
		}
	}
	if op.RequestBody != nil {
		body := r.schema(op.RequestBody.of().Schema)
		all = append(all, views.FieldGroup{ID: "request-body", Title: "Body", Fields: r.fieldViews("", body, 0)})
	}
	return all
}

// closedList is the kind of a text that is one of a few.
const closedList = "enum"

func (r *reference) fieldViews(within string, s *apiSchema, depth int) (all []views.Field) {
	for _, f := range s.Properties {
		required := slices.Contains(s.Required, f.Name)
		all = append(all, r.fieldView(within, f.Name, f.Value, f.Value.Description, required, depth))
	}
	return all
}

// fieldView is a field with those within it, as far as the reference tells of them.
func (r *reference) fieldView(within, name string, s *apiSchema, about string, required bool, depth int) views.Field {
	own, null := r.one(s)
	f := views.Field{
		Name:     within + name,
		Kind:     r.kind(own),
		Required: required,
		About:    cmp.Or(about, own.Description),
		Ranges:   ranges(own),
	}
	if own.Const != nil {
		f.Values = []string{fmt.Sprint(own.Const)}
	}
	for _, v := range own.Enum {
		if v != nil {
			f.Values = append(f.Values, fmt.Sprint(v))
		}
	}
	if len(own.Enum) > 0 {
		f.Kind = closedList
	}
	if null {
		f.Kind += " or null"
	}
	f.About, f.Default = operation.CutDefault(f.About)
	if own.Default != nil {
		f.Default = fmt.Sprint(own.Default)
	}
	inner, of := own, f.Name+"."
	if own.Items != nil {
		inner, _ = r.one(own.Items)
		of = f.Name + "[]."
	}
	if depth < deepest {
		f.Children = r.fieldViews(of, inner, depth+1)
	}
	return f
}

// answered is what an operation answers when it does what it should, and the first of its own
// errors.
func (r *reference) answered(op *apiEntry) (all []views.Answer) {
	var write *pairOf[*apiAnswer]                     // whose preview follows
	for _, a := range slices.Backward(op.Responses) { // the preview of a write stands behind the write
		if !strings.HasPrefix(a.Name, "2") {
			continue
		}
		said := views.Answer{Status: statusOf(a.Name), About: r.said(op, a.Value)}
		if example := a.Value.example(); example != nil {
			said.Sample = pretty(unlike(write, example))
			write = &a
		}
		if stream, is := a.Value.Content["text/event-stream"]; is {
			must(json.Unmarshal(stream.Example, &said.Sample))
			said.Sample = strings.TrimSpace(said.Sample)
			said.Events = views.InMarkdown(r.schema(stream.Schema).Description)
			said.Text = true
		}
		if file, is := a.Value.Content[csvFile]; is {
			must(json.Unmarshal(file.Example, &said.Sample))
			said.Sample = strings.TrimSpace(said.Sample)
			said.Events = views.InMarkdown(r.schema(file.Schema).Description)
			said.Text = true
		}
		all = append(all, said)
	}
	return all
}

// unlike is a preview without what the sample of the write before it shows too. Any other example is itself.
func unlike(write *pairOf[*apiAnswer], example json.RawMessage) json.RawMessage {
	var written, previewed inOrder[json.RawMessage]
	if write == nil {
		return example
	}
	must(json.Unmarshal(write.Value.example(), &written))
	must(json.Unmarshal(example, &previewed))
	if _, is := previewed.of("preview"); !is {
		return example
	}
	rest := []string{fmt.Sprintf(`"…": "as in the response %s"`, write.Name)}
	for _, m := range previewed {
		if same, has := written.of(m.Name); !has || !bytes.Equal(same, m.Value) {
			rest = append(rest, fmt.Sprintf("%q: %s", m.Name, m.Value))
		}
	}
	return json.RawMessage("{" + strings.Join(rest, ", ") + "}")
}

// mostSamples is how many answers of an operation have a whole sample: a page stays below 60 KB.
const mostSamples = 4

// erred are samples of errors, one a status, at most as many: those of the operation before those
// of every one.
func (r *reference) erred(failures []views.Failure, most int) (all []views.Answer) {
	shown := map[int]bool{}
	for _, own := range []bool{true, false} {
		for _, f := range failures {
			example, has := r.doc.Components.Examples[f.Code]
			if f.Own == own && has && !shown[f.Status] && len(all) < most {
				shown[f.Status] = true
				all = append(all, views.Answer{Status: f.Status, Code: f.Code, Sample: pretty(example.Value)})
			}
		}
	}
	slices.SortFunc(all, func(a, b views.Answer) int { return a.Status - b.Status })
	return all
}

// brief is the body of an error with what tells it from others. What the message says stands above it.
func brief(whole json.RawMessage) string {
	var body struct {
		Error struct{ Type, Code json.RawMessage }
	}
	must(json.Unmarshal(whole, &body))
	e := &body.Error
	return fmt.Sprintf(`{"error": {"type": %s, "code": %s, "message": "…"}}`, e.Type, e.Code)
}

// failed are the errors of an operation, its own before those of every one.
func (r *reference) failed(op *apiEntry) (all []views.Failure) {
	for _, a := range op.Responses {
		if strings.HasPrefix(a.Name, "2") {
			continue
		}
		answer := a.Value
		if name, shared := strings.CutPrefix(answer.Ref, "#/components/responses/"); shared {
			answer = r.doc.Components.Responses[name]
		}
		for _, e := range answer.Content[jsonType].Examples {
			entry := fault.Code(e.Name).Entry()
			f := views.Failure{Status: statusOf(a.Name), Code: e.Name, Words: entry.Remedy}
			f.Own = slices.Contains(op.fails, e.Name)
			if example, has := r.doc.Components.Examples[e.Name]; has {
				f.Body = brief(example.Value)
			}
			if f.Own {
				f.Words = entry.Cause + " " + entry.Remedy
			}
			all = append(all, f)
		}
	}
	return all
}

func statusOf(name string) int {
	status, err := strconv.Atoi(name)
	must(err)
	return status
}
