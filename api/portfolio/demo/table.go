package demo

import (
	"embed"
	"encoding/csv"
	"fmt"
	"io/fs"
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

// note is a ticket as the tables tell it: a head of "name: value" lines and, after an
// empty line, the text as the person wrote it.
type note struct {
	name string // its file and place in it
	head row
	body string
}

// notes reads tables/tickets, file after file.
func notes() []note {
	var all []note
	for _, file := range must(fs.Glob(tables, "tables/tickets/*.txt")) {
		content := string(must(tables.ReadFile(file)))
		for i, part := range strings.Split(content, "\n===\n") {
			all = append(all, newNote(fmt.Sprintf("%s %d", file, i), part))
		}
	}
	return all
}

// newNote reads a ticket. What a tenant wrote came through the tenants' page, the
// rest from the dashboard, unless the head says otherwise.
func newNote(name, s string) note {
	head, body, ok := strings.Cut(s, "\n\n")
	if !ok {
		panic("demo: no text in " + name)
	}
	n := note{name, row{"entry": "unknown", "source": "dashboard", "reopened": "0"}, strings.TrimSpace(body)}
	if strings.Contains(head, "\nby: ") {
		n.head["source"] = "tenant_portal"
	}
	for line := range strings.Lines(head) {
		key, value, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if !ok {
			panic("demo: no value in " + name + ": " + line)
		}
		n.head[key] = value
	}
	return n
}
