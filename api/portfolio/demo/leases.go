package demo

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"portal/api/clock"
	"portal/api/portfolio"
	"portal/api/portfolio/lease/terms"
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
	b.addLiving()
}

// addLiving adds to the newest leases of some homes what lives there, who pays for its services, and who owns it along.
func (b *draft) addLiving() {
	for _, r := range table("living") {
		var t *terms.Terms
		for i := range b.Leases {
			if b.Leases[i].UnitID == b.units[r["unit"]].ID {
				t = &b.Leases[i].Terms
			}
		}
		pairs(r["pets"], func(kind, name string) {
			t.Pets = append(t.Pets, terms.Pet{Kind: kind, Name: text(name)})
		})
		pairs(r["vehicles"], func(maker, model string) {
			t.Vehicles = append(t.Vehicles, terms.Vehicle{Make: maker, Model: text(model)})
		})
		pairs(r["utilities"], func(name, payer string) {
			t.Utilities = append(t.Utilities, terms.Utility{Name: name, PaidBy: terms.Payer(payer)})
		})
		if name := r["co_owner"]; name != "" {
			email := strings.ToLower(strings.ReplaceAll(name, " ", ".")) + "@example.com"
			t.CoOwners = []terms.CoOwner{{Name: name, Email: email}}
		}
	}
}

// pairs reads pairs of words that plus signs join.
func pairs(cell string, add func(first, second string)) {
	if cell == "" {
		return
	}
	for pair := range strings.SplitSeq(cell, " + ") {
		first, second, _ := strings.Cut(pair, " ")
		add(first, second)
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
		RentalAddress:   portfolio.Address(b.properties[u.PropertyID], u),
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

// sign lets the parties sign as far as the status says. The landlord has signed
// before them, so a lease is signed when the last tenant has.
func (b *draft) sign(l *portfolio.Lease) {
	switch l.Status {
	case portfolio.LeaseDraft, portfolio.LeaseDeclined, portfolio.LeaseVoided:
	case portfolio.LeasePendingSignature:
		b.signFirst(l, len(l.Tenants)-1)
	default:
		if b.imported(l) {
			return
		}
		l.SignedAt = new(b.signFirst(l, len(l.Tenants)))
		sum := sha256.Sum256([]byte("demo " + l.ID))
		l.DocumentSHA256 = new(hex.EncodeToString(sum[:]))
	}
	if l.Status == portfolio.LeaseDraft || l.Status == portfolio.LeasePendingSignature {
		l.ExpiresAt = new(l.CreatedAt + openDays*24*3_600_000)
	}
}

// signFirst lets the first n parties sign, one some hours after the other, and
// returns when the last of them did.
func (b *draft) signFirst(l *portfolio.Lease, n int) clock.Time {
	at := l.CreatedAt
	for i := range n {
		party := &l.Tenants[i]
		at = b.later(at, 7, l.ID+party.ID)
		party.SignedAt = new(at)
		touch(&l.Record, at)
	}
	return at
}

// close ends a lease before its last day: terminated on a day, or never in force.
func (b *draft) close(l *portfolio.Lease, r row) {
	if r["ended"] == "" {
		return
	}
	on := b.day(r["ended"], known{"made": b.date(l.CreatedAt)})
	if l.Status == portfolio.LeaseTerminated {
		l.TerminatedOn, l.TerminationReason = &on, r.text("reason")
		return
	}
	touch(&l.Record, b.during(on, 17, l.ID))
}

// move fills when the tenants came, gave notice and went. Those of a renewal came
// with the lease that it renews.
func (b *draft) move(l, prior *portfolio.Lease, r row) {
	if !l.Binding() {
		return
	}
	l.MoveInDate = new(l.StartDate)
	if in := l.StartDate + clock.Date(roll(3, "in", l.ID)); in <= b.today {
		l.MoveInDate = &in
	}
	if l.RenewedFromLeaseID != nil {
		l.MoveInDate = prior.MoveInDate
	}
	switch l.Status {
	case portfolio.LeaseTerminated:
		l.MoveOutDate = new(*l.TerminatedOn - clock.Date(roll(3, "out", l.ID)))
	case portfolio.LeaseExpired:
		l.MoveOutDate = new(*l.EndDate)
		l.NoticeGivenDate = new(*l.EndDate - clock.Date(31+roll(28, "notice", l.ID)))
	}
	if r["notice"] != "" {
		l.NoticeGivenDate = new(b.day(r["notice"], nil))
		l.MoveOutDate = l.EndDate
	}
	if r["out"] != "" {
		l.MoveOutDate = new(b.day(r["out"], nil))
	}
}

// turningDays are the days on which a lease began, was given notice of and ended, as far
// as they have come.
func (b *draft) turningDays(l *portfolio.Lease) []clock.Date {
	if !l.Binding() || l.Status == portfolio.LeaseSigned {
		return nil
	}
	days := []clock.Date{l.StartDate}
	if l.NoticeGivenDate != nil {
		days = append(days, *l.NoticeGivenDate)
	}
	switch l.Status {
	case portfolio.LeaseTerminated:
		days = append(days, *l.TerminatedOn)
	case portfolio.LeaseExpired, portfolio.LeaseRenewed:
		days = append(days, l.EndDate.AddDays(1))
	}
	return days
}
