package rentroll

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"portal/api/clock"
	"portal/api/contact"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/lease/law"
)

// ChangeKind is what is changed of a record of the portfolio.
type ChangeKind string

// What an import may change.
const (
	ChangeUnit   ChangeKind = "unit"   // facts of a unit
	ChangeLease  ChangeKind = "lease"  // days and money of a lease
	ChangeTenant ChangeKind = "tenant" // how a tenant is reached
	EndLease     ChangeKind = "end"    // a lease that the file does not have any more
)

// SchemaName is the name of the OpenAPI component.
func (ChangeKind) SchemaName() string { return "ImportChangeKind" }

// Values are all kinds.
func (ChangeKind) Values() []string {
	return []string{string(ChangeUnit), string(ChangeLease), string(ChangeTenant), string(EndLease)}
}

// Change is what the file says otherwise than a record of the portfolio, or does not say any more. It is made once
// somebody has ticked it: the question, which names the record and its version, or changes: and the kind, has the
// answer Apply.
type Change struct {
	Kind    ChangeKind `json:"kind"`
	ID      string     `json:"id"` // of the record
	Version int64      `json:"version"`
	Line    int        `json:"line"`    // of the file, 0 where it has none
	Address string     `json:"address"` // of the unit
	Tenant  string     `json:"tenant"`  // all of the lease, "" for a unit
	Fields  []Field    `json:"fields"`
	Why     string     `json:"why"` // it cannot be made; "" where it can
	Ticked  bool       `json:"ticked"`
}

// Field is a field of a record that changes. An empty text is no value.
type Field struct {
	Name string `json:"name"`
	From string `json:"from"`
	To   string `json:"to"`
}

// Apply and Keep are the answers about a change.
const (
	Apply = "apply"
	Keep  = "keep"
)

// String is the change in one line: 7 Oak St, Unit 1, Austin, TX: lease of Dana Whitfield: monthly_rent 900.00 →
// 925.00.
func (c *Change) String() string {
	of := string(c.Kind)
	switch {
	case c.Kind == EndLease:
		of = "end of the lease of " + c.Tenant
	case c.Tenant != "":
		of += " of " + c.Tenant
	}
	var fields []string
	for _, f := range c.Fields {
		fields = append(fields, f.Name+" "+cmp.Or(f.From, "none")+" → "+cmp.Or(f.To, "none"))
	}
	return c.Address + ": " + of + ": " + strings.Join(fields, ", ")
}

// Question is what the answer about a change answers.
func (c *Change) Question() string {
	return "change:" + string(c.Kind) + ":" + c.ID + ":" + strconv.FormatInt(c.Version, 10)
}

// meeting is a row whose unit the portfolio has.
type meeting struct {
	unit  *heldUnit
	lease *HeldLease // that the row is of, nil where the row has none or a new one
}

// isNew reports whether a row brings a lease.
func (p *Plan) isNew(at int32, row *row) bool {
	m, met := p.met[at]
	return row.person != none && (!met || m.lease == nil)
}

// isKnown reports whether the portfolio had a tenant before.
func (p *Plan) isKnown(tenantID string) bool { return p.knownIDs[tenantID] }

// isHeld reports whether the portfolio had a unit before.
func (p *Plan) isHeld(unitID string) bool { return p.heldUnits[unitID] }

// meet compares the rows of a property that the portfolio has.
func (p *Plan) meet(at int32, row *row, h *held, existing *Existing, problems *problems) {
	first := p.roll.unitOf(at)
	number := p.roll.rows.at(first).number
	unit, several := existing.unit(h, number)
	if several && first == at {
		problems.add(int(row.line), unitNumber.String(), fmt.Sprintf(
			"The portfolio has several units with this number, such as %s and %s. Write it as the portfolio does.",
			quote(unit.alike.number), quote(unit.number)), Ask{
			Question: fmt.Sprintf("cell:%d:%s", row.line, unitNumber), Value: number, Suggested: unit.number,
		})
	}
	if unit == nil || several {
		return
	}
	m := &meeting{unit: unit}
	p.met[at], p.heldUnits[unit.id] = m, true
	h.met = true
	if first == at {
		unit.met = true
		p.compareUnit(row, unit)
	}
	if row.person == none {
		return
	}
	if m.lease = p.leaseOf(row, unit); m.lease == nil {
		p.replace(row, unit, problems)
		return
	}
	m.lease.met = true
	p.compareLease(row, m.lease, unit)
}

// leaseOf is the lease of the portfolio that a row is of: one that begins on the same day and either runs or has had
// one of the same tenants; or one that has the same tenants, a day in common, and begins later or has ended too.
func (p *Plan) leaseOf(row *row, unit *heldUnit) *HeldLease {
	people := 0
	for range p.roll.tenants(row) {
		people++
	}
	var best *HeldLease
	for _, l := range unit.leases {
		known := l.runs() || len(p.strangers(row, l)) < people
		if l.Start == row.start && known && (best == nil || l.runs()) {
			best = l
		}
	}
	if best != nil {
		return best
	}
	ended := row.status(p.today) == portfolio.LeaseExpired
	for _, l := range unit.leases {
		corrected := l.runs() && row.start < l.Start || !l.runs() && ended
		if corrected && p.sharesDays(row, l) && len(p.strangers(row, l)) == 0 {
			return l
		}
	}
	return nil
}

func (p *Plan) sharesDays(row *row, l *HeldLease) bool {
	return (row.openEnded || l.Start <= row.end) && (l.End == nil || row.start <= *l.End)
}

// strangers are the people of a row whom a lease does not have.
func (p *Plan) strangers(row *row, l *HeldLease) (all []int32) {
	for person := range p.roll.tenants(row) {
		if p.tenantOf(person, l) == nil {
			all = append(all, person)
		}
	}
	return all
}

// tenantOf is the tenant of a lease who is a person of the file: of several with the name the one with the same email
// address, or else one without any.
func (p *Plan) tenantOf(person int32, l *HeldLease) (best *HeldTenant) {
	in := p.roll.people.at(person)
	alike := func(t *HeldTenant) int {
		switch {
		case t.Email == nil && in.known().email == "", t.Email != nil && strings.EqualFold(*t.Email, in.known().email):
			return 2
		case t.Email == nil:
			return 1
		}
		return 0
	}
	for _, t := range l.tenants {
		if strings.EqualFold(t.First, in.First) && strings.EqualFold(t.Last, in.Last) &&
			(best == nil || alike(t) > alike(best)) {
			best = t
		}
	}
	return best
}

// know notes that a person of a row is a tenant of a lease, unless another one of the row is.
func (p *Plan) know(person int32, row *row, l *HeldLease) {
	t := p.tenantOf(person, l)
	if t == nil {
		return
	}
	for other := range p.roll.tenants(row) {
		if has := p.known[other]; other != person && has != nil && has.ID == t.ID {
			return
		}
	}
	p.known[person] = t
}

// replace has a new lease take the place of those that share a day with it: somebody has to say that they have ended.
func (p *Plan) replace(row *row, unit *heldUnit, problems *problems) {
	for _, l := range unit.leases {
		for person := range p.roll.tenants(row) { // who goes on living there
			p.know(person, row, l)
		}
	}
	for _, l := range unit.leases {
		if !l.runs() || !p.sharesDays(row, l) {
			continue
		}
		c := p.ending(l, unit, int(row.line), min(row.start-1, p.today))
		if c.Why == "" && p.ticked(&c) {
			l.met = true
			p.change(c)
			continue
		}
		l.met = true // it is asked about here
		problem := fmt.Sprintf(
			"The portfolio has a lease of this unit with %s from %s, which shares days with this one. "+
				"Say whether it has ended.",
			l.names(),
			l.Start,
		)
		ask := Ask{Question: c.Question(), Suggested: Apply}
		if c.Why != "" {
			problem, ask = problem[:len(problem)-len("Say whether it has ended.")]+c.Why, askLine(int(row.line))
		}
		problems.add(int(row.line), leaseStart.String(), problem, ask)
	}
}

// ending is the end of a lease on a day.
func (p *Plan) ending(l *HeldLease, unit *heldUnit, line int, on clock.Date) Change {
	c := Change{
		Kind: EndLease, ID: l.ID, Version: l.Version, Line: line, Tenant: l.names(),
		Address: p.addressOf(unit),
		Fields: []Field{
			{"status", string(l.Status), string(portfolio.LeaseTerminated)}, {"terminated_on", "", on.String()},
		},
	}
	switch {
	case l.Status == portfolio.LeaseSigned:
		c.Why = "It has not begun: end it in the portfolio, with the tenants' consent."
	case on < l.Start:
		c.Why = "It would end before it has begun. Change it in the portfolio."
	}
	return c
}

// endsOn is the day on which a lease ends, "" for other changes.
func (c *Change) endsOn() string {
	if c.Kind != EndLease {
		return ""
	}
	return c.Fields[len(c.Fields)-1].To
}

// addressOf is the address of a unit of the portfolio in one line.
func (p *Plan) addressOf(u *heldUnit) string {
	if len(u.property.all) == 1 && u.number == "1" {
		return u.property.line("")
	}
	return u.property.line(u.number)
}

// compareUnit finds what the file says otherwise of a unit. What it does not say stays.
func (p *Plan) compareUnit(row *row, u *heldUnit) {
	c := Change{Kind: ChangeUnit, ID: u.id, Version: u.version, Line: int(row.line), Address: p.addressOf(u)}
	c.compare("bedrooms", u.bedrooms, int(row.bedrooms), strconv.Itoa)
	c.compare("bathrooms", u.bathrooms, int(row.bathrooms), func(n int) string { return half(portfolio.Half(n)) })
	c.compare("square_feet", u.squareFeet, int(row.squareFeet), strconv.Itoa)
	c.compare(
		"market_rent",
		int(u.marketRent),
		int(row.marketRent),
		func(n int) string { return money.Cents(n).String() },
	)
	p.change(c)
}

func (c *Change) compare(name string, has, says int, text func(int) string) {
	if says == none || says == has {
		return
	}
	f := Field{Name: name, To: text(says)}
	if has != none {
		f.From = text(has)
	}
	c.Fields = append(c.Fields, f)
}

// compareLease finds what the file says otherwise of a lease and of its tenants.
func (p *Plan) compareLease(row *row, l *HeldLease, unit *heldUnit) {
	c := Change{
		Kind:    ChangeLease,
		ID:      l.ID,
		Version: l.Version,
		Line:    int(row.line),
		Tenant:  l.names(),
		Address: p.addressOf(unit),
	}
	if row.start != l.Start {
		c.Fields = append(c.Fields, Field{"start_date", l.Start.String(), row.start.String()})
	}
	c.compareEnd(p, row, l, unit)
	c.compare("monthly_rent", int(l.Rent), int(row.monthlyRent), func(n int) string { return money.Cents(n).String() })
	if row.deposit != 0 {
		c.compare(
			"security_deposit",
			int(l.Deposit),
			int(row.deposit),
			func(n int) string { return money.Cents(n).String() },
		)
	}
	x := p.roll.extrasOf(row)
	c.compareTerms(x, l, unit.property.state)
	moves := movesOf(x, l)
	if !l.runs() { // what has been stays
		if len(c.Fields)+len(moves) > 0 {
			p.ended = append(p.ended, row.line)
		}
		for person := range p.roll.tenants(row) {
			if p.known[person] == nil {
				p.know(person, row, l) // who may have a new lease elsewhere
			}
		}
		return
	}
	if l.Status == portfolio.LeaseActive {
		c.Fields = append(c.Fields, moves...)
		p.change(c)
	} else { // of what has been signed nothing changes, but when the tenants move
		moved := c
		moved.Fields = moves
		c.Why = "The lease is " + string(l.Status) + ", so its days and amounts stay as they are."
		p.change(c)
		p.change(moved)
	}
	p.compareTenants(row, l, unit)
}

// compareEnd finds what the file says otherwise of the last day and the type of a lease. One that has rolled over goes
// on from month to month, and one that another renews ends before that begins: a file that says so says the same.
func (c *Change) compareEnd(p *Plan, row *row, l *HeldLease, unit *heldUnit) {
	ends := ""
	if l.End != nil {
		ends = l.End.String()
	}
	rolls := l.Type == portfolio.FixedWithRollover
	switch {
	case row.openEnded && p.roll.saysEnds && l.End != nil && !rolls:
		c.Fields = append(c.Fields, Field{"end_date", ends, ""})
	case !row.openEnded && (l.End == nil || *l.End != row.end) && !unit.renews(l, row.end+1):
		c.Fields = append(c.Fields, Field{"end_date", ends, row.end.String()})
	}
	kind := p.roll.extrasOf(row).leaseKind
	if rolls && row.openEnded && l.End != nil && *l.End < p.today && kind == portfolio.MonthToMonth {
		return
	}
	if kind != "" && kind != l.Type {
		c.Fields = append(c.Fields, Field{"lease_type", string(l.Type), string(kind)})
	}
}

// renews reports whether a lease that would still run on a day is renewed from that day on.
func (u *heldUnit) renews(l *HeldLease, from clock.Date) bool {
	return l.RenewedTo != nil && (l.End == nil || *l.End >= from || l.Type == portfolio.FixedWithRollover) &&
		slices.ContainsFunc(u.leases, func(next *HeldLease) bool {
			return next.ID == *l.RenewedTo && next.Start == from && (next.End == nil || *next.End >= from)
		})
}

// compareTerms finds what the file says otherwise of when rent is due and what is owed when it is late. A fee of 0 is
// none, and fewer days of grace than the state gives are those of the state.
func (c *Change) compareTerms(x *extras, l *HeldLease, state string) {
	if x.dueDay != 0 {
		c.compare("rent_due_day", l.DueDay, int(x.dueDay), strconv.Itoa)
	}
	if says, has := numberOf(x.lateFee), numberOf(l.LateFee); max(says, 0) != max(has, 0) {
		c.compare("late_fee_amount", has, says, func(n int) string { return money.Cents(n).String() })
	}
	if x.graceDays == nil {
		return
	}
	rules := law.Of(contact.State(state))
	says, _ := rules.Grace(x.graceDays)
	if has, _ := rules.Grace(l.GraceDays); says != has {
		c.compare("late_fee_grace_days", numberOf(l.GraceDays), says, strconv.Itoa)
	}
}

// movesOf are the days on which tenants move that the file says otherwise.
func movesOf(x *extras, l *HeldLease) (fields []Field) {
	for _, f := range []struct {
		name string
		says clock.Date
		has  *clock.Date
	}{{"move_in_date", x.moveIn, l.MoveIn}, {"move_out_date", x.moveOut, l.MoveOut}} {
		was := ""
		if f.has != nil {
			was = f.has.String()
		}
		if f.says != 0 && f.says.String() != was {
			fields = append(fields, Field{f.name, was, f.says.String()})
		}
	}
	return fields
}

// compareTenants finds how the file says that tenants are reached, and whom a lease does not have.
func (p *Plan) compareTenants(row *row, l *HeldLease, unit *heldUnit) {
	var met []*HeldTenant
	for person := range p.roll.tenants(row) {
		t, in := p.tenantOf(person, l), p.roll.people.at(person)
		if t == nil || slices.Contains(met, t) { // two of the file with one name are two
			p.change(Change{
				Kind: ChangeLease, ID: l.ID, Version: l.Version, Line: int(row.line), Tenant: l.names(),
				Address: p.addressOf(unit), Fields: []Field{{"tenants", l.names(), in.name()}},
				Why: "Who has signed a lease cannot be changed by an import.",
			})
			continue
		}
		met, p.known[person] = append(met, t), t
		p.compareContact(person, t, row, p.addressOf(unit))
	}
}

// compareContact finds how the file says that a tenant is reached.
func (p *Plan) compareContact(person int32, t *HeldTenant, row *row, address string) {
	in := p.roll.people.at(person)
	c := Change{
		Kind: ChangeTenant, ID: t.ID, Version: t.Version, Line: int(row.line), Tenant: in.name(), Address: address,
	}
	for _, f := range []struct {
		name, says string
		has        *string
	}{{"email", in.known().email, t.Email}, {"phone", in.known().phone, t.Phone}} {
		if f.says != "" && (f.has == nil || !strings.EqualFold(*f.has, f.says)) {
			was := ""
			if f.has != nil {
				was = *f.has
			}
			c.Fields = append(c.Fields, Field{f.name, was, f.says})
		}
	}
	p.change(c)
}

// change notes a change, if it is one. A lease whose place several take ends before the first of them.
func (p *Plan) change(c Change) {
	if len(c.Fields) == 0 {
		return
	}
	key := c.Question()
	if c.Why != "" {
		key += fmt.Sprint(c.Why, c.Fields)
	}
	if at, noted := p.noted[key]; noted {
		if first := &p.Changes[at]; c.Kind == EndLease && c.endsOn() < first.endsOn() {
			first.Fields, first.Line = c.Fields, c.Line
		}
		return
	}
	p.noted[key] = len(p.Changes)
	c.Ticked = c.Why == "" && p.ticked(&c)
	p.Changes = append(p.Changes, c)
}

// ticked reports whether somebody has said that a change is to be made.
func (p *Plan) ticked(c *Change) bool {
	if p.roll.approved != nil {
		what, approved := p.roll.approved[c.record()]
		return approved && what == c.what()
	}
	answer := cmp.Or(p.roll.ticks[c.Question()], p.roll.ticks["changes:"+string(c.Kind)])
	return answer == Apply
}

// gone finds the leases that run in properties of the file, of which it says nothing any more, and counts the units.
func (p *Plan) gone() {
	for i := range p.sites {
		h := p.sites[i].held
		if h == nil {
			continue
		}
		for _, u := range h.all {
			if !u.met {
				p.Missing++
			}
			for _, l := range u.leases {
				if l.Status == portfolio.LeaseActive && !l.met {
					p.change(p.ending(l, u, 0, p.today))
				}
			}
		}
	}
}

// Empty reports whether an import would do nothing.
func (p *Plan) Empty() bool {
	for range p.Ticked() {
		return false
	}
	return p.Properties+p.Units+p.Tenants+p.Leases+p.Balances+len(p.Joined) == 0
}

// Ticked are the changes that are to be made.
func (p *Plan) Ticked() iter.Seq[*Change] {
	return func(yield func(*Change) bool) {
		for i := range p.Changes {
			if p.Changes[i].Ticked && !yield(&p.Changes[i]) {
				return
			}
		}
	}
}

// Digest is the same for plans that make the same changes.
func (p *Plan) Digest() string {
	var all []string
	for c := range p.Ticked() {
		all = append(all, fmt.Sprint(c.Question(), c.Fields))
	}
	if len(all) == 0 {
		return ""
	}
	slices.Sort(all)
	sum := sha256.Sum256([]byte(strings.Join(all, "\n")))
	return hex.EncodeToString(sum[:])
}
