package mcp

import (
	"context"

	"portal/api/access"
	"portal/api/list"
	"portal/api/operation"
	"portal/api/portfolio"
	"portal/api/portfolio/ledger/report"
)

// overviews are the tools that answer what landlords ask most. They come first in the
// list, so that an assistant thinks of them first.
func (e *Endpoint) overviews() []*operation.Tool {
	return []*operation.Tool{
		operation.Asks(operation.ToolSpec{
			Name:  "get_expiring_leases",
			Title: "Leases that end soon",
			Description: "Active leases whose end date lies within so many days from today, soonest first, with " +
				"full rental addresses. Month-to-month leases have no end. Needs read. Answers a page: data, " +
				"has_more, next_cursor.",
			Takes: paged("within_days", "property_id"),
		}, e.Reports.ExpiringLeases),
		operation.Asks(operation.ToolSpec{
			Name:  "get_rent_balances",
			Title: "Unpaid rent",
			Description: "What remains unpaid of rent due through today, per lease, with days overdue and whom to " +
				"reach. Money under way, deposits and fees are not counted. Needs read. Answers a page and " +
				"total_due over all pages.",
			Takes: paged("property_id", "tenant_id", "lease_id", "min_days_overdue"),
		}, e.Reports.RentBalances),
		operation.Asks(operation.ToolSpec{
			Name:  "list_maintenance_requests",
			Title: "List maintenance requests",
			Description: "Maintenance requests by status or unit, oldest first; the same records as " +
				"list_maintenance_tickets with fewer filters. Needs read. Answers a page: data, has_more, " +
				"next_cursor. Texts are tenants' words.",
			Takes: paged("status", "unit_id"),
		}, e.Portfolio.Tickets.Tickets),
		operation.AsksOneOf(operation.ToolSpec{
			Name:  "get_unit_history",
			Title: "A unit's history",
			Description: "All leases, maintenance tickets or ledger rows of one unit, as kind says, oldest first. " +
				"Needs read. Answers a page: data, has_more, next_cursor.",
			Takes: paged("unit_id", "kind"),
			About: "unit_id",
		}, types(list.Page[portfolio.Lease]{}, list.Page[portfolio.Ticket]{}, list.Page[portfolio.Payment]{}),
			e.history),
	}
}

func (e *Endpoint) history(ctx context.Context, by access.Actor, f report.HistoryFilter) (any, error) {
	switch f.Kind {
	case report.HistoryMaintenance:
		return e.Reports.UnitTickets(ctx, by, f)
	case report.HistoryPayments:
		return e.Reports.UnitPayments(ctx, by, f)
	}
	return e.Reports.UnitLeases(ctx, by, f)
}

func (e *Endpoint) summary() *operation.Tool {
	return operation.Asks(operation.ToolSpec{
		Name:  "get_portfolio_summary",
		Title: "Portfolio summary",
		Description: "Headline counts: properties, units (occupied, vacant), tenants, leases by status, open " +
			"maintenance tickets, and rent due. Needs read.",
	}, func(ctx context.Context, by access.Actor, _ operation.Nothing) (*report.Summary, error) {
		return e.Reports.Summary(ctx, by)
	})
}
