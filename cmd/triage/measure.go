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
	for _, name := range held {
		t, err := judged(filepath.Join(folder, name))
		if err != nil {
			return err
		}
		t.print(out, name+", the model as it is built in")
		if name == held[0] {
			t.printConfusion(out)
		}
	}
	return nil
}

// held are the messages that are never learnt.
var held = []string{
	"training/heldout.csv", "training/unseen.csv",
	"evaluation/development.csv", "evaluation/development2.csv", "evaluation/test2.csv",
	"evaluation/test3.csv", "evaluation/test4.csv", "evaluation/test5.csv",
}

// judged judges the messages of a table by the built-in model.
func judged(name string) (t tally, err error) {
	all, err := read(name)
	for _, s := range all {
		t.count(s, triage.BuiltIn().Triage(s.text))
	}
	return t, err
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
		m, err := triage.New(string(train(learned)))
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
	second.print(out, fmt.Sprintf("all others, %d-fold", folds))
	return nil
}
