package docs

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// reference is the operations of the API as its OpenAPI document describes them.
type reference struct {
	doc       openAPIDocument
	base      string
	resources []*apiResource
}

// apiResource is the operations on records of a kind.
type apiResource struct {
	Name       string // as people say it
	Slug       string // in addresses
	About      string
	Operations []*apiEntry
}

// Address is that of the page of the resource.
func (a *apiResource) Address() string { return referenceAt + "/" + a.Slug }

// apiEntry is one operation.
type apiEntry struct {
	*apiOperation
	Resource *apiResource
	Method   string
	Path     string // with the parameters as {name}
	Scope    string
	About    string
	fails    []string // codes that it answers beyond the usual
	secrets  []string // names of fields that an answer may have with a key or a signing secret
}

// readReference reads an OpenAPI document; none has no operations. It panics on what
// is none of ours.
func readReference(document []byte, base string) *reference {
	r := &reference{base: base}
	if len(document) == 0 {
		return r
	}
	must(json.Unmarshal(document, &r.doc))
	for _, t := range r.doc.Tags {
		r.resources = append(r.resources, &apiResource{
			Name:  t.Name,
			Slug:  strings.ToLower(t.Name),
			About: t.Description,
		})
	}
	for _, at := range r.doc.Paths {
		for _, m := range at.Value {
			r.add(strings.ToUpper(m.Name), at.Name, m.Value)
		}
	}
	return r
}

func (r *reference) add(method, path string, op *apiOperation) {
	i := slices.IndexFunc(r.resources, func(a *apiResource) bool { return a.Name == op.Tags[0] })
	of := r.resources[i]
	for i, p := range op.Parameters {
		if name, is := strings.CutPrefix(p.Ref, "#/components/parameters/"); is {
			op.Parameters[i] = r.doc.Components.Parameters[name]
		}
	}
	about, rest, _ := strings.Cut(op.Description, "\n\nScope: ")
	scope, fails, _ := strings.Cut(rest, ".")
	_, fails, _ = strings.Cut(strings.TrimSpace(fails), "\n\n")
	var codes []string
	for l := range strings.SplitSeq(fails, "\n") {
		if parts := strings.SplitN(l, "`", 3); len(parts) == 3 {
			codes = append(codes, parts[1])
		}
	}
	of.Operations = append(of.Operations, &apiEntry{
		apiOperation: op,
		Resource:     of,
		Method:       method,
		Path:         path,
		Scope:        scope,
		About:        about,
		fails:        codes,
		secrets:      r.secretsOf(op),
	})
}

// operation finds one by its name. It panics where there is none, unless there is no
// document at all.
func (r *reference) operation(name string) *apiEntry {
	for _, a := range r.resources {
		for _, op := range a.Operations {
			if op.OperationID == name {
				return op
			}
		}
	}
	if len(r.resources) > 0 {
		panic("web: no operation " + name)
	}
	return nil
}

// limits is the range of limit, that of every list.
func (r *reference) limits() listFact {
	op := r.operation("list_properties")
	if op == nil {
		return listFact{}
	}
	for _, p := range op.Parameters {
		if p.Name == "limit" {
			return listFact{p.Schema.Minimum.String(), p.Schema.Maximum.String(), fmt.Sprint(p.Schema.Default)}
		}
	}
	panic("web: no limit")
}

// preview is the example of a preview of an operation.
func (r *reference) preview(name string) string {
	op := r.operation(name)
	if op == nil {
		return ""
	}
	answer, _ := op.Responses.of("200")
	var all struct {
		Preview json.RawMessage `json:"preview"`
	}
	must(json.Unmarshal(answer.example(), &all))
	return `{ "…": "the record as it would be", "preview": ` + pretty(all.Preview) + " }"
}

// answer is the example of what an operation answers, as Markdown.
func (r *reference) answer(name string) string {
	op := r.operation(name)
	if op == nil {
		return ""
	}
	return codeBlock("json", r.answered(op)[0].Sample)
}

func (a *apiAnswer) example() json.RawMessage { return a.Content[jsonType].Example }

// The types of bodies.
const (
	jsonType = "application/json"
	fileType = "multipart/form-data"
)

// schema is what a schema says, wherever it is written.
func (r *reference) schema(s *apiSchema) *apiSchema {
	for s.Ref != "" {
		s = r.doc.Components.Schemas[strings.TrimPrefix(s.Ref, "#/components/schemas/")]
	}
	return s
}

// Address is that of the page of the operation.
func (o *apiEntry) Address() string { return o.Resource.Address() + "/" + o.OperationID }

// Short is the path behind that of all operations.
func (o *apiEntry) Short() string { return strings.TrimPrefix(o.Path, apiBase) }

// streams reports whether the answer of the operation has no end.
func (o *apiEntry) streams() bool {
	answer, has := o.Responses.of("200")
	if !has {
		return false
	}
	_, streams := answer.Content["text/event-stream"]
	return streams
}

// csvFile is the media type of a CSV file.
const csvFile = "text/csv"

// downloads reports whether the answer of the operation is a file.
func (o *apiEntry) downloads() bool {
	answer, has := o.Responses.of("200")
	if !has {
		return false
	}
	_, is := answer.Content[csvFile]
	return is
}

// takesFile reports whether the body of the operation has a file.
func (o *apiEntry) takesFile() bool {
	if o.RequestBody == nil {
		return false
	}
	_, takes := o.RequestBody.Content[fileType]
	return takes
}

// writes reports whether the operation changes something.
func (o *apiEntry) writes() bool { return o.Method != http.MethodGet }
