package change_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"portal/api/change"
	"portal/api/fault"
)

func TestAbsentFieldLeavesValueUnchanged(t *testing.T) {
	t.Parallel()
	name := new("old")
	change.Field[*string]{}.Into(&name)
	if name == nil || *name != "old" {
		t.Errorf("absent: %v", name)
	}
	change.To[*string](nil).Into(&name)
	if name != nil {
		t.Errorf("null: %v", *name)
	}
	change.To(new("new")).Into(&name)
	if name == nil || *name != "new" {
		t.Errorf("given: %v", name)
	}
	if !(change.Field[int]{}).Absent() || change.To(0).Absent() {
		t.Error("absent is told wrong")
	}
}

func TestOutcomeOfNewRecordHasNoEarlierState(t *testing.T) {
	t.Parallel()
	var o change.Outcome = &change.Result[int]{After: new(1)}
	if o.Earlier() != nil || *o.Shown().(*int) != 1 || o.Notes() != nil {
		t.Errorf("%v", o)
	}
	o = &change.Result[int]{Before: new(1), After: new(2)}
	if *o.Earlier().(*int) != 1 {
		t.Errorf("%v", o)
	}
}

func TestTargetVersionIsCheckedOnlyWhenGiven(t *testing.T) {
	t.Parallel()
	for _, present := range []int64{1, 3, 99} {
		if err := (change.Target{ID: "x"}).Check("lease", present); err != nil {
			t.Error(err)
		}
		err := (change.Target{ID: "x", Version: new(int64(3))}).Check("lease", present)
		fine := present == 3
		if fine != (err == nil) ||
			!fine && (!fault.Is(err, fault.StaleWrite) || !strings.Contains(err.Error(), "The lease is at version")) {
			t.Errorf("version %d: %v", present, err)
		}
	}
}

// ledger is a store that notes how its transactions end.
type ledger struct{ ended []error }

func (l *ledger) Atomically(ctx context.Context, do func(context.Context) error) error {
	err := do(ctx)
	l.ended = append(l.ended, err)
	return err
}

func TestDryRunRollsBackAndReturnsWriteError(t *testing.T) {
	t.Parallel()
	l := &ledger{}
	if err := change.DryRun(t.Context(), l, func(ctx context.Context) error {
		if !change.IsDryRun(ctx) {
			t.Error("a dry run does not know that it is one")
		}
		return nil
	}); err != nil || len(l.ended) != 1 || l.ended[0] == nil {
		t.Errorf("%v, ended with %v", err, l.ended)
	}
	reason := errors.New("no")
	if err := change.DryRun(t.Context(), l, func(context.Context) error { return reason }); !errors.Is(err, reason) ||
		!errors.Is(l.ended[1], reason) {
		t.Errorf("%v", err)
	}
	if change.IsDryRun(t.Context()) {
		t.Error("a write takes itself for a dry run")
	}
}
