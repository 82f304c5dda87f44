package ledger

import (
	"cmp"
	"maps"
	"slices"

	"portal/api/change"
	"portal/api/clock"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/schedule"
)

// ahead is how many days before it is due a charge is written.
const ahead = 30

// charging is a lease with its ledger, while it is planned what the ledger lacks.
type charging struct {
	lease *portfolio.Lease
	until *clock.Date         // last day that is charged, nil for a lease without an end
	rows  []portfolio.Payment // all of the lease
	today clock.Date
	ended bool       // the lease ends sooner than it did, or never starts
	auto  bool       // the ledger charges by itself: what is missing is written
	whole bool       // from the first day of the lease on, and not only what is due after a day
	after clock.Date // this day
	// signed is the day on which all had signed, of a lease that is charged from its first day on.
	signed clock.Date
	// agreedFrom is the first day for which all parties have agreed on the rent that the lease has now, nil where they
	// have agreed on none.
	agreedFrom *clock.Date
	// lateFrom is the day on which a late fee for rent is looked at whose days of grace count after a day, nil where
	// there are none.
	lateFrom func(after clock.Date) *clock.Date
}

// plan is what the ledger of a lease lacks.
type plan struct {
	added   []portfolio.Payment // without ids
	changed []portfolio.Payment
	adopted []*portfolio.Payment // rows that get their charge and nothing else
	next    clock.Date           // when to look again

	voided, revised, credited int
}

// group is what the ledger has of one charge.
type group struct {
	rows    []*portfolio.Payment // in the order of their parts; void ones apart
	credits []*portfolio.Payment
	voided  []*portfolio.Payment // by a person, or refunded: nothing is owed of them any more
	part    int                  // of the next row
	waived  bool                 // a person has taken all of it back
	// forgiven is what a person has forgiven of rows that stay: it was never paid, and so is not given back.
	forgiven money.Cents
	// monthly is the monthly rent by which rent is charged.
	monthly money.Cents
}

// refused is what a person has voided of credits for days after a last one, and of charges for days until it, nil where
// no day is charged. A first row that was charged after that takes the place of the charges, so nothing of them is
// refused any more.
func (g *group) refused(last *clock.Date) (credits, charges money.Cents) {
	for _, row := range g.voided {
		amount, until := max(row.Amount, -row.Amount), money.Cents(0)
		if from, to := row.PeriodStart, row.PeriodEnd; from != nil && to != nil && last != nil {
			days, some := int64(*to-*from)+1, max(0, int64(min(*to, *last)-*from)+1)
			until = money.Cents((int64(amount)*some*2 + days) / (days * 2))
		}
		switch {
		case row.ReversesPaymentID != nil:
			credits += amount - until
		case g.rows[0].CreatedAt <= row.UpdatedAt:
			charges += until
		}
	}
	return credits, charges
}

// asRefused is what a charge is to come to where the lease wants an amount for days until a last one, and a person has
// voided a part of it.
func (g *group) asRefused(wants money.Cents, last *clock.Date) money.Cents {
	credits, charges := g.refused(last)
	if credits == 0 && charges == 0 {
		return wants
	}
	all := money.Cents(0)
	for _, row := range g.rows {
		all += row.Amount
	}
	is := wants + min(credits, max(0, all-wants)) - charges
	if off := is - all; off == 1 || off == -1 { // shares are rounded
		return all
	}
	return max(0, is)
}

// plan compares the ledger of a lease with its schedule. A row that somebody has paid or is paying stays as it is:
// what is charged too much by it is credited, and what is missing is charged by another row.
func (c *charging) plan() plan {
	p := plan{next: clock.LastDay}
	groups, last := c.gather()
	through := c.today.AddDays(ahead)
	for s := range schedule.Charges(c.lease, c.until) {
		later := s.DueDate > through && (!s.AtStart || !c.whole)
		if later && c.auto && c.lease.Charged() && groups[*s.Charge] == nil {
			p.next = min(p.next, s.DueDate.AddDays(-ahead))
		}
		if later && from(&s.Payment) > last {
			break
		}
		g := groups[*s.Charge]
		delete(groups, *s.Charge)
		switch {
		case g == nil && !later && c.writes(&s):
			p.added = append(p.added, c.row(&s.Payment, 0))
		case g != nil && !g.waived:
			c.follow(&p, g, &s)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(groups)) {
		if g := groups[name]; !g.waived {
			c.follow(&p, g, nil)
		}
	}
	return p
}

// gather puts the rows of the ledger that charge what the schedule has into groups, and finds the end of the last month
// that one of them is for.
func (c *charging) gather() (groups map[string]*group, last clock.Date) {
	groups = map[string]*group{}
	of := func(name string) *group {
		if groups[name] == nil {
			groups[name] = &group{}
		}
		return groups[name]
	}
	for i := range c.rows {
		row := &c.rows[i]
		name, known := charged(row)
		if !known {
			continue
		}
		g := of(name)
		last = max(last, from(row).LastOfMonth())
		if row.Charge != nil {
			g.part = max(g.part, row.Part+1)
		}
		switch {
		case row.Status == portfolio.PaymentVoid:
			if row.Charge != nil {
				g.voided, g.waived = append(g.voided, row), true
			}
			continue
		case row.Status == portfolio.PaymentRefunded: // nothing is owed of it, whatever it charges
			g.voided, g.waived = append(g.voided, row), true
			continue
		case row.ReversesPaymentID != nil:
			g.credits = append(g.credits, row)
		default:
			g.rows = append(g.rows, row)
		}
	}
	for i := range c.rows {
		if gift := &c.rows[i]; gift.Charge == nil && gift.ReversesPaymentID != nil &&
			gift.Status != portfolio.PaymentVoid {
			forgiven(groups, gift)
		}
	}
	for name, g := range groups {
		if len(g.rows) == 0 && !g.waived { // rows that were void before charges had names
			delete(groups, name)
			continue
		}
		g.waived = g.waived && len(g.rows) == 0
		slices.SortStableFunc(g.rows, func(a, b *portfolio.Payment) int {
			return cmp.Or(cmp.Compare(a.Part, b.Part), cmp.Compare(a.ID, b.ID))
		})
	}
	return groups, last
}

// forgiven notes a row that takes a forgiven part of another one back.
func forgiven(groups map[string]*group, gift *portfolio.Payment) {
	for _, g := range groups {
		if slices.ContainsFunc(g.rows, func(row *portfolio.Payment) bool { return row.ID == *gift.ReversesPaymentID }) {
			g.forgiven -= gift.Amount
		}
	}
}

// from is the first day that a row is for, or else the day on which it is due.
func from(row *portfolio.Payment) clock.Date {
	if row.PeriodStart != nil {
		return *row.PeriodStart
	}
	return row.DueDate
}

// charged names what a row charges of the schedule of its lease. Rows that have no name of it are the rent of a month
// and the deposit, which were charged by hand or before there were names.
func charged(row *portfolio.Payment) (name string, known bool) {
	switch {
	case row.Charge != nil:
		return *row.Charge, row.Type != portfolio.PaymentFee || *row.FeeType == portfolio.OtherFee
	case row.ReversesPaymentID != nil || row.Amount < 0:
		return "", false
	case row.Type == portfolio.PaymentDeposit:
		return schedule.Deposit, true
	case row.Type == portfolio.PaymentRent:
		return schedule.Rent + " " + schedule.Month(from(row)), true
	}
	return "", false
}

// writes reports whether the ledger writes a charge by itself that it lacks.
func (c *charging) writes(s *schedule.Charge) bool {
	switch {
	case !c.auto || !c.lease.Charged():
		return false
	case c.whole:
		return true
	case s.AtStart && s.PeriodStart == nil: // the deposit and such: of an older lease they were charged elsewhere
		return c.lease.SignedAt != nil && c.lease.RenewedFromLeaseID == nil && s.DueDate > c.after
	}
	return s.DueDate > c.after
}

// row is a row of the ledger that charges what a schedule says.
func (c *charging) row(s *portfolio.Payment, part int) portfolio.Payment {
	l, p := c.lease, *s
	p.LeaseID, p.TenantID, p.UnitID, p.PropertyID = l.ID, l.TenantIDs[0], l.UnitID, l.PropertyID
	p.Currency, p.Part = portfolio.Currency, part
	p.Status = portfolio.PaymentScheduled
	if p.DueDate <= c.today {
		p.Status = portfolio.PaymentDue
	}
	if p.Type == portfolio.PaymentRent {
		// What is charged only now was not owed before: nobody is late with it yet.
		if since := max(c.signed, c.today); since > p.DueDate {
			p.LateAfter = since
		}
		p.LateFeeOn = c.lateFrom(p.GraceAfter())
	}
	return p
}

// follow has the rows of a charge follow the schedule, which charges nothing of it any more where s is nil.
//
// What a person has voided stays voided: neither a credit nor a further charge that was voided is written again. Only
// where a later change of the lease makes the credit, or what is missing, more than that, the difference is written.
func (c *charging) follow(p *plan, g *group, s *schedule.Charge) {
	if s != nil && c.auto && c.lease.Charged() {
		c.adopt(p, g, s)
	}
	base := g.rows[0]
	has := g.sum()
	wants := max(c.wants(g, s), min(has, g.forgiven))
	for _, row := range g.rows {
		row.MonthlyRent = g.monthly
	}
	if s != nil {
		wants = g.asRefused(wants, s.PeriodEnd)
	} else {
		wants = g.asRefused(wants, nil)
	}
	switch {
	case has > wants:
		c.lower(p, g, s, has-wants, wants)
	case has < wants && c.lease.Charged(): // to what is over nothing is added
		c.raise(p, g, s, wants-has, wants)
	case has == wants && s != nil && open(base) && c.moved(base, s):
		p.change(c.revised(base, s, base.Amount, wants))
	}
}

// adopt names what rows charge that were written without, and sets when a late fee is looked at.
func (c *charging) adopt(p *plan, g *group, s *schedule.Charge) {
	for _, row := range g.rows {
		before := *row
		if row.Charge == nil {
			row.Charge, row.Part = s.Charge, g.part
			g.part++
		}
		ours := c.whole || row.DueDate > c.after
		late := row.LateFeeOn
		if row.Type == portfolio.PaymentRent && ours && (late == nil || *late > c.today && *late != clock.LastDay) {
			if late == nil && row.DueDate < c.today { // of what is late already, none was agreed on in time
				continue
			}
			row.LateFeeOn = c.lateFrom(row.GraceAfter())
		}
		if before.Charge != row.Charge || !change.Same(before.LateFeeOn, row.LateFeeOn) {
			p.adopted = append(p.adopted, row)
		}
	}
}

// wants is what a charge comes to. What is due, or paid ahead, keeps the rent by which it was charged, and changes with
// its days alone, unless all parties have agreed on another rent for those days.
func (c *charging) wants(g *group, s *schedule.Charge) money.Cents {
	base := g.rows[0]
	switch {
	case base.Charge == nil && base.Type == portfolio.PaymentDeposit: // charged by hand
		return g.sum()
	case base.Type == portfolio.PaymentDeposit && (!open(base) || s == nil && !c.lease.NeverStarted()):
		return g.sum()
	case s == nil && base.Charge == nil && !c.ended: // charged by hand for another reason
		return g.sum()
	case s == nil:
		return 0
	case base.Charge == nil && len(g.rows) > 1: // charged in parts, before charges had names
		return g.sum()
	case base.Type != portfolio.PaymentRent: // what all have signed keeps its fees
		return s.Amount
	case open(base) && base.Status == portfolio.PaymentScheduled && base.DueDate > c.today,
		c.agreedFrom != nil && base.PeriodStart != nil && *base.PeriodStart >= *c.agreedFrom:
		g.monthly = c.lease.MonthlyRent
		return s.Amount
	case base.PeriodEnd == nil:
		return g.sum()
	}
	g.monthly = c.monthly(g)
	return c.at(g.monthly, s.PeriodStart, s.PeriodEnd)
}

// at is what the lease charges for some days of a month by a monthly rent.
func (c *charging) at(monthly money.Cents, from, to *clock.Date) money.Cents {
	l := *c.lease
	l.MonthlyRent = monthly
	return l.RentFrom(*from, to).Amount
}

// monthly is the monthly rent by which the rent of a month was charged. Where the row does not say so, or an older
// process has changed its amount since, it follows from its amount and its days.
func (c *charging) monthly(g *group) money.Cents {
	base := g.rows[0]
	credits, charges := g.refused(base.PeriodEnd)
	for _, monthly := range []money.Cents{base.MonthlyRent, c.lease.MonthlyRent} {
		amount := c.at(monthly, base.PeriodStart, base.PeriodEnd)
		off := func(from money.Cents) money.Cents { return max(amount-from, from-amount) }
		fits := off(base.Amount) == 0
		if monthly == base.MonthlyRent { // a further part is a difference of rounded amounts
			fits = fits || off(base.Amount) == 1 || off(g.sum()) == 0 || off(base.Amount-credits+charges) <= 1
		}
		if monthly > 0 && fits {
			return monthly
		}
	}
	days, month := int64(*base.PeriodEnd-*base.PeriodStart)+1, int64(base.PeriodStart.LastOfMonth().Std().Day())
	return money.Cents((int64(base.Amount)*month*2 + days) / (days * 2))
}

// sum is what the rows of a charge come to, with what is credited of them.
func (g *group) sum() (all money.Cents) {
	for _, row := range slices.Concat(g.rows, g.credits) {
		all += row.Amount
	}
	return all
}

// lower takes back what is charged too much: of rows that nobody has paid, the latest first, or else by a credit. The
// first row keeps its amount while others charge days too: by its days and its amount a later change is calculated.
func (c *charging) lower(p *plan, g *group, s *schedule.Charge, excess, wants money.Cents) {
	for i, row := range slices.Backward(g.rows) {
		switch {
		case excess == 0 || !open(row):
		case c.auto && i == 0 && excess < row.Amount && row.Amount-excess != wants:
		case excess >= row.Amount:
			excess -= row.Amount
			p.void(row)
		default:
			p.change(c.revised(row, s, row.Amount-excess, wants))
			p.revised++
			excess = 0
		}
	}
	base := g.rows[0]
	if excess == 0 || !c.auto || base.Type == portfolio.PaymentDeposit {
		return
	}
	p.credited++
	for _, credit := range g.credits {
		if open(credit) {
			more := *credit
			more.Amount -= excess
			more.PeriodStart = creditFrom(&more, g.rows[0], s)
			p.change(more)
			return
		}
	}
	p.added = append(p.added, c.credit(g, s, excess))
}

// credit is a row that takes a part of another one back.
func (c *charging) credit(g *group, s *schedule.Charge, amount money.Cents) portfolio.Payment {
	base := g.rows[0]
	credit := c.row(base, g.part)
	g.part++
	credit.Record, credit.Status, credit.LateFeeOn = portfolio.Record{}, portfolio.PaymentDue, nil
	credit.LateAfter, credit.MonthlyRent = 0, 0
	credit.Charge, credit.Reference, credit.Method = base.Charge, nil, nil
	if credit.Charge == nil {
		name, _ := charged(base)
		credit.Charge = &name
	}
	credit.Amount, credit.AmountPaid, credit.DueDate = -amount, 0, c.today
	credit.ReversesPaymentID, credit.InitiatedAt, credit.PaidAt, credit.ReceivedAt = &base.ID, nil, nil, nil
	credit.FailureCode, credit.FailureMessage = nil, nil
	words := "Credit"
	if base.Description != nil {
		words = "Credit: " + *base.Description
	}
	credit.Description = &words
	credit.PeriodStart = creditFrom(&credit, base, s)
	return credit
}

// creditFrom is the first day that a credit is for: the one after those that the schedule still charges.
func creditFrom(credit, base *portfolio.Payment, s *schedule.Charge) *clock.Date {
	switch {
	case s == nil:
		return base.PeriodStart
	case s.PeriodEnd != nil && base.PeriodEnd != nil && *s.PeriodEnd < *base.PeriodEnd:
		return new(*s.PeriodEnd + 1)
	}
	return credit.PeriodStart
}

// raise charges what is missing: less is credited, a row that nobody has paid grows, or another row is written.
func (c *charging) raise(p *plan, g *group, s *schedule.Charge, missing, wants money.Cents) {
	for _, credit := range slices.Backward(g.credits) {
		switch {
		case missing == 0 || !open(credit):
		case missing >= -credit.Amount:
			missing += credit.Amount
			p.void(credit)
		default:
			less := *credit
			less.Amount += missing
			less.PeriodStart = creditFrom(&less, g.rows[0], s)
			missing = 0
			p.change(less)
		}
	}
	if missing == 0 || s == nil {
		return
	}
	for _, row := range slices.Backward(g.rows) {
		if open(row) && (row.Amount+missing == wants || !c.writes(s)) {
			p.change(c.revised(row, s, row.Amount+missing, wants))
			p.revised++
			return
		}
	}
	if !c.writes(s) {
		return
	}
	more := c.row(&s.Payment, g.part)
	g.part++
	more.Amount, more.DueDate, more.MonthlyRent = missing, max(s.DueDate, c.today), g.monthly
	if end := g.rows[0].PeriodEnd; end != nil && s.PeriodEnd != nil && *end < *s.PeriodEnd {
		more.PeriodStart = new(*end + 1)
	}
	if more.Status = portfolio.PaymentScheduled; more.DueDate <= c.today {
		more.Status = portfolio.PaymentDue
	}
	if more.LateFeeOn != nil {
		more.LateFeeOn = c.lateFrom(more.GraceAfter())
	}
	p.added = append(p.added, more)
}

// moved reports whether the row of a month is for other days than the schedule says, or due on another one.
func (c *charging) moved(row *portfolio.Payment, s *schedule.Charge) bool {
	if s.PeriodStart == nil {
		return false
	}
	return !change.Same(row.PeriodEnd, s.PeriodEnd) || !change.Same(row.PeriodStart, s.PeriodStart) ||
		row.Status == portfolio.PaymentScheduled && row.DueDate > c.today && row.DueDate != max(s.DueDate, c.today)
}

// revised is a row with another amount, and with the days of the schedule where it then charges all that is wanted. A
// part that ends sooner keeps its first day.
func (c *charging) revised(row *portfolio.Payment, s *schedule.Charge, amount, wants money.Cents) portfolio.Payment {
	r := *row
	r.Amount = amount
	if s == nil {
		return r
	}
	if amount != wants {
		if s.PeriodEnd != nil && r.PeriodEnd != nil && *r.PeriodStart <= *s.PeriodEnd && *s.PeriodEnd < *r.PeriodEnd {
			r.PeriodEnd = s.PeriodEnd
		}
		return r
	}
	r.PeriodStart, r.PeriodEnd = s.PeriodStart, s.PeriodEnd
	if r.Type == portfolio.PaymentRent {
		r.Description = s.Description
	}
	if r.Status == portfolio.PaymentScheduled && r.DueDate > c.today {
		if r.DueDate = max(s.DueDate, c.today); r.DueDate <= c.today {
			r.Status = portfolio.PaymentDue
		}
		if r.LateFeeOn != nil {
			r.LateFeeOn = c.lateFrom(r.GraceAfter())
		}
	}
	return r
}

func (p *plan) change(row portfolio.Payment) { p.changed = append(p.changed, row) }

// void takes a row back. Its charge can be written again.
func (p *plan) void(row *portfolio.Payment) {
	r := *row
	r.Status, r.Charge, r.Part, r.LateFeeOn = portfolio.PaymentVoid, nil, 0, nil
	r.FailureCode, r.FailureMessage = nil, nil
	p.changed = append(p.changed, r)
	p.voided++
}

// open reports whether nobody has paid a row or is paying it.
func open(row *portfolio.Payment) bool { return row.Status.Payable() && row.Untouched() }
