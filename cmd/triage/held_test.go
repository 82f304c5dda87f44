package main

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"

	"portal/api/sampled"
)

const root = "../../api/triage"

// reached is what the built-in model reaches on messages by other hands, which it never
// learnt from, with a little room. docs/triage.md names what it is to reach in the end.
var reached = map[string]struct {
	category, lenient, near, recall, precision float64
	missed                                     int
	alarms                                     float64
}{
	"training/heldout.csv":        {0.910, 0.955, 0.980, 0.960, 0.930, 3, 2},
	"training/unseen.csv":         {0.960, 0.975, 0.985, 0.980, 0.925, 0, 3},
	"evaluation/development.csv":  {0.935, 0.965, 0.965, 0.980, 0.940, 0, 2},
	"evaluation/development2.csv": {0.955, 0.970, 0.965, 0.980, 0.950, 1, 2},
	"evaluation/test2.csv":        {0.950, 0.980, 0.950, 0.970, 0.950, 0, 2},
	"evaluation/test3.csv":        {0.915, 0.970, 0.980, 0.980, 0.930, 0, 2},
	"evaluation/test4.csv":        {0.890, 0.970, 0.980, 0.965, 0.950, 0, 2},
	"evaluation/test5.csv":        {0.945, 0.960, 0.970, 0.980, 0.905, 0, 3},
}

// No text is printed here, nor anywhere: what is held out stays unread.
func TestModelMeetsTargetsOnHeldOutSets(t *testing.T) {
	t.Parallel()
	for _, name := range held {
		all, err := judged(root + "/" + name)
		if err != nil {
			t.Fatal(err)
		}
		recall, precision, missed := all.emergencies()
		if got := all.alarms(); got > reached[name].alarms {
			t.Errorf("%s: %.1f alarms per 100 everyday requests, want at most %.1f", name, got, reached[name].alarms)
		}
		for _, c := range []struct {
			what      string
			got, want float64
		}{
			{"category macro-F1", macro(all.category, 11), reached[name].category},
			{"lenient accuracy", all.share(all.lenient), reached[name].lenient},
			{"within one level", all.share(all.near), reached[name].near},
			{"emergency recall", recall, reached[name].recall},
			{"emergency precision", precision, reached[name].precision},
		} {
			if c.got < c.want {
				t.Errorf("%s: %s is %.3f, want %.2f", name, c.what, c.got, c.want)
			}
		}
		if missed > reached[name].missed {
			t.Errorf("%s: %d emergencies are called normal or low, want at most %d", name, missed, reached[name].missed)
		}
	}
}

// What the service promises of all messages by other hands together.
func TestEmergencyDetectionHasFewFalseAlarms(t *testing.T) {
	t.Parallel()
	var all ranked
	for _, name := range held {
		some, err := judged(root + "/" + name)
		if err != nil {
			t.Fatal(err)
		}
		all.add(&ranked{tally: some})
	}
	recall, precision, _ := all.emergencies()
	if recall < 0.97 || all.alarms() > 2 || precision < 0.80 || all.share(all.lenient) < 0.93 {
		t.Errorf(
			"recall %.3f, %.1f alarms per 100 everyday requests, precision %.3f, lenient accuracy %.3f; want 0.97, "+
				"2, 0.80, 0.93",
			recall,
			all.alarms(),
			precision,
			all.share(all.lenient),
		)
	}
}

// besideTrifles is what is reached where held messages stand beside trifles, with a little room: recall, and alarms in
// 100 everyday requests. docs/triage.md has the figures of all of them.
var besideTrifles = map[string][2]float64{
	"small thing before":  {0.95, 2.8},
	"three small things":  {0.95, 2.8},
	"two small sentences": {0.95, 2.3},
	"friendly letter":     {0.95, 2.8},
	"Spanish list":        {0.95, 2.8},
	"numbered list":       {0.95, 2.8},
}

// What stands beside a danger does not hide it, and what stands beside a trifle makes no danger of it. One of eight
// messages is judged in each frame.
func TestDangerIsFoundBesideTrifles(t *testing.T) {
	t.Parallel()
	for _, f := range framesOf("measured") {
		all, err := framed(root, f, 8)
		if err != nil {
			t.Fatal(err)
		}
		want, known := besideTrifles[f.name]
		if recall, _, _ := all.emergencies(); !known || recall < want[0] || all.alarms() > want[1] {
			t.Errorf(
				"%s: recall %.3f, %.1f alarms per 100 everyday requests; want %v",
				f.name,
				recall,
				all.alarms(),
				want,
			)
		}
	}
}

// TestTrainingIsReproducible learns the first round, and all of it with PORTAL_PROVE=1.
func TestTrainingIsReproducible(t *testing.T) {
	t.Parallel()
	all, err := training(root)
	if err != nil {
		t.Fatal(err)
	}
	file := func(path string) string {
		text, err := os.ReadFile("../../" + path)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	const stale = "%s is not what training makes: run go run ./cmd/triage train"
	if firstRound(all) != file(roundFile) {
		t.Fatalf(stale, roundFile)
	}
	if sampled.Whole && string(train(all)) != file(folder+"/model.bin") {
		t.Errorf(stale, folder+"/model.bin")
	}
}

func TestHeldOutTextsAreNotInTrainingSet(t *testing.T) {
	t.Parallel()
	all, err := training(root)
	if err != nil {
		t.Fatal(err)
	}
	learnt := map[string]bool{}
	for _, s := range all {
		learnt[strings.ToLower(s.text)] = true
	}
	for _, name := range slices.Concat(held, sounding, []string{"evaluation/test6.csv"}) {
		some, err := read(root + "/" + name)
		if err != nil {
			t.Fatal(err)
		}
		both := 0
		for _, s := range some {
			if learnt[strings.ToLower(s.text)] && len(s.text) > 30 {
				both++
			}
		}
		if both > 0 {
			t.Errorf("%d messages of %s are learnt, too", both, name)
		}
	}
}

func TestUnknownCommandIsRefused(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{nil, {"dance"}, {"train", "twice"}} {
		if err := run(args, new(bytes.Buffer)); err == nil {
			t.Errorf("%v was taken", args)
		}
	}
}
