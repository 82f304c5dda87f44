package rentroll

import "strings"

// person is a tenant.
type person struct {
	first, last  string
	email, phone string
	line         int32 // the first that names the person
	phoneLine    int32
	row, lastRow int32 // the first and the last row of the person
}

func (p *person) name() string { return p.first + " " + p.last }

// person finds or adds the tenant of the current line and links the row to it. It is none if the
// line has no tenant, or if the tenant's name or email is invalid.
func (r *reader) person(row int32) int32 {
	e := &r.entry
	if !e.good(firstName) || !e.good(lastName) || e.bad.has(email) {
		return none
	}
	if at, known := r.index.emails[strings.ToLower(e.email)]; known && e.email != "" {
		r.meet(at, row)
		return at
	}
	p := person{
		first:   r.intern(e.first),
		last:    r.intern(e.last),
		email:   strings.Clone(e.email),
		line:    int32(r.at),
		row:     row,
		lastRow: row,
	}
	if e.good(phone) {
		p.phone, p.phoneLine = strings.Clone(e.phone), p.line
	}
	at := r.roll.people.add(p)
	if e.email != "" {
		r.index.emails[strings.ToLower(p.email)] = at
	}
	return at
}

// meet links another row to a known person.
func (r *reader) meet(at, row int32) {
	e, p := &r.entry, r.roll.people.at(at)
	if !strings.EqualFold(p.first, e.first) || !strings.EqualFold(p.last, e.last) {
		r.reject(email, "Line %d has this address for %s; one address is one tenant.", p.line, quote(p.name()))
		return
	}
	switch {
	case !e.good(phone):
	case p.phone == "":
		p.phone, p.phoneLine = strings.Clone(e.phone), int32(r.at)
	case p.phone != e.phone:
		r.reject(phone, "Line %d has %s for the same tenant; the lines of a tenant must agree.", p.phoneLine, p.phone)
	}
	r.roll.rows.at(p.lastRow).next = row
	p.lastRow = row
}
