package rest

import (
	"context"
	"net/http"

	"portal/api/access"
	"portal/api/change"
	"portal/api/fault"
	"portal/api/list"
	"portal/api/operation"
	"portal/api/webhook"
)

func (a *API) webhooks() []*operation.Operation {
	return []*operation.Operation{
		lists(operation.Spec{
			Name:        "list_webhook_endpoints",
			Path:        "/webhooks/endpoints",
			Tag:         "Webhooks",
			Summary:     "List webhook endpoints",
			Description: "The webhook endpoints of the portfolio, disabled ones too, in ascending id. Secrets are never listed.",
		}, a.Webhook.Endpoints),
		a.createEndpoint(),
		retrieves[endpointPath](operation.Spec{
			Name:        "get_webhook_endpoint",
			Path:        "/webhooks/endpoints/{endpoint_id}",
			Tag:         "Webhooks",
			Summary:     "Retrieve a webhook endpoint",
			Description: "One webhook endpoint, without its secret.",
		}, a.Webhook.Endpoint),
		a.updateEndpoint(),
		a.deleteEndpoint(),
		a.rotateSecret(),
		a.testEndpoint(),
		a.redeliverMissed(),
	}
}

type updateEndpoint struct {
	endpointPath
	seen
	webhook.EndpointUpdate
}

func (u updateEndpoint) aim() change.Target { return u.of(u.ID) }

func (a *API) updateEndpoint() *operation.Operation {
	op := updates(operation.Spec{
		Name:    "update_webhook_endpoint",
		Path:    "/webhooks/endpoints/{endpoint_id}",
		Tag:     "Webhooks",
		Summary: "Update a webhook endpoint",
		Description: "Changes the URL, the kinds of event, the description or the status; the signing secret stays. Disabling does what deleting does. " +
			"Enabling again sends what happens from then on, and the answer carries the warning events_missed where the endpoint has missed something that can be redelivered.",
		Fails: []fault.Code{fault.URLNotAllowed, fault.EndpointLimitReached},
	}, func(in *updateEndpoint) webhook.EndpointUpdate { return in.EndpointUpdate }, a.Webhook.UpdateEndpoint)
	op.Judge = func(in any) []fault.Detail { return a.Webhook.CheckUpdate(&in.(*updateEndpoint).EndpointUpdate) }
	return op
}

func (a *API) testEndpoint() *operation.Operation {
	return operation.Write(operation.Spec{
		Name:        "test_webhook_endpoint",
		Method:      http.MethodPost,
		Path:        "/webhooks/endpoints/{endpoint_id}/test",
		Tag:         "Webhooks",
		Summary:     "Send a test event",
		Description: "Queues an event of the type endpoint.test to this endpoint alone, whatever types it chose. Its record is the endpoint. The answer is the delivery; retrieve it to see what came of it.",
		Scope:       access.Write,
		Status:      http.StatusAccepted,
		Fails:       []fault.Code{fault.InvalidTransition},
	}, func(ctx context.Context, in *endpointPath) (*change.Result[webhook.Delivery], error) {
		return a.Webhook.Test(ctx, access.From(ctx), in.ID)
	})
}

type redeliverMissed struct {
	endpointPath
	webhook.RedeliverMissed
}

func (a *API) redeliverMissed() *operation.Operation {
	return operation.Write(operation.Spec{
		Name:    "redeliver_missed_events",
		Method:  http.MethodPost,
		Path:    "/webhooks/endpoints/{endpoint_id}/redeliver_missed",
		Tag:     "Webhooks",
		Summary: "Redeliver missed events",
		Description: "Queues every event since a moment that the endpoint chose and has not acknowledged: those that failed, were cancelled, or happened while it was disabled. " +
			"What is on its way already is left alone, so doing it again queues nothing twice. The answer lists the first 100 deliveries; has_more says that the others are queued in the background, " +
			"which goes on after a crash. List them with GET /webhooks/deliveries and endpoint_id. The warning events_to_redeliver then tells how many events there are in all, with Dry-Run too.",
		Scope:  access.Write,
		Status: http.StatusAccepted,
		Fails:  []fault.Code{fault.InvalidTransition},
	}, func(ctx context.Context, in *redeliverMissed) (*change.Result[list.Page[webhook.Delivery]], error) {
		return a.Webhook.MissedEvents.RedeliverMissed(ctx, access.From(ctx), in.ID, in.RedeliverMissed)
	})
}

func (a *API) createEndpoint() *operation.Operation {
	op := creates(operation.Spec{
		Name:        "create_webhook_endpoint",
		Path:        "/webhooks/endpoints",
		Tag:         "Webhooks",
		Summary:     "Create a webhook endpoint",
		Description: "Registers an https address that events are sent to. The answer alone shows the signing secret. At most 20 endpoints are enabled in a mode.",
		Fails:       []fault.Code{fault.URLNotAllowed, fault.EndpointLimitReached},
	}, a.Webhook.CreateEndpoint)
	op.Judge = func(in any) []fault.Detail { return a.Webhook.CheckEndpoint(in.(*webhook.EndpointCreate)) }
	return op
}

func (a *API) deleteEndpoint() *operation.Operation {
	return operation.Write(operation.Spec{
		Name:        "delete_webhook_endpoint",
		Method:      http.MethodDelete,
		Path:        "/webhooks/endpoints/{endpoint_id}",
		Tag:         "Webhooks",
		Summary:     "Delete a webhook endpoint",
		Description: "Disables the endpoint: nothing more is sent to it, what is queued is cancelled, and its delivery history is kept. Doing it again changes nothing.",
		Scope:       access.Write,
		Status:      http.StatusNoContent,
	}, func(ctx context.Context, in *endpointPath) (*change.Result[webhook.Endpoint], error) {
		return a.Webhook.DisableEndpoint(ctx, access.From(ctx), in.ID)
	})
}

type rotateSecret struct {
	endpointPath
	webhook.EndpointRotate
}

func (a *API) rotateSecret() *operation.Operation {
	return operation.Write(operation.Spec{
		Name:        "rotate_webhook_secret",
		Method:      http.MethodPost,
		Path:        "/webhooks/endpoints/{endpoint_id}/rotate_secret",
		Tag:         "Webhooks",
		Summary:     "Rotate a signing secret",
		Description: "Gives the endpoint a new signing secret, which the answer alone shows. The one before signs too, in webhook-signature, until it expires; rotating again ends the older one at once.",
		Scope:       access.Write,
		Status:      http.StatusOK,
	}, func(ctx context.Context, in *rotateSecret) (*change.Result[webhook.Endpoint], error) {
		return a.Webhook.RotateSecret(ctx, access.From(ctx), in.ID, in.EndpointRotate)
	})
}
