package developer

import (
	"slices"

	"portal/api/change"
	"portal/api/webhook"
	"portal/views/kit"
	"portal/web/page"
)

func (p *webhookPages) editEndpoint(v *page.Request, e *webhook.Endpoint) error {
	at := v.In("/webhooks/" + e.ID)
	return page.RecordForm[webhook.EndpointUpdate]{
		Contract: endpointUpdate, Title: "Edit endpoint",
		About:  "The signing secret stays. Attempts that start after the change use the new URL.",
		Back:   kit.Link{Name: "The endpoint", Path: at},
		Submit: "Save changes", Groups: []kit.FieldGroup{endpointGroup(e)}, Record: &e.Record,
		Check: func(f *page.Form, u *webhook.EndpointUpdate) {
			checkEndpoint(f)
			if sameKinds(u.Events.Value, e.Events) {
				u.Events = change.Field[[]webhook.Kind]{}
			}
		},
		Do: func(_ *page.Form, u webhook.EndpointUpdate, t change.Target) error {
			made, err := p.Webhook.UpdateEndpoint(v.Ctx(), v.Actor(), t, u)
			if err != nil {
				return err
			}
			return v.Warned(at, endpointChanged(made), endpointWarnings(made.Warnings))
		},
	}.Serve(v)
}

// sameKinds reports whether an endpoint that chose either is sent the same.
func sameKinds(a, b []webhook.Kind) bool {
	if slices.Contains(a, webhook.EveryKind) && slices.Contains(b, webhook.EveryKind) {
		return true
	}
	return slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}

// endpointChanged says what a change of an endpoint has done.
func endpointChanged(made *change.Result[webhook.Endpoint]) string {
	was, is := made.Before, made.After
	switch {
	case was.Version == is.Version:
		return page.Unchanged
	case was.Status != is.Status && is.Status == webhook.Disabled:
		return "Your changes are saved. The endpoint is disabled, and no more events are sent to it."
	case was.Status != is.Status:
		return "Your changes are saved. The endpoint is enabled."
	}
	return "Your changes are saved."
}

// endpointWarnings are the warnings of a change for people, who send what was missed from
// the page of the endpoint.
func endpointWarnings(all []change.Warning) []change.Warning {
	said := slices.Clone(all)
	for i := range said {
		if said[i].Code == "events_missed" {
			said[i].Message = "It has missed events since it was disabled. Choose “Send missed events” to send them."
		}
	}
	return said
}

// endpointGroup are the fields of an endpoint that is there.
func endpointGroup(e *webhook.Endpoint) kit.FieldGroup {
	return kit.FieldGroup{Fields: append(endpointFields(e), kit.Field{
		Name:  "status",
		Label: "Status",
		Kind:  "radios",
		Choices: []kit.Choice{
			{
				Value:  string(webhook.Enabled),
				Label:  "Enabled",
				Hint:   "Events are sent to it as they happen.",
				Chosen: e.Status == webhook.Enabled,
			},
			{
				Value:  string(webhook.Disabled),
				Label:  "Disabled",
				Hint:   "Nothing is sent to it, and queued deliveries are canceled.",
				Chosen: e.Status == webhook.Disabled,
			},
		},
	})}
}
