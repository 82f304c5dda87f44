package demo

import (
	"fmt"
	"strings"

	"portal/api/clock"
	"portal/api/portfolio"
	"portal/api/triage"
)

// addTickets reads the tickets of every theme. The days of a ticket count from the
// day on which it was written, which they call made.
func (b *draft) addTickets() {
	vendors := make(map[string]portfolio.Vendor)
	for _, r := range table("vendors") {
		vendors[r["name"]] = portfolio.Vendor{
			Name:  r["name"],
			Trade: r.text("trade"),
			Phone: r.text("phone"),
			Email: r.text("email"),
		}
	}
	for _, n := range notes() {
		b.Tickets = append(b.Tickets, b.newTicket(n, vendors))
	}
}

func (b *draft) newTicket(n note, vendors map[string]portfolio.Vendor) portfolio.Ticket {
	created := b.age(n)
	days := known{"made": b.date(created)}
	permission, notes, _ := strings.Cut(n.head["entry"], "; ")
	t := portfolio.Ticket{
		Record:          record("maintenance_ticket", n.name, created),
		Title:           n.head["title"],
		Description:     n.body,
		Status:          portfolio.TicketOpen,
		Priority:        portfolio.Priority(n.head["priority"]),
		Category:        portfolio.Category(n.head["category"]),
		Triage:          triageOf(n, min(created+1_300, b.last)),
		Source:          portfolio.TicketSource(n.head["source"]),
		EntryPermission: portfolio.EntryPermission(permission),
		EntryNotes:      text(notes),
		DueDate:         filled(n.head["due"], func(s string) clock.Date { return b.day(s, days) }),
		EstimatedCost:   n.head.dollars("estimate"),
		CostLimit:       n.head.dollars("limit"),
		ActualCost:      n.head.dollars("cost"),
		Currency:        portfolio.Currency,
		Photos:          portfolio.Photos{},
	}
	b.locate(&t, n.head)
	b.work(&t, n.head, days, vendors)
	if t.Source == portfolio.FromTenant {
		t.TenantWroteAt = &created
	}
	if t.Version > 1 { // somebody has worked on it
		t.SeenAt = new(t.UpdatedAt)
	}
	return t
}

// age is when a ticket was written: so many days ago, or so many hours: 3h.
func (b *draft) age(n note) clock.Time {
	if hours, ok := strings.CutSuffix(n.head["age"], "h"); ok {
		return b.last - clock.Time(whole(hours)*3_600_000+roll(1_500_000, n.name))
	}
	return b.during(b.today-n.head.days("age"), 7+roll(13, n.name), n.name)
}

// locate fills where a ticket belongs: a unit with the lease in force that day and
// who of its tenants wrote, or the building.
func (b *draft) locate(t *portfolio.Ticket, head row) {
	u, ok := b.units[head["at"]]
	if !ok {
		t.PropertyID = head["at"]
		return
	}
	t.PropertyID, t.UnitID = u.PropertyID, new(u.ID)
	if l := b.inForceOn(u, b.date(t.CreatedAt)); l != nil {
		t.LeaseID = new(l.ID)
	}
	t.TenantID = head.text("by")
}

// inForceOn is the lease of a unit that held on a day.
func (b *draft) inForceOn(u *portfolio.Unit, day clock.Date) *portfolio.Lease {
	for i := range b.Leases {
		l := &b.Leases[i]
		if l.UnitID != u.ID || !l.Binding() || l.StartDate > day {
			continue
		}
		if end := lastDay(l); l.Status == portfolio.LeaseActive || end != nil && day <= *end {
			return l
		}
	}
	return nil
}

// triageOf reads "plumbing high 0.92" and the reasons `rule "words"`; nil where triage
// never looked.
func triageOf(n note, at clock.Time) *portfolio.Triage {
	if n.head["triage"] == "" {
		return nil
	}
	t := &portfolio.Triage{
		SafetyFlags:  append([]string{}, strings.Fields(n.head["flags"])...),
		Reasons:      []portfolio.TriageReason{},
		Source:       "built_in",
		ModelVersion: "demo",
		TriagedAt:    at,
	}
	must(fmt.Sscan(n.head["triage"], &t.Category, &t.Priority, &t.Confidence))
	t.NeedsReview = t.Confidence < triage.ReviewBelow
	for part := range strings.SplitSeq(n.head["because"], "; ") {
		rule, words, _ := strings.Cut(part, " ")
		if rule != "" {
			t.Reasons = append(t.Reasons, portfolio.TriageReason{Rule: rule, Matched: strings.Trim(words, `"`)})
		}
	}
	return t
}
