package rest

import (
	"strings"

	"portal/api/event"
	"portal/api/operation"
	"portal/api/webhook"
	"portal/api/webhook/signature"
)

// describeEvents describes what is sent to webhook endpoints.
func describeEvents(schemas *operation.Schemas) (all ordered) {
	for _, k := range webhook.Kinds() {
		all = append(all, describeEvent(schemas, &k))
	}
	return all
}

func describeEvent(schemas *operation.Schemas, k *event.Kind) member {
	parameters := []ordered{
		describeEventHeader(
			signature.ServiceHeader,
			"t=<Unix seconds>,v1=<lowercase hex>: HMAC-SHA256 over the timestamp, a dot and the raw body, keyed "+
				"with the whole signing secret.",
		),
		describeEventHeader("webhook-id", "The event's ID, the same in every attempt. Process each ID once."),
		describeEventHeader(
			"webhook-timestamp",
			"Unix seconds of the attempt. Refuse a request if this is more than 300 seconds away from your clock.",
		),
		describeEventHeader(
			"webhook-signature",
			"Signatures of Standard Webhooks; two while a rotated secret still works.",
		),
	}
	return member{
		k.Type,
		ordered{
			{
				"post",
				ordered{
					{"operationId", strings.ReplaceAll(k.Type, ".", "_")},
					{"tags", []string{"Webhooks"}},
					{"summary", k.Summary},
					{
						"description",
						k.Description + " Respond with any 2xx within 10 seconds; anything else is retried for 24 " +
							"hours.",
					},
					{"security", []ordered{}},
					{"parameters", parameters},
					{"requestBody", ordered{{"required", true}, {"content", content(schemas.Of(k.Notice))}}},
					{
						"responses",
						ordered{
							{"2XX", ordered{{"description", "The event is acknowledged."}}},
							{"4XX", ordered{{"description", "It is not, and sent again."}}},
						},
					},
				},
			},
		},
	}
}

func describeEventHeader(name, description string) ordered {
	return ordered{
		{"name", name},
		{"in", "header"},
		{"required", true},
		{"description", description},
		{"schema", ordered{{"type", "string"}}},
	}
}

// describeStream describes a body of Server-Sent Events.
func describeStream(schemas *operation.Schemas) ordered {
	return ordered{
		{
			"schema",
			schemas.Text(
				"EventStream",
				"Server-Sent Events (text/event-stream). Each has the event's identifier as id, its type as event, "+
					"and as data the JSON that a webhook endpoint is sent. A comment every 15 seconds is a sign of life.",
			),
		},
		{
			"example",
			"retry: 1000\nid: evt_01KA5R2M7Q8D4E6F9G1H3J5K7M\n\nid: evt_01KA5R9C2V5X8Z0B3D6F9H2K4M\nevent: " +
				"maintenance.created\ndata: " +
				"{\"id\":\"evt_01KA5R9C2V5X8Z0B3D6F9H2K4M\",\"object\":\"event\",\"type\":\"maintenance.created\"}\n\n",
		},
	}
}

type eventPath struct {
	// Identifier of the event.
	ID string `in:"path" name:"event_id" format:"id"`
}

func (p eventPath) record() string { return p.ID }

func (a *API) events() []*operation.Operation {
	return []*operation.Operation{
		lists(operation.Spec{
			Name:    "list_events",
			Path:    "/events",
			Tag:     "Events",
			Summary: "List events",
			Description: "The events of the last 90 days, each exactly as it was sent, by ascending ID. Events " +
				"that no endpoint chose are included.",
		}, a.Webhook.ListEvents),
		retrieves[eventPath](operation.Spec{
			Name:        "get_event",
			Path:        "/events/{event_id}",
			Tag:         "Events",
			Summary:     "Retrieve an event",
			Description: "One event of the last 90 days, exactly as it was sent.",
		}, a.Webhook.SentEvent),
	}
}
