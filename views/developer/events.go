package developer

import "portal/views/kit"

// Events are what happened, as endpoints are told.
type Events struct {
	kit.Frame
	Filters  kit.Filters
	Filtered bool
	Events   []EventLine
	Pages    kit.Pages
	Webhooks string // address of the endpoints
}

// EventLine is an event in a list.
type EventLine struct {
	Path    string
	ID      string
	Type    string
	Created kit.Time
}

// Event is the page of one.
type Event struct {
	kit.Record
	Body       kit.Body
	Deliveries kit.Grid
}

func eventTable(e Events) kit.Table {
	t := kit.Table{
		Caption: "Events",
		Columns: kit.Columns("Type", "ID", "Happened"),
		Rows:    len(e.Events),
		Pages:   e.Pages,
		Empty: kit.Empty{
			Title:  "Nothing has happened yet",
			Words:  "A signed lease, a rent payment that clears and a ticket that a tenant submits each raise an event, whether or not an endpoint is told.",
			Action: kit.Link{Name: "Go to the webhooks", Path: e.Webhooks},
		},
	}
	if e.Filtered {
		t.Empty = kit.Empty{
			Title:  "No events match these filters",
			Words:  "Change or clear the filters to see more.",
			Action: kit.Link{Name: "Show all events", Path: e.Filters.Clear},
		}
	}
	return t
}
