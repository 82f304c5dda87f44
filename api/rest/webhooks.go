package rest

import (
	"context"
	"net/http"

	"portal/api/access"
	"portal/api/change"
	"portal/api/fault"
	"portal/api/operation"
	"portal/api/webhook"
)

func (a *API) webhooks() []*operation.Operation {
	return []*operation.Operation{
		lists(operation.Spec{
			Name: "list_webhook_endpoints", Path: "/webhooks/endpoints", Tag: "Webhooks",
			Summary:     "List webhook endpoints",
			Description: "The webhook endpoints of the portfolio, disabled ones too, in ascending id. Secrets are never listed.",
		}, a.Webhook.Endpoints),
		a.createEndpoint(),
		retrieves[endpointPath](operation.Spec{
			Name: "get_webhook_endpoint", Path: "/webhooks/endpoints/{endpoint_id}", Tag: "Webhooks",
			Summary:     "Retrieve a webhook endpoint",
			Description: "One webhook endpoint, without its secret.",
		}, a.Webhook.Endpoint),
		a.deleteEndpoint(),
		a.rotateSecret(),
	}
}

func (a *API) createEndpoint() *operation.Operation {
	op := creates(operation.Spec{
		Name: "create_webhook_endpoint", Path: "/webhooks/endpoints", Tag: "Webhooks",
		Summary:     "Create a webhook endpoint",
		Description: "Registers an https address that events are sent to. The answer alone shows the signing secret. At most 20 endpoints are enabled in a mode.",
		Fails:       []fault.Code{fault.URLNotAllowed, fault.EndpointLimitReached},
	}, a.Webhook.CreateEndpoint)
	op.Judge = func(in any) []fault.Detail { return a.Webhook.CheckEndpoint(in.(*webhook.EndpointCreate)) }
	return op
}

func (a *API) deleteEndpoint() *operation.Operation {
	return operation.Write(operation.Spec{
		Name: "delete_webhook_endpoint", Method: http.MethodDelete, Path: "/webhooks/endpoints/{endpoint_id}", Tag: "Webhooks",
		Summary:     "Delete a webhook endpoint",
		Description: "Disables the endpoint: nothing more is sent to it, what is queued is cancelled, and its delivery history is kept. Doing it again changes nothing.",
		Scope:       access.Write, Status: http.StatusNoContent,
	}, func(ctx context.Context, in *endpointPath) (*change.Made[webhook.Endpoint], error) {
		return a.Webhook.DisableEndpoint(ctx, access.From(ctx), in.ID)
	})
}

type rotateSecret struct {
	endpointPath
	webhook.EndpointRotate
}

func (a *API) rotateSecret() *operation.Operation {
	return operation.Write(operation.Spec{
		Name: "rotate_webhook_secret", Method: http.MethodPost, Path: "/webhooks/endpoints/{endpoint_id}/rotate_secret", Tag: "Webhooks",
		Summary:     "Rotate a signing secret",
		Description: "Gives the endpoint a new signing secret, which the answer alone shows. The one before signs too, in webhook-signature, until it expires; rotating again ends the older one at once.",
		Scope:       access.Write, Status: http.StatusOK,
	}, func(ctx context.Context, in *rotateSecret) (*change.Made[webhook.Endpoint], error) {
		return a.Webhook.RotateSecret(ctx, access.From(ctx), in.ID, in.EndpointRotate)
	})
}
