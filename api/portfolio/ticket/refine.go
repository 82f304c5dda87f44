package ticket

import (
	"context"
	"reflect"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/portfolio"
	"portal/api/triage"
)

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
