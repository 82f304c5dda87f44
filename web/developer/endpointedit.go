package developer

import (
	"slices"
	"strconv"

	"portal/api/change"
	"portal/api/webhook"
	"portal/views/kit"
	"portal/web/page"
)

func (p *webhookPages) editEndpoint(v *page.Request) error {
	e, err := p.endpointHere(v)
	if err != nil {
		return err
	}
	return p.endpointEditForm(v, v.Form(), e)
}

func (p *webhookPages) changeEndpoint(v *page.Request) error {
	e, err := p.endpointHere(v)
	if err != nil {
		return err
	}
	f := v.Form()
	checkEndpoint(f)
	u := endpointUpdate.BindForm(v, f, endpointGroup(e))
	if sameKinds(u.Events.Value, e.Events) {
		u.Events = change.Field[[]webhook.Kind]{}
	}
	if f.Rejected() {
		return p.endpointEditForm(v, f, e)
	}
	made, err := p.Webhook.UpdateEndpoint(v.Ctx(), v.Actor(), change.Target{ID: e.ID, Version: f.Version()}, u)
	if f.Conflict(err, strconv.FormatInt(e.Version, 10)) || f.Refused(err) {
		return p.endpointEditForm(v, f, e)
	}
	if err != nil {
		return err
	}
	tone, said := page.Noted(endpointChanged(made), endpointWarnings(made.Warnings))
	v.Say(tone, said)
	return v.SeeOther(v.In("/webhooks/" + e.ID))
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

func (p *webhookPages) endpointEditForm(v *page.Request, f *page.Form, e *webhook.Endpoint) error {
	at := v.In("/webhooks/" + e.ID)
	heading := kit.Heading{
		Title: "Edit endpoint",
		About: "The signing secret stays. Attempts that start after the change use the new URL.",
		Back:  kit.Link{Name: "The endpoint", Path: at},
	}
	return v.ShowAs(f.Status, kit.FormPage(kit.FormView{Frame: v.Frame(heading.Title), Heading: heading,
		Form: f.Fill(endpointUpdate.Form(kit.Form{
			Action: at + "/edit",
			Submit: "Save changes",
			Cancel: at,
			Groups: []kit.FieldGroup{endpointGroup(e), page.VersionField(&e.Record)},
		}))}))
}
