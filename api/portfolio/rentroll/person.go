package rentroll

import (
	"slices"
	"strings"

	"portal/api/portfolio/rentroll/cell"
)

// person is a tenant.
type person struct {
	cell.Person
	email, phone string
	line         int32 // the first that names the person
	phoneLine    int32
	rows         []int32 // of their leases
}

func (p *person) name() string { return p.First + " " + p.Last }

// person finds or adds a tenant of the current line and links a row to it. It is none if the
// line has no tenant, or if the tenant's name or email is invalid.
func (r *reader) person(row int32, of cell.Person, address, number string) int32 {
	e := &r.entry
	if !e.good(firstName) || !e.good(lastName) || e.bad.has(email) {
		return none
	}
	if e.bad.has(phone) {
		number = ""
	}
	if at, known := r.index.emails[strings.ToLower(address)]; known && address != "" {
		known := r.roll.people.at(at)
		if strings.EqualFold(known.First, of.First) && strings.EqualFold(known.Last, of.Last) {
			r.meet(known, row, number)
			return at
		}
		r.guess(r.at, email.String(), "Line %d has %s for %s. %s gets no email address.", known.line, address,
			quote(known.name()), quote(of.First+" "+of.Last))
		address = ""
	}
	p := person{
		Person: cell.Person{First: r.intern(of.First), Last: r.intern(of.Last)},
		email:  strings.Clone(address),
		line:   int32(r.at),
		rows:   []int32{row},
	}
	if number != "" {
		p.phone, p.phoneLine = strings.Clone(number), p.line
	}
	at := r.roll.people.add(p)
	if address != "" {
		r.index.emails[strings.ToLower(p.email)] = at
	}
	return at
}

// meet links another row to a known person.
func (r *reader) meet(p *person, row int32, number string) {
	switch {
	case number == "":
	case p.phone == "":
		p.phone, p.phoneLine = strings.Clone(number), int32(r.at)
	case p.phone != number:
		r.reject(phone, "Line %d has %s for the same tenant; the lines of a tenant must agree.", p.phoneLine, p.phone)
	}
	if !slices.Contains(p.rows, row) {
		p.rows = append(p.rows, row)
	}
}
