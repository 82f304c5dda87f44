package demo

import (
	"strings"

	"portal/api/clock"
	"portal/api/portfolio"
)

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
