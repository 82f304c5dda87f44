package rest

import (
	"context"
	"net/http"

	"portal/api/access"
	"portal/api/list"
	"portal/api/operation"
	"portal/api/portfolio"
)

func (a *API) leases() []*operation.Operation {
	return []*operation.Operation{
		operation.Define(operation.Spec{
			Name: "list_leases", Method: http.MethodGet, Path: "/leases", Tag: "Leases",
			Summary:     "List leases",
			Description: "The leases of the portfolio with status, dates and rent, in ascending id.",
			Scope:       access.Read, Status: http.StatusOK,
		}, a.listLeases),
		operation.Define(operation.Spec{
			Name: "get_lease", Method: http.MethodGet, Path: "/leases/{id}", Tag: "Leases",
			Summary:     "Retrieve a lease",
			Description: "One lease with its parties.",
			Scope:       access.Read, Status: http.StatusOK,
		}, a.getLease),
	}
}

func (a *API) listLeases(ctx context.Context, in *portfolio.LeaseFilter) (*list.Page[portfolio.Lease], error) {
	return a.Portfolio.Leases(ctx, access.From(ctx), *in)
}

func (a *API) getLease(ctx context.Context, in *recordPath) (*portfolio.Lease, error) {
	return a.Portfolio.Lease(ctx, access.From(ctx), in.ID)
}
