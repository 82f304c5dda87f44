package rest

import (
	"portal/api/fault"
	"portal/api/operation"
	"portal/api/portfolio/lease"
)

func (a *API) tenants() []*operation.Operation {
	return []*operation.Operation{
		lists(operation.Spec{
			Name:        "list_tenants",
			Path:        "/tenants",
			Tag:         "Tenants",
			Summary:     "List tenants",
			Description: "The tenants of the portfolio, including past and future ones, by ascending ID.",
		}, a.Portfolio.Tenants.Tenants),
		creates(operation.Spec{
			Name:    "invite_tenant",
			Path:    "/tenants/invite",
			Tag:     "Tenants",
			Summary: "Invite a tenant",
			Description: "Creates an invitation to apply for a unit and emails it. Only this response has " +
				"apply_url; the link works for 30 days. " +
				"In test mode the email is stored and you can read it in the dashboard. A retry with the same " +
				"Idempotency-Key sends no second email.",
		}, a.Invitations.InviteTenant),
		retrieves[recordPath](operation.Spec{
			Name:        "get_tenant",
			Path:        "/tenants/{id}",
			Tag:         "Tenants",
			Summary:     "Retrieve a tenant",
			Description: "One tenant with the IDs of every lease that names them.",
		}, a.Portfolio.Tenants.Tenant),
		updates(operation.Spec{
			Name:    "update_tenant",
			Path:    "/tenants/{id}",
			Tag:     "Tenants",
			Summary: "Update a tenant",
			Description: "Updates names and contact details. Fields that you leave out stay the same; null clears " +
				"a field. " +
				"Name and email are locked from the first signature on one of the tenant's leases until all " +
				"parties have signed. If a lease is a draft, its document is regenerated.",
			Fails: []fault.Code{fault.MissingField, fault.SignatureInProgress},
		}, func(in *updateTenant) lease.TenantUpdate { return in.TenantUpdate }, a.Portfolio.Tenants.UpdateTenant),
	}
}

type updateTenant struct {
	target
	lease.TenantUpdate
}
