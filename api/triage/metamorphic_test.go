package triage

import (
	"strings"
	"testing"
)

// plainEmergencies are told so clearly that no change of form may hide them.
var plainEmergencies = []string{
	"There is a strong smell of gas in the kitchen",
	"Water is pouring through the ceiling in the bedroom",
	"Sparks are coming from the outlet in the living room",
	"There is smoke coming out of the dryer",
	"Someone is stuck in the elevator",
	"Sewage is coming up through the bathtub drain",
	"My carbon monoxide detector is going off",
	"Someone broke into my apartment last night",
	"Huele mucho a gas en la cocina",
	"Se cayó el techo de la recámara",
}

func TestFormattingDoesNotLowerPriority(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(string) string{
		"capitals":        strings.ToUpper,
		"small letters":   strings.ToLower,
		"doubled spaces":  func(s string) string { return strings.ReplaceAll(s, " ", "  ") },
		"exclamations":    func(s string) string { return s + "!!!" },
		"no stop":         func(s string) string { return strings.TrimRight(s, ".") },
		"a line each way": func(s string) string { return "\n" + s + "\n" },
		"a greeting":      func(s string) string { return "Hi, this is X from unit 4B. " + s },
		"a goodbye":       func(s string) string { return s + ". Thank you very much, Maria" },
		"a typo a word":   func(s string) string { return perWord(s, swapInside) },
		"a letter less":   func(s string) string { return perWord(s, dropInside) },
		"a letter twice":  func(s string) string { return perWord(s, doubleInside) },
	} {
		for _, text := range plainEmergencies {
			if v := BuiltIn().Triage(change(text)); level(v.Priority) < level(BuiltIn().Triage(text).Priority) {
				t.Errorf("%s: %q is %s by %v", name, change(text), v.Priority, v.Reasons)
			}
		}
	}
}

// perWord changes words long enough that a person still reads them.
func perWord(s string, change func(string) string) string {
	words := strings.Fields(s)
	for i, w := range words {
		if len(w) >= 7 && len(w) == len([]rune(w)) {
			words[i] = change(w)
		}
	}
	return strings.Join(words, " ")
}

func swapInside(w string) string   { return w[:3] + w[4:5] + w[3:4] + w[5:] }
func dropInside(w string) string   { return w[:4] + w[5:] }
func doubleInside(w string) string { return w[:4] + w[3:4] + w[4:] }

func TestLongTextDoesNotHideEmergency(t *testing.T) {
	t.Parallel()
	before := "Good morning. We came back from our trip on Sunday and everything looked fine, the flowers are lovely. "
	after := " Anyway, I also wanted to ask when the rent is due and whether the gym opens on Saturday. Have a " +
		"great week."
	for _, text := range plainEmergencies {
		if v := BuiltIn().Triage(before + text + "." + after); v.Priority != Emergency {
			t.Errorf("%q within a story is %s by %v", text, v.Priority, v.Reasons)
		}
	}
}
