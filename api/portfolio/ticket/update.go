package ticket

import (
	"context"
	"reflect"

	"portal/api/access"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/triage"
)

// Update changes a ticket; what is absent stays.
type Update struct {
	// Status of the work. You can only reopen a completed or cancelled ticket.
	Status change.Field[portfolio.TicketStatus] `json:"status" example:"in_progress"`
	// What is wrong. If you change it, triage runs again, and a derived title is updated too.
	Description change.Field[string] `json:"description" format:"text" minlen:"1" maxlen:"10000"`
	// One line.
	Title change.Field[string] `json:"title" minlen:"1" maxlen:"127"`
	// How urgent it is.
	Priority change.Field[portfolio.Priority] `json:"priority"`
	// The trade that must come.
	Category change.Field[portfolio.Category] `json:"category"`
	// Who does the work. Fields that you leave out stay the same; a plain string is the name of
	// another vendor; null clears it.
	Vendor change.Field[*VendorUpdate] `json:"vendor"`
	// Whether the unit may be entered.
	EntryPermission change.Field[portfolio.EntryPermission] `json:"entry_permission"`
	// What to know before entering.
	EntryNotes change.Field[*string] `json:"entry_notes" format:"text" maxlen:"1000"`
	// When the work is planned to start.
	ScheduledStart change.Field[*clock.Time] `json:"scheduled_start"`
	// When the work is planned to end.
	ScheduledEnd change.Field[*clock.Time] `json:"scheduled_end"`
	// Day by which the work should be done.
	DueDate change.Field[*clock.Date] `json:"due_date"`
	// Estimate in dollars.
	EstimatedCost change.Field[*money.Cents] `json:"estimated_cost"`
	// What may be spent without asking, in dollars.
	CostLimit change.Field[*money.Cents] `json:"cost_limit"`
	// What it cost in the end, in dollars.
	ActualCost change.Field[*money.Cents] `json:"actual_cost"`
}

// SchemaName is the name of the OpenAPI component.
func (Update) SchemaName() string { return "MaintenanceTicketUpdate" }

// VendorUpdate changes parts of a vendor.
type VendorUpdate struct {
	// Name.
	Name change.Field[string] `json:"name" minlen:"1" maxlen:"127"`
	// Trade.
	Trade change.Field[*string] `json:"trade" maxlen:"80"`
	// Phone number, in E.164 or as it is written in the US.
	Phone change.Field[*string] `json:"phone" format:"phone"`
	// Email address.
	Email change.Field[*string] `json:"email" format:"email" maxlen:"254"`
}

// Shorthand lets a plain string be the name of a vendor.
func (VendorUpdate) Shorthand() string { return "name" }

// Check finds what no tag says.
func (u Update) Check(clock.Date) []fault.Detail {
	return checkSchedule(u.ScheduledStart.Value, u.ScheduledEnd.Value)
}

// UpdateTicket changes a ticket's status, priority, text, vendor or plan.
func (s *Tickets) UpdateTicket(
	ctx context.Context, by access.Actor, t change.Target, u Update,
) (*change.Result[portfolio.Ticket], error) {
	if err := fault.Invalid(u.Check(s.Today(by))); err != nil {
		return nil, err
	}
	now := clock.At(s.Now(by.Portfolio))
	return portfolio.Amend(ctx, s.Common, by, t, portfolio.Amendment[portfolio.Ticket]{
		Noun: "maintenance ticket",
		Load: s.store.Ticket,
		Save: s.store.SaveTicket,
		Apply: func(_ context.Context, t *portfolio.Ticket, m *change.Result[portfolio.Ticket]) error {
			if err := u.apply(t); err != nil {
				return err
			}
			if u.Status.Given {
				if err := move(t, u.Status.Value, now); err != nil {
					return err
				}
			}
			if t.Description != m.Before.Description || t.Title != m.Before.Title {
				if t.Triage == nil { // so somebody else has said it
					t.Set = portfolio.Set{Priority: true, Category: true}
				}
				s.triage(t, now)
			}
			if u.Priority.Given || t.Triage != m.Before.Triage {
				warnUrgent(m)
			}
			return nil
		},
		Follow: func(ctx context.Context, m *change.Result[portfolio.Ticket]) error {
			if err := s.followUpdate(ctx, by, m); err != nil {
				return err
			}
			if m.After.Triage == m.Before.Triage {
				return nil
			}
			return s.askAgain(ctx, by.Portfolio, m.After)
		},
		Compute: func(t *portfolio.Ticket) { s.compute(t, now.Std()) },
		Hidden: func(before, after *portfolio.Ticket) bool {
			as := *after
			as.Set = before.Set
			return reflect.DeepEqual(*before, as)
		},
	})
}

func (u Update) apply(t *portfolio.Ticket) error {
	derived := t.Title == titleOf(nil, t.Description)
	u.Description.Into(&t.Description)
	u.Title.Into(&t.Title)
	if derived && !u.Title.Given {
		t.Title = titleOf(nil, t.Description)
	}
	u.Priority.Into(&t.Priority)
	u.Category.Into(&t.Category)
	t.Set = portfolio.Set{Priority: t.Set.Priority || u.Priority.Given, Category: t.Set.Category || u.Category.Given}
	u.EntryPermission.Into(&t.EntryPermission)
	u.EntryNotes.Into(&t.EntryNotes)
	u.ScheduledStart.Into(&t.ScheduledStart)
	u.ScheduledEnd.Into(&t.ScheduledEnd)
	u.DueDate.Into(&t.DueDate)
	u.EstimatedCost.Into(&t.EstimatedCost)
	u.CostLimit.Into(&t.CostLimit)
	u.ActualCost.Into(&t.ActualCost)
	missing := u.vendor(t)
	if u.ScheduledStart.Given || u.ScheduledEnd.Given {
		missing = append(missing, checkSchedule(t.ScheduledStart, t.ScheduledEnd)...)
	}
	return fault.Invalid(missing)
}

// vendor changes the vendor of a ticket. A name alone that is another one is another
// vendor, of whom nothing else is known yet.
func (u Update) vendor(t *portfolio.Ticket) []fault.Detail {
	v := u.Vendor.Value
	if !u.Vendor.Given {
		return nil
	}
	if v == nil {
		t.Vendor = nil
		return nil
	}
	var next portfolio.Vendor
	renamed := v.Name.Given && !v.Trade.Given && !v.Phone.Given && !v.Email.Given && t.Vendor != nil &&
		t.Vendor.Name != v.Name.Value
	if t.Vendor != nil && !renamed {
		next = *t.Vendor
	}
	v.Name.Into(&next.Name)
	v.Trade.Into(&next.Trade)
	v.Phone.Into(&next.Phone)
	v.Email.Into(&next.Email)
	t.Vendor = &next
	return portfolio.Missing("vendor", portfolio.Part{Name: "name", Value: next.Name})
}

// move takes a ticket to a status: any that is not final may follow any other; a
// final one can only be opened again.
func move(t *portfolio.Ticket, to portfolio.TicketStatus, now clock.Time) error {
	if to == t.Status {
		return nil
	}
	if t.Status.Final() && to != portfolio.TicketOpen {
		return fault.New(fault.InvalidTransition,
			"A %s ticket cannot become %s; it can only be opened again, with status open.",
			t.Status, to).At("status")
	}
	if t.Status.Final() {
		t.ReopenedCount++
		t.CompletedAt, t.CancelledAt = nil, nil
	}
	switch t.Status = to; to {
	case portfolio.TicketCompleted:
		t.CompletedAt = &now
	case portfolio.TicketCancelled:
		t.CancelledAt = &now
	}
	return nil
}

// refined names the decider, where it was not the built-in model.
const refined = "llm"

// TicketText is what triage reads of a ticket, "" where it was triaged anew since a
// moment, or is closed.
func (s *Tickets) TicketText(
	ctx context.Context, in access.Portfolio, ticketID string, triagedAt clock.Time,
) (string, error) {
	t, err := s.store.Ticket(ctx, in, ticketID)
	if err != nil || !awaits(&t, triagedAt) {
		return "", err
	}
	return textOf(&t), nil
}

// awaits reports whether a ticket is still as it was when it was triaged at a moment.
func awaits(t *portfolio.Ticket, triagedAt clock.Time) bool {
	return t.Triage != nil && t.Triage.TriagedAt == triagedAt && t.Triage.Source != refined && !t.Status.Final()
}

// RefineTicket takes another opinion on a ticket's text. It never lowers what the safety
// layer raised, sends nobody else to an emergency that it found, and changes the ticket's own
// priority and category only where nobody has set them since.
func (s *Tickets) RefineTicket(
	ctx context.Context, in access.Portfolio, ticketID string, triagedAt clock.Time, o triage.Opinion, model string,
) error {
	return s.Tx.Exclusively(ctx, in, func(ctx context.Context) error {
		before, err := s.store.Ticket(ctx, in, ticketID)
		if err != nil || !awaits(&before, triagedAt) {
			return err
		}
		t, now := before, clock.At(s.Now(in))
		said := *before.Triage
		said.Category, said.Priority = portfolio.Category(o.Category), portfolio.Priority(o.Priority)
		own := s.Triage.Triage(textOf(&t))
		if floor := portfolio.Priority(own.Floor()); above(floor, said.Priority) {
			said.Priority = floor
		}
		if own.Floor() == triage.Emergency { // who is sent is part of it
			said.Category = portfolio.Category(own.Category)
		}
		said.Reasons = reasonsOf(triage.Reworded(own.Reasons, string(said.Priority)))
		said.Source, said.ModelVersion, said.TriagedAt = refined, model, now
		t.Triage = &said
		if follow(&t); reflect.DeepEqual(t, before) {
			return nil
		}
		t.Revise(now)
		return s.store.SaveTicket(ctx, in, &t)
	})
}

// askAgain has the text of a ticket looked at again, along with the transaction.
func (s *Tickets) askAgain(ctx context.Context, in access.Portfolio, t *portfolio.Ticket) error {
	if s.Refine == nil || t.Triage == nil {
		return nil
	}
	return s.Refine(ctx, in, t.ID, t.Triage.TriagedAt)
}
