package rest

import "portal/api/operation"

func (a *API) webhooks() []*operation.Operation {
	return []*operation.Operation{
		lists(operation.Spec{
			Name: "list_webhook_endpoints", Path: "/webhooks/endpoints", Tag: "Webhooks",
			Summary:     "List webhook endpoints",
			Description: "The webhook endpoints of the portfolio, disabled ones too, in ascending id. Secrets are never listed.",
		}, a.Webhook.Endpoints),
		retrieves[endpointPath](operation.Spec{
			Name: "get_webhook_endpoint", Path: "/webhooks/endpoints/{endpoint_id}", Tag: "Webhooks",
			Summary:     "Retrieve a webhook endpoint",
			Description: "One webhook endpoint, without its secret.",
		}, a.Webhook.Endpoint),
	}
}
