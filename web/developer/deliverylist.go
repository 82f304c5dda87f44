package developer

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"portal/api/event"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/list"
	"portal/api/texts"
	"portal/api/webhook"
	"portal/views/kit"
	"portal/web/listing"
	"portal/web/live"
	"portal/web/page"
)

// byTime are the orders of deliveries, events and requests. Their indexes serve both.
var byTime = []string{"newest", "oldest"}

// deliveryParts are the tabs of the list.
var deliveryParts = []listing.Part{
	{Name: "Retrying", Status: string(webhook.Retrying)},
	{Name: "Failed", Status: string(webhook.Failed)},
	{Name: "Delivered", Status: string(webhook.Succeeded)},
	{Name: "Pending", Status: string(webhook.Pending)},
}

// deliveryFilter is what the address asks for of the list.
func deliveryFilter(v *page.Request) webhook.DeliveryFilter {
	f, at := v.Form(), v.Cursor().Position(id.Delivery)
	from, to := f.Days(v.Zone())
	filter := webhook.DeliveryFilter{
		EndpointID: f.ID("endpoint", id.Endpoint),
		EventType:  event.Type(f.Among("type", event.Type("").Values())),
		Status:     webhook.DeliveryStatus(f.Among("status", webhook.DeliveryStatus("").Values())),
		From:       from,
		To:         to,
		Ascending:  f.Among("sort", byTime) == "oldest",
		Limit:      page.ListSize + 1,
	}
	if filter.Ascending {
		filter.After = at
	} else {
		filter.Before = at
	}
	return filter
}

func (p *webhookPages) deliveries(v *page.Request) error {
	filter := deliveryFilter(v)
	found, err := p.Webhook.Deliveries(v.Ctx(), v.Actor(), filter)
	if err != nil {
		return err
	}
	counts, err := p.Webhook.DeliveryCounts(v.Ctx(), v.Actor(), filter)
	if err != nil {
		return err
	}
	endpoints, err := p.Webhook.Endpoints(v.Ctx(), v.Actor(), list.Query{Limit: list.Max})
	if err != nil {
		return err
	}
	listed := list.Of(found, page.ListSize, (*webhook.Delivery).Identity)
	found = listed.Data
	view := listing.List{
		Title: "Deliveries", About: "Events that we send to your endpoints.", Path: "/webhooks/deliveries",
		Ask: "Filter the deliveries", Fields: deliveryFields(v, endpoints.Data), Orders: byTime,
	}.View(v)
	view.Other = []kit.Action{{Name: "View endpoints", Path: v.In("/webhooks"), Icon: "webhook"}}
	view.Tabs = listing.Tabs(v, view.Filters, deliveryParts, counts)
	view.Grid = deliveryGrid(v, found, endpoints.Data)
	view.Grid.Pages = listing.Pages(v, listed.NextCursor, len(found), counts)
	view.Grid.Empty = listing.Empty(view.Filters, "deliveries", kit.Empty{
		Title:  "No deliveries yet",
		Words:  "Each event is sent to the endpoints that chose its type. Send a test event to see one.",
		Action: kit.Link{Name: "View endpoints", Path: v.In("/webhooks")},
	})
	view.Grid.Pick = kit.Selection{Name: "Retry selected", Path: v.In("/webhooks/deliveries"), Icon: "rotate-cw"}
	selectable(&view.Grid, found)
	if !filter.Ascending && filter.Before == "" {
		view.Frame = view.Frame.Live()
		view.Grid.Live = kit.Live{
			Path:   filtered(v, "/webhooks/deliveries/stream"),
			Cursor: p.deliveryFeed(v).Cursor(found),
			Most:   page.ListSize,
			One:    "delivery",
			Many:   "deliveries",
		}
	}
	return v.Show(kit.ListingPage(view))
}

// filtered is an address that has the filters of this one.
func filtered(v *page.Request, path string) string {
	at := v.In(path)
	if q := v.Request().URL.Query(); len(q) > 0 {
		at += "?" + q.Encode()
	}
	return at
}

// selectable gives each delivery a box by which it is selected, and an id by which the stream finds it.
func selectable(g *kit.Grid, all []webhook.Delivery) {
	for i := range all {
		d := &all[i]
		g.IDs = append(g.IDs, d.ID)
		g.Lines[i][0].Pick = kit.Choice{Value: d.ID, Label: "Select delivery " + string(d.EventType) + " " + d.ID}
	}
}

// deliveryFeed is what the first page of the list shows from now on.
func (p *webhookPages) deliveryFeed(v *page.Request) *live.List[webhook.Delivery] {
	filter := deliveryFilter(v)
	filter.Limit = page.ListSize
	return &live.List[webhook.Delivery]{
		Read: func(ctx context.Context) ([]webhook.Delivery, error) {
			return p.Webhook.Deliveries(ctx, v.Actor(), filter)
		},
		Size: page.ListSize,
		ID:   func(d *webhook.Delivery) string { return d.ID },
		State: func(d *webhook.Delivery) string {
			return fmt.Sprint(d.Version, d.AttemptCount, d.Status)
		},
		Draw: func(ctx context.Context, changed []webhook.Delivery, gone []string) (live.Component, error) {
			endpoints, err := p.Webhook.Endpoints(ctx, v.Actor(), list.Query{Limit: list.Max})
			if err != nil {
				return nil, err
			}
			g := deliveryGrid(v, changed, endpoints.Data)
			selectable(&g, changed)
			return kit.LiveRows(g, gone), nil
		},
	}
}

// streamDeliveries tells an open list what becomes of deliveries.
func (p *webhookPages) streamDeliveries(v *page.Request) error {
	return p.Streams.Serve(v, p.deliveryFeed(v))
}

// retryDeliveries sends those that were selected again, and leads back to the list.
func (p *webhookPages) retryDeliveries(v *page.Request) error {
	at, ids := v.In("/webhooks/deliveries"), v.Form().All("id")
	if len(ids) == 0 {
		return v.RefuseAt(at, "Select the deliveries to retry.")
	}
	ids = slices.DeleteFunc(slices.Clone(ids), func(name string) bool { return !id.Valid(id.Delivery, name) })
	queued, err := p.Webhook.RedeliverEach(v.Ctx(), v.Actor(), ids)
	if v.Form().Refused(err) {
		return v.RefuseAt(at, fault.From(err).Message)
	}
	if err != nil {
		return err
	}
	if queued == 0 {
		const why = "their endpoint is disabled, an attempt is running, or they’re older than 90 days."
		return v.RefuseAt(at, "None of these deliveries can be sent again: "+why)
	}
	if queued == 1 {
		return v.Done(at, "1 delivery queued again")
	}
	return v.Done(at, texts.Number(queued)+" deliveries queued again")
}

func deliveryFields(v *page.Request, endpoints []webhook.Endpoint) []kit.Field {
	to := []kit.Choice{{Label: "All"}}
	for _, e := range endpoints {
		to = append(to, kit.Choice{Value: e.ID, Label: endpointName(&e)})
	}
	return []kit.Field{
		listing.Status(v, deliveryParts, webhook.DeliveryStatus("").Values()),
		{Name: "endpoint", Label: "Endpoint", Kind: "select", Choices: to},
		{Name: "type", Label: "Event", Kind: "select", Choices: allOr(event.Type("").Values())},
		{Name: "from", Label: "From", Kind: "date", Group: "Date"},
		{Name: "to", Label: "To", Kind: "date", Group: "Date"},
	}
}

// deliveryGrid is a table of deliveries to endpoints, a line each.
func deliveryGrid(v *page.Request, all []webhook.Delivery, endpoints []webhook.Endpoint) kit.Grid {
	return kit.GridOf(kit.Table{
		Caption: "Deliveries",
		Columns: []kit.Column{
			{Name: "Event"},
			{Name: "Endpoint", Card: kit.CardDetail},
			{Name: "Status", Width: kit.Medium},
			{Name: "Response", Width: kit.Narrow, Card: kit.CardHidden},
			{Name: "Duration", Right: true, Width: kit.Narrow, Card: kit.CardHidden},
			{Name: "Attempts", Right: true, Width: kit.Narrow, Card: kit.CardHidden},
			{Name: "Created", Right: true, Width: kit.Short, Card: kit.CardAmount},
		},
	}, all, func(d *webhook.Delivery) []kit.Cell {
		duration := ""
		if d.LastDurationMS != nil {
			duration = texts.Number(*d.LastDurationMS) + " ms"
		}
		return []kit.Cell{
			{Text: string(d.EventType), Path: v.In("/webhooks/deliveries/" + d.ID), Code: true},
			endpointCell(v, d.EndpointID, endpoints),
			{Status: deliveryStatuses[d.Status]},
			responseCell(d.LastStatusCode, d.LastError),
			{Text: duration},
			{Text: strconv.Itoa(d.AttemptCount)},
			{Time: v.Time(d.CreatedAt)},
		}
	})
}

// endpointCell is the host of an endpoint with what tells it from others. One that is not among those known
// is named by its id.
func endpointCell(v *page.Request, name string, endpoints []webhook.Endpoint) kit.Cell {
	c := kit.Cell{Text: name, Path: v.In("/webhooks/" + name)}
	for i := range endpoints {
		if endpoints[i].ID == name {
			c.Text, c.Faint = hostAndRest(&endpoints[i])
		}
	}
	return c
}

// hostAndRest are the host of an endpoint and what it is for, or else the path of its address.
func hostAndRest(e *webhook.Endpoint) (name, rest string) {
	switch at := pathOf(e.URL); {
	case e.Description != nil:
		rest = *e.Description
	case at != "/":
		rest = at
	}
	return e.Host(), rest
}

// responseCell is the status of the last answer, or that none came.
func responseCell(code *int, problem *string) kit.Cell {
	switch {
	case code != nil:
		return kit.Cell{HTTP: *code}
	case problem != nil:
		return kit.Cell{Text: "None"}
	}
	return kit.Cell{}
}
