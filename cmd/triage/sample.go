package main

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"portal/api/triage"
)

// sample is a message that somebody has judged.
type sample struct {
	text     string
	category int
	priority int
	other    int    // a category that counts as right, too, or -1
	source   string // the hand that wrote it, as its table says, or the name of its file
}

// lists are the messages that are no table.
var lists = []string{
	"testdata/emergencies.txt", "testdata/others.txt", "training/everyday.txt", "training/hurried.txt",
}

// training reads what the model learns from: the given messages, more in their manner,
// those of other hands, and the lists of the tests, which hold what must not get lost.
func training(folder string) ([]sample, error) {
	var all []sample
	for _, name := range []string{
		"given.csv", "like_given.csv", "author_a.csv", "author_b.csv", "six_authors.csv", "contrasts.csv", "inbox.csv",
	} {
		some, err := read(filepath.Join(folder, "training", name))
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	for _, name := range lists {
		some, err := readList(filepath.Join(folder, name))
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	return all, nil
}

// readList reads a list of messages, each after its category, its priority where that is
// no emergency, and a colon.
func readList(name string) ([]sample, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var all []sample
	for line := range strings.Lines(string(text)) {
		head, message, _ := strings.Cut(strings.TrimSpace(line), ": ")
		labels := append(strings.Fields(head), triage.Emergency)
		s := sample{
			message,
			slices.Index(triage.Categories, labels[0]),
			slices.Index(triage.Priorities, labels[1]),
			-1,
			sourceOf(name),
		}
		if s.category < 0 || s.priority < 0 {
			return nil, fmt.Errorf("%s: %q has a label that is none", name, line)
		}
		all = append(all, s)
	}
	return all, nil
}

// read gives the messages of a table whose first columns are text, category, priority,
// source and another category.
func read(name string) ([]sample, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // it was only read
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	column := func(title string) int { return slices.Index(rows[0], title) }
	text, category, priority, other := column("text"), column("category"), column("priority"), column("alt_category")
	source := column("source")
	if text < 0 || category < 0 || priority < 0 || other < 0 {
		return nil, fmt.Errorf("%s: a column is missing", name)
	}
	var all []sample
	for i, row := range rows[1:] {
		s := sample{
			row[text], slices.Index(triage.Categories, row[category]),
			slices.Index(triage.Priorities, row[priority]), slices.Index(triage.Categories, row[other]), sourceOf(name),
		}
		if source >= 0 {
			s.source = row[source]
		}
		if s.category < 0 || s.priority < 0 {
			return nil, fmt.Errorf("%s: row %d has a label that is none", name, i+2)
		}
		all = append(all, s)
	}
	return all, nil
}

func sourceOf(name string) string {
	return strings.TrimSuffix(filepath.Base(name), filepath.Ext(name))
}
