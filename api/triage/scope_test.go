package triage

import (
	"slices"
	"testing"
)

func TestRetractedDangerIsNotAnEmergency(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"There is no gas smell in the kitchen, just letting you know",
		"I don't smell any gas",
		"there isn't any smoke",
		"the pipe is not leaking anymore",
		"No hay olor a gas, solo no prende un quemador",
		"Ya no huele a gas, lo arreglaron ayer",
		"False alarm about the smoke, it was burnt toast",
		"The gas leak was fixed yesterday, thanks",
		"The utility came and cleared it, no gas",
		"Please cancel my request about the flood, it's resolved",
		"What if there is a fire?",
		"What should I do if I smell gas?",
		"¿Qué hago si hay una fuga de gas?",
		"In case of a gas leak, who do I call?",
		"Last year the ceiling collapsed in my old apartment",
		"I saw on the news that a building was on fire",
		"The sale is fire",
		"I was flooded with emails about the rent",
		"Is there a gas station close by?",
		"My gas bill is too high",
		"The gas stove burner clicks but doesn't light, no gas smell",
		"Someone smokes cigarettes on the balcony",
		"Can I store firewood on the patio?",
		"We love the new fire pit",
		"My water bill was wrong",
		"The rent increase shocked me",
	} {
		if v := BuiltIn().Triage(text); v.Priority == Emergency {
			t.Errorf("%q is an emergency by %v", text, v.Reasons)
		}
	}
}

func TestNegationDescribingDangerIsAnEmergency(t *testing.T) {
	t.Parallel()
	for text, flag := range map[string]string{
		"No water in the whole apartment":                                        "no_water",
		"No hay agua en toda la casa":                                            "no_water",
		"No heat and it is freezing outside":                                     "no_heat_danger",
		"Water is spraying and I can't turn it off":                              "flooding",
		"My front door won't lock":                                               "cannot_secure",
		"No power in the whole house":                                            "no_power",
		"The pipe burst and we are not able to stop the water":                   "flooding",
		"The smoke alarm won't stop and I smell burning":                         "smoke",
		"They fixed the pipe yesterday but it's back and water is pouring out":   "flooding",
		"The heater is fixed now but there is a strong gas smell in the kitchen": "gas",
		"I'm not sure what it is but it smells like gas":                         "gas",
		"Not kidding, there are sparks coming from the outlet":                   "electrical_hazard",
	} {
		v := BuiltIn().Triage(text)
		if v.Priority != Emergency || !slices.Contains(v.SafetyFlags, flag) {
			t.Errorf("%q: %s with %v, want an emergency with %s", text, v.Priority, v.SafetyFlags, flag)
		}
		if v.Floor() != Emergency {
			t.Errorf("%q: the floor is %s", text, v.Floor())
		}
	}
}

func TestResolvedProblemIsLowPriority(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"The leak is fixed now, thank you",
		"Never mind, the power came back on",
		"Please cancel my ticket, the toilet works again",
		"Ya lo arreglaron, gracias",
		"False alarm, disregard my last message",
	} {
		if v := BuiltIn().Triage(text); v.Priority != Low {
			t.Errorf("%q: %s by %v", text, v.Priority, v.Reasons)
		}
	}
}
