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
			Description: "The leases of the portfolio with status, dates and rent, in ascending id.",
		}, a.Portfolio.Leases.Leases),
		creates(operation.Spec{
			Name:    "generate_lease",
			Path:    "/leases/generate",
			Tag:     "Leases",
			Summary: "Generate a lease",
			Description: "Makes a draft of a lease with its document: a PDF in plain language that follows the rules of the property's state, which `GET /lease_rules/{state}` shows. It is not legal advice. document_url opens the PDF for whoever has the link, until the draft expires or is voided; once all have signed it opens the signed copy, and does not end. " +
				"A deposit or late fee above every limit that the law of the state could allow is refused. Fees that the state counts toward the deposit are held against its limit too. The answer names the disclosures that the law asks for, and warns of limits that depend on a condition and of leases of the unit in the same dates. A change of the draft makes its document anew. A unit has at most five open drafts. " +
				"Each party signs online at the esign_url of their own, which they get by email too; the landlord can also sign in the dashboard.",
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
			Description: "One lease with its parties and terms. One that was generated here has its jurisdiction, disclosures and signers too.",
		}, a.Agreements.Lease),
		updates(operation.Spec{
			Name:    "update_lease",
			Path:    "/leases/{id}",
			Tag:     "Leases",
			Summary: "Update a lease",
			Description: "Changes dates and terms, voids a lease that is not yet signed by all (status voided), or ends an active one (status terminated, which voids unpaid rent of later periods). " +
				"Another monthly_rent or security_deposit needs the scope payments as well; without it nothing of the body is applied. returned_payment_fee, occupants, clauses, disclosures, lead_paint and fees change only while the lease is a draft, whose document is made anew; other fees need the scope payments too. From the first signature until the lease runs, dates and money are locked. A deposit or late fee above every limit that the law of the state could allow is refused; of one that some condition may allow, the answer carries a warning.",
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
