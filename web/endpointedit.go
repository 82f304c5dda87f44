package web

import (
	"slices"
	"strconv"

	"portal/api/change"
	"portal/api/webhook"
	"portal/views"
)

func (p *Pages) editEndpoint(v *visit) error {
	e, err := p.endpointHere(v)
	if err != nil {
		return err
	}
	return p.endpointEditForm(v, v.form(), e)
}

func (p *Pages) changeEndpoint(v *visit) error {
	e, err := p.endpointHere(v)
	if err != nil {
		return err
	}
	f := v.form()
	u := endpointUpdate(f, e)
	if f.rejected() {
		return p.endpointEditForm(v, f, e)
	}
	made, err := p.Endpoints.UpdateEndpoint(v.ctx(), v.actor(), change.Target{ID: e.ID, Version: f.version()}, u)
	if f.overtaken(err, strconv.FormatInt(e.Version, 10)) || f.refused(err) {
		return p.endpointEditForm(v, f, e)
	}
	if err != nil {
		return err
	}
	tone, said := noted(endpointChanged(made), endpointWarnings(made.Warnings))
	v.say(tone, said)
	return v.redirect(v.in("/webhooks/" + e.ID))
}

// endpointUpdate is what was typed that differs from the endpoint.
func endpointUpdate(f *form, e *webhook.Endpoint) (u webhook.EndpointUpdate) {
	checkEndpoint(f)
	u.URL = altered(f, "url", f.optional("url"), e.URL)
	if kinds := eventKinds(f); !sameKinds(kinds, e.Events) {
		u.Events = change.To(kinds)
	}
	u.Description = freed(f.written("description", 255, false), e.Description)
	u.Status = altered(f, "status", oneOf[webhook.EndpointStatus](f, "status", webhook.EndpointStatus("").Values()), e.Status)
	return u
}

// sameKinds tells whether an endpoint that chose either is sent the same.
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
		return "Nothing was changed: it says this already."
	case was.Status != is.Status && is.Status == webhook.Disabled:
		return "Your changes are saved. The endpoint is disabled, and nothing is sent to it any more."
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
			said[i].Message = "It has missed events since it was disabled. Choose “Send what was missed” to have them sent."
		}
	}
	return said
}

func (p *Pages) endpointEditForm(v *visit, f *form, e *webhook.Endpoint) error {
	f.plain()
	at := v.in("/webhooks/" + e.ID)
	heading := views.Heading{Title: "Edit endpoint", About: "The signing secret stays. Attempts that start after the change use the new URL.", Back: views.Link{Name: "The endpoint", Path: at}}
	fields := append(endpointFields(e), views.Field{Name: "status", Label: "Status", Kind: "radios", Choices: []views.Choice{
		{Value: string(webhook.Enabled), Label: "Enabled", Hint: "Events are sent to it as they happen.", Chosen: e.Status == webhook.Enabled},
		{Value: string(webhook.Disabled), Label: "Disabled", Hint: "Nothing is sent to it, and what is queued for it is cancelled.", Chosen: e.Status == webhook.Disabled},
	}})
	return v.showAs(f.status, views.FormPage(views.FormView{Frame: v.frame(heading.Title), Heading: heading,
		Form: f.fill(views.Form{Action: at + "/edit", Submit: "Save changes", Cancel: at, Groups: []views.FieldGroup{{Fields: fields}, versionOf(&e.Record)}})}))
}
