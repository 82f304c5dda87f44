package main

import (
	"fmt"
	"io"
	"path/filepath"

	"portal/api/triage"
)

// folds is into how many parts the given messages are cut for cross-validation.
const folds = 5

// measure prints the figures, and never a text: what is held out stays unread.
func measure(out io.Writer) error {
	all, err := training(folder)
	if err != nil {
		return err
	}
	given, err := read(filepath.Join(folder, "training", "given.csv"))
	if err != nil {
		return err
	}
	if err := crossed(out, all, len(given)); err != nil {
		return err
	}
	held, err := read(filepath.Join(folder, "training", "heldout.csv"))
	if err != nil {
		return err
	}
	var t tally
	for _, s := range held {
		t.count(s, triage.BuiltIn().Triage(s.text))
	}
	t.print(out, "held out, the model as it is built in")
	t.printConfusion(out)
	return nil
}

// crossed judges each message by a model that has not seen it: the given ones in one table,
// the others in a second.
func crossed(out io.Writer, all []sample, given int) error {
	var first, second tally
	for fold := range folds {
		var learned []sample
		for i := range all {
			if i%folds != fold {
				learned = append(learned, all[i])
			}
		}
		m, err := triage.New(train(learned).Encode())
		if err != nil {
			return err
		}
		for i := fold; i < len(all); i += folds {
			t := &first
			if i >= given {
				t = &second
			}
			t.count(all[i], m.Triage(all[i].text))
		}
	}
	first.print(out, fmt.Sprintf("given.csv, %d-fold", folds))
	second.print(out, fmt.Sprintf("more.csv, %d-fold", folds))
	return nil
}
