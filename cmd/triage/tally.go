package main

import (
	"fmt"
	"io"
	"slices"

	"portal/api/triage"
)

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
