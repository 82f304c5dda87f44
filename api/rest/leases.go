package rest

import (
	"portal/api/fault"
	"portal/api/operation"
	"portal/api/portfolio/lease"
)

func (a *API) leases() []*operation.Operation {
	return []*operation.Operation{
		lists(operation.Spec{
			Name:        "list_leases",
			Path:        "/leases",
			Tag:         "Leases",
			Summary:     "List leases",
			Description: "The leases of the portfolio with status, dates, and rent, by ascending ID.",
		}, a.Portfolio.Leases.Leases),
		creates(operation.Spec{
			Name:    "generate_lease",
			Path:    "/leases/generate",
			Tag:     "Leases",
			Summary: "Generate a lease",
			Description: "Creates a draft lease with its document, a PDF that follows the rules of the property's state (`GET /lease_rules/{state}`). It isn't legal advice. " +
				"Each party signs online at their own esign_url, which they also get by email, or in the dashboard if they are the landlord. " +
				"The Records guide explains documents, limits, and signatures.",
			Fails: []fault.Code{
				fault.UnitAmbiguous,
				fault.DateOrder,
				fault.InvalidTransition,
				fault.DepositAboveMaximum,
				fault.LateFeeAboveMaximum,
				fault.LandlordAddressRequired,
				fault.DraftLimitReached,
			},
		}, a.Agreements.Generate),
		retrieves[recordPath](operation.Spec{
			Name:        "get_lease",
			Path:        "/leases/{id}",
			Tag:         "Leases",
			Summary:     "Retrieve a lease",
			Description: "One lease with its parties and terms. A lease generated here also has its jurisdiction, disclosures, and signers.",
		}, a.Agreements.Lease),
		updates(operation.Spec{
			Name:    "update_lease",
			Path:    "/leases/{id}",
			Tag:     "Leases",
			Summary: "Update a lease",
			Description: "Updates dates and terms, voids a lease that isn't fully signed (status voided), or ends an active one (status terminated, which voids unpaid rent for later periods). " +
				"monthly_rent, security_deposit, and fees also need the scope payments; without it, the whole update is refused. The Records guide explains what is locked and when.",
			Fails: []fault.Code{
				fault.DateOrder,
				fault.ScopeRequired,
				fault.InvalidTransition,
				fault.SignatureInProgress,
				fault.LeaseDatesOverlap,
				fault.DepositAboveMaximum,
				fault.LateFeeAboveMaximum,
				fault.LandlordAddressRequired,
			},
		}, func(in *updateLease) lease.Update { return in.Update }, a.Agreements.UpdateLease),
	}
}

type updateLease struct {
	target
	lease.Update
}
