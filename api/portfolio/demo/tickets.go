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

// work lets a ticket go its way as far as its status says: somebody is asked, a
// visit is agreed, it ends.
func (b *draft) work(t *portfolio.Ticket, head row, days known, vendors map[string]portfolio.Vendor) {
	step := b.later(t.CreatedAt, 1, t.ID)
	if t.Triage != nil && (t.Triage.Category != t.Category || t.Triage.Priority != t.Priority) {
		touch(&t.Record, step) // a person knew better
	}
	if name := head["vendor"]; name != "" {
		v, ok := vendors[name]
		if !ok {
			panic("demo: no vendor is called " + name)
		}
		t.Vendor = &v
		touch(&t.Record, b.later(step, 1, t.ID))
	}
	b.visit(t, head["visit"], days)
	b.end(t, head["status"], days)
	for range whole(head["reopened"]) {
		t.ReopenedCount++
		t.Version += 2 // it had ended once more, and was opened again
	}
}

// visit reads a day, an hour and a length in hours: made+2 10 3. Without a length
// the end is left open.
func (b *draft) visit(t *portfolio.Ticket, words string, days known) {
	if words == "" {
		return
	}
	f := strings.Fields(words)
	start := b.hour(b.day(f[0], days), whole(f[1]))
	t.ScheduledStart = &start
	if len(f) > 2 {
		t.ScheduledEnd = new(start + clock.Time(whole(f[2])*3_600_000))
	}
	touch(&t.Record, b.later(t.CreatedAt, 4, t.ID))
}

// end reads a status and, for one that ends the work, the day of it: completed made+3.
func (b *draft) end(t *portfolio.Ticket, words string, days known) {
	status, day, ended := strings.Cut(words, " ")
	t.Status = portfolio.TicketStatus(status)
	at := b.later(t.CreatedAt, 9, t.ID)
	if ended {
		soonest := b.later(t.CreatedAt, 2, t.ID)
		at = min(max(b.during(b.day(day, days), 17, t.ID), soonest), b.last)
	}
	switch t.Status {
	case portfolio.TicketOpen:
		return
	case portfolio.TicketCompleted:
		t.CompletedAt = &at
	case portfolio.TicketCancelled:
		t.CancelledAt = &at
	}
	t.UpdatedAt = max(t.UpdatedAt, at)
	t.Version++
}
