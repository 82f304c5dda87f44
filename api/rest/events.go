package rest

import (
	"encoding/json"
	"strings"

	"portal/api/event"
	"portal/api/operation"
)

// describeEvent describes what is sent to webhook endpoints of a kind of event.
func describeEvent(schemas *operation.Schemas, k *event.Kind, parts map[string]json.RawMessage) member {
	return member{k.Type, ordered{{"post", ordered{
		{"operationId", strings.ReplaceAll(k.Type, ".", "_")},
		{"tags", []string{"Webhooks"}},
		{"summary", k.Summary},
		{
			"description",
			k.Description + " Respond with any 2xx within 10 seconds; anything else is retried for 24 hours.",
		},
		{"security", []ordered{}},
		{"parameters", parts["eventParameters"]},
		{"requestBody", ordered{{"required", true}, {"content", content(schemas.Of(k.Notice))}}},
		{"responses", parts["eventResponses"]},
	}}}}
}

// describeMedia describes the bodies of an operation that answers with no JSON.
func describeMedia(op *operation.Operation, schemas *operation.Schemas) (all ordered) {
	for _, media := range op.Media {
		switch media {
		case eventStream:
			all = append(all, member{media, describeStream(schemas)})
		case csvFile:
			all = append(all, member{media, ordered{
				{"schema", schemas.Text("RentRoll", "A rent roll as CSV: a line with the names of the columns, then a "+
					"line for each unit and lease.")},
				{"example", exportExample},
			}})
		default:
			all = append(all, member{media, ordered{
				{"schema", schemas.File("RentRollWorkbook", "A rent roll as an Excel workbook with one sheet.")},
			}})
		}
	}
	return all
}

// exportExample begins the rent roll of a portfolio with two units.
const exportExample = "street_address,city,state,postal_code,property_type,year_built,unit_number,bedrooms," +
	"bathrooms,square_feet,market_rent,tenant_first_name,tenant_last_name,tenant_email,tenant_phone,lease_start," +
	"lease_end,monthly_rent,security_deposit,property_name,balance,move_in,move_out,lease_type,rent_due_day," +
	"late_fee_amount,late_fee_grace_days\n1420 Maple Avenue,Austin,TX,78701,apartment,1974,2A,2,1.5,860,1450.00," +
	"Dana,Whitfield,dana.whitfield@example.com,(512) 555-0142,2026-01-01,2026-12-31,1450.00,1450.00," +
	"Maple Court,,,,fixed,1,60.00,5\n" +
	"1420 Maple Avenue,Austin,TX,78701,apartment,1974,2B,2,1.5,860,1450.00,,,,,,,,,Maple Court,,,,,,,\n"

// describeStream describes a body of Server-Sent Events.
func describeStream(schemas *operation.Schemas) ordered {
	return ordered{
		{
			"schema",
			schemas.Text(
				"EventStream",
				"Server-Sent Events (text/event-stream). Each has the event's identifier as id, its type as event, "+
					"and as data the JSON that a webhook endpoint is sent. A comment every 15 seconds is a sign of life.",
			),
		},
		{
			"example",
			"retry: 1000\nid: evt_01KA5R2M7Q8D4E6F9G1H3J5K7M\n\nid: evt_01KA5R9C2V5X8Z0B3D6F9H2K4M\nevent: " +
				"maintenance.created\ndata: " +
				"{\"id\":\"evt_01KA5R9C2V5X8Z0B3D6F9H2K4M\",\"object\":\"event\",\"type\":\"maintenance.created\"}\n\n",
		},
	}
}

type eventPath struct {
	// Identifier of the event.
	ID string `in:"path" name:"event_id" format:"id"`
}

func (p eventPath) record() string { return p.ID }

func (a *API) events() []*operation.Operation {
	return []*operation.Operation{
		lists(operation.Spec{
			Name:    "list_events",
			Path:    "/events",
			Tag:     "Events",
			Summary: "List events",
			Description: "The events of the last 90 days, each exactly as it was sent, by ascending ID. Events " +
				"that no endpoint chose are included.",
		}, a.Webhook.ListEvents),
		retrieves[eventPath](operation.Spec{
			Name:        "get_event",
			Path:        "/events/{event_id}",
			Tag:         "Events",
			Summary:     "Retrieve an event",
			Description: "One event of the last 90 days, exactly as it was sent.",
		}, a.Webhook.SentEvent),
	}
}
