package rest

import (
	"context"
	"net/http"

	"portal/api/access"
	"portal/api/list"
	"portal/api/operation"
	"portal/api/portfolio"
)

func (a *API) tenants() []*operation.Operation {
	return []*operation.Operation{
		operation.Define(operation.Spec{
			Name: "list_tenants", Method: http.MethodGet, Path: "/tenants", Tag: "Tenants",
			Summary:     "List tenants",
			Description: "The tenants of the portfolio, past and future ones too, in ascending id.",
			Scope:       access.Read, Status: http.StatusOK,
		}, a.listTenants),
		operation.Define(operation.Spec{
			Name: "get_tenant", Method: http.MethodGet, Path: "/tenants/{id}", Tag: "Tenants",
			Summary:     "Retrieve a tenant",
			Description: "One tenant with the ids of every lease that names them.",
			Scope:       access.Read, Status: http.StatusOK,
		}, a.getTenant),
	}
}

func (a *API) listTenants(ctx context.Context, in *portfolio.TenantFilter) (*list.Page[portfolio.Tenant], error) {
	return a.Portfolio.Tenants(ctx, access.From(ctx), *in)
}

// recordPath is the path of a single record.
type recordPath struct {
	ID string `in:"path" name:"id" format:"id" doc:"Identifier of the record."`
}

func (a *API) getTenant(ctx context.Context, in *recordPath) (*portfolio.Tenant, error) {
	return a.Portfolio.Tenant(ctx, access.From(ctx), in.ID)
}
