package main

import (
	"encoding/csv"
	"io"
	"path/filepath"

	"portal/api/triage"
)

// rows writes what the model learns from and the sets that it is measured on, with what it
// makes of them, as CSV: for baseline.py. The texts of the sets are for programs alone.
func rows(out io.Writer) error {
	w := csv.NewWriter(out)
	titles := []string{"set", "text", "category", "alt_category", "priority", "given_category", "given_priority"}
	if err := w.Write(titles); err != nil {
		return err
	}
	all, err := training(folder)
	if err != nil {
		return err
	}
	for _, s := range withHasty(all) {
		if err := w.Write(s.row("training", triage.Verdict{})); err != nil {
			return err
		}
	}
	for _, name := range held {
		some, err := read(filepath.Join(folder, name))
		if err != nil {
			return err
		}
		for _, s := range some {
			if err := w.Write(s.row(name, triage.BuiltIn().Triage(s.text))); err != nil {
				return err
			}
		}
	}
	w.Flush()
	return w.Error()
}

func (s sample) row(set string, given triage.Verdict) []string {
	other := ""
	if s.other >= 0 {
		other = triage.Categories[s.other]
	}
	return []string{
		set, s.text, triage.Categories[s.category], other, triage.Priorities[s.priority],
		given.Category, given.Priority,
	}
}
