package web

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"portal/api/access"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/list"
	"portal/api/webhook"
	"portal/views"
)

// Deliveries are what was told, to whom, and what came of it.
type Deliveries interface {
	Deliveries(ctx context.Context, by access.Actor, f webhook.DeliveryFilter) ([]webhook.Delivery, error)
	Delivery(ctx context.Context, by access.Actor, id string) (*webhook.Delivery, error)
	Redeliver(ctx context.Context, by access.Actor, id string) (*change.Result[webhook.Delivery], error)
	Event(ctx context.Context, by access.Actor, id string) (*webhook.Event, error)
	Events(ctx context.Context, by access.Actor, f webhook.EventFilter) ([]webhook.Event, error)
	CountMissed(ctx context.Context, by access.Actor, endpoint string, m webhook.Span) (int, error)
	RedeliverMissed(ctx context.Context, by access.Actor, endpoint string, in webhook.RedeliverMissed) (*change.Result[list.Page[webhook.Delivery]], error)
	Health(ctx context.Context, by access.Actor, endpoints []string) ([]webhook.Health, error)
}

// logLines is how many lines a page of a log has.
const logLines = 25

func (p *Pages) deliveries(v *visit) error {
	t, f := v.turn(), v.form()
	from, to := f.days(v.zone())
	found, err := p.Deliveries.Deliveries(v.ctx(), v.actor(), webhook.DeliveryFilter{EndpointID: f.ident("endpoint", id.Endpoint), EventType: webhook.EventType(f.among("type", webhook.EventType("").Values())),
		Status: webhook.DeliveryStatus(f.among("status", webhook.DeliveryStatus("").Values())), From: from, To: to, Before: t.position(id.Delivery), Limit: logLines + 1})
	if err != nil {
		return err
	}
	endpoints, err := p.Endpoints.Endpoints(v.ctx(), v.actor(), list.Query{Limit: list.Max})
	if err != nil {
		return err
	}
	found, next := cut(found, func(d *webhook.Delivery) string { return d.ID })
	filters := v.filters("Filter the deliveries", "/webhooks/deliveries", deliveryFilters(endpoints.Data))
	view := views.Deliveries{Frame: v.frame("Deliveries"), Tabs: webhookTabs(v, 1), Webhooks: v.in("/webhooks"), Filtered: filters.Clear != "", Filters: filters,
		Deliveries: deliveryLines(v, found, endpoints.Data), Pages: t.pages(next)}
	return v.show(views.DeliveriesPage(view))
}

// cut takes the line that is one too many off a page, and names the last that stays.
func cut[T any](lines []T, name func(*T) string) (page []T, next string) {
	if len(lines) <= logLines {
		return lines, ""
	}
	return lines[:logLines], name(&lines[logLines-1])
}

func deliveryFilters(endpoints []webhook.Endpoint) []views.Field {
	to := []views.Choice{{Label: "All"}}
	for _, e := range endpoints {
		to = append(to, views.Choice{Value: e.ID, Label: endpointName(&e)})
	}
	return []views.Field{
		{Name: "endpoint", Label: "Endpoint", Kind: "select", Choices: to},
		{Name: "type", Label: "Event type", Kind: "select", Choices: eventTypes()},
		{Name: "status", Label: "State", Kind: "select", Choices: []views.Choice{{Label: "All"}, {Value: "pending", Label: "Pending"}, {Value: "retrying", Label: "Retrying"}, {Value: "succeeded", Label: "Delivered"}, {Value: "failed", Label: "Failed"}, {Value: "cancelled", Label: "Cancelled"}}},
		{Name: "from", Label: "From", Kind: "date"},
		{Name: "to", Label: "To", Kind: "date"},
	}
}

func eventTypes() []views.Choice {
	all := []views.Choice{{Label: "All"}}
	for _, t := range webhook.EventType("").Values() {
		all = append(all, views.Choice{Value: t, Label: t})
	}
	return all
}

// endpointName tells an endpoint from others: two may have one address.
func endpointName(e *webhook.Endpoint) string {
	if e.Description != nil {
		return *e.Description + " (" + host(e.URL) + ")"
	}
	return host(e.URL) + " (…" + e.ID[max(0, len(e.ID)-6):] + ")"
}

// deliveryLines are deliveries as a list shows them. An endpoint that is not among those
// known is named by its id.
func deliveryLines(v *visit, all []webhook.Delivery, endpoints []webhook.Endpoint) []views.DeliveryLine {
	names := map[string]string{}
	for i := range endpoints {
		names[endpoints[i].ID] = endpointName(&endpoints[i])
	}
	lines := make([]views.DeliveryLine, len(all))
	for i := range all {
		lines[i] = deliveryLine(v, &all[i], names[all[i].EndpointID])
	}
	return lines
}

func deliveryLine(v *visit, d *webhook.Delivery, endpoint string) views.DeliveryLine {
	if endpoint == "" {
		endpoint = d.EndpointID
	}
	next := "none"
	if d.Open() {
		next = "now"
	}
	return views.DeliveryLine{Path: v.in("/webhooks/deliveries/" + d.ID), ID: d.ID, Type: string(d.EventType), Status: deliveryStatus(d.Status),
		Endpoint: views.Link{Name: endpoint, Path: v.in("/webhooks/" + d.EndpointID)}, Attempts: d.AttemptCount,
		Response: responseView(d.LastStatusCode, d.LastError), Created: v.time(d.CreatedAt), Next: v.timeOr(d.NextAttemptAt, next)}
}

func deliveryStatus(s webhook.DeliveryStatus) views.Status {
	switch s {
	case webhook.Succeeded:
		return views.Status{Tone: views.Done, Text: "Delivered"}
	case webhook.Failed:
		return views.Status{Tone: views.Failed, Text: "Failed"}
	case webhook.Cancelled:
		return views.Status{Tone: views.Idle, Text: "Cancelled"}
	case webhook.Retrying:
		return views.Status{Tone: views.Warned, Text: "Retrying"}
	case webhook.Pending:
	}
	return views.Status{Tone: views.Waiting, Text: "Pending"}
}

func (p *Pages) delivery(v *visit) error {
	name, err := v.ident(id.Delivery)
	if err != nil {
		return err
	}
	d, err := p.Deliveries.Delivery(v.ctx(), v.actor(), name)
	if err != nil {
		return err
	}
	e, err := p.Endpoints.Endpoint(v.ctx(), v.actor(), d.EndpointID)
	if err != nil {
		return err
	}
	event, err := p.Deliveries.Event(v.ctx(), v.actor(), d.EventID)
	if err != nil {
		return err
	}
	view := views.Delivery{Frame: v.frame("Delivery of " + string(d.EventType)), DeliveryLine: deliveryLine(v, d, endpointName(e)),
		Back: views.Link{Name: "Deliveries", Path: v.in("/webhooks/deliveries")}, Event: views.Link{Name: d.EventID, Path: v.in("/events/" + d.EventID)},
		Tries: tries(v, d), Body: views.Body{Absent: "It is older than 90 days and was forgotten."}}
	if event.Body != nil {
		view.Body = bodyView(string(event.Body))
	}
	if view.Why = unsendable(e, event); view.Why == "" {
		view.Redeliver = v.in("/webhooks/deliveries/" + d.ID + "/redeliver")
	}
	if soon := clock.At(p.Now().Add(15 * time.Second)); d.Open() && (d.NextAttemptAt == nil || *d.NextAttemptAt < soon) {
		view.Refresh = 2
	}
	return v.show(views.DeliveryPage(view))
}

// unsendable is why an event cannot be sent to an endpoint again, "" where it can.
func unsendable(e *webhook.Endpoint, event *webhook.Event) string {
	switch {
	case event.Body == nil:
		return "not possible: the event is older than 90 days, and its content has been forgotten"
	case e.Status != webhook.Enabled:
		return "not possible while the endpoint is disabled"
	}
	return ""
}

// tries are the attempts at a delivery, the latest first, with the one that runs or is
// planned.
func tries(v *visit, d *webhook.Delivery) []views.Attempt {
	var all []views.Attempt
	for i := range d.Attempts {
		all = append(all, attemptView(v, &d.Attempts[i]))
	}
	switch n := len(d.Attempts); {
	case d.AttemptCount > n:
		all = append(all, views.Attempt{Moment: views.Moment{Title: attemptTitle(n + 1), Status: views.Status{Tone: views.Waiting, Text: "Running"}, Time: views.Time{Text: "now", Ago: "now"}}})
	case d.Open() && d.NextAttemptAt != nil:
		all = append(all, views.Attempt{Moment: views.Moment{Title: attemptTitle(n + 1), Status: views.Status{Tone: views.Waiting, Text: "Planned"}, Time: v.time(*d.NextAttemptAt)}})
	}
	slices.Reverse(all)
	return all
}

func attemptTitle(n int) string { return "Attempt " + strconv.Itoa(n) }

func attemptView(v *visit, a *webhook.Attempt) views.Attempt {
	view := views.Attempt{Moment: views.Moment{Title: attemptTitle(a.Number), Time: v.time(a.At)}, Fault: orNone(a.Error), Request: headerLines(a.RequestHeaders), Response: headerLines(a.ResponseHeaders)}
	if a.Trigger == webhook.ByHand {
		view.Title += ", by hand"
	}
	view.Status = views.Status{Tone: views.Done, Text: fmt.Sprintf("in %d ms", a.DurationMS)}
	if a.Error != nil {
		view.Status.Tone = views.Failed
		view.Fault, _ = legible(*a.Error)
	}
	if a.StatusCode == nil {
		view.Status.Text = "No answer " + view.Status.Text
		return view
	}
	view.Code, view.Status.Text = *a.StatusCode, strconv.Itoa(*a.StatusCode)+" "+view.Status.Text
	view.Answer = views.Body{Absent: "It was forgotten after 90 days."}
	if a.ResponseBody != nil {
		view.Answer = bodyView(*a.ResponseBody)
	}
	if view.Response == "" && a.ResponseHeaders != nil {
		view.Response = "none"
	}
	return view
}

func (p *Pages) redeliver(v *visit) error {
	name, err := v.ident(id.Delivery)
	if err != nil {
		return err
	}
	at := v.in("/webhooks/deliveries/" + name)
	_, err = p.Deliveries.Redeliver(v.ctx(), v.actor(), name)
	if v.form().refused(err) {
		return v.refuseAt(at, fault.From(err).Message)
	}
	if err != nil {
		return err
	}
	return v.done(at, "It is sent again now.")
}
