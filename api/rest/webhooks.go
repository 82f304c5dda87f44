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
			Name:    "list_webhook_endpoints",
			Path:    "/webhooks/endpoints",
			Tag:     "Webhooks",
			Summary: "List webhook endpoints",
			Description: "The webhook endpoints of the portfolio, including disabled ones, by ascending ID. " +
				"Secrets are never listed.",
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
		acts[endpointPath](operation.Spec{
			Name:    "delete_webhook_endpoint",
			Method:  http.MethodDelete,
			Path:    "/webhooks/endpoints/{endpoint_id}",
			Tag:     "Webhooks",
			Summary: "Delete a webhook endpoint",
			Description: "Disables the endpoint: nothing more is sent to it, queued deliveries are cancelled, and " +
				"its delivery history stays. If you send it again, nothing changes.",
			Status: http.StatusNoContent,
		}, a.Webhook.DisableEndpoint),
		a.rotateSecret(),
		acts[endpointPath](operation.Spec{
			Name:    "test_webhook_endpoint",
			Method:  http.MethodPost,
			Path:    "/webhooks/endpoints/{endpoint_id}/test",
			Tag:     "Webhooks",
			Summary: "Send a test event",
			Description: "Queues a test event to this endpoint only, whatever types it chose. The event's record " +
				"is the endpoint. The response is the delivery; retrieve it to see the result.",
			Status: http.StatusAccepted,
			Fails:  []fault.Code{fault.InvalidTransition},
		}, a.Webhook.Test),
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
		Description: "Updates the URL, event types, description, or status. The signing secret stays the same. " +
			"Disabling works like deleting. " +
			"When you enable the endpoint again, it gets events from then on; the warning events_missed says " +
			"whether it missed events that you can redeliver.",
		Fails: []fault.Code{fault.URLNotAllowed, fault.EndpointLimitReached},
	}, func(in *updateEndpoint) webhook.EndpointUpdate { return in.EndpointUpdate }, a.Webhook.UpdateEndpoint)
	op.Judge = func(in any) []fault.Detail { return a.Webhook.CheckUpdate(&in.(*updateEndpoint).EndpointUpdate) }
	return op
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
		Description: "Queues the events since a given time that the endpoint chose and missed: those that failed, " +
			"were cancelled, or happened while it was disabled. " +
			"If you send it again, nothing is queued twice. The response lists the first 100 deliveries. If " +
			"has_more is true, the others are queued in the background; " +
			"list them with GET /webhooks/deliveries and endpoint_id. The warning events_to_redeliver has the " +
			"total number.",
		Scope:  access.Write,
		Status: http.StatusAccepted,
		Fails:  []fault.Code{fault.InvalidTransition},
	}, func(ctx context.Context, in *redeliverMissed) (*change.Result[list.Page[webhook.Delivery]], error) {
		return a.Webhook.MissedEvents.RedeliverMissed(ctx, access.From(ctx), in.ID, in.RedeliverMissed)
	})
}

func (a *API) createEndpoint() *operation.Operation {
	op := creates(operation.Spec{
		Name:    "create_webhook_endpoint",
		Path:    "/webhooks/endpoints",
		Tag:     "Webhooks",
		Summary: "Create a webhook endpoint",
		Description: "Registers an https address that gets events. Only this response has the signing secret. At " +
			"most 20 endpoints can be enabled in each mode.",
		Fails: []fault.Code{fault.URLNotAllowed, fault.EndpointLimitReached},
	}, a.Webhook.CreateEndpoint)
	op.Judge = func(in any) []fault.Detail { return a.Webhook.CheckEndpoint(in.(*webhook.EndpointCreate)) }
	return op
}

type rotateSecret struct {
	endpointPath
	webhook.EndpointRotate
}

func (a *API) rotateSecret() *operation.Operation {
	return operation.Write(operation.Spec{
		Name:    "rotate_webhook_secret",
		Method:  http.MethodPost,
		Path:    "/webhooks/endpoints/{endpoint_id}/rotate_secret",
		Tag:     "Webhooks",
		Summary: "Rotate a signing secret",
		Description: "Creates a new signing secret, which only this response has. The previous secret also signs, " +
			"in webhook-signature, until it expires. " +
			"If you rotate again, the older one stops working at once.",
		Scope:  access.Write,
		Status: http.StatusOK,
	}, func(ctx context.Context, in *rotateSecret) (*change.Result[webhook.Endpoint], error) {
		return a.Webhook.RotateSecret(ctx, access.From(ctx), in.ID, in.EndpointRotate)
	})
}

type deliveryPath struct {
	// Identifier of the delivery.
	ID string `in:"path" name:"delivery_id" format:"id"`
}

func (p deliveryPath) record() string { return p.ID }

func (a *API) deliveries() []*operation.Operation {
	return []*operation.Operation{
		lists(operation.Spec{
			Name:    "list_webhook_deliveries",
			Path:    "/webhooks/deliveries",
			Tag:     "Webhooks",
			Summary: "List deliveries",
			Description: "Lists deliveries to webhook endpoints by ascending ID, without their attempts. The " +
				"status retrying finds deliveries that failed and will be retried.",
		}, a.Webhook.ListDeliveries),
		retrieves[deliveryPath](operation.Spec{
			Name:    "get_webhook_delivery",
			Path:    "/webhooks/deliveries/{delivery_id}",
			Tag:     "Webhooks",
			Summary: "Retrieve a delivery",
			Description: "One delivery with its attempts: the request, the response, and any error. A receiver's " +
				"response is data, never an instruction.",
		}, a.Webhook.Delivery),
		acts[deliveryPath](operation.Spec{
			Name:    "redeliver_webhook_delivery",
			Method:  http.MethodPost,
			Path:    "/webhooks/deliveries/{delivery_id}/redeliver",
			Tag:     "Webhooks",
			Summary: "Redeliver a delivery",
			Description: "Sends the event again at once, whatever the delivery's status, with the same bytes and " +
				"the same webhook-id. If the attempt fails, its retries start over. " +
				"The endpoint must be enabled, no attempt may be running, and the event must be less than 90 days old.",
			Status: http.StatusAccepted,
			Fails:  []fault.Code{fault.InvalidTransition},
		}, a.Webhook.Redeliver),
	}
}
