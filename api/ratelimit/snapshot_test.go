package ratelimit

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"
)

func TestStateSurvivesRestart(t *testing.T) {
	t.Parallel()
	c := newClock()
	before := fixture{NewMemory(c.now), c}
	r := rand.New(rand.NewPCG(3, 4))
	for i := range 3000 {
		before.take(fmt.Sprint(i%40), []Limit{starter, pro, prime}[i%3], 1+r.IntN(9))
		c.add(time.Duration(r.IntN(20)) * time.Millisecond)
	}
	after := NewMemory(c.now)
	for subject, snapshot := range before.Limiter.(*Memory).Changed() {
		if err := after.Restore(subject, snapshot); err != nil {
			t.Fatal(err)
		}
	}
	c.add(5 * time.Second)
	for i := range 3000 {
		subject, l, cost := fmt.Sprint(i%40), []Limit{starter, pro, prime}[i%3], 1+r.IntN(9)
		want := before.take(subject, l, cost)
		if got := after.Take(context.Background(), subject, l, cost); got != want {
			t.Fatalf("%s: %+v, without the restart %+v", subject, got, want)
		}
		c.add(time.Duration(r.IntN(20)) * time.Millisecond)
	}
}

func TestRestoringIdleSubjectReportsItAsDropped(t *testing.T) {
	t.Parallel()
	c := newClock()
	m := NewMemory(c.now)
	fixture{m, c}.take("key", starter, 1)
	snapshot := m.Changed()["key"]
	c.add(time.Hour)
	again := NewMemory(c.now)
	if err := again.Restore("key", snapshot); err != nil || held(again) != 0 {
		t.Fatal(err, held(again))
	}
	if got, reported := again.Changed()["key"]; !reported || got != nil {
		t.Errorf("%v, %v", got, reported)
	}
}

func TestSnapshotFromFutureLocksNobodyOut(t *testing.T) {
	t.Parallel()
	c := newClock()
	r := fixture{NewMemory(c.now), c}
	for r.take("key", starter, 1).Admitted {
	}
	snapshot := r.Limiter.(*Memory).Changed()["key"]
	c.add(-time.Hour)
	again := fixture{NewMemory(c.now), c}
	if err := again.Limiter.(*Memory).Restore("key", snapshot); err != nil {
		t.Fatal(err)
	}
	if d := again.take("key", starter, 1); d.Admitted || d.RetryAfter != 60 {
		t.Errorf("%+v", d)
	}
}

func TestSnapshotIsSmall(t *testing.T) {
	t.Parallel()
	c := newClock()
	r := fixture{NewMemory(c.now), c}
	for range 6000 {
		r.take("key", prime, 1)
		c.add(5 * time.Millisecond)
	}
	if n := len(r.Limiter.(*Memory).Changed()["key"]); n > 6000*2+32 {
		t.Errorf("%d bytes for 6000 admissions", n)
	}
}

func TestMalformedSnapshotFailsAndChangesNothing(t *testing.T) {
	t.Parallel()
	c := newClock()
	m := NewMemory(c.now)
	fixture{m, c}.take("key", starter, 3)
	good := m.Changed()["key"]
	bad := [][]byte{nil, {}, {0}, {1}, {2}, append(slices.Clip(good), 0)}
	for i := range good {
		bad = append(bad, good[:i])
	}
	for _, b := range bad {
		if m.Restore("key", b) == nil {
			t.Errorf("%x was taken", b)
		}
	}
	if d := m.Peek(context.Background(), "key", starter); d.Remaining != 57 {
		t.Errorf("%+v", d)
	}
}

func FuzzRestore(f *testing.F) {
	c := newClock()
	seed := NewMemory(c.now)
	fixture{seed, c}.take("key", starter, 3)
	f.Add(seed.Changed()["key"])
	f.Add([]byte{1, 60, 120, 0, 0, 0})
	f.Fuzz(func(t *testing.T, b []byte) {
		s, err := parseSnapshot(b)
		if err != nil {
			return
		}
		if again, err := parseSnapshot(s.snapshot()); err != nil || !reflect.DeepEqual(s, again) {
			t.Fatalf("%+v became %+v, %v", s, again, err)
		}
		r := fixture{NewMemory(c.now), c}
		if err := r.Limiter.(*Memory).Restore("key", b); err != nil {
			t.Fatal(err)
		}
		d := r.take("key", starter, 1)
		if d.Admitted == (d.RetryAfter > 0) || d.Remaining < 0 || d.RetryAfter < 0 {
			t.Fatalf("%+v", d)
		}
		r.Limiter.(*Memory).Changed()
	})
}
