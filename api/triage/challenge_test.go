package triage

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// challenge reads a table of testdata: labels, a colon, and a message.
func challenge(t *testing.T, name string) (all []labelled) {
	t.Helper()
	text, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		head, message, found := strings.Cut(strings.TrimSpace(line), ": ")
		if !found {
			t.Fatalf("%s: no label: %q", name, line)
		}
		labels := append(strings.Fields(head), Emergency)
		if !slices.Contains(Categories, labels[0]) || !slices.Contains(Priorities, labels[1]) {
			t.Fatalf("%s: a label that is none: %q", name, line)
		}
		all = append(all, labelled{message, labels[0], labels[1]})
	}
	return all
}

type labelled struct{ text, category, priority string }

func TestEmergencyIsNeverClassifiedNormal(t *testing.T) {
	t.Parallel()
	missed := 0
	all := challenge(t, "emergencies.txt")
	for _, c := range all {
		v := BuiltIn().Triage(c.text)
		switch {
		case level(v.Priority) < 2:
			t.Errorf("%s: %s, %v", v.Priority, c.text, v.Reasons)
		case v.Priority != Emergency:
			missed++
			t.Logf("high: %s, %v", c.text, v.Reasons)
		}
	}
	if missed*20 > len(all) {
		t.Errorf("%d of %d emergencies are only high, want at most one of twenty", missed, len(all))
	}
}

func TestDangerousSoundingTextIsNotAnEmergency(t *testing.T) {
	t.Parallel()
	wrong := 0
	all := challenge(t, "others.txt")
	for _, c := range all {
		if v := BuiltIn().Triage(c.text); v.Priority == Emergency {
			wrong++
			t.Logf("an emergency: %s, %v", c.text, v.Reasons)
		}
	}
	if wrong*20 > len(all) {
		t.Errorf("%d of %d are called emergencies, want at most one of twenty", wrong, len(all))
	}
}

func TestCorrectTradeIsChosen(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"emergencies.txt", "others.txt"} {
		wrong, all := 0, challenge(t, name)
		for _, c := range all {
			if v := BuiltIn().Triage(c.text); v.Category != c.category {
				wrong++
				t.Logf("%s: %s, want %s: %s", name, v.Category, c.category, c.text)
			}
		}
		if wrong*7 > len(all) {
			t.Errorf("%s: %d of %d have another trade, want at most one of seven", name, wrong, len(all))
		}
	}
}
