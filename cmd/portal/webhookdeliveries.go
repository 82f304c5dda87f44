package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"

	"portal/api/access"
	"portal/api/developer"
	"portal/api/fault"
	"portal/api/webhook"
)

var webhookDeliveriesCommand = command{
	name:  "webhook deliveries",
	args:  "ENDPOINT_ID [--status S] [--type T] [--event ID] [--since TIME] [--before ID]",
	short: "List the deliveries to an endpoint, the newest first",
	bind: func(f *flag.FlagSet) action {
		var d deliveriesFlags
		d.bind(f)
		asJSON := f.Bool("json", false, "answer in JSON")
		return func(ctx context.Context, a *app, args []string) error {
			filter, err := d.filter(args[0])
			if err != nil {
				return err
			}
			return a.atEndpoint(ctx, args[0], func(p *product, by access.Actor) error {
				all, err := p.webhook.Deliveries(ctx, by, filter)
				if err != nil {
					return err
				}
				if *asJSON {
					return a.print(true, all, "")
				}
				return a.printDeliveries(all)
			})
		}
	},
}

var webhookDeliveryCommand = command{
	name:  "webhook delivery",
	args:  "DELIVERY_ID",
	short: "Show a delivery with its attempts, as JSON",
	bind: func(*flag.FlagSet) action {
		return func(ctx context.Context, a *app, args []string) error {
			return a.with(ctx, func(p *product) error {
				in, err := p.webhook.PortfolioOfDelivery(ctx, args[0])
				if err != nil {
					return err
				}
				d, err := p.webhook.Delivery(ctx, operator(in), args[0])
				if err != nil {
					return err
				}
				return a.print(true, json.RawMessage(encodeDelivery(nil, d)), "")
			})
		}
	},
}

var webhookEventsCommand = command{
	name:  "webhook events",
	args:  "EMAIL [--mode test|live] [--type T] [--since TIME] [--before ID]",
	short: "List the events of a landlord's portfolio, the newest first",
	bind: func(f *flag.FlagSet) action {
		mode := f.String("mode", "live", "test or live")
		kind, from := f.String("type", "", "only events of this type"), f.String(
			"since",
			"",
			"only those created from then on: 2026-11-02T16:00:00Z or 2026-11-02",
		)
		before := f.String("before", "", "list those that are older than the event of this id")
		whose, asJSON := accountFlag(f), f.Bool("json", false, "answer in JSON")
		return func(ctx context.Context, a *app, args []string) error {
			if err := errors.Join(
				oneOf("--mode", *mode, access.Live.Values()),
				oneOf("--type", *kind, webhook.EventType("").Values()),
			); err != nil {
				return misuse(err.Error())
			}
			at, err := since(*from)
			if err != nil {
				return err
			}
			return a.within(ctx, args[0], *whose, func(p *product, by developer.Member, _ developer.Account) error {
				in, err := p.developer.PortfolioOf(ctx, by.AccountID, access.Mode(*mode))
				if err != nil {
					return err
				}
				all, err := p.webhook.Events(ctx, operator(in), webhook.EventFilter{
					Type:   webhook.Kind(*kind),
					From:   at,
					Before: *before,
					Limit:  mostDeliveries,
				})
				if err != nil {
					return err
				}
				return a.printEvents(*asJSON, all)
			})
		}
	},
}

var webhookEventCommand = command{
	name:  "webhook event",
	args:  "EVENT_ID",
	short: "Show an event as it was sent, as JSON",
	bind: func(*flag.FlagSet) action {
		return func(ctx context.Context, a *app, args []string) error {
			return a.with(ctx, func(p *product) error {
				in, err := p.webhook.PortfolioOfEvent(ctx, args[0])
				if err != nil {
					return err
				}
				e, err := p.webhook.Event(ctx, operator(in), args[0])
				if err != nil {
					return err
				}
				if e.Body == nil {
					return fault.New(fault.NoRecord,
						"The event %s is older than 90 days; its content has been forgotten.",
						e.ID)
				}
				return a.print(true, json.RawMessage(e.Body), "")
			})
		}
	},
}

var webhookRedeliverCommand = command{
	name:  "webhook redeliver",
	args:  "DELIVERY_ID",
	short: "Send a delivery again, whatever became of it",
	bind: func(f *flag.FlagSet) action {
		asJSON := f.Bool("json", false, "answer in JSON")
		return func(ctx context.Context, a *app, args []string) error {
			return a.with(ctx, func(p *product) error {
				in, err := p.webhook.PortfolioOfDelivery(ctx, args[0])
				if err != nil {
					return err
				}
				if _, err := p.webhook.Redeliver(ctx, operator(in), args[0]); err != nil {
					return err
				}
				return a.print(*asJSON, map[string]string{
					"delivery_id": args[0],
				}, "The delivery %s is queued again.", args[0])
			})
		}
	},
}
