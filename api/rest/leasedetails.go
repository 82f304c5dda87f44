package rest

import (
	"context"
	"net/http"

	"portal/api/access"
	"portal/api/agreement"
	"portal/api/change"
	"portal/api/fault"
	"portal/api/operation"
)

func (a *API) leaseDetails() []*operation.Operation {
	return []*operation.Operation{
		operation.Define(operation.Spec{
			Name:        "get_lease_details",
			Method:      http.MethodGet,
			Path:        "/lease_details",
			Tag:         "Leases",
			Summary:     "Retrieve the lease details",
			Description: "What generated leases say of the landlord. Each mode has its own.",
			Scope:       access.Read,
			Status:      http.StatusOK,
		}, func(ctx context.Context, _ *operation.Nothing) (*agreement.Details, error) {
			return a.Agreements.Details(ctx, access.From(ctx))
		}),
		updates(operation.Spec{
			Name:        "update_lease_details",
			Path:        "/lease_details",
			Tag:         "Leases",
			Summary:     "Update the lease details",
			Description: "Changes what generated leases say of the landlord, for a key of an owner. Documents that are made from then on say it; no lease is generated without an address.",
			Fails:       []fault.Code{fault.OwnerRequired},
		}, func(in *updateLeaseDetails) agreement.DetailsUpdate {
			return in.DetailsUpdate
		}, a.Agreements.UpdateDetails),
	}
}

type updateLeaseDetails struct {
	seen
	agreement.DetailsUpdate
}

func (u updateLeaseDetails) aim() change.Target { return u.of("") }
