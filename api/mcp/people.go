package mcp

import (
	"portal/api/change"
	"portal/api/operation"
	"portal/api/portfolio/lease"
)

func (e *Endpoint) readPeople() []*operation.Tool {
	return []*operation.Tool{
		operation.Asks(operation.ToolSpec{
			Name:  "list_tenants",
			Title: "List tenants",
			Description: "Tenants with contact details, status and leases, past and future ones too. Needs read. " +
				"Answers a page: data, has_more, next_cursor.",
			Takes: paged("search", "status", "property_id", "unit_id"),
		}, e.Portfolio.Tenants.Tenants),
		operation.Asks(operation.ToolSpec{
			Name:  "list_leases",
			Title: "List leases",
			Description: "Leases with status, dates, rent, parties and full rental address. Needs read. Answers a " +
				"page: data, has_more, next_cursor.",
			Takes: paged("status", "property_id", "unit_id", "tenant_id"),
		}, e.Portfolio.Leases.Leases),
	}
}

type updateTenant struct {
	// The tenant.
	ID string `json:"tenant_id" format:"ref" prefix:"ten"`
	lease.TenantUpdate
	write
}

func (u updateTenant) aim() (change.Target, lease.TenantUpdate) { return u.to(u.ID), u.TenantUpdate }

func (e *Endpoint) updateTenant() *operation.Tool {
	return updates[updateTenant](operation.ToolSpec{
		Name:  "update_tenant",
		Title: "Update a tenant",
		About: "tenant_id",
		Description: "Changes a tenant's name or contact details at once, unless dry_run. What is left out stays; " +
			"clear empties. Name and email are locked while a lease is out for signature. Needs write. Answers the " +
			"tenant.",
	}, e.Portfolio.Tenants.UpdateTenant)
}

type updateLease struct {
	// The lease.
	ID string `json:"lease_id" format:"ref" prefix:"lea"`
	lease.Update
	write
}

func (u updateLease) aim() (change.Target, lease.Update) { return u.to(u.ID), u.Update }

func (e *Endpoint) updateLease() *operation.Tool {
	return updates[updateLease](operation.ToolSpec{
		Name:  "update_lease",
		Title: "Update a lease",
		About: "lease_id",
		Description: "Changes a lease's dates or terms, voids an unsigned one (status voided) or ends a signed or active " +
			"one (status terminated, which voids later unpaid rent), at once, unless dry_run. Dates and money are " +
			"locked from the first signature until the lease runs; returned_payment_fee to lead_paint change in " +
			"drafts alone. Needs write; other rent, deposit or fees need payments. Answers the lease.",
	}, e.Portfolio.Leases.UpdateLease)
}
