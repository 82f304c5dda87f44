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
			Description: "Retrieves the landlord's details for generated leases. Each mode has its own.",
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
			Description: "Updates the landlord's details for generated leases. New documents use them; without an address you can't generate a lease. You need a key that an owner created.",
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
