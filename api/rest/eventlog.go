package rest

import (
	"portal/api/operation"
)

type eventPath struct {
	// Identifier of the event.
	ID string `in:"path" name:"event_id" format:"id"`
}

func (p eventPath) record() string { return p.ID }

func (a *API) events() []*operation.Operation {
	return []*operation.Operation{
		lists(operation.Spec{
			Name:        "list_events",
			Path:        "/events",
			Tag:         "Events",
			Summary:     "List events",
			Description: "The events of the last 90 days, each exactly as it was sent, by ascending ID. Events that no endpoint chose are included.",
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
