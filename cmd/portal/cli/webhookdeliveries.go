package cli

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"strings"

	"portal/api/access"
	"portal/api/event"
	"portal/api/fault"
	"portal/api/operation"
	"portal/api/webhook"
)

// mostDeliveries is how many deliveries or events a list shows.
const mostDeliveries = 100

// WebhookDeliveries lists an endpoint's deliveries.
func WebhookDeliveries(f *Flags) Action {
	filter := webhook.DeliveryFilter{Limit: mostDeliveries}
	status := f.String("status", "", strings.Join(webhook.DeliveryStatus("").Values(), ", "))
	kind := f.String("type", "", "only events of this type, for example payment.succeeded")
	f.StringVar(&filter.EventID, "event", "", "only deliveries of the event with this ID")
	f.StringVar(&filter.Before, "before", "", "list deliveries older than the one with this ID")
	f.Check(func(c *Call) error {
		filter.EndpointID = c.Args[0]
		filter.Status, filter.EventType = webhook.DeliveryStatus(*status), event.Type(*kind)
		if err := oneOf("--status", *status, filter.Status.Values()); err != nil {
			return err
		}
		return oneOf("--type", *kind, filter.EventType.Values())
	})
	f.since(&filter.From)
	return at((*webhook.Service).PortfolioOfEndpoint, func(ctx context.Context, c *Call) error {
		all, err := c.Webhook.Deliveries(ctx, c.actor, filter)
		const header = "ID\tEVENT\tTYPE\tSTATUS\tATTEMPTS\tLAST STATUS\tNEXT ATTEMPT\tCREATED\tLAST ERROR"
		return printList(c, all, err, mostDeliveries, header, func(d *webhook.Delivery) []any {
			code := "-"
			if d.LastStatusCode != nil {
				code = strconv.Itoa(*d.LastStatusCode)
			}
			return []any{
				d.ID, d.EventID, d.EventType, d.Status, d.AttemptCount, code,
				or(d.NextAttemptAt), d.CreatedAt, orNone(d.LastError),
			}
		})
	})
}

// WebhookDelivery shows a delivery with its attempts.
func WebhookDelivery(*Flags) Action {
	return at((*webhook.Service).PortfolioOfDelivery, func(ctx context.Context, c *Call) error {
		d, err := c.Webhook.Delivery(ctx, c.actor, c.Args[0])
		if err != nil {
			return err
		}
		return c.printJSON(json.RawMessage(operation.Encoder[webhook.Delivery]()(nil, d)))
	})
}

// WebhookRedeliver sends a delivery again.
func WebhookRedeliver(*Flags) Action {
	return at((*webhook.Service).PortfolioOfDelivery, func(ctx context.Context, c *Call) error {
		_, err := c.Webhook.Redeliver(ctx, c.actor, c.Args[0])
		return c.Result(map[string]string{"delivery_id": c.Args[0]}, err, "Queued the delivery %s again.", c.Args[0])
	})
}

// WebhookEvents lists the events of a landlord's portfolio.
func WebhookEvents(f *Flags) Action {
	filter := webhook.EventFilter{Limit: mostDeliveries}
	mode := f.String("mode", "live", "test or live")
	kind := f.String("type", "", "only events of this type")
	f.StringVar(&filter.Before, "before", "", "list events older than the one with this ID")
	f.Check(func(*Call) error {
		filter.Type = webhook.Kind(*kind)
		if err := errors.Join(
			oneOf("--mode", *mode, access.Live.Values()),
			oneOf("--type", *kind, event.Type("").Values()),
		); err != nil {
			return Misuse(err.Error())
		}
		return nil
	})
	f.since(&filter.From)
	return f.inPortfolio(mode, func(ctx context.Context, c *Call) error {
		all, err := c.Webhook.Events(ctx, c.actor, filter)
		if err != nil {
			return err
		}
		lines := make([]map[string]any, len(all))
		for i, e := range all {
			lines[i] = map[string]any{"id": e.ID, "type": e.Type, "created_at": e.CreatedAt}
		}
		return printTable(c, lines, "ID\tTYPE\tCREATED", all, func(e *webhook.Event) []any {
			return []any{e.ID, e.Type, e.CreatedAt}
		})
	})
}

// WebhookEvent shows an event as it was sent.
func WebhookEvent(*Flags) Action {
	return at((*webhook.Service).PortfolioOfEvent, func(ctx context.Context, c *Call) error {
		e, err := c.Webhook.Event(ctx, c.actor, c.Args[0])
		if err != nil {
			return err
		}
		if e.Body == nil {
			return fault.New(fault.NoRecord, "The event %s is older than 90 days. Its content was deleted.", e.ID)
		}
		return c.printJSON(json.RawMessage(e.Body))
	})
}
