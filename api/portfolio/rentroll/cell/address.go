package cell

import (
	"regexp"
	"strings"
	"sync"
	"unicode"
)

// Address is an address; parts that are not there are "".
type Address struct{ Name, Street, Unit, City, State, PostalCode string }

// SplitAddress reads a whole address in one text, with or without a name of the property before it and commas within:
// 88 Alder Row, Tacoma, WA 98402, or Harrow House - 220 Harrow St Dayton, OH 45402. It is not ok where there is no
// state or no street that begins with a number or is a PO box. It is not sure where the cut between street and city is
// a guess, a part has no place of its own (it stays in Street), a unit stands before the street, or the ZIP code is
// missing, is not of the state or had lost its zeros.
func SplitAddress(s string) (a Address, sure, ok bool) {
	s, ok = clean(s)
	if !ok {
		return Address{}, false, false
	}
	s = strings.ReplaceAll(strings.ReplaceAll(s, ";", ","), "|", ",")
	s = trimEnds(country().ReplaceAllString(s, ""))
	a, rest, sure := splitState(s)
	if a.State == "" {
		return Address{}, false, false
	}
	var cutSure bool
	a.Name, rest, cutSure = splitName(rest)
	sure = sure && cutSure
	a.Street, a.Unit, a.City, cutSure = splitCity(rest)
	if a.City == "" || !startsStreet(a.Street) {
		return Address{}, false, false
	}
	if unit := strings.Fields(a.Name); a.Unit == "" && len(unit) > 0 && unitWords(unit) == len(unit) {
		a.Name, a.Unit, sure = "", unitName(unit), false // Unit 4 - 123 Main St
	}
	return a, sure && cutSure && plainName(a.Name) && plainStreet(a.Street) && plainCity(a.City), true
}

var (
	country = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)[, ]+(?:USA|U\.S\.A\.|US|U\.S\.|United States(?: of America)?)\.?$`)
	})
	zipAtEnd = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`[ ,](?:\d{3,5}(?:-\d{4})?|\d{9})$`)
	})
	// streetStart is a number of a house, with its letter, half, range or grid, or a post office box.
	streetStart = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(
			`(?i)^(?:(?:\d+[a-z]?(?:[-/]\d+[a-z]?)?|\d+ ?- ?\d+|[nsew]\d+(?:[nsew]\d+)?)(?: 1/2| ½)? \S` +
				`|(?:p\.? ?o\.? box|post office box|rr|hc|rural route) #?\w)`,
		)
	})
)

func startsStreet(s string) bool { return streetStart().MatchString(s) }

func trimEnds(s string) string { return strings.Trim(s, " ,;") }

// splitState takes the ZIP code and the state off the end.
func splitState(s string) (a Address, rest string, sure bool) {
	zip, rest := "", s
	if at := zipAtEnd().FindStringIndex(s); at != nil {
		zip, rest = strings.Trim(s[at[0]:], " ,"), trimEnds(s[:at[0]])
	}
	fields := strings.Fields(rest)
	found := 0
	for n := min(3, len(fields)-1); n > 0; n-- {
		last := fields[len(fields)-n:]
		code, ok := State(strings.Join(last, " "))
		if !ok || strings.Contains(strings.Join(last, " "), ",") || code == "DC" && n == 2 {
			continue
		}
		postal, restored, fits := PostalCode(zip, code)
		if found == 0 || fits && !sure {
			found, a.State, a.PostalCode, sure = n, code, zip, fits && !restored
		}
		if fits {
			a.PostalCode = postal
			break
		}
	}
	if found == 0 {
		return Address{}, s, false
	}
	comma := strings.HasSuffix(fields[len(fields)-found-1], ",")
	if zip == "" && !comma { // 5 Oak Ct is no place in Connecticut
		return Address{}, s, false
	}
	return a, trimEnds(strings.Join(fields[:len(fields)-found], " ")), sure
}

// splitName takes the name of a property off the beginning: Harrow House - 220 Harrow St Dayton.
func splitName(s string) (name, rest string, sure bool) {
	flat := strings.Map(hyphen, s)
	for at := 0; ; {
		next := strings.Index(flat[at:], " - ")
		if next < 0 {
			break
		}
		at += next + len(" - ")
		name, rest = trimEnds(flat[:at-len(" - ")]), flat[at:]
		if name == "" || allDigits(name) || !startsStreet(rest) {
			continue
		}
		_, _, city, sure := splitCity(rest)
		return name, rest, sure && city != ""
	}
	if startsStreet(flat) {
		return "", flat, true
	}
	// A name before a comma, or before the number, is a guess.
	if name, rest, comma := strings.Cut(flat, ","); comma && startsStreet(strings.TrimSpace(rest)) {
		return strings.TrimSpace(name), strings.TrimSpace(rest), false
	}
	return "", flat, false
}

// splitCity cuts a street with its unit from the city behind it.
func splitCity(s string) (street, unit, city string, sure bool) {
	head, tail, comma := cutLast(s, ",")
	if !comma {
		return cutAtSuffix(strings.Fields(s))
	}
	street, city = trimEnds(head), trimEnds(tail)
	sure = true
	if fields := strings.Fields(city); len(fields) > 0 {
		if n := unitWords(fields); n > 0 && n < len(fields) { // Unit B Santa Fe
			street, city, sure = street+", "+strings.Join(fields[:n], " "), strings.Join(fields[n:], " "), false
		}
	}
	street, unit, _ = CutUnit(street)
	return street, unit, city, sure && !strings.Contains(street, ",") && wholeStreet(strings.Fields(street))
}

func cutLast(s, separator string) (before, after string, found bool) {
	if at := strings.LastIndex(s, separator); at >= 0 {
		return s[:at], s[at+len(separator):], true
	}
	return s, "", false
}

// wholeStreet reports whether nothing but a direction or the number of a route stands behind the suffix of a street.
func wholeStreet(fields []string) bool {
	at := -1
	for i := 1; i < len(fields); i++ {
		if strongSuffixes()[fold(fields[i])] {
			at = i
		}
	}
	for i, word := range fields {
		word = fold(word)
		if at > 0 && i > at && !directions()[word] && !longDirections()[word] && !onRoute(fields, i) {
			return at == 1 && len(fields) == 3 // 12 Avenue A, 5 Court Street
		}
	}
	return true
}

// onRoute tells the number of a route: Highway 71, County Road 12.
func onRoute(fields []string, i int) bool {
	before := fold(fields[i-1])
	return routeNumber(fields[i]) &&
		(routes()[before] || (before == "rd" || before == "road") && roadOwners()[fold(fields[i-2])])
}

func routeNumber(s string) bool {
	return strings.ContainsAny(s, "0123456789") && !strings.Contains(s, "#")
}

// cutAtSuffix cuts a street from a city that no comma parts, at the suffix of the street.
func cutAtSuffix(fields []string) (street, unit, city string, sure bool) {
	var at []int
	for i := 2; i < len(fields)-1; i++ {
		if strongSuffixes()[fold(fields[i])] && !saint(fields, i, at) {
			at = append(at, i)
		}
	}
	end := 2
	sure = len(at) == 1
	switch {
	case len(at) > 0:
		end = at[len(at)-1] + 1
	default:
		for i := 2; i < len(fields)-1; i++ {
			if weakSuffixes()[fold(fields[i])] {
				end = i + 1
				break
			}
		}
	}
	if end >= len(fields) {
		return strings.Join(fields, " "), "", "", false
	}
	for end < len(fields)-1 && (directions()[fold(fields[end])] || routeNumber(fields[end])) {
		// N Las Vegas is a city; a street ends in NW.
		sure = sure && len(fold(fields[end])) == 2 && !routeNumber(fields[end])
		end++
	}
	if longDirections()[fold(fields[end])] || aloneDesignators()[fold(fields[end])] || cityAtSuffix(fields, end-1) ||
		unitWithin(fields[:end]) {
		sure = false // North Las Vegas or Oak St North, St Louis or Broadway St
	}
	street, city = strings.Join(fields[:end], " "), strings.Join(fields[end:], " ")
	if strongSuffixes()[fold(city)] { // 123 Main St has no city
		return street + " " + city, "", "", false
	}
	if n := unitWords(fields[end:]); n > 0 && end+n < len(fields) {
		_, unit, _ = CutUnit("1 " + strings.Join(fields[end:end+n], " "))
		city = strings.Join(fields[end+n:], " ")
	}
	return street, unit, city, sure
}

// unitWithin reports whether a unit, or a direction that ends a street, stands within what was cut as a street.
func unitWithin(fields []string) bool {
	for i := 2; i < len(fields)-1; i++ {
		if unitWords(fields[i:]) > 0 || len(fold(fields[i])) == 2 && directions()[fold(fields[i])] &&
			strongSuffixes()[fold(fields[len(fields)-1])] {
			return true
		}
	}
	return false
}

// saint tells the St of St Louis behind the suffix of a street.
func saint(fields []string, i int, suffixes []int) bool {
	return len(suffixes) > 0 && cityAtSuffix(fields, i)
}

// cityAtSuffix reports whether the suffix of a street may be the first word of a city: St Louis, Circle Pines.
func cityAtSuffix(fields []string, i int) bool {
	word, next := fold(fields[i]), fold(fields[i+1])
	return word == "st" && saintCities()[next] || suffixCities()[word+"_"+next]
}

// plainName reports whether nothing in the name of a property says a part of it, as 2nd Floor.
func plainName(s string) bool {
	for word := range strings.FieldsSeq(fold(s)) {
		if designators()[word] || aloneDesignators()[word] {
			return false
		}
	}
	return true
}

// plainStreet is false for 4 - 123 Main St, which may be a unit or a range of numbers.
func plainStreet(s string) bool {
	number, _, dashed := strings.Cut(s, " - ")
	return !dashed || !allDigits(number)
}

// plainCity reports whether a text looks like the name of a city and nothing else.
func plainCity(s string) bool {
	for _, r := range s {
		if !unicode.IsLetter(r) && !strings.ContainsRune(" .-'’", r) {
			return false
		}
	}
	if _, state := State(s); state && len(s) == 2 {
		return false
	}
	fields := strings.Fields(fold(s))
	first, last := fields[0], fields[len(fields)-1]
	return len(s) <= 60 && len(fields) <= 5 && !plainDesignators()[first] && !notCity()[first] && !notCity()[last] &&
		(len(first) != 2 || !directions()[first])
}
