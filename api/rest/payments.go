package rest

import "portal/api/operation"

func (a *API) payments() []*operation.Operation {
	return []*operation.Operation{
		lists(operation.Spec{
			Name:    "list_payments",
			Path:    "/payments",
			Tag:     "Payments",
			Summary: "List payments",
			Description: "The rows of the rent ledger (rent, deposits, and fees) with status and method, by " +
				"ascending ID.",
		}, a.Portfolio.Ledger.Payments),
		retrieves[recordPath](operation.Spec{
			Name:        "get_payment",
			Path:        "/payments/{id}",
			Tag:         "Payments",
			Summary:     "Retrieve a payment",
			Description: "One row of the rent ledger, with `transactions`, the movements of its money.",
		}, a.Portfolio.Ledger.PaymentWithTransactions),
	}
}
