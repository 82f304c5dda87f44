package rest

import (
	"context"
	"net/http"
	"slices"

	"portal/api/access"
	"portal/api/agreement"
	"portal/api/change"
	"portal/api/contact"
	"portal/api/fault"
	"portal/api/list"
	"portal/api/operation"
	"portal/api/portfolio/lease"
	"portal/api/portfolio/lease/law"
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
			Description: "Creates a draft lease with a PDF that follows the rules of the property's " +
				"state (`GET /lease_rules/{state}`). It isn't legal advice. " +
				"Each party signs at their esign_url, which they also get by email. " +
				"The Records guide explains signatures.",
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
			Name:    "get_lease",
			Path:    "/leases/{id}",
			Tag:     "Leases",
			Summary: "Retrieve a lease",
			Description: "One lease with its parties and terms. A lease generated here also has its jurisdiction, " +
				"disclosures, and signers.",
		}, a.Agreements.Lease),
		updates(operation.Spec{
			Name:    "update_lease",
			Path:    "/leases/{id}",
			Tag:     "Leases",
			Summary: "Update a lease",
			Description: "Updates dates and terms, voids a lease that isn't fully signed (status voided), or ends " +
				"an active or signed one (status terminated, which voids unpaid rent for later periods). " +
				"monthly_rent, security_deposit, and fees also need the scope payments; without it, the whole " +
				"update is refused. The Records guide explains what is locked and when.",
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
		acts[recordPath](operation.Spec{
			Name:    "send_lease",
			Method:  http.MethodPost,
			Path:    "/leases/{id}/send",
			Status:  http.StatusOK,
			Tag:     "Leases",
			Summary: "Send a lease for signature",
			Description: "Emails the links of a draft to those who sign it. While something blocks a signature " +
				"(blocked_by), nothing is emailed; the emails leave by themselves when it is gone. A lease that " +
				"was sent stays as it is.",
			Fails: []fault.Code{fault.InvalidTransition},
		}, a.Agreements.Send),
		operation.Write(operation.Spec{
			Name:    "create_signing_link",
			Method:  http.MethodPost,
			Path:    "/leases/{id}/signers/{signer_id}/link",
			Scope:   access.Write,
			Status:  http.StatusCreated,
			Tag:     "Leases",
			Summary: "Get a signer's link",
			Description: "The link of a signer who hasn't signed yet, to hand it over yourself. The log of the lease " +
				"notes that your key was given it, and the signed lease says so.",
			Fails: []fault.Code{fault.InvalidTransition},
		}, func(ctx context.Context, in *signerPath) (*change.Result[agreement.SigningLink], error) {
			return a.Agreements.GiveLink(ctx, access.From(ctx), in.ID, in.SignerID)
		}),
	}
}

type signerPath struct {
	// Identifier of the lease.
	ID string `in:"path" name:"id" format:"id" object:"lease" prefix:"lea"`
	// Identifier of the signer.
	SignerID string `in:"path" name:"signer_id" format:"id" object:"signer" prefix:"sig"`
}

type updateLease struct {
	target
	lease.Update
}

func (a *API) leaseDetails() []*operation.Operation {
	return []*operation.Operation{
		reads(operation.Spec{
			Name:        "get_lease_details",
			Path:        "/lease_details",
			Tag:         "Leases",
			Summary:     "Retrieve the lease details",
			Description: "Retrieves the landlord's details for generated leases. Each mode has its own.",
		}, func(ctx context.Context, _ *operation.Nothing) (*agreement.Details, error) {
			return a.Agreements.Details(ctx, access.From(ctx))
		}),
		updates(operation.Spec{
			Name:    "update_lease_details",
			Path:    "/lease_details",
			Tag:     "Leases",
			Summary: "Update the lease details",
			Description: "Updates the landlord's details for generated leases. New documents use them; without an " +
				"address you can't generate a lease. You need a key that an owner created.",
			Fails: []fault.Code{fault.OwnerRequired},
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

func (a *API) leaseRules() []*operation.Operation {
	return []*operation.Operation{
		reads(operation.Spec{
			Name:    "list_lease_rules",
			Path:    "/lease_rules",
			Tag:     "Leases",
			Summary: "List the lease rules of all states",
			Description: "The rules for residential leases of the 50 states and DC, by code. They " +
				"are the same for every portfolio. All are on one page unless you send a smaller limit.",
		}, func(_ context.Context, in *statesPage) (*list.Page[law.Rules], error) { return in.of(law.All()), nil }),
		reads(operation.Spec{
			Name:    "get_lease_rules",
			Path:    "/lease_rules/{state}",
			Tag:     "Leases",
			Summary: "Retrieve the lease rules of a state",
			Description: "A state's limits of deposits and late fees, notice periods, and disclosures, each with " +
				"its authority and whether we saw a source for it. " +
				"These are facts for software, not legal advice.",
		}, func(_ context.Context, in *statePath) (*law.Rules, error) { return law.Of(in.State), nil }),
	}
}

// statesPage is what the list of states takes: few enough for one page.
type statesPage struct {
	// How many states a page holds at most.
	Limit int `in:"query" name:"limit" min:"1" max:"100" default:"100"`
	// The next_cursor of the previous page.
	StartingAfter string `in:"query" name:"starting_after" format:"state-cursor" example:"CO"`
}

// of is the page of all states that is asked for.
func (p statesPage) of(all []*law.Rules) *list.Page[law.Rules] {
	from := 1 + slices.IndexFunc(all, func(r *law.Rules) bool { return string(r.State) == p.StartingAfter })
	var rows []law.Rules
	for _, r := range all[from:min(from+p.Limit+1, len(all))] {
		rows = append(rows, *r)
	}
	return list.Of(rows, p.Limit, func(r *law.Rules) string { return string(r.State) })
}

type statePath struct {
	// USPS code of the state or DC, in upper or lower case.
	State contact.State `in:"path" name:"state" object:"state" example:"CO"`
}
