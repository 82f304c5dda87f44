package triage

import (
	"slices"
	"strings"
	"testing"
)

// Each of these was called low, as the trifle beside it was told first or at more length.
func TestDangerBesideTrifleIsAnEmergency(t *testing.T) {
	t.Parallel()
	for text, flag := range map[string]string{
		"towel rod is loose, fire in kitchen":                                                           "fire",
		"I wanted to ask about the paint. There is a fire in the kitchen.":                              "fire",
		"I wanted to ask about the paint. There is a fire in the kitchen. Also there is a gas leak.":    "gas",
		"1. blinds are bent\n2. smell of gas in the kitchen\n3. copy of the lease please":               "gas",
		"- el toallero está flojo\n- sale humo del enchufe\n- falta un foco":                            "smoke",
		"closet door squeaks; one bulb is out; sewage is coming up through the bathtub drain":           "sewage",
		"Thanks for the new mailbox key! The dog park is lovely. Sparks are coming from the outlet.":    "electrical_hazard",
		"quería preguntar por la pintura, y además se metieron a robar a mi casa y la puerta no cierra": "break_in",
	} {
		v := BuiltIn().Triage(text)
		if v.Priority != Emergency || !slices.Contains(v.SafetyFlags, flag) {
			t.Errorf(
				"%q is %s with %v by %v, want an emergency with %s",
				text,
				v.Priority,
				v.SafetyFlags,
				v.Reasons,
				flag,
			)
		}
	}
}

// What makes a text urgent is one thing: what another of its sentences only sounds like is no danger that it names.
func TestFlagsNameOnlyWhatIsTold(t *testing.T) {
	t.Parallel()
	for text, flag := range map[string]string{
		"Strong smell of gas in the kitchen. The elevator makes a grinding groan at floor 5, it runs.": "structural_collapse",
		"Sewage is coming up in the tub. The detector wants a battery, nobody feels dizzy.":            "carbon_monoxide",
	} {
		if v := BuiltIn().Triage(text); v.Priority != Emergency || slices.Contains(v.SafetyFlags, flag) {
			t.Errorf("%q is %s with %v by %v", text, v.Priority, v.SafetyFlags, v.Reasons)
		}
	}
}

// However much is told beside it.
func TestLengthDoesNotHideEmergency(t *testing.T) {
	t.Parallel()
	trifles := strings.Repeat(
		"The towel bar is loose and the water stain by the door needs paint. When is the office open? ", 90)
	for _, text := range plainEmergencies[:3] {
		for _, long := range []string{trifles + text + ".", text + ". " + trifles, trifles + text + ". " + trifles} {
			if v := BuiltIn().Triage(long); v.Priority != Emergency {
				t.Errorf("%q among %d bytes is %s by %v", text, len(long), v.Priority, v.Reasons)
			}
		}
	}
}

// What a sure rule finds, the judgment of the network about all that stands beside it may not lower further.
func TestSureRuleIsAtLeastHighInAnyFrame(t *testing.T) {
	t.Parallel()
	frames := []string{
		"{}",
		"Can I get a cat? {}",
		"The towel bar is loose, the blinds are bent, and a bulb is out. {}",
		"1. towel bar is loose\n2. {}\n3. when is the gym open?",
		"Hola, gracias por la pintura. {} Saludos, Carmen",
	}
	for _, c := range challenge(t, "emergencies.txt") {
		for _, frame := range frames {
			text := strings.ReplaceAll(frame, "{}", c.text)
			p := BuiltIn().words.read(text)
			p.apply(BuiltIn().rules)
			if l, doubt := p.demanded(); l < 3 || doubt {
				continue
			}
			if v := BuiltIn().Triage(text); level(v.Priority) < 2 {
				t.Errorf("%q is %s by %v", text, v.Priority, v.Reasons)
			}
		}
	}
}
