package rentroll

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/id"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/texts"
)

// Plan is what an import will write. Its numbers are those of the new records.
type Plan struct {
	Properties, Units, Tenants, Leases int
	Balances                           int // rows of the ledger for what was owed or paid too much before
	Same                               int // lines that say what the portfolio says
	Missing                            int // units of properties of the file that it does not have

	Notes   []Note   `json:"-"` // what is to be known of the comparison
	Changes []Change // what the file says otherwise of records that the portfolio has

	Joined []Joined // the properties of the portfolio that get units

	roll  *Roll
	sites []site
	now   time.Time
	today clock.Date
	names *Names // of the records that are new
	ids   Names  // of all records of the roll

	existing *Existing
	places   *places // nil until they are written

	met       map[int32]*meeting    // rows whose unit the portfolio has
	heldUnits map[string]bool       // their ids
	known     map[int32]*HeldTenant // people whom the portfolio has
	ended     []int32               // lines that say something else of leases that have ended
	knownIDs  map[string]bool       // the ids of these people
	noted     map[string]int        // the indexes of the changes, by their question
}

// Joined is a property of the portfolio that gets units. Its facts are those
// that the file knows and the portfolio does not, nil otherwise; the caller adds
// them, counts the units anew and raises the version.
type Joined struct {
	PropertyID string
	Units      int
	PostalCode *string
	YearBuilt  *int
}

// site is a property of the roll beside what the portfolio holds of it.
type site struct {
	id              string
	held            *held
	units, occupied int
}

// Plan settles what an import of the roll writes at a time, in a portfolio that
// holds what is given; today is the day of that time in the zone, by the test clock. There is a
// plan or there are problems, those that Read found among them.
func (r *Roll) Plan(existing *Existing, now time.Time, zone *time.Location) (*Plan, []Problem) {
	if existing == nil {
		existing = &Existing{}
	}
	p := &Plan{
		Units:     r.units,
		Tenants:   r.people.len(),
		roll:      r,
		existing:  existing,
		now:       now,
		today:     clock.DateOf(now, zone).AddDays(existing.Ahead),
		met:       map[int32]*meeting{},
		heldUnits: map[string]bool{},
		known:     map[int32]*HeldTenant{},
		knownIDs:  map[string]bool{},
		noted:     map[string]int{},
	}
	problems := r.problems
	problems.listed = slices.Clip(problems.listed)
	p.locate(existing, &problems)
	p.countUnits(existing, &problems)
	if len(problems.listed) > 0 {
		return nil, problems.all()
	}
	p.gone()
	p.join()
	return p, nil
}

// locate finds the properties of the roll in the portfolio.
func (p *Plan) locate(existing *Existing, problems *problems) {
	p.sites = make([]site, p.roll.properties.len())
	lastYear := p.today.Std().Year() + 1
	var renamed []int32 // lines
	for key, i := range p.roll.byAddress {
		p.sites[i].held = existing.byAddress[key]
	}
	for i := range p.sites {
		found := p.roll.properties.at(int32(i))
		if found.year > int32(lastYear) {
			problems.add(int(found.yearLine), yearBuilt.String(),
				fmt.Sprintf("\"%d\" is not a whole number between 1600 and %d.", found.year, lastYear),
				Ask{Question: fmt.Sprintf("value:year_built:%d", found.year), Value: strconv.Itoa(int(found.year))})
		}
		if p.sites[i].held != nil {
			p.agree(found, p.sites[i].held, problems)
			if found.names != nil && !strings.EqualFold(found.names.first, p.sites[i].held.name) {
				renamed = append(renamed, found.names.line)
			}
		}
	}
	if len(renamed) > 0 {
		p.Notes = append(p.Notes, Note{
			Line: int(renamed[0]), Column: propertyName.String(), Message: fmt.Sprintf(
				"The file has another name than the portfolio for %s. The portfolio keeps what it has.",
				texts.Counted(len(renamed), "property")),
		})
	}
}

// agree compares a property of the roll with what the portfolio says of it.
func (p *Plan) agree(found *property, h *held, problems *problems) {
	differs := func(line int32, c column, has any) {
		problems.add(int(line), c.String(), fmt.Sprintf(
			"The portfolio says %v of this property. Change it there, or leave the column empty.", has), Ask{
			Question: fmt.Sprintf("cell:%d:%s", line, c), Suggested: fmt.Sprint(has),
		})
	}
	if found.postal != "" && h.postal != "" && !sameZIP(found.postal, h.postal) {
		differs(found.postalLine, postalCode, h.postal)
	}
	if found.kind != "" && found.kind != h.kind {
		differs(found.kindLine, propertyType, h.kind)
	}
	if found.year != 0 && h.year != 0 && int(found.year) != h.year {
		differs(found.yearLine, yearBuilt, h.year)
	}
	line := int(p.roll.rows.at(found.first).line)
	switch {
	case h.archived:
		problems.add(
			line,
			streetAddress.String(),
			"The portfolio has this property archived. Bring it back first.",
			Ask{},
		)
	case h.several:
		problems.add(
			line,
			streetAddress.String(),
			"The portfolio has several properties with this address, so it cannot be told which gets the unit.",
			Ask{},
		)
	}
}

// countUnits counts the units, tenants and leases that are new, and compares those that the portfolio has.
func (p *Plan) countUnits(existing *Existing, problems *problems) {
	p.Units = 0
	for i := range int32(p.roll.rows.len()) {
		row := p.roll.rows.at(i)
		s, changes := &p.sites[row.property], len(p.Changes)
		if s.held != nil {
			p.meet(i, row, s.held, existing, problems)
		}
		m, met := p.met[i]
		if !met && p.roll.unitOf(i) == i {
			s.units++
			p.Units++
		}
		if met && (row.person == none || m.lease != nil) && len(p.Changes) == changes {
			p.Same++
		}
		if !p.isNew(i, row) {
			continue
		}
		p.Leases++
		if !met && row.status(p.today) == portfolio.LeaseActive {
			s.occupied++
		}
	}
	var kept []int32 // rows with a balance that the ledger knows
	for i := range int32(p.roll.rows.len()) {
		row := p.roll.rows.at(i)
		switch {
		case p.roll.extrasOf(row).balance == 0:
		case p.owes(i, row):
			p.Balances++
		default:
			kept = append(kept, i)
		}
	}
	if len(p.met) == 0 {
		return
	}
	if len(kept) > 0 {
		p.Notes = append(
			p.Notes,
			Note{Line: int(p.roll.rows.at(kept[0]).line), Column: balance.String(), Message: fmt.Sprintf(
				"The portfolio has the tenants of %s with a balance already. Its ledger says what they owe, so no balance is "+
					"brought forward for them.",
				texts.Counted(len(kept), "line"),
			),
			},
		)
	}
	if len(p.ended) > 0 {
		p.Notes = append(p.Notes, Note{Line: int(p.ended[0]), Message: fmt.Sprintf(
			"%s of leases that have ended, and the portfolio says something else of them. That stays as it is.",
			map[bool]string{true: "1 line is", false: texts.Number(len(p.ended)) + " lines are"}[len(p.ended) == 1]),
		})
	}
	p.Tenants = 0
	for i := range int32(p.roll.people.len()) {
		at := p.newLease(i)
		switch t := p.known[i]; {
		case at == none:
		case t == nil:
			p.Tenants++
		default:
			row := p.roll.rows.at(at)
			p.knownIDs[t.ID] = true
			p.compareContact(i, t, row, p.address(row))
		}
	}
}

// owes reports whether a row brings a balance: it has one, and a new lease of a tenant whose ledger there is not.
func (p *Plan) owes(at int32, row *row) bool {
	return p.roll.extrasOf(row).balance != 0 && p.isNew(at, row) && p.known[row.person] == nil
}

// firstLease is the row of the first new lease of a person whom the portfolio does not have, none for others.
func (p *Plan) firstLease(person int32) int32 {
	if p.known[person] != nil {
		return none
	}
	return p.newLease(person)
}

// newLease is the row of the first new lease of a person, none for no such lease.
func (p *Plan) newLease(person int32) int32 {
	for at := range p.roll.people.at(person).rows() {
		if p.isNew(at, p.roll.rows.at(at)) {
			return at
		}
	}
	return none
}

// join lists the properties of the portfolio that get units.
func (p *Plan) join() {
	for i, s := range p.sites {
		if s.held == nil {
			p.Properties++
			continue
		}
		f := p.roll.properties.at(int32(i))
		if s.units == 0 && (s.held.postal != "" || f.postal == "") && (s.held.year != 0 || f.year == 0) {
			continue
		}
		j := Joined{PropertyID: s.held.id, Units: s.units}
		if s.held.postal == "" && f.postal != "" {
			j.PostalCode = &f.postal
		}
		if s.held.year == 0 && f.year != 0 {
			j.YearBuilt = new(int(f.year))
		}
		p.Joined = append(p.Joined, j)
	}
}

// Names are the identifiers of the records of an import, made before the first record, since records name each other.
// Their order is that of the file.
type Names struct {
	properties, units, tenants, leases, balances []string // of each property, row, person, row and row; ascending
}

// Names makes the identifiers of an import that begins at a time: the same for the same seed, whenever the
// file is read.
func (r *Roll) Names(seed string, at time.Time) *Names {
	name := func(prefix string, n int) []string { return id.Numbered(prefix, at, seed, n) }
	return &Names{
		properties: name(id.Property, r.properties.len()),
		units:      name(id.Unit, r.rows.len()),
		tenants:    name(id.Tenant, r.people.len()),
		leases:     name(id.Lease, r.rows.len()),
		balances:   name(id.Payment, r.rows.len()),
	}
}

// has reports whether a record is one of the import.
func (n *Names) has(record string) bool {
	all := n.leases
	switch {
	case strings.HasPrefix(record, id.Property+"_"):
		all = n.properties
	case strings.HasPrefix(record, id.Unit+"_"):
		all = n.units
	case strings.HasPrefix(record, id.Tenant+"_"):
		all = n.tenants
	}
	_, found := slices.BinarySearch(all, record)
	return found
}

// others is what a portfolio holds but for the records of an import.
type others struct {
	Holding
	without *Names
	taken   map[string]bool // units that others have added to properties of the import, by property and number
}

// Addresses is Holding.
func (o others) Addresses(
	ctx context.Context, in access.Portfolio, property func(*portfolio.Property), unit func(*portfolio.Unit),
) error {
	return o.Holding.Addresses(ctx, in, func(p *portfolio.Property) {
		if !o.without.has(p.ID) {
			property(p)
		}
	}, func(u *portfolio.Unit) {
		switch {
		case o.without.has(u.ID):
		case o.without.has(u.PropertyID):
			o.taken[u.PropertyID+"\n"+strings.ToLower(oneSpaced(u.UnitNumber))] = true
		default:
			unit(u)
		}
	})
}

// Tenancies is Holding.
func (o others) Tenancies(
	ctx context.Context, in access.Portfolio, lease func(*HeldLease), tenant func(leaseID string, t *HeldTenant),
) error {
	return o.Holding.Tenancies(ctx, in, func(l *HeldLease) {
		if !o.without.has(l.ID) {
			lease(l)
		}
	}, tenant)
}

// HoldOthers is Hold without what an import of the roll has written. It is ErrTaken where somebody has
// added a unit to a property of the import, which the import has still to add.
func (r *Roll) HoldOthers(ctx context.Context, from Holding, in access.Portfolio, written *Names) (*Existing, error) {
	o := others{from, written, map[string]bool{}}
	existing, err := r.Hold(ctx, o, in)
	if err != nil || len(o.taken) == 0 {
		return existing, err
	}
	for i := range int32(r.rows.len()) {
		row := r.rows.at(i)
		if o.taken[written.properties[row.property]+"\n"+strings.ToLower(row.number)] {
			return nil, ErrTaken
		}
	}
	return existing, nil
}

// Name gives every record of the plan its identifier.
func (p *Plan) Name(names *Names) {
	p.names = names
	p.ids = Names{
		units: slices.Clone(names.units), tenants: slices.Clone(names.tenants), leases: slices.Clone(names.leases),
		balances: names.balances,
	}
	for i := range p.sites {
		p.sites[i].id = names.properties[i]
		if h := p.sites[i].held; h != nil {
			p.sites[i].id = h.id
		}
	}
	for at, m := range p.met {
		p.ids.units[p.roll.unitOf(at)] = m.unit.id
		if m.lease != nil {
			p.ids.leases[at] = m.lease.ID
		}
	}
	for person, t := range p.known {
		p.ids.tenants[person] = t.ID
	}
}

// Line is what a line of the file makes, to be looked at before.
type Line struct {
	Line    int          `json:"line"`    // in the file
	Address string       `json:"address"` // of the unit, in one line
	New     bool         `json:"new"`     // its property is one that the portfolio does not have
	Known   bool         `json:"known"`   // the portfolio has its unit
	Same    bool         `json:"same"`    // it brings neither a unit nor a lease
	Tenant  string       `json:"tenant"`  // all of the lease; "" for a vacant unit
	Status  string       `json:"status"`  // of the lease, "" without one
	Start   *clock.Date  `json:"start"`
	End     *clock.Date  `json:"end"` // nil for month to month
	Rent    *money.Cents `json:"rent"`
	Balance *money.Cents `json:"balance"` // that is brought forward, nil for none
}

// Lines are the first lines of the plan, at most so many.
func (p *Plan) Lines(most int) []Line {
	lines, _ := p.Search("", 0, most)
	return lines
}

// Search are the lines of the plan that have all words of a text in their address, tenant, status, days or rent, from
// an index on at most so many; and how many there are. Case does not count.
func (p *Plan) Search(text string, from, most int) (lines []Line, found int) {
	words := strings.Fields(strings.ToLower(text))
	for i := range int32(p.roll.rows.len()) {
		if len(words) == 0 && (found < from || len(lines) == most) {
			found++
			continue
		}
		l := p.line(i, p.roll.rows.at(i))
		if !l.has(words) {
			continue
		}
		if found >= from && len(lines) < most {
			lines = append(lines, l)
		}
		found++
	}
	return lines, found
}

// has reports whether a line has all words, which are in lower case.
func (l *Line) has(words []string) bool {
	if len(words) == 0 {
		return true
	}
	parts := []string{strings.ToLower(l.Address), strings.ToLower(l.Tenant), l.Status}
	if l.Status == "" {
		parts[2] = "vacant"
	}
	if l.Start != nil {
		parts = append(parts, l.Start.String(), l.Rent.String())
	}
	if l.End != nil {
		parts = append(parts, l.End.String())
	}
	all := strings.Join(parts, "\n")
	return !slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(all, word) })
}

func (p *Plan) line(at int32, row *row) Line {
	_, known := p.met[at]
	l := Line{
		Line:    int(row.line),
		Address: p.address(row),
		New:     p.sites[row.property].held == nil,
		Known:   known,
		Same:    known && !p.isNew(at, row),
	}
	if row.person == none {
		return l
	}
	for person := range p.roll.tenants(row) {
		if l.Tenant != "" {
			l.Tenant += ", "
		}
		l.Tenant += p.roll.people.at(person).name()
	}
	l.Status = string(row.status(p.today))
	l.Start, l.Rent = new(row.start), new(row.monthlyRent)
	if !row.openEnded {
		l.End = new(row.end)
	}
	if b := p.roll.extrasOf(row).balance; p.owes(at, row) {
		l.Balance = &b
	}
	return l
}
