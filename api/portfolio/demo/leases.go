package demo

import (
	"fmt"
	"strings"

	"portal/api/clock"
	"portal/api/portfolio"
)

// openDays is how long a document waits for signatures.
const openDays = 14

func (b *draft) addLeases() {
	b.payers = make(map[string]payer)
	priors := make(map[string]int) // how many leases of a unit are written
	for _, r := range table("leases") {
		u := b.units[r["unit"]]
		n := priors[u.ID]
		priors[u.ID]++
		var prior *portfolio.Lease
		if n > 0 {
			prior = &b.Leases[len(b.Leases)-1] // the table goes unit by unit
		}
		l := b.newLease(r, u, n+1, prior)
		b.payers[l.ID] = payer{portfolio.PaymentMethod(r["method"]), r["habit"]}
		b.Leases = append(b.Leases, l)
	}
	b.leases = make(map[string]*portfolio.Lease)
	for i := range b.Leases {
		b.leases[b.Leases[i].ID] = &b.Leases[i]
	}
}

func (b *draft) newLease(r row, u *portfolio.Unit, n int, prior *portfolio.Lease) portfolio.Lease {
	start, end := b.term(r, prior)
	key := fmt.Sprintf("%s#%d", u.ID, n)
	l := portfolio.Lease{
		Record:          record("lease", key, b.made(r, start, u, key)),
		Status:          portfolio.LeaseStatus(r["status"]),
		PropertyID:      u.PropertyID,
		UnitID:          u.ID,
		RentalAddress:   b.address(u),
		LeaseType:       portfolio.LeaseType(r["type"]),
		StartDate:       start,
		EndDate:         end,
		MonthlyRent:     dollars(r["rent"]),
		SecurityDeposit: dollars(r["deposit"]),
		Currency:        portfolio.Currency,
		RentDueDay:      b.dueDay(r["due_day"]),
		LateFeeAmount:   r.dollars("late_fee"),
	}
	l.LateFeeGraceDays = r.number("grace")
	addParties(&l, r["tenants"])
	b.sign(&l)
	if r["renews"] != "" {
		l.RenewedFromLeaseID, prior.RenewedToLeaseID = new(prior.ID), new(l.ID)
	}
	b.close(&l, r)
	b.move(&l, prior, r)
	for _, d := range b.turningDays(&l) {
		touch(&l.Record, b.during(d, 0, key))
	}
	return l
}

// term reads the first and the last day. "end d+6" counts back from the last one.
func (b *draft) term(r row, prior *portfolio.Lease) (start clock.Date, end *clock.Date) {
	days := known{}
	if prior != nil && prior.EndDate != nil {
		days["after"] = prior.EndDate.AddDays(1)
	}
	if r["months"] == "" {
		return b.day(r["start"], days), nil
	}
	months := whole(r["months"])
	if expr, ok := strings.CutPrefix(r["start"], "end "); ok {
		last := b.day(expr, days)
		return (last + 1).AddMonths(-months), &last
	}
	start = b.day(r["start"], days)
	last, _ := start.LastOfTerm(months)
	return start, &last
}

// made is when the lease was written: some weeks before it starts, unless the table
// says when. One that is older than its unit here was imported with it.
func (b *draft) made(r row, start clock.Date, u *portfolio.Unit, key string) clock.Time {
	expr := r["made"]
	if expr == "" {
		expr = fmt.Sprintf("start-%d", 20+roll(15, "made", key))
	}
	t := b.during(b.day(expr, known{"start": start}), 9+roll(8, "hour", key), key)
	if t < u.CreatedAt+2*24*3_600_000 {
		return b.later(u.CreatedAt, 1, key)
	}
	return t
}

// imported reports whether a lease was signed before it came here.
func (b *draft) imported(l *portfolio.Lease) bool {
	return l.CreatedAt < b.units[l.UnitID].CreatedAt+24*3_600_000
}

// dueDay reads a day of the month; d-4 is the one of four days ago.
func (b *draft) dueDay(expr string) int {
	if strings.HasPrefix(expr, "d") {
		return min(b.day(expr, nil).Std().Day(), 28)
	}
	return whole(expr)
}

// addParties reads names joined by plus signs, the primary tenant first; a star
// marks a guarantor.
func addParties(l *portfolio.Lease, names string) {
	for i, name := range strings.Split(names, " + ") {
		name, guarantor := strings.CutPrefix(name, "*")
		role := portfolio.PartyCoTenant
		switch {
		case i == 0:
			role = portfolio.PartyPrimary
		case guarantor:
			role = portfolio.PartyGuarantor
		}
		l.TenantIDs = append(l.TenantIDs, name)
		l.Tenants = append(l.Tenants, portfolio.Party{ID: name, Name: name, Role: role})
	}
}
