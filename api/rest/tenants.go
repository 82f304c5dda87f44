package rest

import "portal/api/operation"

func (a *API) tenants() []*operation.Operation {
	return []*operation.Operation{
		lists(operation.Spec{
			Name: "list_tenants", Path: "/tenants", Tag: "Tenants",
			Summary:     "List tenants",
			Description: "The tenants of the portfolio, past and future ones too, in ascending id.",
		}, a.Portfolio.Tenants),
		retrieves[recordPath](operation.Spec{
			Name: "get_tenant", Path: "/tenants/{id}", Tag: "Tenants",
			Summary:     "Retrieve a tenant",
			Description: "One tenant with the ids of every lease that names them.",
		}, a.Portfolio.Tenant),
	}
}
