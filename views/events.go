package views

// Events are what happened, as endpoints are told.
type Events struct {
	Frame
	Filters  Filters
	Filtered bool
	Events   []EventLine
	Pages    Pages
	Webhooks string // address of the endpoints
}

// EventLine is an event in a list.
type EventLine struct {
	Path    string
	ID      string
	Type    string
	Created Time
}

// Event is the page of one.
type Event struct {
	Frame
	EventLine
	Back       Link
	Body       Body
	Deliveries []DeliveryLine
}

func eventTable(e Events) Table {
	t := Table{Caption: "Events", Columns: Columns("Type", "Id", "Happened"), Rows: len(e.Events), Pages: e.Pages,
		Empty: Empty{"Nothing has happened yet", "A signed lease, a rent payment that clears and a ticket that a tenant submits each raise an event, whether or not an endpoint is told.", Link{"Go to the webhooks", e.Webhooks}}}
	if e.Filtered {
		t.Empty = Empty{"No events match these filters", "Change or clear the filters to see more.", Link{"Show all events", e.Filters.Clear}}
	}
	return t
}
