package rentroll

import (
	"cmp"
	"iter"
	"math"
	"slices"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/contact"
	"portal/api/id"
	"portal/api/money"
	"portal/api/portfolio"
)

// Books are the records in parts of at most so many lines, in the order of the file, so that a large roll takes little
// memory to write. A record names others of its part or of earlier ones, apart from the lease that a unit or a tenant
// shows, which may come in a later part. They can be walked again and are the same then.
func (p *Plan) Books(lines int) iter.Seq[*portfolio.Book] {
	return func(yield func(*portfolio.Book) bool) {
		for from := 0; from < p.roll.rows.len(); from += max(lines, 1) {
			if !yield(p.book(from, from+max(lines, 1))) {
				return
			}
		}
	}
}

// book are the records of some rows. All books of a plan have the same number of rows but for the last.
func (p *Plan) book(from, to int) *portfolio.Book {
	if p.names == nil { // a preview takes no identifiers
		p.Name(p.roll.Names(id.New(id.Import, p.now), p.now))
	}
	if p.places == nil || p.places.lines != to-from {
		p.places = p.placeUnits(to - from)
	}
	to = min(to, p.roll.rows.len())
	b := &portfolio.Book{Units: make([]portfolio.Unit, 0, to-from)}
	made := map[int32]bool{}
	for _, at := range p.places.early[int32(from)] {
		p.addUnit(b, made, int32(from), at)
	}
	for at := from; at < to; at++ {
		row := p.roll.rows.at(int32(at))
		if p.isNewUnit(int32(at)) && p.places.of(int32(at)) == int32(from) {
			p.addUnit(b, made, int32(from), int32(at))
		}
		if !p.isNew(int32(at), row) {
			continue
		}
		for person := range p.roll.tenants(row) {
			if p.firstLease(person) == int32(at) {
				b.Tenants = append(b.Tenants, p.tenant(person))
			}
		}
		b.Leases = append(b.Leases, p.lease(at, row))
		if p.owes(int32(at), row) {
			b.Payments = append(b.Payments, p.broughtForward(at, row))
		}
	}
	return b
}

// isNewUnit reports whether a row is the first of a unit that the portfolio does not have.
func (p *Plan) isNewUnit(at int32) bool {
	_, met := p.met[at]
	return !met && p.roll.unitOf(at) == at
}

// addUnit adds the unit of a row to the book that begins at another, and its property, if no other book has it. made
// are the properties that the book has.
func (p *Plan) addUnit(b *portfolio.Book, made map[int32]bool, book, at int32) {
	row := p.roll.rows.at(at)
	of := row.property
	if p.sites[of].held == nil && p.places.properties[of] == book && !made[of] {
		made[of] = true
		b.Properties = append(b.Properties, p.property(of))
	}
	b.Units = append(b.Units, p.unit(int(at), row))
}

// places are the books in which new units and properties are written: that of the first line, or an earlier one that
// has a tenant who lives there at last.
type places struct {
	lines      int
	earlier    map[int32]int32   // the first row of the book, by the row of a unit that comes before its own
	early      map[int32][]int32 // these units, by the first row of their book
	properties []int32           // the first row of the book of each property
}

// of is the first row of the book that has the unit of a row.
func (x *places) of(at int32) int32 {
	if book, early := x.earlier[at]; early {
		return book
	}
	return at - at%int32(x.lines)
}

// placeUnits settles in which books of so many lines units and properties are written.
func (p *Plan) placeUnits(lines int) *places {
	x := &places{
		lines: lines, earlier: map[int32]int32{}, early: map[int32][]int32{},
		properties: make([]int32, p.roll.properties.len()),
	}
	for person := range int32(p.roll.people.len()) {
		first := p.firstLease(person)
		if first == none {
			continue
		}
		shown, _ := p.leasesOf(p.roll.people.at(person))
		unit, book := p.roll.unitOf(shown), first-first%int32(lines)
		if p.isNewUnit(unit) && book < x.of(unit) {
			x.earlier[unit] = book
		}
	}
	for at := range x.earlier {
		x.early[x.earlier[at]] = append(x.early[x.earlier[at]], at)
	}
	for _, units := range x.early {
		slices.Sort(units)
	}
	for i := range x.properties {
		x.properties[i] = math.MaxInt32
	}
	for at := range int32(p.roll.rows.len()) {
		if p.isNewUnit(at) {
			of := &x.properties[p.roll.rows.at(at).property]
			*of = min(*of, x.of(at))
		}
	}
	return x
}

// tenants are the people of a row's lease, the primary tenant first.
func (r *Roll) tenants(of *row) iter.Seq[int32] {
	return func(yield func(int32) bool) {
		if of.person == none || !yield(of.person) {
			return
		}
		for _, person := range r.extrasOf(of).others {
			if !yield(person) {
				return
			}
		}
	}
}

// broughtForward is the row of the ledger for what a tenant owed when the file was made, or had paid too much.
func (p *Plan) broughtForward(at int, row *row) portfolio.Payment {
	out := portfolio.Payment{
		Record:      p.record(p.ids.balances[at], "payment"),
		LeaseID:     p.ids.leases[at],
		TenantID:    p.ids.tenants[row.person],
		UnitID:      p.ids.units[p.roll.unitOf(int32(at))],
		PropertyID:  p.sites[row.property].id,
		Type:        portfolio.PaymentFee,
		FeeType:     new(portfolio.OtherFee),
		Description: new("Balance brought forward"),
		Amount:      p.roll.extrasOf(row).balance,
		Currency:    portfolio.Currency,
		Status:      portfolio.PaymentDue,
		DueDate:     p.today,
	}
	out.Compute(p.today)
	return out
}

// makes reports whether a row is the first of a new property.
func (p *Plan) makes(at int, row *row) bool {
	return p.sites[row.property].held == nil && p.roll.properties.at(row.property).first == int32(at)
}

func (p *Plan) record(id, object string) portfolio.Record {
	now := clock.At(p.now)
	return portfolio.Record{
		ID:        id,
		Object:    object,
		Mode:      access.Live,
		Version:   1,
		CreatedAt: now,
		UpdatedAt: now,
	}
}

func (p *Plan) property(at int32) portfolio.Property {
	in, s := p.roll.properties.at(at), &p.sites[at]
	out := portfolio.Property{
		Record:             p.record(s.id, "property"),
		StreetAddress:      in.street,
		City:               in.city,
		State:              contact.State(in.state),
		Country:            "US",
		PropertyType:       in.kind,
		UnitCount:          s.units,
		OccupiedUnitCount:  s.occupied,
		Status:             portfolio.PropertyActive,
		VerificationStatus: portfolio.Unverified,
	}
	if out.PropertyType == "" {
		out.PropertyType = defaultType
	}
	out.PostalCode = text(in.postal)
	if in.names != nil {
		out.Name = text(in.names.first)
	}
	if in.year != 0 {
		out.YearBuilt = new(int(in.year))
	}
	return out
}

func (p *Plan) unit(at int, row *row) portfolio.Unit {
	out := portfolio.Unit{
		Record:     p.record(p.ids.units[at], "unit"),
		PropertyID: p.sites[row.property].id,
		UnitNumber: row.number,
		Currency:   portfolio.Currency,
		Status:     portfolio.UnitVacant,
		IsDefault:  p.makes(at, row),
	}
	out.Bedrooms = known[int](row.bedrooms)
	out.Bathrooms = known[portfolio.Half](row.bathrooms)
	out.SquareFeet = known[int](row.squareFeet)
	out.MarketRent = known[money.Cents](row.marketRent)
	for at, of := range p.roll.rowsOf(int32(at)) {
		if of.status(p.today) == portfolio.LeaseActive {
			out.Status, out.CurrentLeaseID = portfolio.UnitOccupied, new(p.ids.leases[at])
		}
	}
	return out
}

// text is a text that may be unknown.
func text(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// known is a number that may be none.
func known[To, From ~int | ~int16 | ~int32 | ~int64](n From) *To {
	if n == none {
		return nil
	}
	return new(To(n))
}

// tenant is a person with all leases of the roll. The property and the unit are
// those of the active lease, or else of the one that starts last.
func (p *Plan) tenant(at int32) portfolio.Tenant {
	in := p.roll.people.at(at)
	shown, leases := p.leasesOf(in)
	row := p.roll.rows.at(shown)
	out := portfolio.Tenant{
		Record:     p.record(p.ids.tenants[at], "tenant"),
		FirstName:  in.First,
		LastName:   in.Last,
		Name:       in.name(),
		Email:      text(in.known().email),
		Phone:      text(in.known().phone),
		LeaseIDs:   leases,
		PropertyID: new(p.sites[row.property].id),
		UnitID:     new(p.ids.units[p.roll.unitOf(shown)]),
		MoveInDate: new(row.start),
	}
	switch row.status(p.today) {
	case portfolio.LeaseActive:
		out.Status, out.CurrentLeaseID = portfolio.TenantCurrent, new(p.ids.leases[shown])
	case portfolio.LeaseSigned:
		out.Status = portfolio.TenantFuture
	default:
		out.Status = portfolio.TenantPast
	}
	return out
}

// leasesOf are the leases of a person whom the portfolio does not have, and the row of the one that the tenant shows.
func (p *Plan) leasesOf(in *person) (shown int32, leases []string) {
	shown = none
	for at := range in.rows() {
		if !p.isNew(at, p.roll.rows.at(at)) {
			continue // that of the portfolio is of others
		}
		leases = append(leases, p.ids.leases[at])
		if shown == none || p.above(at, shown) {
			shown = at
		}
	}
	return shown, leases
}

// above reports whether the lease of row a is shown rather than that of row b.
func (p *Plan) above(a, b int32) bool {
	x, y := p.roll.rows.at(a), p.roll.rows.at(b)
	active, other := x.status(p.today) == portfolio.LeaseActive, y.status(p.today) == portfolio.LeaseActive
	if active != other {
		return active
	}
	return x.start > y.start
}

// status is where the lease of a row stands on a day, "" without a lease. The
// last day of a lease is one of it.
func (r *row) status(today clock.Date) portfolio.LeaseStatus {
	switch {
	case r.person == none:
		return ""
	case r.start > today:
		return portfolio.LeaseSigned
	case !r.openEnded && r.end < today:
		return portfolio.LeaseExpired
	}
	return portfolio.LeaseActive
}

func (p *Plan) lease(at int, row *row) portfolio.Lease {
	out := portfolio.Lease{
		Record:          p.record(p.ids.leases[at], "lease"),
		Status:          row.status(p.today),
		LeaseType:       portfolio.MonthToMonth,
		PropertyID:      p.sites[row.property].id,
		UnitID:          p.ids.units[p.roll.unitOf(int32(at))],
		RentalAddress:   p.address(row),
		StartDate:       row.start,
		MonthlyRent:     row.monthlyRent,
		SecurityDeposit: row.deposit,
		Currency:        portfolio.Currency,
	}
	role := portfolio.PartyPrimary
	for person := range p.roll.tenants(row) {
		id := p.ids.tenants[person]
		out.TenantIDs = append(out.TenantIDs, id)
		out.Tenants = append(out.Tenants, portfolio.Party{ID: id, Name: p.roll.people.at(person).name(), Role: role})
		role = portfolio.PartyCoTenant
	}
	if !row.openEnded {
		out.LeaseType, out.EndDate = portfolio.Fixed, new(row.end)
	}
	x := p.roll.extrasOf(row)
	if x.moveIn != 0 {
		out.MoveInDate = new(x.moveIn)
	}
	if x.moveOut != 0 {
		out.MoveOutDate = new(x.moveOut)
	}
	if x.leaseKind != "" {
		out.LeaseType = x.leaseKind
	}
	out.RentDueDay = max(int(x.dueDay), 1)
	out.LateFeeAmount, out.LateFeeGraceDays = x.lateFee, x.graceDays
	return out
}

// address is the unit's in one line, spelled as the portfolio does where it has
// the property. The only unit of a property goes without its number if that is 1.
func (p *Plan) address(row *row) string {
	s := &p.sites[row.property]
	at, units := p.roll.properties.at(row.property).address, s.units
	if s.held != nil {
		postal := at.postal
		at, units = s.held.address, units+len(s.held.all)
		at.postal = cmp.Or(at.postal, postal)
	}
	if units == 1 && row.number == "1" {
		return at.line("")
	}
	return at.line(row.number)
}
