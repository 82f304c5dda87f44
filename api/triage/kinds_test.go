package triage

import (
	"slices"
	"strings"
	"testing"
)

// Each kind says what is no danger in words of one, and beside it stands what is one in the same words.
func TestWordsOfDangerAloneAreNoEmergency(t *testing.T) {
	t.Parallel()
	for _, kind := range []struct{ name, harmless, danger string }{
		{"a knife is a tool", "the drain plug is jammed, I pry it up with a butter knife",
			"a man in the hallway is waving a knife and yelling"},
		{"water stands in a slow drain", "my tub stopper won't lift. there are two inches of soapy water in it since last night",
			"The stopper jammed, the tub ran over, and water is pouring through the ceiling below"},
		{"trash overflows", "The trash bin by the gate has been overflowing since Friday",
			"The toilet is overflowing and it won't stop"},
		{"nobody is in the elevator", "The elevator stopped on 2 with its doors open, nobody is in it",
			"The elevator stopped between floors and my neighbor is in it"},
		{"a blind is stuck", "The blind cord broke and now the shade is stuck halfway in the bedroom",
			"My daughter is stuck in the bathroom and the door won't open"},
		{"a bill shocks", "that letter about the rent shocked me, can we talk",
			"the washer shocked me when I touched it"},
		{"sediment pops", "the water heater pops like popcorn, I read it is sediment, showers are hot",
			"the water heater burst and water is everywhere"},
		{"a swing hangs", "may I hang a porch swing from the beams?", "the porch roof is hanging by one nail"},
		{"a day long past", "Una vez nos quedamos atrapados en el elevador, ¿lo revisan cada año?",
			"Nos quedamos atrapados en el elevador"},
		{"a flat has a number", "no hot water in 4C since Monday, is the boiler down?",
			"no heat since Monday and it is 4C in here"},
		{"a bird makes dirt", "pigeons nest by the AC and there is poop everywhere on the balcony",
			"sewage is coming up in the tub and there is poop everywhere"},
		{"a door fell shut", "A bulb in the hall went out, and I'm locked out of 5C. Left my keys on the counter and " +
			"the door shut behind me. I'm in the lobby with my bags.",
			"I am locked out, the door shut behind me and a pot is on the stove"},
		{"an elevator runs", "Elevator 1 squeals between floors 2 and 3, both up and down. It runs and levels okay.",
			"The elevator is stuck between floors and my aunt is in it"},
	} {
		if v := BuiltIn().Triage(kind.harmless); v.Priority == Emergency {
			t.Errorf("%s: %q is an emergency by %v", kind.name, kind.harmless, v.Reasons)
		}
		if v := BuiltIn().Triage(kind.danger); v.Priority != Emergency {
			t.Errorf("%s: %q is %s by %v", kind.name, kind.danger, v.Priority, v.Reasons)
		}
	}
}

// What can hurt somebody was told by these and found by no rule.
func TestDangerToldByWhatHappenedIsFound(t *testing.T) {
	t.Parallel()
	for text, flag := range map[string]string{
		"the gardener dug into the gas line behind the shed":                   "gas",
		"My stove hisses although it is off and it stinks like eggs":           "gas",
		"A pine came through the roof last night":                              "structural_collapse",
		"closet door squeaks; the plumber hit the gas line; a bulb is out too": "gas",
	} {
		v := BuiltIn().Triage(text)
		if v.Priority != Emergency || !slices.Contains(v.SafetyFlags, flag) {
			t.Errorf("%q is %s with %v by %v", text, v.Priority, v.SafetyFlags, v.Reasons)
		}
	}
}

// A courtesy that runs into a request without a stop made an emergency of it.
func TestCourtesiesMakeNoEmergency(t *testing.T) {
	t.Parallel()
	letters := []string{
		"Estimado señor Lara, espero que se encuentre muy bien y que hayan tenido felices fiestas. {} Le agradezco de " +
			"antemano su ayuda y le mando saludos a su esposa. Atentamente, Irma Solís",
		"Dear Mrs. Lang, I hope you are doing well and that the summer is going great at the lake. {} Thank you so much " +
			"for everything you do and give your dog a hug from the kids. Warm regards, Joan",
		"Muy estimada señora Rivas, antes que nada le deseo un feliz año. Le escribo por lo siguiente. {} Quedo " +
			"pendiente de su respuesta y le mando un cordial saludo. Respetuosamente, Elvira Montes de la Garza",
	}
	for _, letter := range letters {
		for _, text := range []string{
			"can somebody bring two furnace filters when you are around", "the blind in my room is broken",
			"the ice maker crashes like breaking glass at night, it works",
			"necesito un filtro para el aire", "a few spiders in the basement", "when does the exterminator come",
			"the hall bulb on 2 is out",
		} {
			if v := BuiltIn().Triage(strings.ReplaceAll(letter, "{}", text)); v.Priority == Emergency {
				t.Errorf("%q in a letter is an emergency by %v", text, v.Reasons)
			}
		}
		for _, text := range plainEmergencies {
			if v := BuiltIn().Triage(strings.ReplaceAll(letter, "{}", text)); v.Priority != Emergency {
				t.Errorf("%q in a letter is %s by %v", text, v.Priority, v.Reasons)
			}
		}
	}
}

func TestCourtesyIsFoundWhereverItStands(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		"I hope you are well. The tap drips. Have a nice day": 2,
		"gotea la llave le agradezco mucho su atención":       1,
		"The tap drips": 0,
		"we hope the roof holds and the day is dry":                         0,
		"thank you so much for everything you do for us, warm regards, Ann": 2,
	} {
		p := reading().words.read(text)
		if _, n := p.courtesies(); n != want {
			t.Errorf("%q has %d courtesies, want %d", text, n, want)
		}
	}
}

// A danger that a rule finds in a sentence of its own was called low beside two that say nothing is urgent.
func TestDangerOfOneSentenceIsAtLeastHigh(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"The hall mirror is dusty. No rush on that. The bedroom ceiling fell in.",
		"Thanks for the new laundry card. It works fine. Se cayó el techo de la sala.",
		"La ventana está sucia, sin prisa. The dining room ceiling fell in. When is the pool open?",
	} {
		if v := BuiltIn().Triage(text); level(v.Priority) < 2 {
			t.Errorf("%q is %s by %v", text, v.Priority, v.Reasons)
		}
	}
}

// One trifle about the same thing hid what a rule finds beside it.
func TestDangerBesideOneTrifleOfItsTradeIsFound(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"The mini blinds are dusty. No rush on that. The living room ceiling fell in.",
		"The closet door squeaks. No hurry. The back stairs collapsed when my uncle stepped on them",
		"The blinds in the den are faded. No rush on that. Se cayó el techo de la sala.",
	} {
		if v := BuiltIn().Triage(text); v.Priority != Emergency {
			t.Errorf("%q is %s by %v", text, v.Priority, v.Reasons)
		}
	}
}

// "No need to call back" was read as "no need to come", which takes back all that is told before it.
func TestNoNeedToCallBackTakesNothingBack(t *testing.T) {
	t.Parallel()
	for _, text := range plainEmergencies[:6] {
		text += ". No need to call back, an email is fine."
		if v := BuiltIn().Triage(text); v.Priority != Emergency {
			t.Errorf("%q is %s by %v", text, v.Priority, v.Reasons)
		}
	}
	if v := BuiltIn().Triage("Smell of gas in the kitchen. False alarm, no need to come."); v.Priority == Emergency {
		t.Errorf("what is over is an emergency by %v", v.Reasons)
	}
}
