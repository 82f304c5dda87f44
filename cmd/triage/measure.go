package main

import (
	"encoding/csv"
	"fmt"
	"io"
	"path/filepath"
	"slices"

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

// sounding are requests that only sound alarming, by their kinds, and some emergencies in the same words. They are
// never learnt either, but their errors were read.
var sounding = []string{"evaluation/sounding.csv", "evaluation/everyday.csv"}

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

// tally counts how often which label was given for which.
type tally struct {
	n, lenient, near int
	categories       [11][11]int // wanted, given
	priorities       [4][4]int
}

func (t *tally) count(s sample, v triage.Verdict) {
	c, p := slices.Index(triage.Categories, v.Category), slices.Index(triage.Priorities, v.Priority)
	t.n++
	t.categories[s.category][c]++
	t.priorities[s.priority][p]++
	if c == s.category || c == s.other {
		t.lenient++
	}
	if p-s.priority <= 1 && s.priority-p <= 1 {
		t.near++
	}
}

// score is the harmonic mean of how many of a label were found, and how many given were right.
func score(given func(wanted, got int) int, label, labels int) float64 {
	hit, of := given(label, label), 0
	for other := range labels {
		of += given(label, other) + given(other, label)
	}
	if of == 0 {
		return 1
	}
	return 2 * float64(hit) / float64(of)
}

func macro(given func(wanted, got int) int, labels int) float64 {
	sum := 0.0
	for l := range labels {
		sum += score(given, l, labels)
	}
	return sum / float64(labels)
}

func (t *tally) category(w, g int) int { return t.categories[w][g] }
func (t *tally) priority(w, g int) int { return t.priorities[w][g] }

// emergencies are the recall and precision of emergencies, and how many were called normal or low.
func (t *tally) emergencies() (recall, precision float64, missed int) {
	wanted, given := 0, 0
	for i := range 4 {
		wanted += t.priorities[3][i]
		given += t.priorities[i][3]
	}
	hit := float64(t.priorities[3][3])
	return hit / float64(max(wanted, 1)), hit / float64(max(given, 1)), t.priorities[3][0] + t.priorities[3][1]
}

// alarms is how many of a hundred messages that are no emergency are called one.
func (t *tally) alarms() float64 {
	wrong, everyday := 0, 0
	for _, given := range t.priorities[:3] {
		wrong += given[3]
		for _, n := range given {
			everyday += n
		}
	}
	return 100 * float64(wrong) / float64(max(everyday, 1))
}

func (t *tally) share(n int) float64 { return float64(n) / float64(max(t.n, 1)) }

func (t *tally) print(out io.Writer, title string) {
	recall, precision, missed := t.emergencies()
	fmt.Fprintf(out, "%s, %d messages\n", title, t.n)
	fmt.Fprintf(out, "  category macro-F1 %.3f  lenient accuracy %.3f\n", macro(t.category, 11), t.share(t.lenient))
	fmt.Fprintf(out, "  priority macro-F1 %.3f  within one level %.3f\n", macro(t.priority, 4), t.share(t.near))
	fmt.Fprintf(out, "  emergency recall %.3f  precision %.3f  called normal or low %d\n", recall, precision, missed)
	fmt.Fprintf(out, "  alarms per 100 everyday requests %.1f\n", t.alarms())
}

func (t *tally) printConfusion(out io.Writer) {
	fmt.Fprintf(out, "\n  %-15s %5s  given for it\n", "wanted", "F1")
	for w, name := range triage.Categories {
		fmt.Fprintf(out, "  %-15s %.3f  %v\n", name, score(t.category, w, 11), t.categories[w])
	}
	for w, name := range triage.Priorities {
		fmt.Fprintf(out, "  %-15s %.3f  %v\n", name, score(t.priority, w, 4), t.priorities[w])
	}
}
