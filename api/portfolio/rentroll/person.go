package rentroll

import (
	"iter"
	"strings"

	"portal/api/portfolio/rentroll/cell"
)

// person is a tenant.
type person struct {
	cell.Person
	line int32    // the first that names the person
	row  int32    // of the first of their leases
	more *details // nil for none
}

// details are what is known of some people.
type details struct {
	email, phone string
	phoneLine    int32
	rows         []int32 // of their other leases
}

// known are the details of a person, to be read.
func (p *person) known() *details {
	if p.more == nil {
		return &nothing
	}
	return p.more
}

// nothing is known of a person without details.
var nothing details

// detail are the details of a person, to be written.
func (p *person) detail() *details {
	if p.more == nil {
		p.more = &details{}
	}
	return p.more
}

// rows are those of a person's leases.
func (p *person) rows() iter.Seq[int32] {
	return func(yield func(int32) bool) {
		if !yield(p.row) {
			return
		}
		for _, row := range p.known().rows {
			if !yield(row) {
				return
			}
		}
	}
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
			r.meet(at, row, number)
			return at
		}
		r.guessAt(email, "Line %d has %s for %s. %s gets no email address.", known.line, address,
			quote(known.name()), quote(of.First+" "+of.Last))
		address = ""
	}
	if at := r.namesake(of, address); at != none {
		r.meet(at, row, number)
		return at
	}
	p := person{
		Person: cell.Person{First: r.intern(of.First), Last: r.intern(of.Last)},
		line:   int32(r.at),
		row:    row,
	}
	if number != "" {
		p.detail().phone, p.more.phoneLine = strings.Clone(number), p.line
	}
	if address != "" {
		p.detail().email = strings.Clone(address)
	}
	at := r.roll.people.add(p)
	if address != "" {
		r.index.emails[strings.ToLower(p.more.email)] = at
	}
	return at
}

// namesake is the tenant without an email address of another lease of the present line's unit who has the same name,
// none where there is none: whoever has had the unit before is the same person.
func (r *reader) namesake(of cell.Person, address string) int32 {
	if r.entry.unit == none || address != "" {
		return none
	}
	for _, row := range r.roll.rowsOf(r.entry.unit) {
		for at := range r.roll.tenants(row) {
			p := r.roll.people.at(at)
			if p.known().email == "" && strings.EqualFold(p.First, of.First) && strings.EqualFold(p.Last, of.Last) {
				return at
			}
		}
	}
	return none
}

// meet links another row to a known person.
func (r *reader) meet(at, row int32, number string) {
	p := r.roll.people.at(at)
	switch known := p.known(); {
	case number == "":
	case known.phone == "":
		p.detail().phone, p.more.phoneLine = strings.Clone(number), int32(r.at)
	case known.phone != number:
		r.reject(phone, "Line %d has %s for the same tenant; the lines of a tenant must agree.",
			known.phoneLine, known.phone)
	}
	last := p.row
	if rows := p.known().rows; len(rows) > 0 {
		last = rows[len(rows)-1]
	}
	if last == row || int(row) < r.roll.rows.len() && r.roll.has(r.roll.rows.at(row), at) {
		return // a person may have very many rows
	}
	p.detail().rows = append(p.detail().rows, row)
}

// has reports whether a person is a tenant of a row's lease.
func (r *Roll) has(row *row, person int32) bool {
	for each := range r.tenants(row) {
		if each == person {
			return true
		}
	}
	return false
}
