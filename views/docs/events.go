package docs

import "portal/views/kit"

// EventsLead is what the event catalog begins with, in Markdown.
const EventsLead = "Every type of event that webhooks send: when it is sent, what is in it, and how to trigger one. " +
	"What a landlord or the API does to records raises no event: cash that is recorded, a ticket that is created " +
	"over REST. " +
	"[Receive and verify](/docs/webhooks/verify) has receivers in six languages."

// EventCatalog is every type of event.
type EventCatalog struct {
	Envelope []Field // what every event has
	Types    []EventType
}

// EventType is a type of event.
type EventType struct {
	ID      string // of its section
	Type    string
	About   string // when it is sent
	Object  string // what its record is
	Record  kit.Link
	Fields  []Field // of the record
	Sample  string  // a payload
	Trigger string  // how to make it happen, in Markdown
	Request string  // that makes it happen, "" for none
}

// Draw puts the catalog into a page.
func (c EventCatalog) Draw(d *Doc) {
	d.Intro = Markdown(EventsLead).Intro
	if len(c.Envelope) > 0 {
		d.section("every-event", "Every event", fields(c.Envelope))
	}
	for _, e := range c.Types {
		d.section(e.ID, e.Type, eventType(e))
	}
}

// record is the record of an event as a field, with its fields within it.
func (e EventType) record() []Field {
	return []Field{{
		Name:     "data.object",
		Kind:     "object",
		About:    "The complete record, as it was at that moment.",
		Children: e.Fields,
	}}
}
