package rest

import (
	"encoding/json"
	"strings"

	"portal/api/event"
	"portal/api/operation"
)

// describeEvent describes what is sent to webhook endpoints of a kind of event.
func describeEvent(schemas *operation.Schemas, k *event.Kind, parts map[string]json.RawMessage) member {
	return member{k.Type, ordered{{"post", ordered{
		{"operationId", strings.ReplaceAll(k.Type, ".", "_")},
		{"tags", []string{"Webhooks"}},
		{"summary", k.Summary},
		{
			"description",
			k.Description + " Respond with any 2xx within 10 seconds; anything else is retried for 24 hours.",
		},
		{"security", []ordered{}},
		{"parameters", parts["eventParameters"]},
		{"requestBody", ordered{{"required", true}, {"content", content(schemas.Of(k.Notice))}}},
		{"responses", parts["eventResponses"]},
	}}}}
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
