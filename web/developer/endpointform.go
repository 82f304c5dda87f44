package developer

import (
	"slices"
	"strconv"

	"portal/api/access"
	"portal/api/change"
	"portal/api/event"
	"portal/api/id"
	"portal/api/webhook"
	views "portal/views/developer"
	"portal/views/kit"
	"portal/web/page"
)

var (
	endpointCreate = page.ContractOf[webhook.EndpointCreate, webhook.Endpoint]("create_webhook_endpoint")
	endpointUpdate = page.ContractOf[webhook.EndpointUpdate, webhook.Endpoint]("update_webhook_endpoint")
)

func (p *webhookPages) addEndpoint(v *page.Request) error {
	f := v.Form()
	in := endpointCreate.BindForm(v, f, newEndpointGroup())
	checkEndpoint(f)
	if f.Rejected() {
		return p.endpointForm(v, f)
	}
	made, err := p.Webhook.CreateEndpoint(v.Ctx(), v.Actor(), in)
	if err != nil {
		return f.Again(v, err, p.endpointForm)
	}
	view := p.secretView(v, made.After, "The endpoint is added")
	for _, w := range made.Warnings {
		view.Warnings = append(view.Warnings, w.Message)
	}
	return v.Show(views.EndpointSecretPage(view))
}

// checkEndpoint says what the contract has found missing in the words of the form.
func checkEndpoint(f *page.Form) {
	if f.Text("url") == "" {
		delete(f.FieldErrors, "url")
		f.Reject("url", "Enter the address that events are sent to, beginning with https://.")
	}
	if len(f.All("events")) == 0 {
		delete(f.FieldErrors, "events")
		f.Reject("events", "Choose at least one type, or all of them.")
	}
}

func (p *webhookPages) endpointForm(v *page.Request, f *page.Form) error {
	heading := kit.Heading{
		Title: "Add endpoint",
		About: "We send " + string(v.Mode()) + " mode events to this address as signed POST requests.",
		Back:  kit.Link{Name: "Webhooks", Path: v.In("/webhooks")},
	}
	view := views.NewEndpoint{FormView: kit.FormView{
		Frame:   v.Frame(heading.Title),
		Heading: heading,
		Form: f.Fill(endpointCreate.Form(kit.Form{
			Action: v.In("/webhooks/new"),
			Submit: "Add endpoint",
			Cancel: v.In("/webhooks"),
			Failed: "The endpoint wasn’t added",
			Groups: []kit.FieldGroup{newEndpointGroup()},
		})),
	}}
	if v.Mode() == access.Test { // events of live mode are not streamed
		view.Listen = page.ListenCommand(v)
	}
	return v.ShowAs(f.Status, views.NewEndpointPage(view))
}

// newEndpointGroup asks for an endpoint, which is sent all events unless somebody chooses.
func newEndpointGroup() kit.FieldGroup {
	return kit.FieldGroup{Fields: endpointFields(&webhook.Endpoint{Events: []webhook.Kind{webhook.EveryKind}})}
}

// endpointFields are the fields of an endpoint, with what it has.
func endpointFields(e *webhook.Endpoint) []kit.Field {
	kinds := []kit.Choice{
		{Value: string(webhook.EveryKind), Label: "All events", Hint: "Includes event types that are added later."},
	}
	for _, k := range event.All() {
		kinds = append(kinds, kit.Choice{Value: k.Type, Label: k.Type, Hint: k.Description})
	}
	for i := range kinds {
		kinds[i].Chosen = slices.Contains(e.Events, webhook.Kind(kinds[i].Value))
	}
	return []kit.Field{
		{
			Name:     "url",
			Label:    "URL",
			Kind:     "url",
			Mode:     "url",
			Complete: "off",
			Code:     true,
			Value:    e.URL,
			Hint:     "A public https address that answers with a 2xx status within 10 seconds.",
		},
		{
			Name:    "events",
			Label:   "Events",
			Kind:    "checks",
			Hint:    "“All events” includes every other choice.",
			Choices: kinds,
		},
		{
			Name:     "description",
			Label:    "Description",
			Optional: true,
			Complete: "off",
			Value:    page.OrEmpty(e.Description),
			Hint:     "What you use it for, for example Accounting.",
		},
	}
}

// secretView shows the secret that an endpoint was just given.
func (p *webhookPages) secretView(v *page.Request, e *webhook.Endpoint, title string) views.EndpointSecret {
	at := v.In("/webhooks/" + e.ID)
	v.SeenAt(
		at,
		"That form was sent before, and this is its endpoint. We can’t show its secret again. If you didn’t copy "+
			"it, rotate it.",
	)
	view := views.EndpointSecret{
		Frame:    v.Frame(title),
		Heading:  kit.Heading{Title: title, About: e.URL, Back: kit.Link{Name: "Webhooks", Path: v.In("/webhooks")}},
		Endpoint: at,
		Secret: kit.Secret{
			Title: "Signing secret",
			Value: page.OrEmpty(e.Secret),
			Words: "It’s shown only once. Save it where your receiver reads it. If you lose it, rotate it.",
		},
	}
	if e.Status == webhook.Enabled {
		view.Test = at + "/test"
	}
	if p.Served("/docs/webhooks") {
		view.Docs = "/docs/webhooks"
	}
	return view
}

func (p *webhookPages) testEndpoint(v *page.Request) error {
	made, err := page.Here(v, id.Endpoint, p.Webhook.Test)
	if f := v.Form(); f.Refused(err) {
		return v.RefuseAt(v.In("/webhooks/"+v.Param("id")), f.Problem)
	}
	if err != nil {
		return err
	}
	return v.Done(v.In("/webhooks/deliveries/"+made.After.ID), "A test event is on its way.")
}

func (p *webhookPages) disableEndpoint(v *page.Request, e *webhook.Endpoint) error {
	at := v.In("/webhooks/" + e.ID)
	return page.Question{
		Title: "Disable the endpoint at " + e.Host() + "?",
		Words: []string{
			"No more events are sent to it, and queued deliveries are canceled. Its history stays.",
			"When you enable it again, you can send the events it missed, up to 90 days back.",
		},
		Form: kit.Form{Submit: "Disable endpoint", Danger: true},
		Back: at,
		Do: func(*page.Form, change.Target) error {
			if _, err := p.Webhook.DisableEndpoint(v.Ctx(), v.Actor(), e.ID); err != nil {
				return err
			}
			return v.Done(at, "The endpoint is disabled. No more events are sent to it.")
		},
	}.Serve(v)
}

// secretOverlaps are how long the secret before a rotation may still sign, in seconds.
var secretOverlaps = []struct {
	seconds int
	label   string
}{{86400, "For a day"}, {3600, "For an hour"}, {604800, "For a week"}, {0, "Not at all: it ends right away"}}

func (p *webhookPages) rotateSecret(v *page.Request, e *webhook.Endpoint) error {
	q := page.Question{
		Title: "Rotate the signing secret?",
		Words: []string{
			"The endpoint at " + e.Host() +
				" gets a new secret, which is shown once. X-Service-Signature uses it right away. While the " +
				"current secret lasts, webhook-signature carries both.",
		},
		Back: v.In("/webhooks/" + e.ID),
		Do: func(f *page.Form, _ change.Target) error {
			seconds, ok := f.Between("overlap", 0, 604800, "Choose how long the current secret keeps signing.")
			if !ok {
				return nil
			}
			made, err := p.Webhook.RotateSecret(v.Ctx(), v.Actor(), e.ID, webhook.EndpointRotate{
				PreviousSecretExpiresIn: seconds,
			})
			if err != nil {
				return err
			}
			return v.Show(views.EndpointSecretPage(p.secretView(v, made.After, "Secret rotated")))
		},
	}
	if e.PreviousSecretExpiresAt != nil && e.PreviousSecretExpiresAt.Std().After(p.Now()) {
		q.Words = append(q.Words, "The secret from before the last rotation still signs, too. It ends right away.")
	}
	field := kit.Field{Name: "overlap", Label: "How long the current secret keeps signing", Kind: "radios"}
	for i, o := range secretOverlaps {
		field.Choices = append(field.Choices, kit.Choice{
			Value:  strconv.Itoa(o.seconds),
			Label:  o.label,
			Chosen: i == 0,
		})
	}
	q.Form = kit.Form{Submit: "Rotate secret", Danger: true, Groups: []kit.FieldGroup{{Fields: []kit.Field{field}}}}
	return q.Serve(v)
}

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
