package operation

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"portal/api/change"
)

// Preview is what a write would do, told without doing it (docs/assistants.md).
type Preview struct {
	// Always true: nothing was saved.
	DryRun bool `json:"dry_run" const:"true"`
	// Whether the write would change anything.
	WouldChange bool `json:"would_change"`
	// Every field that would change.
	Changes []Change `json:"changes"`
	// What you should know before you write.
	Warnings []change.Warning `json:"warnings"`
	// The record by its address or name, and each change with its old and new value.
	Summary string `json:"summary" example:"Would change the property 1420 Maple Avenue, Austin, TX: city from \"Austin\" to \"Waco\"."`

	parts []part `json:"-"` // what the summary consists of
}

// part is a part of a summary. One that was written outside the account stands in quotes.
type part struct {
	text    string
	outside bool
}

// Change is a field that would change.
type Change struct {
	// Name of the field.
	Field string `json:"field" example:"city"`
	// Its value now; null in a new record.
	From Raw `json:"from"`
	// Its value afterwards.
	To Raw `json:"to"`

	outside bool `json:"-"` // people outside the account fill the field, or a part of it
}

// SchemaName is the name of the OpenAPI component.
func (Change) SchemaName() string { return "FieldChange" }

// Raw is JSON of any type.
type Raw []byte

// AppendJSON appends it as it is; nothing is null.
func (r Raw) AppendJSON(b []byte) []byte {
	if len(r) == 0 {
		return append(b, "null"...)
	}
	return append(b, r...)
}

// differ compares two records, the first one possibly nil.
type differ func(before, after any) []Change

// kept are the fields that every write touches and no caller asks for.
var kept = []string{"id", "object", "mode", "version", "created_at", "updated_at"}

func differOf(t reflect.Type) differ {
	type compared struct {
		field
		encode  encoder
		outside bool
	}
	var fields []compared
	for _, f := range fieldsOf(t) {
		if !f.omit && !slices.Contains(kept, f.name) {
			fields = append(fields, compared{f, encoderOf(f.typ), f.by != "" || len(wordsOf(f.typ, nil)) > 0})
		}
	}
	return func(before, after any) []Change {
		changes := []Change{}
		for _, f := range fields {
			to := f.encode(nil, reflect.ValueOf(after).Elem().FieldByIndex(f.index))
			from := []byte("null")
			if before != nil {
				from = f.encode(nil, reflect.ValueOf(before).Elem().FieldByIndex(f.index))
			}
			if !bytes.Equal(from, to) {
				changes = append(changes, Change{f.name, from, to, f.outside})
			}
		}
		return changes
	}
}

// Preview tells what a write has done in a transaction that is rolled back.
func (o *Operation) Preview(w change.Outcome) *Preview {
	p := &Preview{DryRun: true, Changes: o.differ(w.Earlier(), w.Shown()), Warnings: w.Notes()}
	if p.Warnings == nil {
		p.Warnings = []change.Warning{}
	}
	p.WouldChange = w.Earlier() == nil || len(p.Changes) > 0
	if page, many := w.Shown().(countable); many {
		p.WouldChange = page.Count() > 0
		p.Summary = fmt.Sprintf("Would queue %s.", several(page, o.input.noun))
		return p
	}
	p.summarize(o.input.noun, w, shortest)
	return p
}

// countable is a page of records that a write makes.
type countable interface {
	Paged
	Count() int
}

// several says how many records a page has, and whether there are more.
func several(page countable, noun string) string {
	n, more := page.Count(), ""
	if _, is := page.Next(); is {
		more = " and more"
	}
	switch {
	case n == 1:
		return "1 " + noun + more
	case strings.HasSuffix(noun, "y"):
		noun = strings.TrimSuffix(noun, "y") + "ie"
	}
	return fmt.Sprintf("%d %ss%s", n, noun, more)
}

// extras is what stands beside the record in the answer of a write.
type extras struct {
	// What you should know although the write succeeded.
	Warnings []change.Warning `json:"warnings,omitempty"`
	// Only with Dry-Run: what would change. Nothing was saved.
	Preview *Preview `json:"preview,omitempty"`
}

var (
	encodeWarnings = encoderOf(reflect.TypeFor[[]change.Warning]())
	encodePreview  = encoderOf(reflect.TypeFor[Preview]())
)

// AppendWrite appends the answer of a write: the record, and beside it warnings and
// the preview where there is one.
func (o *Operation) AppendWrite(b []byte, w change.Outcome, p *Preview) []byte {
	return o.appendWrite(b, w.Shown(), w.Notes(), p)
}

func (o *Operation) appendWrite(b []byte, record any, notes []change.Warning, p *Preview) []byte {
	b = o.Append(b, record)
	if len(notes) > 0 {
		b = append(b[:len(b)-1], `,"warnings":`...)
		b = append(encodeWarnings(b, reflect.ValueOf(notes)), '}')
	}
	if p != nil {
		b = append(b[:len(b)-1], `,"preview":`...)
		b = append(encodePreview(b, reflect.ValueOf(p).Elem()), '}')
	}
	return b
}
