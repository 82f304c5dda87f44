package triage

import (
	"slices"
	"testing"
)

// A sign of danger alone is none: each of these was called an emergency, or was given a danger
// that is not there, by a phrase without its context.
func TestPhraseOutOfContextIsNotDanger(t *testing.T) {
	t.Parallel()
	for text, flag := range map[string]string{
		"There's a chip in the bedroom wall, a big chunk of paint came off":                           "structural_collapse",
		"A large piece of the baseboard by the wall is not attached anymore":                          "structural_collapse",
		"the closet door is leaning against the wall, its top hinge broke":                            "structural_collapse",
		"The sofa has an old burn mark on the arm, singed by the stove of the last tenant":            "fire",
		"There is a burn mark on the glass cooktop from before we moved in":                           "fire",
		"The curtain in the kitchen is charred at the hem from years ago":                             "fire",
		"There is dust on the window ledge":                                                           "injury",
		"There's construction dust on the ledge outside my bedroom window":                            "injury",
		"My electric bill jumped by forty dollars":                                                    "injury",
		"My guest got stitches last year, can you sand the table edge?":                               "injury",
		"The toilet keeps refilling, it keeps coming on every ten minutes":                            "flooding",
		"toilet tank keeps filling with water all night and wont quit":                                "flooding",
		"water hammer bangs in the wall every time we shut the tap off":                               "flooding",
		"pool water is green and the jets are off":                                                    "flooding",
		"No air comes out of the floor register":                                                      "no_water",
		"Just air comes from the faucet for a second in the morning, then water":                      "no_water",
		"Vimos dos ratas en la cocina y hay excremento detrás de la estufa":                           "sewage",
		"The wifi modem has a blinking blue light by the outlet":                                      "electrical_hazard",
		"We use candles at dinner, the dining light is too bright":                                    "no_power",
		"only my unit has this old light switch, can it be replaced":                                  "no_power",
		"Se me quedaron las llaves adentro y no puedo entrar a mi apartamento. No dejé nada prendido": "break_in",

		"No tenemos detector de monóxido de carbono y la casa tiene calentador de gas": "carbon_monoxide",
		"there is a chair under the desk by the balcony door, is that for sale":        "cannot_secure",

		"The haze on the kitchen ceiling light won't wipe off": "smoke",
	} {
		if v := BuiltIn().Triage(text); v.Priority == Emergency || slices.Contains(v.SafetyFlags, flag) {
			t.Errorf("%q is %s with %v by %v", text, v.Priority, v.SafetyFlags, v.Reasons)
		}
	}
}

// What is said in another sense is no danger: what "on fire" is said of, and a register that is a vent.
func TestFigureOfSpeechIsNoDanger(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"my heat is on fire",
		"My heat is on fire, it won't turn off",
		"our heating is on fire and it never shuts off",
		"heat won't turn off, my heat is on fire lol",
		"my inbox is on fire, sorry for the late answer",
		"this deal is on fire, is it still on?",
		"nothing comes out of the register in the nursery",
		"No air comes out of the register in the den",
		"no sale nada de la rejilla del cuarto del bebé",
	} {
		v := BuiltIn().Triage(text)
		for _, flag := range []string{"fire", "smoke", "no_water", "flooding", "no_heat_danger"} {
			if v.Priority == Emergency || slices.Contains(v.SafetyFlags, flag) {
				t.Errorf("%q is %s with %v by %v", text, v.Priority, v.SafetyFlags, v.Reasons)
				break
			}
		}
	}
	for _, text := range []string{
		"The heater is on fire", "the furnace is on fire and we can't turn it off", "my phone is on fire on the couch",
		"the kitchen is on fire", "there is a fire in the hall",
		"flames come out of the register in the nursery", "hay fuego en la cocina",
	} {
		if v := BuiltIn().Triage(text); v.Priority != Emergency {
			t.Errorf("%q is %s by %v", text, v.Priority, v.Reasons)
		}
	}
}

// Two typos at once do not hide what a message is about.
func TestMisspelledPropaneReportsAreGasEmergencies(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"smell of propane in the crawl space",
		"smell of propnae in the crwal space",
		"strong proapne smell coming from the carwl spcae",
		"propan leak in the crawlspce, i can hear it",
		"prpoane oder under the house in the crawlsapce",
		"we smell porpane by the crawl sapce vent",
		"there is a smel of proane from the crawel space",
	} {
		if v := BuiltIn().Triage(text); v.Priority != Emergency || !slices.Contains(v.SafetyFlags, "gas") {
			t.Errorf("%q is %s with %v by %v", text, v.Priority, v.SafetyFlags, v.Reasons)
		}
	}
}

// Each letter of one word and each of the other is left out, doubled or swapped.
func TestTyposInBothWordsDoNotHideGasLeak(t *testing.T) {
	t.Parallel()
	missed, all := 0, 0
	for _, gas := range oneSlip("propane") {
		for _, place := range oneSlip("crawl space") {
			all++
			v := BuiltIn().Triage("smell of " + gas + " in the " + place)
			if v.Priority != Emergency {
				missed++
				t.Logf("%s in the %s is %s", gas, place, v.Priority)
			}
		}
	}
	if missed > 0 {
		t.Errorf("%d of %d are no emergency", missed, all)
	}
}

// oneSlip gives the words with one letter after the first left out, doubled, or swapped with the
// next one. Spaces stay.
func oneSlip(words string) (out []string) {
	for i := 1; i+1 < len(words); i++ {
		if words[i] == ' ' || words[i-1] == ' ' {
			continue
		}
		out = append(out, words[:i]+words[i+1:], words[:i]+words[i:i+1]+words[i:])
		if words[i+1] != ' ' {
			out = append(out, words[:i]+words[i+1:i+2]+words[i:i+1]+words[i+2:])
		}
	}
	return out
}
