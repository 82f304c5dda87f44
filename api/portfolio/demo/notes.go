package demo

import (
	"fmt"
	"io/fs"
	"strings"
)

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
