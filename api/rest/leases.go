package rest

import "portal/api/operation"

func (a *API) leases() []*operation.Operation {
	return []*operation.Operation{
		lists(operation.Spec{
			Name: "list_leases", Path: "/leases", Tag: "Leases",
			Summary:     "List leases",
			Description: "The leases of the portfolio with status, dates and rent, in ascending id.",
		}, a.Portfolio.Leases),
		retrieves[recordPath](operation.Spec{
			Name: "get_lease", Path: "/leases/{id}", Tag: "Leases",
			Summary:     "Retrieve a lease",
			Description: "One lease with its parties.",
		}, a.Portfolio.Lease),
	}
}
