package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// width is how many chains run at the same time.
const width = 3

// trial finds for each mutation all steps at which the process can die.
type trial struct {
	*preparedDemo
	all  []*mutation
	left map[*mutation]tally // by one that was not disturbed

	mu       sync.Mutex
	survived map[*mutation]int // the first step that the transaction does not have
	died     map[*mutation]int
	replayed map[*mutation]int // of those, how often the effect was there
}

// TestKillAtAnyStepThenRetryAppliesOnce kills the process at the n-th step (crash.At)
// of each mutation, for every n until the mutation is answered, and retries it. The
// processes of one n form a chain over the same data: each finds what the kill has left,
// retries what the last one died of, and dies of the next mutation.
// A run takes some of the mutations and those steps by which bisection finds the last,
// `make prove` all of both.
//
// On SQLite a step is a statement or an edge of the COMMIT. What a kill finds between two
// writes to the file is what the kill before the COMMIT leaves, with more of the log
// written: the page cache outlives the process. TestTruncatedWALRecoversToLastCommit cuts there.
func TestKillAtAnyStepThenRetryAppliesOnce(t *testing.T) {
	onEachDemo(t, func(t *testing.T, o *preparedDemo) {
		began := time.Now()
		x := newTrial(o)
		o.misses(t)
		x.undisturbed(t, func(s *service) []*mutation {
			all := mutations(t, s.home)
			s.hasAll(t, append(all, resetting()))
			// A confirmed import goes on by itself as soon as a server runs again, so that a retry may find more than
			// it left; the tests of uploads interrupt it.
			return slices.DeleteFunc(all, func(m *mutation) bool { return m.operation == "confirm_import" })
		})
		if !proving {
			for _, m := range x.all {
				x.bisect(t, m)
			}
		}
		for n := 1; !t.Failed() && len(x.survived) < len(x.all); n += width {
			t.Run(fmt.Sprint("step ", n), func(t *testing.T) {
				for step := n; step < n+width; step++ {
					t.Run(strconv.Itoa(step), func(t *testing.T) {
						t.Parallel()
						x.chain(t, step, x.pending(step)...)
					})
				}
			})
		}
		if !t.Failed() {
			x.report(t, time.Since(began))
		}
	})
}

// A reset would take away what the others are about, so it has copies of its own. It has many steps: those
// that are tried are the ones by which bisection finds the last.
func TestKilledResetThenRetryAppliesOnce(t *testing.T) {
	onOneDemo(t, func(t *testing.T, o *preparedDemo) {
		began := time.Now()
		x, m := newTrial(o), resetting()
		o.misses(t)
		x.undisturbed(t, func(*service) []*mutation { return []*mutation{m} })
		x.bisect(t, m)
		if !t.Failed() {
			x.report(t, time.Since(began))
		}
	})
}

// bisect kills a mutation at the steps by which bisection finds its last.
func (x *trial) bisect(t *testing.T, m *mutation) {
	t.Helper()
	for n := 1; x.survived[m] == 0 && !t.Failed(); n *= 2 {
		x.chain(t, n, m)
	}
	for dies := x.survived[m] / 2; x.survived[m]-dies > 1 && !t.Failed(); {
		n := (dies + x.survived[m]) / 2
		if x.chain(t, n, m); x.survived[m] != n {
			dies = n
		}
	}
}

func newTrial(o *preparedDemo) *trial {
	return &trial{
		preparedDemo: o,
		left:         map[*mutation]tally{},
		survived:     map[*mutation]int{},
		died:         map[*mutation]int{},
		replayed:     map[*mutation]int{},
	}
}

// undisturbed learns what each mutation leaves.
func (x *trial) undisturbed(t *testing.T, those func(*service) []*mutation) {
	h := x.copy(t)
	s := h.serve(t)
	x.all = those(s)
	x.all = sample(t, x.all, x.sampled(len(x.all), 3, 2))
	for _, m := range x.all {
		before := h.census(t)
		s.sent(t, m, m.key())
		x.left[m] = h.census(t).since(before)
		if m.leaves != "" {
			m.check(t, x.left[m])
		}
	}
	s.kill()
}

// report says how many kills there were. Each mutation must have died before and after
// its COMMIT.
func (x *trial) report(t *testing.T, took time.Duration) {
	total := 0
	var each []string
	for _, m := range x.all {
		total += x.died[m]
		each = append(each, fmt.Sprintf("%s %d", m, x.died[m]))
		if x.replayed[m] == 0 || x.replayed[m] == x.died[m] {
			t.Errorf("%s: of %d kills %d came after its effect", m, x.died[m], x.replayed[m])
		}
	}
	t.Logf("%d kills in %s: %s", total, took, strings.Join(each, ", "))
}

// pending are the mutations that may have an n-th step.
func (x *trial) pending(n int) (all []*mutation) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, m := range x.all {
		if s := x.survived[m]; s == 0 || s > n {
			all = append(all, m)
		}
	}
	return all
}

// chain kills one process after another at the n-th step of a mutation.
func (x *trial) chain(t *testing.T, n int, those ...*mutation) {
	h := x.copy(t)
	var due *mutation // the last process died of it
	var before tally
	for _, m := range those {
		s := h.with("PORTAL_CRASH_KEY="+m.key(), "PORTAL_CRASH_STEP="+strconv.Itoa(n)).serve(t)
		if due != nil {
			x.reconcile(t, s, due, before)
		}
		before, due = h.census(t), nil
		if a, err := s.send(t.Context(), m, m.key()); err == nil {
			x.outlived(t, m, n, a, h.census(t).since(before))
			s.kill()
			continue
		}
		s.killedItself(t)
		due = m
	}
	if due != nil {
		x.reconcile(t, h.serve(t), due, before)
	}
}

func (p *process) killedItself(t *testing.T) {
	t.Helper()
	p.end(t)
	if status := p.ProcessState.Sys().(syscall.WaitStatus); !status.Signaled() || status.Signal() != syscall.SIGKILL {
		t.Fatalf("it did not kill itself: %s\n%s", p.ProcessState, &p.err)
	}
}

// outlived notes that a mutation has less than n steps.
func (x *trial) outlived(t *testing.T, m *mutation, n int, a *answer, left tally) {
	t.Helper()
	if a.status != m.status || a.replayed || left.String() != x.left[m].String() {
		t.Errorf("%s undisturbed: %d %s, replayed: %v, leaves %s", m, a.status, a.body, a.replayed, left)
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if s := x.survived[m]; s == 0 || n < s {
		x.survived[m] = n
	}
}

// reconcile retries a mutation that a process has died of, and looks at everything.
func (x *trial) reconcile(t *testing.T, s *service, m *mutation, before tally) {
	t.Helper()
	found := s.census(t).since(before)
	if len(found) > 0 && found.String() != x.left[m].String() {
		t.Errorf("%s: the kill left %s, want all of %s or nothing", m, found, x.left[m])
	}
	second := s.sent(t, m, m.key())
	if second.replayed != (len(found) > 0) {
		t.Errorf("%s: the kill left %q, and the retry is a replay: %v", m, found, second.replayed)
	}
	third := s.sent(t, m, m.key())
	if !third.replayed || third.body != second.body || third.etag != second.etag {
		t.Errorf("%s: answered\n%s, and then, replayed: %v\n%s", m, second.body, third.replayed, third.body)
	}
	if left := s.census(t).since(before); left.String() != x.left[m].String() {
		t.Errorf("%s leaves %s, want %s", m, left, x.left[m])
	}
	id := second.id()
	if second.status != 204 && m.table != "" && m.table != "lease_details" &&
		s.value(t, "SELECT count(*) FROM "+m.table+" WHERE id = $1", id) != "1" {
		t.Errorf("%s: answered with the id %q, which is not there", m, id)
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	x.died[m]++
	if second.replayed {
		x.replayed[m]++
	}
}
