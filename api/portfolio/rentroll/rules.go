package rentroll

import (
	"fmt"
	"slices"
	"strings"

	"portal/api/clock"
	"portal/api/contact"
	"portal/api/money"
	"portal/api/portfolio"
)

// rules read a value of each column into an entry, by the rules of
// the fields of records, and say what is wrong with it, or "".
var rules = [columnCount]func(e *entry, s string) string{
	streetAddress: func(e *entry, s string) string { return readText(&e.street, s, 200) },
	city:          func(e *entry, s string) string { return readText(&e.city, s, 100) },
	state:         (*entry).readState,
	postalCode:    (*entry).readPostalCode,
	propertyType:  (*entry).readPropertyType,
	yearBuilt:     func(e *entry, s string) string { return readWhole(&e.year, s, 1600, 9999) },
	unitNumber:    func(e *entry, s string) string { return readText(&e.number, s, 30) },
	bedrooms:      (*entry).readBedrooms,
	bathrooms:     (*entry).readBathrooms,
	squareFeet:    func(e *entry, s string) string { return readWhole(&e.squareFeet, s, 1, 10_000_000) },
	marketRent:    func(e *entry, s string) string { return readMoney(&e.marketRent, s) },
	firstName:     func(e *entry, s string) string { return readText(&e.first, s, 127) },
	lastName:      func(e *entry, s string) string { return readText(&e.last, s, 127) },
	email:         (*entry).readEmail,
	phone:         (*entry).readPhone,
	leaseStart:    func(e *entry, s string) string { return readDate(&e.start, s) },
	leaseEnd:      func(e *entry, s string) string { return readDate(&e.end, s) },
	monthlyRent:   func(e *entry, s string) string { return readMoney(&e.monthlyRent, s) },
	deposit:       func(e *entry, s string) string { return readMoney(&e.deposit, s) },
}

var (
	states        = contact.State("").Values()
	propertyTypes = portfolio.PropertyType("").Values()
)

func (e *entry) readState(s string) string {
	i := slices.Index(states, strings.ToUpper(s))
	if i < 0 {
		return quote(s) + " is not the USPS code of a state or DC, such as TX."
	}
	e.state = states[i]
	return ""
}

func (e *entry) readPostalCode(s string) string {
	digits := s
	if len(s) == 10 && s[5] == '-' {
		digits = s[:5] + s[6:]
	}
	n := len(digits)
	switch {
	case !allDigits(digits):
	case n == 5:
		e.postal = digits
		return ""
	case n == 9:
		e.postal = digits[:5] + "-" + digits[5:]
		return ""
	case n == 3 || n == 4:
		return fmt.Sprintf("%s has lost a leading zero in a spreadsheet: write %s, in a column formatted as text.",
			quote(s), "00"[:5-n]+s)
	}
	return quote(s) + " is not a ZIP code of 5 or 9 digits, such as 78701 or 78701-1234."
}

func (e *entry) readPropertyType(s string) string {
	i := slices.Index(propertyTypes, snake(s))
	if i < 0 {
		return quote(s) + " is not a kind of property. The kinds are " + strings.Join(propertyTypes, ", ") + "."
	}
	e.kind = portfolio.PropertyType(propertyTypes[i])
	return ""
}

func (e *entry) readBedrooms(s string) string {
	if strings.EqualFold(s, "studio") {
		e.bedrooms = 0
		return ""
	}
	return readWhole(&e.bedrooms, s, 0, 100)
}

func (e *entry) readBathrooms(s string) string {
	h, err := portfolio.ParseHalf(s)
	if err != nil {
		return quote(s) + " is not a number in steps of 0.5 between 0 and 100, such as 1.5."
	}
	e.bathrooms = int(h)
	return ""
}

func (e *entry) readEmail(s string) (problem string) {
	var err error
	if e.email, err = contact.Email(s); err != nil {
		problem = quote(s) + " is not an email address, such as dana@example.com."
	}
	return problem
}

func (e *entry) readPhone(s string) (problem string) {
	var err error
	if e.phone, err = contact.Phone(s); err != nil {
		problem = quote(s) +
			" is not a phone number, such as (512) 555-0142 or +15125550142; an extension cannot be kept."
	}
	return problem
}

func readDate(into *clock.Date, s string) (problem string) {
	var err error
	if *into, err = parseDate(s); err != nil {
		problem = quote(s) + " is not a day, such as 2026-11-02 or 11/2/2026 (month first)."
	}
	return problem
}

func readMoney(into *money.Cents, s string) (problem string) {
	c, ok := parseMoney(s)
	switch {
	case !ok:
		return quote(s) + " is not an amount in dollars with at most two decimals, such as 1450 or $1,450.00."
	case c < 0:
		return quote(s) + " is less than 0."
	}
	*into = c
	return ""
}
