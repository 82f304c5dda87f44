package triage

import (
	"slices"
	"testing"
)

func TestReasonsForOtherPrioritiesAreMarked(t *testing.T) {
	t.Parallel()
	all := []Reason{
		{"emergency.gas", "gas"},
		{"high.leak", "leak"},
		{"normal.drip", "drips"},
		{"denied.fire", "no fire"},
		{"word.tap", "tap"},
	}
	got := Reworded(all, High)
	want := []Reason{
		{"outweighed.gas", "gas"},
		{"high.leak", "leak"},
		{"besides.drip", "drips"},
		{"denied.fire", "no fire"},
		{"word.tap", "tap"},
	}
	if !slices.Equal(got, want) {
		t.Errorf("%v", got)
	}
	if all[0].Rule != "emergency.gas" {
		t.Error("the reasons that were given have changed")
	}
}
