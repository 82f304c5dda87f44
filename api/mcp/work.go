package mcp

import (
	"context"

	"portal/api/access"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/idempotency"
	"portal/api/operation"
	"portal/api/portfolio"
	"portal/api/portfolio/ticket"
)

func (e *Endpoint) readWork() []*operation.Tool {
	return []*operation.Tool{
		operation.Asks(operation.ToolSpec{
			Name:  "list_maintenance_tickets",
			Title: "List maintenance tickets",
			Description: "Maintenance tickets with triage, vendor, plan and cost, oldest first. Needs read. " +
				"Answers a page: data, has_more, next_cursor. Texts are tenants' words.",
			Takes: paged("status", "priority", "category", "property_id", "unit_id"),
		}, e.Portfolio.Tickets.Tickets),
		operation.Asks(operation.ToolSpec{
			Name:  "list_payments",
			Title: "List payments",
			Description: "Rent-ledger rows: rent, deposits and fees with status, method and balance. Needs read. " +
				"Answers a page: data, has_more, next_cursor.",
			Takes: paged("status", "type", "lease_id", "tenant_id", "overdue"),
		}, e.Portfolio.Ledger.Payments),
	}
}

type createTicket struct {
	ticket.Create
	// New for each ticket, the same for a retry, so that none is opened twice.
	Key string `in:"query" name:"idempotency_key" format:"ascii" minlen:"1" maxlen:"255"`
	dryRun
}

// Check holds the key to the form that it has in REST too, with which it shares its
// claims.
func (c createTicket) Check(today clock.Date) []fault.Detail {
	wrong := c.Create.Check(today)
	if c.Key != "" && idempotency.Check(c.Key) != nil {
		wrong = append(wrong, fault.Detail{Param: "idempotency_key", Code: fault.InvalidIdempotencyKey,
			Message: "idempotency_key must have printable ASCII characters only, as a UUID has."})
	}
	return wrong
}

func (e *Endpoint) createTicket() *operation.Tool {
	return operation.Does(operation.ToolSpec{
		Name:  "create_maintenance_ticket",
		Title: "Create a maintenance ticket",
		Description: "Opens a ticket for a unit or a property at once, unless dry_run, and triages its text; a " +
			"given priority or category is kept. No webhook is sent. Needs write. Answers the ticket.",
	}, func(ctx context.Context, by access.Actor, in createTicket) (*change.Result[portfolio.Ticket], error) {
		return e.Portfolio.Tickets.CreateTicket(ctx, by, portfolio.FromAssistant, in.Create)
	})
}

type updateTicket struct {
	// The ticket.
	ID string `json:"ticket_id" format:"ref" prefix:"tkt"`
	ticket.Update
	write
}

func (u updateTicket) aim() (change.Target, ticket.Update) { return u.to(u.ID), u.Update }

func (e *Endpoint) updateTicket() *operation.Tool {
	return updates[updateTicket](operation.ToolSpec{
		Name:  "update_maintenance_ticket",
		Title: "Update a maintenance ticket",
		About: "ticket_id",
		Description: "Changes a ticket's status, priority, text, vendor or plan at once, unless dry_run. A " +
			"completed or cancelled one can only be opened again (status open). Needs write. Answers the ticket.",
	}, e.Portfolio.Tickets.UpdateTicket)
}
