package rest

import (
	"context"
	"net/http"

	"portal/api/access"
	"portal/api/contact"
	"portal/api/operation"
	"portal/api/portfolio/lease/law"
)

func (a *API) leaseRules() []*operation.Operation {
	return []*operation.Operation{
		operation.Define(operation.Spec{
			Name:        "list_lease_rules",
			Method:      http.MethodGet,
			Path:        "/lease_rules",
			Tag:         "Leases",
			Summary:     "List the lease rules of all states",
			Description: "The rules for residential leases of the 50 states and DC, by code, all on one page. They are the same for every portfolio.",
			Scope:       access.Read,
			Status:      http.StatusOK,
		}, func(context.Context, *operation.Nothing) (*law.List, error) { return law.Listed(), nil }),
		operation.Define(operation.Spec{
			Name:    "get_lease_rules",
			Method:  http.MethodGet,
			Path:    "/lease_rules/{state}",
			Tag:     "Leases",
			Summary: "Retrieve the lease rules of a state",
			Description: "A state's limits of deposits and late fees, notice periods, and disclosures, each with its authority and whether we saw a source for it. " +
				"These are facts for software, not legal advice.",
			Scope:  access.Read,
			Status: http.StatusOK,
		}, func(_ context.Context, in *statePath) (*law.Rules, error) { return law.Of(in.State), nil }),
	}
}

type statePath struct {
	// USPS code of the state or DC, in upper or lower case.
	State contact.State `in:"path" name:"state" object:"state" example:"CO"`
}
