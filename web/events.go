package web

import (
	"portal/api/id"
	"portal/api/list"
	"portal/api/webhook"
	"portal/views"
)

func (p *Pages) events(v *visit) error {
	t, f := v.turn(), v.form()
	from, to := f.days(v.zone())
	found, err := p.Deliveries.Events(v.ctx(), v.actor(), webhook.EventFilter{Type: webhook.Kind(f.among("type", webhook.EventType("").Values())),
		From: from, To: to, Before: t.position(id.Event), Limit: logLines + 1})
	if err != nil {
		return err
	}
	found, next := cut(found, func(e *webhook.Event) string { return e.ID })
	fields := []views.Field{{Name: "type", Label: "Type", Kind: "select", Choices: eventTypes()}, {Name: "from", Label: "From", Kind: "date"}, {Name: "to", Label: "To", Kind: "date"}}
	view := views.Events{Frame: v.frame("Events"), Filtered: f.any(fields), Pages: t.pages(next), Webhooks: v.in("/webhooks"),
		Filters: v.filters("Filter the events", "/events", fields)}
	for i := range found {
		view.Events = append(view.Events, eventLine(v, &found[i]))
	}
	return v.show(views.EventsPage(view))
}

func eventLine(v *visit, e *webhook.Event) views.EventLine {
	return views.EventLine{Path: v.in("/events/" + e.ID), ID: e.ID, Type: string(e.Type), Created: v.time(e.CreatedAt)}
}

func (p *Pages) event(v *visit) error {
	name, err := v.ident(id.Event)
	if err != nil {
		return err
	}
	e, err := p.Deliveries.Event(v.ctx(), v.actor(), name)
	if err != nil {
		return err
	}
	sent, err := p.Deliveries.Deliveries(v.ctx(), v.actor(), webhook.DeliveryFilter{EventID: e.ID, Limit: list.Max})
	if err != nil {
		return err
	}
	endpoints, err := p.Endpoints.Endpoints(v.ctx(), v.actor(), list.Query{Limit: list.Max})
	if err != nil {
		return err
	}
	view := views.Event{Frame: v.frame("Event " + string(e.Type)), EventLine: eventLine(v, e), Back: views.Link{Name: "Events", Path: v.in("/events")},
		Body: views.Body{Absent: "It is older than 90 days and was forgotten."}, Deliveries: deliveryLines(v, sent, endpoints.Data)}
	if e.Body != nil {
		view.Body = bodyView(string(e.Body))
	}
	return v.show(views.EventPage(view))
}
