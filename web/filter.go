package web

import (
	"slices"
	"strings"
	"time"

	"portal/api/clock"
	"portal/api/fault"
	"portal/api/id"
	"portal/views"
)

// days are the moments at which the days from and to begin and end in a zone, nil where
// none was chosen. What is no day narrows nothing down.
func (f *form) days(zone *time.Location) (from, to *clock.Time) {
	if d, err := clock.ParseDate(f.text("from")); err == nil {
		from = new(midnight(d, zone))
	}
	if d, err := clock.ParseDate(f.text("to")); err == nil {
		to = new(midnight(d+1, zone))
	}
	return from, to
}

// midnight is when a day begins in a zone.
func midnight(d clock.Date, zone *time.Location) clock.Time {
	y, m, day := d.Std().Date()
	return clock.At(time.Date(y, m, day, 0, 0, 0, 0, zone))
}

// among is a field that has one of several values, "" for anything else.
func (f *form) among(name string, values []string) string {
	if v := f.text(name); slices.Contains(values, v) {
		return v
	}
	return ""
}

// ident is a field that holds an id. What is none is one that nothing has.
func (f *form) ident(name, prefix string) string {
	if s := f.text(name); s == "" || id.Valid(prefix, s) {
		return s
	}
	return "none"
}

// word is a field that holds a name of small letters, digits and signs. What is none is
// one that nothing has.
func (f *form) word(name string) string {
	s := f.text(name)
	if strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789_.-") != "" {
		return "none"
	}
	return s
}

// printable is a field without what no text has, which PostgreSQL would refuse.
func (f *form) printable(name string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(f.text(name), ""), "\x00", "")
}

// sought is what a list is searched for, "" for nothing.
func (f *form) sought() string { return strings.TrimSpace(clip(f.printable("search"), 100)) }

// ident is the id in the address; what is none is a record that is not there.
func (v *visit) ident(prefix string) (string, error) {
	if s := v.Param("id"); id.Valid(prefix, s) {
		return s, nil
	}
	return "", fault.Of(fault.NoRecord)
}

// position is where a page of a list begins, "" for the beginning.
func (t turn) position(prefix string) string {
	if id.Valid(prefix, t.after) {
		return t.after
	}
	return ""
}

// any tells whether the address says something of a filter.
func (f *form) any(fields []views.Field) bool {
	return slices.ContainsFunc(fields, func(field views.Field) bool { return f.text(field.Name) != "" })
}

// served tells whether there is a page at an address.
func (s *Shell) served(path string) bool {
	return slices.ContainsFunc(s.table, func(r route) bool { return r.path == path })
}

// filters are filled with what the address says.
func (v *visit) filters(about, at string, fields []views.Field) views.Filters {
	f := v.form()
	for i := range fields {
		f.fillField(&fields[i])
	}
	all := views.Filters{About: about, Fields: fields}
	if f.any(fields) {
		all.Clear = v.in(at)
	}
	return all
}
