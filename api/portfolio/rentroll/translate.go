package rentroll

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"portal/api/clock"
	"portal/api/contact"
	"portal/api/portfolio"
	"portal/api/portfolio/rentroll/cell"
)

// values are those of a line, by column.
type values [columnCount]string

// translate has the values of a line be as the template writes them. What is certain is changed, what is guessed is
// noted, and what is unclear stays as it is, for the rules to refuse.
func (r *reader) translate(v *values) {
	status := r.status(v)
	r.tenants(v, &status)
	for _, c := range []column{marketRent, monthlyRent, deposit, balance} {
		r.amount(c, v)
	}
	for _, c := range []column{leaseStart, leaseEnd, moveIn, moveOut} {
		r.date(c, v, &status)
	}
	r.place(v)
	if rest, unit, cut := cell.CutUnit(v[streetAddress]); cut && strings.EqualFold(unit, v[unitNumber]) {
		if r.said.own {
			v[unitNumber] = ""
		} else {
			v[streetAddress], r.entry.cut = rest, true
		}
	}
	r.facts(v)
	r.terms(v)
	r.tenancy(v, status)
	r.contact(v)
}

// status is what a line says of its unit and lease.
func (r *reader) status(v *values) (o cell.Occupancy) {
	if v[occupancy] == "" {
		return o
	}
	o, known := cell.Status(v[occupancy])
	if !known {
		r.guessAt(occupancy, "%s says nothing that an import knows. It is left out.", quote(v[occupancy]))
	}
	return o
}

// nameOf is a column as the file calls it.
func (r *reader) nameOf(c column) string {
	for i, each := range r.columns {
		if each == c {
			return clip(r.header.names[i])
		}
	}
	return c.String()
}

// tenants reads the tenants of a line: the first into the template's columns, the rest into the entry.
func (r *reader) tenants(v *values, o *cell.Occupancy) {
	e := &r.entry
	if v[tenantName] != "" && cell.Vacant(v[tenantName]) {
		v[tenantName], o.Vacant = "", true
	}
	if both := strings.TrimSpace(v[firstName] + " " + v[lastName]); both != "" && cell.Vacant(both) {
		v[firstName], v[lastName], o.Vacant = "", "", true
	}
	if v[tenantName] == "" || v[firstName] != "" || v[lastName] != "" {
		return
	}
	people, sure := cell.People(v[tenantName])
	if len(people) == 0 {
		return
	}
	v[firstName], v[lastName] = people[0].First, people[0].Last
	e.others = people[1:]
	if !sure {
		r.guessAt(tenantName, "%s is taken for %s.", quote(v[tenantName]), spelled(people))
	}
}

// spelled are names with what is the first and what the last one.
func spelled(people []cell.Person) string {
	var all []string
	for _, p := range people {
		all = append(all, "first name "+quote(p.First)+", last name "+quote(p.Last))
	}
	return strings.Join(all, "; ")
}

// amount writes an amount as dollars with a point.
func (r *reader) amount(c column, v *values) {
	if v[c] == "" {
		return
	}
	m, ok := cell.Money(v[c])
	if _, plainly := parseMoney(v[c]); ok && !plainly {
		if m < 0 && c != balance {
			r.entry.given.add(c)
			r.rejectValue(c, "%s is less than 0.", quote(v[c]))
		}
		v[c] = m.String()
	}
	if ok {
		r.sums.add(c, m)
	}
}

// date writes a day as YYYY-MM-DD. What says that a lease has no last day is none.
func (r *reader) date(c column, v *values, o *cell.Occupancy) {
	if v[c] == "" {
		return
	}
	if d, ok := cell.Date(v[c], r.orders[c]); ok {
		v[c] = d.String()
		return
	}
	if s, known := cell.Status(v[c]); c == leaseEnd && known && s.MonthToMonth {
		v[c], o.MonthToMonth = "", true
	}
}

// place tells the address of a line: from its columns, from one that holds whole addresses, or from the line of the
// property above it.
func (r *reader) place(v *values) {
	if code, ok := cell.State(v[state]); ok {
		v[state] = code
	}
	if code, restored, ok := cell.PostalCode(v[postalCode], v[state]); ok {
		if restored && v[state] != "" {
			r.notes.add(Note{Line: r.at, Column: postalCode.String(), Message: quote(v[postalCode]) +
				" has lost its leading zero in a spreadsheet, and is taken for " + code + "."})
			v[postalCode] = code
		} else if !restored && v[state] != "" {
			v[postalCode] = code
		}
	}
	if v[city] != "" && v[state] != "" && v[wholeAddress] == "" && v[streetAddress] != "" {
		return
	}
	for _, c := range []column{wholeAddress, streetAddress, propertyName} {
		a, sure, is := cell.SplitAddress(v[c])
		if !is {
			continue
		}
		if !sure {
			r.guessAt(
				c,
				"%s is taken for the street %s in %s.",
				quote(v[c]),
				quote(a.Street),
				quote(a.City),
			)
		}
		if c == propertyName {
			v[propertyName] = ""
		}
		r.fill(v, &a, v[streetAddress] == "" || c == streetAddress)
		return
	}
	if v[streetAddress] != "" {
		return
	}
	if at, said := r.said.places[strings.ToLower(v[propertyName])]; said {
		r.fill(v, &at, true)
	} else if r.group.Street != "" {
		r.fill(v, &r.group, true)
	}
}

// fill has a line be at an address.
func (r *reader) fill(v *values, a *cell.Address, street bool) {
	if street {
		v[streetAddress] = a.Street
	}
	for c, s := range map[column]string{
		city: a.City, state: a.State, postalCode: a.PostalCode, propertyName: a.Name, unitNumber: a.Unit,
	} {
		v[c] = cmp.Or(v[c], s)
	}
}

// damaged are the numbers of units that a spreadsheet has changed into a number or a day.
var damaged = regexp.MustCompile(
	`(?i)^(\d+(\.\d+)?E[+-]?\d+|\d{1,2}-(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)-\d{1,2})$`,
)

// facts are what a line says of its unit.
func (r *reader) facts(v *values) {
	if damaged.MatchString(v[unitNumber]) {
		r.entry.given.add(unitNumber)
		r.rejectValue(
			unitNumber,
			"A spreadsheet has made %s of the number of the unit. Format the column as text and write "+
				"the number again.",
			quote(v[unitNumber]),
		)
	}
	if v[rooms] != "" {
		if beds, baths, ok := cell.Rooms(v[rooms]); ok {
			v[bedrooms] = cmp.Or(v[bedrooms], strconv.Itoa(beds))
			v[bathrooms] = cmp.Or(v[bathrooms], half(baths))
		} else {
			r.guessAt(
				rooms,
				"%s says nothing of bedrooms and bathrooms that an import knows. It is left out.",
				quote(v[rooms]),
			)
		}
	}
	if n, ok := cell.Bedrooms(v[bedrooms]); ok {
		v[bedrooms] = strconv.Itoa(n)
	}
	if n, ok := cell.Bathrooms(v[bathrooms]); ok {
		v[bathrooms] = half(n)
	}
	if n, ok := cell.Whole(v[squareFeet]); ok {
		v[squareFeet] = strconv.Itoa(n)
	}
}

func half(n portfolio.Half) string { return string(n.AppendJSON(nil)) }

// tenancy is what a line says of its lease, beside the columns of the template.
func (r *reader) tenancy(v *values, o cell.Occupancy) {
	e := &r.entry
	tenant := v[firstName] != "" || v[lastName] != ""
	if o.Vacant && !tenant {
		if v[leaseStart] != "" || v[leaseEnd] != "" {
			r.guess(r.at, leaseStart.String(), "The unit is vacant, so the days of a lease are left out.")
		}
		v[leaseStart], v[leaseEnd], v[moveIn] = "", "", ""
		if m, ok := parseMoney(v[monthlyRent]); ok && m > 0 && v[marketRent] == "" {
			r.guess(
				r.at,
				monthlyRent.String(),
				"The unit is vacant, so its rent of %s is taken for what is asked for it.",
				v[monthlyRent],
			)
			v[marketRent], v[monthlyRent] = v[monthlyRent], ""
		}
		return
	}
	if !tenant {
		if o.Occupied {
			r.guessAt(occupancy, "%s is said of a unit without a tenant. It is taken for vacant.",
				quote(v[occupancy]))
		}
		return
	}
	if o.Past && v[leaseEnd] == "" {
		e.given.add(leaseEnd)
		r.reject(leaseEnd, "The lease is said to have ended, and has no last day.")
	}
	if v[leaseStart] == "" && v[moveIn] != "" {
		r.guess(
			r.at,
			leaseStart.String(),
			"The lease has no first day. It is taken to begin when the tenant moved in, %s.",
			v[moveIn],
		)
		v[leaseStart] = v[moveIn]
	}
	if o.MonthToMonth && v[leaseEnd] != "" {
		r.guessAt(leaseEnd, "The lease is month to month, so its last day, %s, is left out.", v[leaseEnd])
		v[leaseEnd] = ""
	}
	if o.Notice {
		v[leaseEnd] = cmp.Or(v[leaseEnd], v[moveOut])
		v[moveOut] = cmp.Or(v[moveOut], v[leaseEnd])
	}
	for c, into := range map[column]*clock.Date{moveIn: &e.moveIn, moveOut: &e.moveOut} {
		if v[c] == "" {
			continue
		}
		if problem := readDate(into, v[c]); problem != "" {
			e.given.add(c)
			r.rejectValue(c, "%s", problem)
		}
	}
}

// terms are what a line says of its lease that few files have.
func (r *reader) terms(v *values) {
	if s := v[leaseType]; s != "" && !slices.Contains(leaseTypes, snake(s)) {
		if o, known := cell.Status(s); known && o.MonthToMonth {
			v[leaseType] = string(portfolio.MonthToMonth)
		} else {
			v[leaseType] = ""
			r.guessAt(leaseType, "%s is no type of lease that an import knows. It is left out.", quote(s))
		}
	}
	for _, c := range []column{rentDueDay, graceDays} {
		v[c] = strings.TrimRight(strings.ToLower(v[c]), " adhnrsty") // "1st" and "5 days"
	}
	if m, ok := cell.Money(v[lateFee]); ok && v[lateFee] != "" {
		v[lateFee] = m.String()
	}
}

// contact reads the addresses and numbers of the tenants.
func (r *reader) contact(v *values) {
	e := &r.entry
	e.otherEmails = make([]string, len(e.others))
	if len(e.others) > 0 {
		all := strings.FieldsFunc(v[email], func(c rune) bool { return strings.ContainsRune(";,/ ", c) })
		if len(all) == len(e.others)+1 {
			for i, s := range all[1:] {
				if address, err := contact.Email(s); err == nil {
					e.otherEmails[i] = address
				} else {
					e.given.add(email)
					r.reject(email, "%s is not an email address, such as dana@example.com.", quote(s))
				}
			}
			v[email] = all[0]
		}
	}
	if v[phone] == "" {
		return
	}
	if _, err := contact.Phone(v[phone]); err == nil {
		return
	}
	if number, extension, ok := cell.Phone(v[phone]); ok && extension != "" {
		r.guessAt(phone, "%s is taken for %s. The extension, %s, is left out.", quote(v[phone]), number,
			extension)
		v[phone] = number
	}
}
