package triage

import "strconv"

// What a number means to the rules is a word of the lexicon. Temperatures are in degrees
// Fahrenheit unless Celsius is written; some can only be told by what is broken.
const (
	coldF, coolF, hotF = 45, 62, 95
	coldC, hotC        = 8, 35
	alarmingPPM        = 30  // parts of carbon monoxide from which a number is one of danger
	hotAnywhere        = 130 // more is no temperature of a room
	leastRoom          = 30
	leastHot           = 88
	ambiguous          = 36 // from here to coldF: cold in Fahrenheit and hot in Celsius
)

var (
	degreeAfter = toSet(
		"degrees degree grados grado deg f c fahrenheit celsius outside inside out afuera adentro dentro indoors " +
			"outdoors below",
	)
	degreeThen = toSet(
		"its is temp temperature temperatura hit hits reads reading says was under below around thermostat at estamos",
	)
	shows     = toSet("showing shows show reads reading read says said marca marcando dice displays at")
	ofRoom    = toSet("my the here our there living bedroom mi la")
	numbering = toSet(
		"unit apt apartment number no room floor building bldg suite depto departamento piso at since all the " +
			"these those of about",
	)
	beforeFlat = toSet(
		"unit apt apartment flat no room bldg suite depto departamento in from of en del de by neighbor lady guy man woman " +
			"people tenant tenants folks",
	)
	yearWords  = toSet("year years yr yrs yo anos ano y")
	monthWords = toSet("month months mo mos week weeks wk wks meses mes semanas semana")
)

func (p *page) number() {
	for i := range p.tokens {
		t := &p.tokens[i]
		if !digit(t.word[0]) {
			continue
		}
		v, err := strconv.Atoi(t.word)
		if err != nil {
			continue
		}
		if name := p.meaning(i, v); name != "" {
			if id, known := p.x.lemma(name); known {
				t.lemma = id
			}
		}
	}
}

// flats takes the meaning of a temperature from a number that is a flat's, as "4C" is, and reports whether there was
// one. The network has learnt to read some of them as temperatures.
func (p *page) flats() (found bool) {
	for i := 1; i+1 < len(p.tokens); i++ {
		t, next := &p.tokens[i], p.word(i+1)
		if t.lemma >= 0 && digit(t.word[0]) && (next == "c" || next == "f") && beforeFlat[p.word(i-1)] {
			t.lemma, found = -1, true
		}
	}
	return found
}

func (p *page) meaning(i, v int) string {
	next, then, before := p.word(i+1), p.word(i+2), p.word(i-1)
	switch {
	case yearWords[next] && v >= 65 && v < 120, then == "old" && v >= 65 && v < 120:
		return "numold"
	case yearWords[next] && v <= 6 && (then == "old" || next == "yo"), monthWords[next] && then == "old":
		return "numyoung"
	case yearWords[next] || monthWords[next]:
		return ""
	case comparing[then] || comparing[next]:
		return ""
	case next == "ppm" &&
		v >= alarmingPPM, shows[before] && v > hotAnywhere &&
		!timeWords[next], shows[before] &&
		v >= alarmingPPM && p.monoxide():
		return "numppm"
	case degreeAfter[next]:
		return temperature(v, next == "c" || next == "celsius" || then == "celsius" || then == "c")
	case (next == "in" || next == "inside") && ofRoom[then] && !numbering[before] &&
		(v >= leastRoom && v <= coolF || v >= leastHot && v < hotAnywhere):
		return temperature(v, false)
	case degreeThen[before] && v < 130 && v > -60 && !timeWords[next]:
		return temperature(v, false)
	}
	return ""
}

// comparing words tell a difference, and no temperature.
var comparing = toSet("colder warmer hotter cooler off higher lower less more different mas menos difference apart")

var timeWords = toSet(
	"am pm oclock minutes minute mins min hours hour hrs hr days day weeks week times percent people of th st nd " +
		"rd horas dias minutos dollars",
)

func temperature(v int, celsius bool) string {
	switch {
	case celsius && v <= coldC:
		return "numcold"
	case celsius && v >= hotC:
		return "numhot"
	case celsius:
		return "nummild"
	case v >= ambiguous && v <= coldF:
		return "numeither"
	case v <= coldF:
		return "numcold"
	case v >= hotF:
		return "numhot"
	case v <= coolF:
		return "numcool"
	}
	return "nummild"
}

func (p *page) word(i int) string {
	if i < 0 || i >= len(p.tokens) {
		return ""
	}
	return p.tokens[i].word
}

// monoxide reports whether the text speaks of it.
func (p *page) monoxide() bool {
	for i := range p.tokens {
		switch p.tokens[i].word {
		case "co", "monoxide", "monoxido":
			return true
		}
	}
	return false
}
