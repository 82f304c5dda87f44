package cell

import (
	"strconv"
	"strings"

	"portal/api/money"
)

// Money reads an amount of dollars: $1,450.00, 1450, 1.450,00, 1325,00, USD 1,450, and amounts below 0 as (1,200.00),
// -25.00, 25.00- and 25.00 CR. A dash alone, as spreadsheets show 0, is 0. It is not ok for more than two decimals
// unless the rest are zeros, for three digits behind a single dot (1.325 may be either), and above money.Max.
func Money(s string) (c money.Cents, ok bool) {
	s, ok = clean(s)
	if !ok {
		return 0, false
	}
	s = strings.Map(hyphen, strings.ToUpper(s))
	if strings.Trim(s, "$ ") == "-" {
		return 0, true
	}
	number, negatives, currencies := unsigned(s)
	whole, fraction, ok := decimal(number)
	fraction = strings.TrimRight(fraction, "0")
	if !ok || negatives > 1 || currencies > 1 || len(fraction) > 2 {
		return 0, false
	}
	c, err := money.Parse(whole + "." + (fraction + "00")[:2])
	if negatives == 1 {
		c = -c
	}
	return c, err == nil
}

// hyphen is one sign for the dashes and the minus that people and spreadsheets write before a number.
func hyphen(r rune) rune {
	switch r {
	case '\u2010', '\u2011', '\u2012', '–', '—', '−':
		return '-'
	}
	return r
}

// unsigned takes the signs off an amount, and counts the marks of a credit and of the currency.
func unsigned(s string) (number string, negatives, currencies int) {
	for {
		before := s
		if len(s) > 1 && s[0] == '(' && s[len(s)-1] == ')' {
			s, negatives = s[1:len(s)-1], negatives+1
		}
		for _, mark := range [...]string{"-", "CR"} {
			if cut, found := cutEnd(s, mark); found {
				s, negatives = cut, negatives+1
			}
		}
		for _, mark := range [...]string{"US$", "USD", "$"} {
			if cut, found := cutEnd(s, mark); found {
				s, currencies = cut, currencies+1
			}
		}
		s = strings.TrimSpace(s)
		if s == before {
			return s, negatives, currencies
		}
	}
}

// cutEnd takes a mark off the beginning or the end of a text.
func cutEnd(s, mark string) (string, bool) {
	if cut, found := strings.CutPrefix(s, mark); found {
		return cut, true
	}
	return strings.CutSuffix(s, mark)
}

// decimal cuts a number of digits and separators into what stands before and behind its decimal separator, a dot or a
// comma. It is false where the separators make no number, or two.
func decimal(s string) (whole, fraction string, ok bool) {
	at := strings.LastIndexAny(s, ".,")
	if at < 0 {
		whole = s
	} else {
		separator, other := s[at:at+1], "."
		if separator == "." {
			other = ","
		}
		head, tail := s[:at], s[at+1:]
		switch {
		case strings.Contains(head, separator): // 1,234,567
			whole, ok = ungroup(s, separator)
		case strings.Contains(head, other): // 1,234.50
			whole, ok = ungroup(head, other)
			fraction = tail
		case len(tail) == 3 && separator == ",": // 1,325
			whole, ok = ungroup(s, separator)
		default: // 1325.50
			whole, fraction, ok = head, tail, len(tail) != 3
		}
		if separator == "," && fraction == tail && (tail == "" || len(tail) > 3) { // 1,4500 is a typing error
			ok = false
		}
		if !ok || whole+fraction == "" {
			return "", "", false
		}
	}
	if whole == "" {
		whole = "0"
	}
	if fraction == "" {
		fraction = "0"
	}
	if whole = strings.TrimLeft(whole, "0"); whole == "" {
		whole = "0"
	}
	return whole, fraction, allDigits(whole) && allDigits(fraction) && s != ""
}

// ungroup takes the separators of thousands out of a whole number; it is false where one stands in a wrong place.
func ungroup(s, separator string) (string, bool) {
	groups := strings.Split(s, separator)
	head := groups[0]
	if head == "" || len(head) > 3 || head[0] == '0' {
		return "", false
	}
	for _, g := range groups[1:] {
		if len(g) != 3 {
			return "", false
		}
	}
	return strings.Join(groups, ""), true
}

// Whole reads a whole number of at most nine digits that is not below 0: 1,320, 810, 810.00, and an area in square
// feet with its unit behind it.
func Whole(s string) (n int, ok bool) {
	s, ok = clean(s)
	if !ok {
		return 0, false
	}
	number, unit := s, ""
	if at := strings.IndexFunc(s, func(r rune) bool { return !strings.ContainsRune("0123456789.,", r) }); at >= 0 {
		number, unit = s[:at], strings.ReplaceAll(fold(s[at:]), " ", "")
	}
	whole, fraction, ok := decimal(number)
	if !ok || unit != "" && !areaUnits()[unit] || strings.Trim(fraction, "0") != "" || len(whole) > 9 {
		return 0, false
	}
	n, err := strconv.Atoi(whole)
	return n, err == nil
}

// areaUnits are the ways to write square feet, without dots and spaces.
var areaUnits = words("sf sqft sft ft² ft2 squarefeet squarefoot sqfeet piescuadrados pies²")
