package cell

import "strings"

// CutUnit takes the unit off the end of a street: 9 Juniper Ln Unit B gives 9 Juniper Ln and B, also behind #, Apt,
// Ste, Lot and the other designators of USPS Publication 28. Two of them stay together: Bldg 3 Apt 4. A number without
// a designator stays with the street.
func CutUnit(street string) (rest, unit string, cut bool) {
	whole, ok := clean(street)
	if !ok {
		return street, "", false
	}
	fields := strings.Fields(strings.ReplaceAll(whole, ",", " , "))
	for at := 1; at < len(fields); at++ {
		n := unitWords(fields[at:])
		if n == 0 || at+n != len(fields) {
			continue
		}
		rest = strings.TrimRight(strings.Join(fields[:at], " "), " ,-–—")
		rest = strings.ReplaceAll(rest, " ,", ",")
		if rest == "" {
			break
		}
		return rest, unitName(fields[at:]), true
	}
	if last := len(fields) - 1; last > 1 && aloneDesignators()[fold(fields[last])] &&
		(fields[last-1] == "," || strongSuffixes()[fold(fields[last-1])]) {
		rest = strings.TrimRight(strings.Join(fields[:last], " "), " ,")
		return strings.ReplaceAll(rest, " ,", ","), fields[last], true
	}
	return whole, "", false
}

// unitWords counts the words at the beginning that say a unit: 2 for Unit B, 1 for #4, 4 for Bldg 3 Apt 4, else 0.
func unitWords(fields []string) int {
	n := 0
	for n < len(fields) {
		next := n
		for next < len(fields) && fields[next] == "," {
			next++
		}
		word := ""
		if next < len(fields) {
			word = fields[next]
		}
		switch {
		case len(word) > 1 && word[0] == '#' && unitNumber(word[1:]):
			next++
		case next+1 < len(fields) && (word == "#" || designators()[fold(word)]):
			if fields[next+1] == "#" && next+2 < len(fields) {
				next++
			}
			if !unitNumber(strings.TrimPrefix(fields[next+1], "#")) {
				return n
			}
			next += 2
		default:
			return n
		}
		n = next
	}
	return n
}

// unitNumber tells what can number a unit: something with a digit, a letter or two, or the penthouse.
func unitNumber(s string) bool {
	f := fold(s)
	for _, r := range f {
		if (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '-' && r != '/' {
			return false
		}
	}
	digit := strings.ContainsAny(f, "0123456789")
	return f != "" && f[0] != '-' && f[0] != '/' && len(f) <= 12 &&
		(digit || len(f) <= 2 && !strongSuffixes()[f] && !directions()[f] || len(f) == 1)
}

// unitName is the number alone where one common designator stands before it, else all of it.
func unitName(fields []string) string {
	var kept []string
	for _, word := range fields {
		if word != "," {
			kept = append(kept, word)
		}
	}
	first, last := fold(kept[0]), kept[len(kept)-1]
	switch {
	case len(kept) == 1, first == "#" && len(kept) == 2:
		return strings.TrimPrefix(last, "#")
	case len(kept) == 2 && plainDesignators()[first], len(kept) == 3 && kept[1] == "#" && plainDesignators()[first]:
		return strings.TrimPrefix(last, "#")
	}
	return strings.Join(kept, " ")
}

// The tables of streets hold USPS Publication 28, appendix C, without dots: C1 (street suffixes), C2 (secondary unit
// designators), and appendix B3 (directionals).
var (
	// plainDesignators say no more than that a number is a unit's.
	plainDesignators = words(`apartment apt lot no space spc ste suite trailer trlr unit rm room slip
		departamento depto`)
	// designators stand before a number.
	designators = words(`apartment apt building bldg department dept fl floor hangar hngr lot no rm room slip
		space spc ste suite trailer trlr unit departamento depto`)
	// aloneDesignators need no number.
	aloneDesignators = words(`basement bsmt front frnt lower lowr office ofc penthouse ph rear side upper uppr`)
	// directions are abbreviations; longDirections are their words, which begin the names of many cities.
	directions     = words(`n s e w ne nw se sw`)
	longDirections = words(`north south east west northeast northwest southeast southwest`)
	// strongSuffixes are hardly ever part of a name.
	strongSuffixes = words(`aly alley allee ally ave av aven avenu avenue avn avnue blvd boul boulevard boulv
		byp bypass cir circ circle circl crcl crcle circles cirs ct court courts cts cv cove coves cvs cres
		crescent crsent xing crossing dr drive driv drv drives drs expy expressway expr express fwy freeway hwy
		highway highwy hiway ln lane loop loops pkwy parkway parkwy pkway pky parkways pkwys pl place plz plaza
		rd road roads rds row sq square sqr sqre squares st street strt str streets sts ter terr terrace trl
		trail trails trls tpke turnpike trnpk way wy ways cswy causeway`)
	// weakSuffixes are also common words in the names of streets and cities.
	weakSuffixes = words(`anx anex arc bayou bch beach bnd bend blf bluff blfs bluffs btm bottom br branch brg
		bridge brk brook brks brooks bg burg bgs burgs cp camp cyn canyon cpe cape ctr center ctrs centers clf
		cliff clfs cliffs clb club cmn common cmns commons cor corner cors corners crse course crk creek crst
		crest xrd crossroad xrds crossroads curv curve dl dale dm dam dv divide est estate ests estates ext
		extension exts fall fls falls fry ferry fld field flds fields flt flat flts flats frd ford frds fords
		frst forest frg forge frgs forges frk fork frks forks ft fort gdn garden gdns gardens gtwy gateway gln
		glen glns glens grn green grns greens grv grove grvs groves hbr harbor hbrs harbors hvn haven hts
		heights hl hill hls hills holw hollow inlt inlet is island iss islands isle jct junction jcts junctions
		ky key kys keys knl knoll knls knolls lk lake lks lakes land lndg landing lgt light lgts lights lf loaf
		lck lock lcks locks ldg lodge mall mnr manor mnrs manors mdw meadow mdws meadows mews ml mill mls mills
		msn mission mtwy motorway mt mount mtn mountain mtns mountains nck neck orch orchard oval opas overpass
		park parks pass psge passage path pike pne pine pnes pines pln plain plns plains pt point pts points prt
		port prts ports pr prairie radl radial ramp rnch ranch rpd rapid rpds rapids rst rest rdg ridge rdgs
		ridges riv river rte route rue run shl shoal shls shoals shr shore shrs shores skwy skyway spg spring
		spgs springs spur spurs sta station stra stravenue strm stream smt summit trwy throughway trce trace
		trak track trfy trafficway tunl tunnel upas underpass un union uns unions vly valley vlys valleys via
		viaduct vw view vws views vlg village vlgs villages vl ville vis vista walk walks wall wl well wls wells`)
	// routes have a number behind them, and so has a road whose owner stands before it.
	routes     = words(`hwy highway loop fwy freeway expressway expy pkwy parkway tpke turnpike`)
	roadOwners = words(`county co state ranch farm forest township twp`)
	// notCity neither begins nor ends the name of a city.
	notCity = words(`county apartments apts complex condo condos condominiums rear front basement building bldg floor
		downtown uptown of`)
	// saintCities follow St in the names of cities.
	saintCities = words(`agatha albans amant ann ansgar anthony augustine benedict bernard bonaventure
		bonifacius charles clair clairsville cloud croix david donatus edward elmo florian francis gabriel
		george germain hedwig helena helens hilaire ignace inigoes jacob james jo joe john johns johnsbury
		joseph landry lawrence leo leonard libory louis lucie maries marks martin martinville mary marys
		matthews meinrad michael michaels nazianz olaf onge paul pauls pete peter peters petersburg regis
		robert rose simons stephen stephens thomas xavier`)
	// suffixCities are cities whose names begin with a strong suffix, by their first two words.
	suffixCities = words(`circle_pines circle_city court_house cove_city cove_neck lane_city terrace_heights
		terrace_park trail_city trail_creek`)
)
