package rest

import (
	"context"
	"net/http"

	"portal/api/access"
	"portal/api/list"
	"portal/api/operation"
	"portal/api/webhook"
)

func (a *API) webhooks() []*operation.Operation {
	return []*operation.Operation{
		operation.Define(operation.Spec{
			Name: "list_webhook_endpoints", Method: http.MethodGet, Path: "/webhooks/endpoints", Tag: "Webhooks",
			Summary:     "List webhook endpoints",
			Description: "The webhook endpoints of the portfolio, disabled ones too, in ascending id. Secrets are never listed.",
			Scope:       access.Read, Status: http.StatusOK,
		}, a.listEndpoints),
		operation.Define(operation.Spec{
			Name: "get_webhook_endpoint", Method: http.MethodGet, Path: "/webhooks/endpoints/{endpoint_id}", Tag: "Webhooks",
			Summary:     "Retrieve a webhook endpoint",
			Description: "One webhook endpoint, without its secret.",
			Scope:       access.Read, Status: http.StatusOK,
		}, a.getEndpoint),
	}
}

func (a *API) listEndpoints(ctx context.Context, in *list.Query) (*list.Page[webhook.Endpoint], error) {
	return a.Webhook.Endpoints(ctx, access.From(ctx), *in)
}

type endpointPath struct {
	ID string `in:"path" name:"endpoint_id" format:"id" doc:"Identifier of the webhook endpoint."`
}

func (a *API) getEndpoint(ctx context.Context, in *endpointPath) (*webhook.Endpoint, error) {
	return a.Webhook.Endpoint(ctx, access.From(ctx), in.ID)
}
