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
			Description: "The tenants of the portfolio, past and future ones too, in ascending id.",
		}, a.Portfolio.Tenants.Tenants),
		creates(operation.Spec{
			Name:        "invite_tenant",
			Path:        "/tenants/invite",
			Tag:         "Tenants",
			Summary:     "Invite a tenant",
			Description: "Makes an applicant lead for a unit and sends the apply-now email. The answer alone shows apply_url; the link works for 30 days. Test mode sends nothing: the mail is kept and shown in the dashboard. A retry with the same Idempotency-Key sends no second mail.",
		}, a.Invitations.InviteTenant),
		retrieves[recordPath](operation.Spec{
			Name:        "get_tenant",
			Path:        "/tenants/{id}",
			Tag:         "Tenants",
			Summary:     "Retrieve a tenant",
			Description: "One tenant with the ids of every lease that names them.",
		}, a.Portfolio.Tenants.Tenant),
		updates(operation.Spec{
			Name:        "update_tenant",
			Path:        "/tenants/{id}",
			Tag:         "Tenants",
			Summary:     "Update a tenant",
			Description: "Changes names and contact details. What is absent stays, null clears. Name and email are locked from the first signature under a lease of the tenant on, until all have signed; documents of drafts are made anew.",
			Fails:       []fault.Code{fault.MissingField, fault.SignatureInProgress},
		}, func(in *updateTenant) lease.TenantUpdate { return in.TenantUpdate }, a.Portfolio.Tenants.UpdateTenant),
	}
}

type updateTenant struct {
	target
	lease.TenantUpdate
}
