package rest

import (
	"context"
	"net/http"

	"portal/api/access"
	"portal/api/list"
	"portal/api/operation"
	"portal/api/portfolio"
)

func (a *API) payments() []*operation.Operation {
	return []*operation.Operation{
		operation.Define(operation.Spec{
			Name: "list_payments", Method: http.MethodGet, Path: "/payments", Tag: "Payments",
			Summary:     "List payments",
			Description: "The rows of the rent ledger (rent, deposits and fees) with status and method, in ascending id.",
			Scope:       access.Read, Status: http.StatusOK,
		}, a.listPayments),
		operation.Define(operation.Spec{
			Name: "get_payment", Method: http.MethodGet, Path: "/payments/{id}", Tag: "Payments",
			Summary:     "Retrieve a payment",
			Description: "One row of the rent ledger.",
			Scope:       access.Read, Status: http.StatusOK,
		}, a.getPayment),
	}
}

func (a *API) listPayments(ctx context.Context, in *portfolio.PaymentFilter) (*list.Page[portfolio.Payment], error) {
	return a.Portfolio.Payments(ctx, access.From(ctx), *in)
}

func (a *API) getPayment(ctx context.Context, in *recordPath) (*portfolio.Payment, error) {
	return a.Portfolio.Payment(ctx, access.From(ctx), in.ID)
}
