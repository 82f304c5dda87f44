package developer

import (
	"strconv"
	"strings"

	"portal/api/event"
	"portal/api/id"
	"portal/api/list"
	"portal/api/texts"
	"portal/api/webhook"
	views "portal/views/developer"
	"portal/views/kit"
	"portal/web/listing"
	"portal/web/page"
	"portal/web/payload"
)

// eventFilter is what the address asks for of the list.
func eventFilter(v *page.Request) webhook.EventFilter {
	f := v.Form()
	from, to := f.Days(v.Zone())
	return webhook.EventFilter{
		Type:   webhook.Kind(f.Among("type", event.Type("").Values())),
		From:   from,
		To:     to,
		Before: v.Cursor().Position(id.Event),
		Limit:  page.ListSize + 1,
		Bodies: true,

		Ascending: f.Among("sort", byTime) == "oldest",
	}
}

func (p *webhookPages) events(v *page.Request) error {
	found, err := p.Webhook.Events(v.Ctx(), v.Actor(), eventFilter(v))
	if err != nil {
		return err
	}
	listed := list.Of(found, page.ListSize, (*webhook.Event).Identity)
	fields := []kit.Field{
		{Name: "type", Label: "Type", Kind: "select", Choices: allOr(event.Type("").Values())},
		{Name: "from", Label: "From", Kind: "date", Group: "Date"},
		{Name: "to", Label: "To", Kind: "date", Group: "Date"},
	}
	view := listing.List{
		Title: "Events",
		About: "What happened in the portfolio. Each event is sent to the endpoints that chose its type.",
		Path:  "/events", Ask: "Filter the events", Fields: fields, Orders: byTime,
	}.View(v)
	view.Grid = kit.GridOf(kit.Table{
		Caption: "Events",
		Columns: []kit.Column{
			{Name: "Type", Width: kit.Long},
			{Name: "About", Card: kit.CardDetail},
			{Name: "Created", Right: true, Width: kit.Short, Card: kit.CardAmount},
		},
		Empty: listing.Empty(view.Filters, "events", kit.Empty{
			Title:  "No events yet",
			Words:  causes() + " raise events, even without an endpoint.",
			Action: kit.Link{Name: "View webhooks", Path: v.In("/webhooks")},
		}),
	}, listed.Data, func(e *webhook.Event) []kit.Cell {
		record, words := e.Subject()
		return []kit.Cell{
			{Text: string(e.Type), Path: v.In("/events/" + e.ID), Code: true},
			{Text: words, Path: v.PathOf(record), None: "–"},
			{Time: v.Time(e.CreatedAt)},
		}
	})
	view.Grid.Pages = v.Cursor().Pages(page.OrEmpty(listed.NextCursor))
	return v.Show(kit.ListingPage(view))
}

// causes are what raises events, as the beginning of a sentence.
func causes() string {
	var all []string
	for _, k := range event.All() {
		all = append(all, k.Cause)
	}
	list := texts.List(all, ", and ")
	return strings.ToUpper(list[:1]) + list[1:]
}

func (p *webhookPages) event(v *page.Request, e *webhook.Event) error {
	sent, grid, err := p.deliveriesOf(v, e.ID)
	if err != nil {
		return err
	}
	bodies := payload.New(v, v.In("/events/"+e.ID))
	view := views.Event{
		Record: kit.Record{
			Frame:   v.Frame("Event " + string(e.Type)),
			Heading: kit.Heading{Title: string(e.Type), About: v.Time(e.CreatedAt).Text, Code: true},
			Facts: []kit.Facts{{Title: "Details", Terms: []kit.Term{
				{Name: "ID", Text: e.ID, ID: true},
				{Name: "Created", Time: v.Time(e.CreatedAt)},
				{Name: "Deliveries", Text: deliveredOf(sent)},
			}}},
		},
		Body:       kit.Body{Absent: "It’s older than 90 days, so its content was deleted."},
		Deliveries: grid,
	}
	view.Deliveries.Empty = kit.Empty{
		Title: "No endpoint was subscribed",
		Words: "No enabled endpoint was subscribed to its type. You can send missed events from an endpoint’s page.",
	}
	if e.Body != nil {
		view.Body = bodies.View("event", string(e.Body))
		if record, words := e.Subject(); words != "" {
			about := kit.Facts{Title: "About", Terms: []kit.Term{{Name: "Record", Text: words, Path: v.PathOf(record)}}}
			view.Heading.About, view.Facts = words, append([]kit.Facts{about}, view.Facts...)
		}
	}
	return bodies.Show(views.EventPage(view))
}

// deliveriesOf are the deliveries of an event, and a table of them.
func (p *Section) deliveriesOf(v *page.Request, event string) ([]webhook.Delivery, kit.Grid, error) {
	sent, err := p.Webhook.Deliveries(v.Ctx(), v.Actor(), webhook.DeliveryFilter{EventID: event, Limit: list.Max})
	if err != nil {
		return nil, kit.Grid{}, err
	}
	endpoints, err := p.Webhook.Endpoints(v.Ctx(), v.Actor(), list.Query{Limit: list.Max})
	if err != nil {
		return nil, kit.Grid{}, err
	}
	return sent, deliveryGrid(v, sent, endpoints.Data), nil
}

// deliveredOf is how many deliveries of an event succeeded.
func deliveredOf(sent []webhook.Delivery) string {
	if len(sent) == 0 {
		return "None"
	}
	done := 0
	for i := range sent {
		if sent[i].Status == webhook.Succeeded {
			done++
		}
	}
	return strconv.Itoa(done) + " of " + strconv.Itoa(len(sent)) + " delivered"
}
