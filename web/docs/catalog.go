package docs

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"portal/api/event"
	"portal/api/webhook"
	views "portal/views/docs"
	"portal/views/kit"
)

// catalogAt is the event catalog; each type of event has its section.
const catalogAt = "/docs/events"

// eventID is the id of a type's section.
func eventID(name string) string { return strings.NewReplacer(".", "-", "_", "-").Replace(name) }

// catalogText is the event catalog as Markdown.
func (r *reference) catalogText() string {
	about := struct {
		Lead, Envelope string
		Types          []eventText
	}{Lead: views.EventsLead}
	if len(r.envelope()) > 0 {
		notice := &apiSchema{Properties: r.envelope(), Required: r.noticeOf(webhook.Kinds()[0]).Required}
		about.Envelope = fieldList(r.fieldViews("", notice, 0), "")
	}
	for _, k := range webhook.Kinds() {
		e := eventText{Kind: k, Sample: eventSample(k), Trigger: howToTrigger(k), Request: r.triggerSample(k)}
		if record := r.recordOf(k); record != nil {
			e.Record = fieldList(r.fieldViews("", record, 0), "")
		}
		about.Types = append(about.Types, e)
	}
	return written("events.md", about)
}

// eventText is a type of event in the Markdown of the catalog.
type eventText struct {
	event.Kind
	Record, Sample, Trigger, Request string
}

// catalogPage is the event catalog as a page.
func (r *reference) catalogPage() views.Doc {
	c := views.EventCatalog{Envelope: r.eventFields()}
	for _, k := range webhook.Kinds() {
		e := views.EventType{
			ID:      eventID(k.Type),
			Type:    k.Type,
			About:   k.Description,
			Object:  k.Object,
			Sample:  eventSample(k),
			Trigger: howToTrigger(k),
			Request: r.triggerSample(k),
		}
		if record := r.recordOf(k); record != nil {
			e.Record = r.resourceOf(record)
			e.Fields = r.fieldViews("", record, deepest)
		}
		c.Types = append(c.Types, e)
	}
	page := views.Doc{Title: "Event catalog"}
	c.Draw(&page)
	return page
}

// noticeOf is the schema of a type's event, nil where there is no document.
func (r *reference) noticeOf(k event.Kind) *apiSchema {
	named, has := reflect.Zero(k.Notice).Interface().(interface{ SchemaName() string })
	if !has {
		return nil
	}
	return r.doc.Components.Schemas[named.SchemaName()]
}

// recordOf is the schema of the record that an event is about, nil where there is no document.
func (r *reference) recordOf(k event.Kind) *apiSchema {
	notice := r.noticeOf(k)
	if notice == nil {
		return nil
	}
	data, _ := notice.Properties.of("data")
	object, _ := r.schema(data).Properties.of("object")
	return r.schema(object)
}

// envelope are the fields of every event. Those that have another value in each are described by
// the type.
func (r *reference) envelope() (all inOrder[*apiSchema]) {
	notice := r.noticeOf(webhook.Kinds()[0])
	if notice == nil {
		return nil
	}
	for _, f := range notice.Properties {
		switch f.Name {
		case "type":
			varied := *f.Value
			varied.Const = nil
			for _, k := range webhook.Kinds() {
				varied.Enum = append(varied.Enum, k.Type)
			}
			f.Value = &varied
		case "data":
			f.Value = &apiSchema{
				Type: "object",
				Description: "What it is about: data.object is the complete record, as it was at that moment, " +
					"without links that open something. payment.succeeded also has data.transaction, the payment " +
					"that cleared: record its amount, as the row can have been paid in several parts.",
			}
		}
		all = append(all, f)
	}
	return all
}

func (r *reference) eventFields() []views.Field {
	return r.fieldViews("", &apiSchema{Properties: r.envelope()}, deepest)
}

// resourceOf is the page that describes a record.
func (r *reference) resourceOf(record *apiSchema) kit.Link {
	kind, _ := record.Properties.of("object")
	same := func(op *apiEntry) bool {
		s := r.record(op)
		if s == nil {
			return false
		}
		of, has := s.Properties.of("object")
		return has && of.Const == kind.Const
	}
	for _, a := range r.resources {
		if slices.ContainsFunc(a.Operations, same) {
			return kit.Link{Name: a.Name, Path: a.Address()}
		}
	}
	return kit.Link{}
}

// eventSample is the body of an event, as it is sent.
func eventSample(k event.Kind) string {
	body, err := k.Sample()
	must(err)
	return pretty(bytes.TrimSpace(body))
}

// howToTrigger says in a sentence how a test makes an event happen.
func howToTrigger(k event.Kind) string {
	if k.Type == event.EndpointTest {
		return "To send one, choose “Send test event” on the page of an endpoint, " +
			"run `portal webhook test ENDPOINT_ID`, or call the API."
	}
	return k.Trigger.Words + " To make it happen, trigger it on the page of the demo portfolio, run `portal trigger " +
		k.Type + "`, or call the API with a test key."
}

// triggerSample is the request that makes an event happen, "" where there is no document.
func (r *reference) triggerSample(k event.Kind) string {
	name := "create_test_event"
	if k.Type == event.EndpointTest {
		name = "test_webhook_endpoint"
	}
	op := r.operation(name)
	if op == nil {
		return ""
	}
	q := r.request(op)
	if k.Type != event.EndpointTest {
		q.Body = json.RawMessage(`{"type":"` + k.Type + `"}`)
	}
	return q.sample("curl.tmpl")
}
