package page

import (
	"context"
	"slices"
	"strings"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/id"
	"portal/views/kit"
)

// Days are the moments at which the days from and to begin and end in a zone, nil where
// none was chosen. What is no day narrows nothing down.
func (f *Form) Days(zone *time.Location) (from, to *clock.Time) {
	if d, err := clock.ParseDate(f.Text("from")); err == nil {
		from = new(midnight(d, zone))
	}
	if d, err := clock.ParseDate(f.Text("to")); err == nil {
		to = new(midnight(d.AddDays(1), zone))
	}
	return from, to
}

// midnight is when a day begins in a zone.
func midnight(d clock.Date, zone *time.Location) clock.Time {
	y, m, day := d.Std().Date()
	return clock.At(time.Date(y, m, day, 0, 0, 0, 0, zone))
}

// Among is a field that has one of several values, "" for anything else.
func (f *Form) Among(name string, values []string) string {
	if v := f.Text(name); slices.Contains(values, v) {
		return v
	}
	return ""
}

// ID is a field that holds an id. What is none is one that nothing has.
func (f *Form) ID(name, prefix string) string {
	if s := f.Text(name); s == "" || id.Valid(prefix, s) {
		return s
	}
	return "none"
}

// Slug is a field that holds a name of small letters, digits and signs. What is none is
// one that nothing has.
func (f *Form) Slug(name string) string {
	s := f.Text(name)
	if strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789_.-") != "" {
		return "none"
	}
	return s
}

// Printable is a field without what no text has, which PostgreSQL would refuse.
func (f *Form) Printable(name string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(f.Text(name), ""), "\x00", "")
}

// SearchText is what a list is searched for, "" for nothing.
func (f *Form) SearchText() string { return strings.TrimSpace(Clip(f.Printable("search"), 100)) }

// PathID is the id in the address; what is none is a record that is not there.
func (v *Request) PathID(prefix string) (string, error) {
	if s := v.Param("id"); id.Valid(prefix, s) {
		return s, nil
	}
	return "", fault.Of(fault.NoRecord)
}

// Here calls an operation on the record of the address.
func Here[T any](
	v *Request, prefix string, do func(ctx context.Context, by access.Actor, id string) (T, error),
) (made T, err error) {
	name, err := v.PathID(prefix)
	if err != nil {
		return made, err
	}
	return do(v.Ctx(), v.Actor(), name)
}

// With has handlers get the record of the address, which is read first.
func With[T any](
	prefix string, read func(ctx context.Context, by access.Actor, id string) (T, error),
) func(show func(*Request, T) error) Handler {
	return func(show func(*Request, T) error) Handler {
		return func(v *Request) error {
			record, err := Here(v, prefix, read)
			if err != nil {
				return err
			}
			return show(v, record)
		}
	}
}

// Position is where a page of a list begins, "" for the beginning.
func (t Cursor) Position(prefix string) string {
	if id.Valid(prefix, t.After) {
		return t.After
	}
	return ""
}

// Any reports whether the address says something of a filter.
func (f *Form) Any(fields []kit.Field) bool {
	return slices.ContainsFunc(fields, func(field kit.Field) bool { return f.Text(field.Name) != "" })
}

// Served reports whether there is a page at an address.
func (s *Shell) Served(path string) bool {
	return slices.ContainsFunc(s.Routes, func(r Route) bool { return r.Path == path })
}

// Filters are filled with what the address says.
func (v *Request) Filters(about, at string, fields []kit.Field) kit.Filters {
	f := v.Form()
	for i := range fields {
		f.FillField(&fields[i])
	}
	all := kit.Filters{About: about, At: v.In(at), Fields: fields}
	if f.Any(fields) {
		all.Clear = v.In(at)
	}
	return all
}
