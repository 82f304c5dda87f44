package docs

import (
	"bytes"
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/a-h/templ"
)

// OperationParts is all that the page of an operation tells of it.
type OperationParts struct {
	Operation
	Notes    []string // a sentence each, in Markdown
	Fields   []FieldGroup
	Request  string // HTML of the samples
	Answers  []Answer
	Errors   []Answer // samples of errors, one a status
	Failures []Failure
}

// FieldGroup is fields that stand in the same part of a request.
type FieldGroup struct {
	ID     string
	Title  string
	Fields []Field
}

// Field is a field or a parameter.
type Field struct {
	Name     string // with those of what it is in before it
	Kind     string
	Required bool
	About    string
	Ranges   []string // a sentence each
	Values   []string // that it may have, none for any
	Default  string   // "" for none
	Children []Field
}

// Answer is an answer of an operation.
type Answer struct {
	Status int
	About  string // in Markdown
	Events string // of a stream: what it has, in Markdown
	Sample string // "" for an answer without a body
	Text   bool   // the sample is not JSON
	Code   string // of an error
}

// name is what the choice of a sample is called.
func (a Answer) name() string { return strconv.Itoa(a.Status) }

// Failure is an error that an operation answers.
type Failure struct {
	Status int
	Code   string
	Words  string // what it means and how to fix it
	Own    bool   // few others answer it
	Body   string // short, "" for none
}

// Draw puts the sections and the samples into a page.
func (o OperationParts) Draw(d *Doc) {
	d.Operation = &o.Operation
	d.Operation.Request = o.Request
	if len(o.Notes) > 0 {
		d.section("details", "Details", notes(o.Notes))
	}
	for _, g := range o.Fields {
		d.section(g.ID, g.Title, fields(g.Fields))
	}
	d.section("response", "Response", answers(o.Answers))
	d.section("errors", "Errors", failures(o.Failures))
	if d.answer(slices.Concat(o.Answers, o.Errors)); d.weight() > heaviest {
		d.answer(o.Answers)
	}
}

// answer shows samples of what is answered.
func (d *Doc) answer(all []Answer) {
	var samples []pane
	for _, a := range all {
		if a.Sample != "" {
			samples = append(samples, pane{a.Tag(), a.name(), a.Sample, a.name()})
		}
	}
	if len(samples) > 0 {
		d.Operation.Response = drawn(panes("response-sample", "Response", samples))
	}
}

// heaviest is how many bytes of HTML an operation has beside the frame of its page, which has to stay
// below 60 KB. One with more has no whole samples of errors: their short bodies stand with each error.
const heaviest = 46_000

// weight is how many bytes an operation has so far.
func (d *Doc) weight() int {
	n := len(d.Operation.Request) + len(d.Operation.Response)
	for _, r := range d.Rows {
		n += len(r.HTML)
	}
	return n
}

// inPre escapes what HTML reads otherwise between tags. Quotes mean nothing there.
var inPre = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

// Tag is the language of the sample.
func (a Answer) Tag() string {
	if a.Text {
		return "text"
	}
	return "json"
}

// section adds a section.
func (d *Doc) section(id, title string, of templ.Component) {
	d.Rows = append(d.Rows, DocRow{ID: id, Title: title, HTML: drawn(of)})
}

func drawn(of templ.Component) string {
	var b bytes.Buffer
	draw(of, &b)
	return b.String()
}

// draw draws into a buffer, which takes everything.
func draw(of templ.Component, b *bytes.Buffer) { must(of.Render(context.Background(), b)) }

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// Samples draws Markdown that is blocks of code alone.
func Samples(text string) string { return Markdown(text).Intro }

// sentences draws Markdown in a line.
func sentences(text string) templ.Component {
	text = strings.TrimSpace(Markdown(text).Intro)
	return templ.Raw(strings.TrimSuffix(strings.TrimPrefix(text, `<p class="lead">`), "</p>"))
}

// apart are the errors that the operation shares with most, or those that it does not.
func apart(all []Failure, own bool) (some []Failure) {
	for _, f := range all {
		if f.Own == own {
			some = append(some, f)
		}
	}
	return some
}

func counted(children int) string {
	if children == 1 {
		return "1 child field"
	}
	return strconv.Itoa(children) + " child fields"
}
