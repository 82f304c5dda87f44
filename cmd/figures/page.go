package main

import (
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"text/template"
)

// prose is the template of the page: what stands above its sections, and one for each of them.
//
//go:embed performance.md.tmpl
var prose string

var pageTemplate = template.Must(template.New("page").Parse(prose))

// write makes the whole page.
func write(m machine, r reported) (string, error) {
	var top strings.Builder
	if err := pageTemplate.ExecuteTemplate(&top, "top", m); err != nil {
		return "", err
	}
	parts := []string{strings.TrimSpace(top.String())}
	for _, s := range sections {
		text, err := s.text(r, m.PostgreSQL != "")
		if err != nil {
			return "", err
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, "\n\n") + "\n", nil
}

// text is the section of the page.
func (s section) text(r reported, postgres bool) (string, error) {
	var text strings.Builder
	err := pageTemplate.ExecuteTemplate(&text, s.name, filled{s, r, postgres})
	return strings.TrimSpace(text.String()), err
}

// filled is what the template of a section asks.
type filled struct {
	section
	reported reported
	postgres bool // whether it was measured
}

// dash is the cell of what needs PostgreSQL, where there is none.
const dash = "–"

// Commands are the lines that measure the section.
func (f filled) Commands() string { return "    " + strings.Join(f.commands, "\n    ") }

// Of are the figures of a benchmark. One with {db} in its name stands for that on SQLite and that
// on PostgreSQL, whose cells are set side by side.
func (f filled) Of(benchmark string) cells { return cells{f, benchmark} }

// cells writes figures of a benchmark as cells of a table.
type cells struct {
	filled
	benchmark string
}

// Figure is a figure as it was reported.
func (c cells) Figure(unit string) (string, error) {
	return c.each(unit, func(_ string, value float64) (string, error) { return number(value), nil })
}

// Times is how many times another figure of the same benchmark a figure is.
func (c cells) Times(unit, base string) (string, error) { return c.Range(base, unit) }

// Range is how many times a figure others are, whose units stand with spaces between them or are
// those of a group of pages: the least and the most.
func (c cells) Range(base, units string) (string, error) {
	if group, known := pageGroups[units]; known {
		units = group
	}
	return c.each(base, func(db string, from float64) (string, error) {
		var times []float64
		for unit := range strings.FieldsSeq(units) {
			value, _, err := c.value(c.benchmark, db, unit)
			if err != nil {
				return "", err
			}
			times = append(times, value/from)
		}
		least, most := number(slices.Min(times)), number(slices.Max(times))
		if least == most {
			return least, nil
		}
		return least + " to " + most, nil
	})
}

// TimesOf is how many times that of another benchmark a figure is.
func (c cells) TimesOf(other cells, unit string) (string, error) {
	return c.each(unit, func(db string, value float64) (string, error) {
		from, _, err := c.value(other.benchmark, db, unit)
		return number(value / from), err
	})
}

// each sets cells of a figure side by side, one for each database where the benchmark is of both.
func (c cells) each(unit string, cell func(db string, value float64) (string, error)) (string, error) {
	var all []string
	for _, db := range databases(c.benchmark) {
		text := dash
		value, measured, err := c.value(c.benchmark, db, unit)
		if err == nil && measured {
			text, err = cell(db, value)
		}
		if err != nil {
			return "", err
		}
		all = append(all, text)
	}
	return strings.Join(all, " | "), nil
}

// value is a figure. What needs PostgreSQL was not measured where there is none; anything else
// that is missing is an error.
func (f filled) value(benchmark, db, unit string) (value float64, measured bool, err error) {
	name := inDatabase(benchmark, db) + " " + unit
	if !slices.Contains(f.declared(), name) {
		return 0, false, fmt.Errorf("the section %s declares no figure %q", f.name, name)
	}
	if !f.postgres && ofPostgres(name) {
		return 0, false, nil
	}
	if len(f.reported[name]) == 0 {
		return 0, false, fmt.Errorf("there is no figure %q", name)
	}
	return f.reported.median(name), true, nil
}

// number writes two digits that count, three of a thousand and more, and thousands with commas.
func number(v float64) string {
	switch {
	case v >= 1000:
		digits := strconv.FormatFloat(v, 'f', 0, 64)
		unit := 1
		for range len(digits) - 3 {
			unit *= 10
		}
		digits = strconv.Itoa((int(v) + unit/2) / unit * unit)
		for at := len(digits) - 3; at > 0; at -= 3 {
			digits = digits[:at] + "," + digits[at:]
		}
		return digits
	case v >= 10:
		return strconv.FormatFloat(v, 'f', 0, 64)
	case v >= 1:
		return strconv.FormatFloat(v, 'f', 1, 64)
	case v >= 0.1:
		return strconv.FormatFloat(v, 'f', 2, 64)
	}
	return strconv.FormatFloat(v, 'g', 2, 64)
}
