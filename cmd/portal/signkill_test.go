package main

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"testing"
)

// signKill is one kind of step of the ceremony in which a lease is signed, at which processes are killed.
type signKill struct {
	name   string
	step   ceremonyStep // of which the process dies
	signer int          // who takes it: the tenants in their order, and then the landlord
	try    bool         // the kills are counted from the first statement about the signer on
	within int          // kills in a sample, beside those at the edges
}

// signKills are all kinds of steps. A try of a code is counted in a transaction before that of the signature.
var signKills = []signKill{
	{name: "review", step: reviews, within: 0},
	{name: "code", step: asksForCode, within: 1},
	{name: "try", step: signs, try: true, within: 1},
	{name: "signature", step: signs, within: 1},
	{name: "last signature", step: signs, signer: 2, within: 3},
}

// TestKillLeavesNoSignatureWithoutEvidence kills the process at the steps (crash.At) of each transaction
// of the ceremony: those at its edges and some between, or all of them for `make prove`. What is left is
// either as before or as after the step, and whoever is killed in the middle repeats the step and finishes.
func TestKillLeavesNoSignatureWithoutEvidence(t *testing.T) {
	onOneDemo(t, func(t *testing.T, o *preparedDemo) {
		for _, k := range signKills {
			t.Run(k.name, func(t *testing.T) {
				t.Parallel()
				c := &signChain{signKill: k, home: o.copy(t)}
				c.product = c.home.product(t)
				c.run(t)
			})
		}
	})
}

// signChain are kills over the same data. Each process finds what the last kill has left.
type signChain struct {
	signKill
	home
	product *product
	steps   int    // of the transaction
	unit    string // that is rented
	before  string // state of a lease before the step
	after   string // and after it
	signed  string // state at the end, but for the log
	leases  int    // that were made, each for other dates
	done    int    // kills that came after the effect
	killed  int
}

// everyStep is more than any transaction has.
const everyStep = 1 << 20

func (c *signChain) run(t *testing.T) {
	c.undisturbed(t)
	var due *ceremonyOfLease // the last process died of it
	chosen := c.chosen()
	t.Logf("%d steps, killed at %v", c.steps, chosen)
	for _, n := range chosen {
		due = c.kill(t, n, due)
		if t.Failed() {
			return
		}
	}
	if due != nil {
		c.recover(t, c.serve(t), due)
	}
	t.Logf("%d kills, %d of them after the effect", c.killed, c.done)
	if !c.try && (c.done == 0 || c.done == c.killed) {
		t.Error("not both sides of the COMMIT were met")
	}
}

// chosen are the steps at which processes are killed.
func (c *signChain) chosen() (all []int) {
	for n := 1; n <= c.steps; n++ {
		all = append(all, n)
	}
	ends := commitSteps(c.home)
	if proving {
		return append(all, ends...)
	}
	some := []int{1}
	if c.try {
		some = nil
	}
	for range c.within {
		some = append(some, all[rand.IntN(len(all))])
	}
	slices.Sort(some)
	return append(slices.Compact(some), ends...)
}

// commitSteps are the steps of the COMMIT as they count from the end (crash.At). How many statements come before it
// differs from one process to the next by one or two.
func commitSteps(h home) []int {
	if h.last("DATABASE_URL") == "" {
		return []int{-2, -1}
	}
	return []int{-3, -2, -1}
}

// mark is the browser that the step comes from, which is in no statement but those of its transaction.
func (c *signChain) mark(n int) string { return fmt.Sprintf("Killed at step %d of a %s", n, c.name) }

// armed is a process that dies at a step, with a lease of which the step comes next.
func (c *signChain) armed(t *testing.T, n int, due *ceremonyOfLease) (*service, *ceremonyOfLease) {
	t.Helper()
	at := func(mark string) home { return c.with("PORTAL_CRASH_KEY="+mark, "PORTAL_CRASH_STEP="+strconv.Itoa(n)) }
	h := at(c.mark(n))
	if c.try {
		h = c.home
	}
	s := h.serve(t)
	if due != nil {
		c.recover(t, s, due)
	}
	l := c.generates(t, s)
	l.until(t, c.step, c.signer)
	if c.try {
		s.kill()
		s = at(l.signers[c.signer].id).serve(t)
		l.service = s
	}
	return s, l
}

var counts = regexp.MustCompile(`crash: (\d+) steps`)

// undisturbed learns what the step does, and how many steps its transaction has.
func (c *signChain) undisturbed(t *testing.T) {
	if c.name == "last signature" {
		c.whole(t) // makes the links of the tenants' pages, which later leases find
	}
	c.whole(t)
}

// whole is the step where nobody is killed, with the rest of the signatures.
func (c *signChain) whole(t *testing.T) {
	s, l := c.armed(t, everyStep, nil)
	c.before = l.state(t)
	l.must(t, c.step, c.signer, c.mark(everyStep))
	c.after = l.state(t)
	eventually(t, "it says how many steps there were", func() bool {
		said := counts.FindStringSubmatch(s.err.String())
		if said != nil {
			c.steps, _ = strconv.Atoi(said[1])
		}
		return said != nil
	})
	if c.steps < 3 || c.before == c.after {
		t.Fatalf("%d steps, from %s to %s: %s", c.steps, c.before, c.after, &s.err)
	}
	l.finish(t, c.step, c.signer)
	c.signed = l.end(t)
	l.consistent(t)
	s.kill()
}

// kill has a process die at a step, after it has recovered what the last one died of.
func (c *signChain) kill(t *testing.T, n int, due *ceremonyOfLease) *ceremonyOfLease {
	t.Helper()
	s, l := c.armed(t, n, due)
	if state := l.state(t); state != c.before {
		t.Errorf("before step %d the lease is %s, want %s", n, state, c.before)
	}
	if status, err := l.take(t, c.step, c.signer, c.mark(n)); err == nil {
		if n < 0 {
			t.Errorf("it has outlived step %d: %d", n, status)
		}
		t.Logf("it has less than %d steps: %d", n, status)
		s.kill()
		return nil
	}
	s.killedItself(t)
	c.killed++
	return l
}

// recover looks at what a kill has left, repeats the step, and has the lease signed by all.
func (c *signChain) recover(t *testing.T, s *service, l *ceremonyOfLease) {
	t.Helper()
	l.service = s
	switch state := l.state(t); state {
	case c.before:
	case c.after:
		c.done++
	default:
		t.Errorf("the kill left %s\nwant %s\nor %s", state, c.before, c.after)
	}
	l.consistent(t)
	l.must(t, c.step, c.signer, "Again")
	l.consistent(t)
	l.finish(t, c.step, c.signer)
	if end := l.end(t); end != c.signed {
		t.Errorf("in the end it is %s, want %s", end, c.signed)
	}
	l.consistent(t)
}
