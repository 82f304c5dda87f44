package main

import (
	"cmp"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"sync"

	"portal/api/triage"
)

// sources judges the messages of each hand by a model that learnt nothing from that hand,
// as they are written and with typos, and prints the figures of all together. A hand has its
// manner, so this comes nearer to the messages of a stranger than cross-validation does.
func sources(out io.Writer) error {
	all, err := training(folder)
	if err != nil {
		return err
	}
	var names []string
	for _, s := range all {
		if !slices.Contains(names, s.source) {
			names = append(names, s.source)
		}
	}
	left := make([]leftOut, len(names))
	next := make(chan int)
	var group sync.WaitGroup
	for range 2 {
		group.Go(func() {
			for i := range next {
				left[i].judge(all, names[i])
			}
		})
	}
	for i := range names {
		next <- i
	}
	close(next)
	group.Wait()
	var written, hasty ranked
	for i := range left {
		if left[i].err != nil {
			return left[i].err
		}
		fmt.Fprintf(out, "%-20s %5d messages, %5.1f alarms per 100\n", names[i], left[i].written.n,
			left[i].written.alarms())
		written.add(&left[i].written)
		hasty.add(&left[i].hasty)
	}
	written.print(out, "as written")
	hasty.print(out, "with typos")
	return nil
}

// leftOut is how the messages of one hand are judged by what learnt from the others.
type leftOut struct {
	written, hasty ranked
	err            error
}

func (l *leftOut) judge(all []sample, name string) {
	var learned []sample
	for _, s := range all {
		if s.source != name {
			learned = append(learned, s)
		}
	}
	m, err := triage.New(string(train(learned)))
	if err != nil {
		l.err = err
		return
	}
	dice := rand.New(rand.NewPCG(7, 2026)) //nolint:gosec // the same typos each time are the point
	for _, s := range all {
		if s.source == name {
			l.written.judge(m, s)
			s.text = withTypos(s.text, dice)
			l.hasty.judge(m, s)
		}
	}
}

// ranked is a tally that keeps how likely an emergency each message was held to be.
type ranked struct {
	tally
	emergency, everyday []float64
}

func (r *ranked) judge(m *triage.Model, s sample) {
	v := m.Triage(s.text)
	r.count(s, v)
	share := m.EmergencyShare(s.text)
	if s.priority == 3 {
		r.emergency = append(r.emergency, share)
	} else {
		r.everyday = append(r.everyday, share)
	}
}

func (r *ranked) add(other *ranked) {
	r.n, r.lenient, r.near = r.n+other.n, r.lenient+other.lenient, r.near+other.near
	for w := range r.categories {
		for g := range r.categories[w] {
			r.categories[w][g] += other.categories[w][g]
		}
	}
	for w := range r.priorities {
		for g := range r.priorities[w] {
			r.priorities[w][g] += other.priorities[w][g]
		}
	}
	r.emergency, r.everyday = append(r.emergency, other.emergency...), append(r.everyday, other.everyday...)
}

// alarmsAt is how many of a hundred everyday messages are held to be at least as likely an
// emergency as the threshold that finds such a share of the emergencies.
func (r *ranked) alarmsAt(recall float64) float64 {
	if len(r.emergency) == 0 || len(r.everyday) == 0 {
		return 0
	}
	slices.SortFunc(r.emergency, func(a, b float64) int { return cmp.Compare(b, a) })
	threshold := r.emergency[max(int(recall*float64(len(r.emergency))+0.999999)-1, 0)]
	wrong := 0
	for _, share := range r.everyday {
		if share >= threshold {
			wrong++
		}
	}
	return 100 * float64(wrong) / float64(len(r.everyday))
}

func (r *ranked) print(out io.Writer, title string) {
	r.tally.print(out, title)
	for _, recall := range []float64{0.95, 0.97, 0.98} {
		fmt.Fprintf(out, "  alarms per 100 at recall %.2f: %.1f\n", recall, r.alarmsAt(recall))
	}
}
