package triage

import (
	"encoding/csv"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// dangerLevels are the priorities that the rubric gives to each safety flag.
func dangerLevels() map[string][]int {
	levels := map[string][]int{}
	for _, r := range reading().rules.rules {
		if r.danger && !slices.Contains(levels[r.name], r.level) {
			levels[r.name] = append(levels[r.name], r.level)
		}
	}
	return levels
}

// everyText is every message that the model learns and every line of the tests' lists.
func everyText(t *testing.T) (all []string) {
	t.Helper()
	files, err := filepath.Glob("training/*.csv")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d tables of messages: %v", len(files), err)
	}
	for _, name := range files {
		if held := filepath.Base(name); held == "heldout.csv" || held == "unseen.csv" {
			continue
		}
		file, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		table := csv.NewReader(file)
		table.FieldsPerRecord = -1
		rows, err := table.ReadAll()
		if err := file.Close(); err != nil {
			t.Fatal(err)
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range rows[1:] {
			all = append(all, row[0])
		}
	}
	for _, name := range []string{"emergencies.txt", "others.txt"} {
		for _, c := range challenge(t, name) {
			all = append(all, c.text)
		}
	}
	return append(all, rubricTexts(t)...)
}

// rubricTexts are the conditions that the rubric names, one a text.
func rubricTexts(t *testing.T) (all []string) {
	t.Helper()
	rubric, err := os.ReadFile("../../../shared/data/triage/RUBRIC.md")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(rubric)) {
		for text := range strings.FieldsFuncSeq(line, func(r rune) bool { return strings.ContainsRune("|;,.:()", r) }) {
			all = append(all, strings.TrimSpace(text))
		}
	}
	return all
}

func TestFlagsReasonsAndPriorityAreConsistent(t *testing.T) {
	t.Parallel()
	levels, flagged, wrong := dangerLevels(), 0, 0
	for _, text := range everyText(t) {
		v := BuiltIn().Triage(text)
		flagged += len(v.SafetyFlags)
		if said := contradiction(v, levels); said != "" {
			if wrong++; wrong <= 10 {
				t.Errorf("%q is %s with %v by %v: %s", text, v.Priority, v.SafetyFlags, v.Reasons, said)
			}
		}
	}
	if wrong > 0 || flagged < 5000 {
		t.Errorf("%d texts contradict themselves, %d flags were raised", wrong, flagged)
	}
}

// contradiction says where the parts of a verdict do not agree, "" where they do.
func contradiction(v Verdict, levels map[string][]int) string {
	for _, flag := range v.SafetyFlags {
		if len(levels[flag]) == 0 || level(v.Priority) < slices.Min(levels[flag]) {
			return flag + " is more urgent than that"
		}
		named := slices.ContainsFunc(v.Reasons, func(r Reason) bool {
			kind, name, _ := strings.Cut(r.Rule, ".")
			return name == flag && (kind == v.Priority || kind == besides)
		})
		if !named && len(v.Reasons) < mostReasons {
			return flag + " has no reason"
		}
	}
	for _, r := range v.Reasons {
		if kind, _, _ := strings.Cut(r.Rule, "."); slices.Contains(Priorities, kind) && kind != v.Priority {
			return r.Rule + " is no reason for it"
		}
	}
	if v.Confidence > mostSure {
		return "nothing is certain"
	}
	return ""
}

func TestJiggledHandleIsNotBurglary(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"The toilet keeps running after every flush unless I jiggle the handle.",
		"You have to jiggle the handle of the toilet or it runs all night.",
		"If I jiggle the handle the tank stops filling.",
		"We jiggle the doorknob and then it opens.",
	} {
		v := BuiltIn().Triage(text)
		if v.Priority == Emergency || len(v.SafetyFlags) > 0 ||
			slices.ContainsFunc(v.Reasons, func(r Reason) bool { return strings.HasSuffix(r.Rule, ".break_in") }) {
			t.Errorf("%q is %s with %v by %v", text, v.Priority, v.SafetyFlags, v.Reasons)
		}
	}
	if v := BuiltIn().Triage(
		"Somebody is outside jiggling the handle of my front door right now",
	); v.Priority != Emergency ||
		!slices.Contains(v.SafetyFlags, "break_in") {
		t.Errorf("a burglar is %s with %v by %v", v.Priority, v.SafetyFlags, v.Reasons)
	}
}

func TestNetworkAloneMustBeSureOfAnEmergency(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"I'm 81 and can't reach the bulbs that went out in the dining room",
		"Roof hatch blew open and rattles over our heads",
	} {
		// A share of 0.34 beside high would be enough if a rule had found it.
		if share := BuiltIn().EmergencyShare(text); share < 0.4 {
			t.Errorf("%q has a share of %.2f: choose another text", text, share)
		}
		if v := BuiltIn().Triage(text); v.Priority == Emergency {
			t.Errorf("%q is an emergency by %v", text, v.Reasons)
		}
	}
	for share, want := range map[float64]float64{0: 0, 0.5: 2 / 7.0, 1: 1} {
		s := shares{priority: [4]float64{(1 - share) / 2, 0, (1 - share) / 2, share}}
		got := s.doubted().priority
		if math.Abs(got[3]-want) > 1e-9 || math.Abs(got[0]-(1-want)/2) > 1e-9 || got[0] != got[2] {
			t.Errorf("an emergency with a share of %.1f leaves %v where no rule finds it", share, got)
		}
	}
}
