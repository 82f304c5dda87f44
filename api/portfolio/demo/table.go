package demo

import (
	"embed"
	"encoding/csv"
	"strconv"
	"strings"

	"portal/api/clock"
	"portal/api/money"
)

// tables are part of the program: a fault in them is one of it, and panics.
//
//go:embed tables
var tables embed.FS

// row is a line of a table by the names in the table's first line.
type row map[string]string

// table reads tables/NAME.csv.
func table(name string) []row {
	f := must(tables.Open("tables/" + name + ".csv"))
	defer f.Close() //nolint:errcheck // a file of the binary
	lines := must(csv.NewReader(f).ReadAll())
	rows := make([]row, 0, len(lines)-1)
	for _, line := range lines[1:] {
		r := row{}
		for i, name := range lines[0] {
			r[name] = line[i]
		}
		rows = append(rows, r)
	}
	return rows
}

// text is a cell, nil when it is empty.
func (r row) text(name string) *string { return text(r[name]) }

// number is a whole number, nil when the cell is empty.
func (r row) number(name string) *int {
	return filled(r[name], whole)
}

// dollars is an amount, nil when the cell is empty.
func (r row) dollars(name string) *money.Cents {
	return filled(r[name], dollars)
}

// days is a length in days.
func (r row) days(name string) clock.Date { return clock.Date(whole(r[name])) }

func text(s string) *string { return filled(s, func(s string) string { return s }) }

func whole(s string) int { return must(strconv.Atoi(s)) }

func dollars(s string) money.Cents { return must(money.Parse(s)) }

// filled reads a text, nil when there is none.
func filled[T any](s string, read func(string) T) *T {
	if s == "" {
		return nil
	}
	return new(read(s))
}

// fields are the parts of a cell between semicolons; those that are left out are empty.
func fields(s string, n int) []string {
	parts := make([]string, n)
	for i, p := range strings.SplitN(s, ";", n) {
		parts[i] = strings.TrimSpace(p)
	}
	return parts
}

func must[T any](v T, err error) T {
	if err != nil {
		panic("demo: " + err.Error())
	}
	return v
}
