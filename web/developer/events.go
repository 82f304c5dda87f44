package developer

import (
	"portal/api/event"
	"portal/api/id"
	"portal/api/list"
	"portal/api/webhook"
	views "portal/views/developer"
	"portal/views/kit"
	"portal/web/page"
)

func (p *webhookPages) events(v *page.Request) error {
	t, f := v.Cursor(), v.Form()
	from, to := f.Days(v.Zone())
	found, err := p.Deliveries.Events(v.Ctx(), v.Actor(), webhook.EventFilter{
		Type:   webhook.Kind(f.Among("type", event.Type("").Values())),
		From:   from,
		To:     to,
		Before: t.Position(id.Event),
		Limit:  page.ListSize + 1,
	})
	if err != nil {
		return err
	}
	found, next := cut(found, func(e *webhook.Event) string { return e.ID })
	fields := []kit.Field{
		{
			Name:    "type",
			Label:   "Type",
			Kind:    "select",
			Choices: eventTypes(),
		},
		{Name: "from", Label: "From", Kind: "date"},
		{Name: "to", Label: "To", Kind: "date"},
	}
	view := views.Events{
		Frame:    v.Frame("Events"),
		Filtered: f.Any(fields),
		Pages:    t.Pages(next),
		Webhooks: v.In("/webhooks"),
		Filters:  v.Filters("Filter the events", "/events", fields),
	}
	for i := range found {
		view.Events = append(view.Events, eventLine(v, &found[i]))
	}
	return v.Show(views.EventsPage(view))
}

func eventLine(v *page.Request, e *webhook.Event) views.EventLine {
	return views.EventLine{
		Path:    v.In("/events/" + e.ID),
		ID:      e.ID,
		Type:    string(e.Type),
		Created: v.Time(e.CreatedAt),
	}
}

func (p *webhookPages) event(v *page.Request) error {
	name, err := v.PathID(id.Event)
	if err != nil {
		return err
	}
	e, err := p.Deliveries.Event(v.Ctx(), v.Actor(), name)
	if err != nil {
		return err
	}
	sent, err := p.Deliveries.Deliveries(v.Ctx(), v.Actor(), webhook.DeliveryFilter{EventID: e.ID, Limit: list.Max})
	if err != nil {
		return err
	}
	endpoints, err := p.Endpoints.Endpoints(v.Ctx(), v.Actor(), list.Query{Limit: list.Max})
	if err != nil {
		return err
	}
	view := views.Event{
		Frame:      v.Frame("Event " + string(e.Type)),
		EventLine:  eventLine(v, e),
		Back:       kit.Link{Name: "Events", Path: v.In("/events")},
		Body:       kit.Body{Absent: "It is older than 90 days and was forgotten."},
		Deliveries: deliveryLines(v, sent, endpoints.Data),
	}
	if e.Body != nil {
		view.Body = page.BodyView(string(e.Body))
	}
	return v.Show(views.EventPage(view))
}
