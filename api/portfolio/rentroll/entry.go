package rentroll

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"portal/api/clock"
	"portal/api/contact"
	"portal/api/fault"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/rentroll/cell"
)

// none is a number that a row leaves empty.
const none = -1

// entry is one line, each value for itself.
type entry struct {
	given columnSet // the columns that hold a value
	bad   columnSet // the columns at fault
	said  columnSet // the columns whose value somebody has said
	raw   values    // as the file has them, or somebody has said

	address
	kind                portfolio.PropertyType
	year                int
	number              string
	unit                int32 // the first row of the unit, where a line before is of it
	bedrooms, bathrooms int
	squareFeet          int
	marketRent          money.Cents
	cell.Person
	others               []cell.Person // co-tenants
	otherEmails          []string      // of each of them, "" for none
	name                 string        // of the property
	cut                  bool          // the street held the unit too
	email, phone         string
	start, end           clock.Date
	monthlyRent, deposit money.Cents
	balance              money.Cents
	moveIn, moveOut      clock.Date
	leaseKind            portfolio.LeaseType // "" where no line says it
	dueDay               int
	lateFee              *money.Cents
	graceDays            *int
}

// good reports whether a column holds a value without a problem.
func (e *entry) good(c column) bool { return e.given.has(c) && !e.bad.has(c) }

// readEntry reads the values of the present line.
func (r *reader) readEntry() {
	e := &r.entry
	*e = entry{
		number:     "1",
		unit:       none,
		bedrooms:   none,
		bathrooms:  none,
		squareFeet: none,
		marketRent: none,
	}
	var v values
	for i, c := range r.columns {
		if c != unknown {
			v[c] = r.fields[i]
		}
	}
	r.correct(&v)
	e.raw = v
	r.translate(&v)
	r.needPlace(&v)
	for i, value := range v {
		c := column(i)
		if value == "" {
			if c.required() && !e.bad.has(c) {
				r.reject(c, "Every line needs a %s.", c)
			}
			continue
		}
		e.given.add(c)
		if e.bad.has(c) || rules[c] == nil {
			continue
		}
		if problem := rules[c](e, value); problem != "" {
			r.rejectValue(c, "%s", problem)
		}
	}
	r.checkTenancy()
}

// needPlace asks for the address of a property once, where the file has none.
func (r *reader) needPlace(v *values) {
	e := &r.entry
	if v[streetAddress] != "" || v[city] != "" || v[state] != "" {
		return
	}
	switch {
	case r.group.Name != "" && r.group.Street == "": // the line of the property has asked
	case r.present.has(streetAddress) || r.present.has(wholeAddress) || r.present.has(city) || r.present.has(state):
		return
	default:
		name := v[propertyName]
		if r.asked[strings.ToLower(name)] {
			break
		}
		r.asked[strings.ToLower(name)] = true
		ask, message := Ask{
			Question: "address:" + name,
		}, "The file names no property. Say at which address its units are."
		if name != "" {
			message = "The file has no address of " + quote(name) + ". Say where it is."
		}
		r.problems.add(r.at, streetAddress.String(), message, ask)
	}
	for _, c := range []column{streetAddress, city, state} {
		e.bad.add(c)
	}
}

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
	firstName:     func(e *entry, s string) string { return readText(&e.First, s, 127) },
	lastName:      func(e *entry, s string) string { return readText(&e.Last, s, 127) },
	email:         (*entry).readEmail,
	phone:         (*entry).readPhone,
	leaseStart:    func(e *entry, s string) string { return readDate(&e.start, s) },
	leaseEnd:      func(e *entry, s string) string { return readDate(&e.end, s) },
	monthlyRent:   func(e *entry, s string) string { return readMoney(&e.monthlyRent, s) },
	deposit:       func(e *entry, s string) string { return readMoney(&e.deposit, s) },
	propertyName:  func(e *entry, s string) string { return readText(&e.name, s, 127) },
	balance:       (*entry).readBalance,
	leaseType:     (*entry).readLeaseType,
	rentDueDay:    func(e *entry, s string) string { return readWhole(&e.dueDay, s, 1, 28) },
	lateFee: func(e *entry, s string) string {
		e.lateFee = new(money.Cents)
		return readMoney(e.lateFee, s)
	},
	graceDays: func(e *entry, s string) string {
		e.graceDays = new(int)
		return readWhole(e.graceDays, s, 0, 60)
	},
}

func (e *entry) readBalance(s string) (problem string) {
	var ok bool
	if e.balance, ok = parseMoney(s); !ok {
		problem = quote(s) + " is not an amount in dollars with at most two decimals, such as 1450 or -25.00."
	}
	return problem
}

func (e *entry) readLeaseType(s string) string {
	i := slices.Index(leaseTypes, snake(s))
	if i < 0 {
		return quote(s) + " is not a type of lease. The types are " + strings.Join(leaseTypes, ", ") + "."
	}
	e.leaseKind = portfolio.LeaseType(leaseTypes[i])
	return ""
}

var (
	leaseTypes    = portfolio.LeaseType("").Values()
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

// readText reads a text of at most so many characters; spaces within count once.
func readText(into *string, s string, most int) string {
	s = oneSpaced(s)
	if n := utf8.RuneCountInString(s); n > most {
		return quote(s) + " " + fault.Characters(n, nil, &most)
	}
	*into = s
	return ""
}

// oneSpaced has one space wherever s has some.
func oneSpaced(s string) string {
	if !strings.Contains(s, "  ") && !strings.ContainsFunc(s, wideSpace) {
		return s
	}
	return strings.Join(strings.Fields(s), " ")
}

func wideSpace(r rune) bool { return r != ' ' && unicode.IsSpace(r) }

// readWhole reads a whole number, with or without separators of thousands.
func readWhole(into *int, s string, least, most int) string {
	digits, grouped := ungroup(s)
	n, err := strconv.Atoi(digits)
	if !grouped || err != nil || n < least || n > most {
		return fmt.Sprintf("%s is not a whole number between %d and %d.", quote(s), least, most)
	}
	*into = n
	return ""
}

// parseMoney reads dollars, with or without the sign and separators of thousands.
func parseMoney(s string) (money.Cents, bool) {
	digits, negative := strings.CutPrefix(s, "-")
	digits = strings.TrimLeft(strings.TrimPrefix(digits, "$"), " ")
	digits, grouped := ungroup(digits)
	c, err := money.Parse(digits)
	if negative && c > 0 {
		c = -c
	}
	return c, grouped && err == nil
}

// ungroup takes the separators of thousands out of a number; it is false where
// one stands in a wrong place.
func ungroup(s string) (string, bool) {
	whole, _, _ := strings.Cut(s, ".")
	if !strings.Contains(whole, ",") {
		return s, true
	}
	groups := strings.Split(whole, ",")
	for i, g := range groups[1:] {
		if len(g) != 3 || i == 0 && (groups[0] == "" || len(groups[0]) > 3) {
			return s, false
		}
	}
	return strings.Join(groups, "") + s[len(whole):], true
}

// parseDate reads YYYY-MM-DD, and M/D/YYYY as it is written in the US.
func parseDate(s string) (clock.Date, error) {
	if !strings.Contains(s, "/") {
		return clock.ParseDate(s)
	}
	t, err := time.Parse("1/2/2006", s)
	if err != nil {
		return 0, err
	}
	return clock.ParseDate(t.Format(time.DateOnly))
}

func allDigits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

var (
	tenantColumns = setOf(firstName, lastName, email, phone)
	nameColumns   = setOf(firstName, lastName)
	leaseColumns  = setOf(leaseStart, leaseEnd)
	termColumns   = setOf(leaseType, rentDueDay, lateFee, graceDays)
	rentColumns   = setOf(monthlyRent, deposit)
)

// vacant tells a line without a tenant and a lease. Many programs write amounts
// of 0 there.
func (e *entry) vacant() bool {
	return e.balance == 0 && !e.given.hasAny(tenantColumns|leaseColumns) && !e.bad.hasAny(rentColumns) &&
		e.monthlyRent == 0 && e.deposit == 0
}

// checkTenancy checks what the columns of a tenant and a lease say together.
func (r *reader) checkTenancy() {
	e := &r.entry
	if e.vacant() {
		return
	}
	switch {
	case !e.given.hasAny(nameColumns):
		r.reject(
			firstName,
			"The line has a lease or a contact but no tenant. Give both names, or leave the columns of tenant and "+
				"lease empty.",
		)
	case !e.given.has(firstName):
		r.reject(firstName, "A tenant needs both names.")
	case !e.given.has(lastName):
		r.reject(lastName, "A tenant needs both names.")
	}
	if !e.given.has(leaseStart) {
		r.reject(leaseStart, "A tenant needs a lease, and a lease a first day.")
	}
	switch {
	case !e.given.has(monthlyRent):
		r.reject(monthlyRent, "A tenant needs a lease, and a lease a monthly rent.")
	case e.good(monthlyRent) && e.monthlyRent == 0:
		r.reject(monthlyRent, "The rent of a lease must be more than 0.")
	}
	if e.good(leaseType) && e.leaseKind != portfolio.MonthToMonth && !e.given.has(leaseEnd) {
		r.reject(leaseType, "A lease that is not month to month needs a last day.")
	}
	if e.good(leaseStart) && e.good(leaseEnd) && e.end < e.start {
		r.reject(leaseEnd, "The lease ends on %s, before it starts on %s.", e.end, e.start)
	}
}
