package rest

import "portal/api/operation"

func (a *API) leaseTemplates() []*operation.Operation {
	return []*operation.Operation{
		lists(operation.Spec{
			Name:    "list_lease_templates",
			Path:    "/lease_templates",
			Tag:     "Leases",
			Summary: "List lease templates",
			Description: "The clauses, fees, terms, and attachments that the landlord keeps for generated leases, by " +
				"ascending ID. Members manage them in the dashboard.",
		}, a.Agreements.Templates),
		retrieves[recordPath](operation.Spec{
			Name:        "get_lease_template",
			Path:        "/lease_templates/{id}",
			Tag:         "Leases",
			Summary:     "Retrieve a lease template",
			Description: "One template, as a lease generated with its ID would take it.",
		}, a.Agreements.Template),
	}
}
