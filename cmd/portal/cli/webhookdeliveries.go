package cli

import (
	"context"
	"encoding/json"
	"errors"
	"flag"

	"portal/api/access"
	"portal/api/developer"
	"portal/api/event"
	"portal/api/fault"
	"portal/api/webhook"
)

// WebhookDeliveries is the sub-command "webhook deliveries" of portal.
var WebhookDeliveries = Command{
	Name:  "webhook deliveries",
	Args:  "ENDPOINT_ID [--status S] [--type T] [--event ID] [--since TIME] [--before ID]",
	Short: "List an endpoint's deliveries, newest first",
	Bind: func(f *flag.FlagSet) Action {
		var d deliveriesFlags
		d.bind(f)
		asJSON := f.Bool("json", false, "print JSON")
		return func(ctx context.Context, a *App, args []string) error {
			filter, err := d.filter(args[0])
			if err != nil {
				return err
			}
			return a.atEndpoint(ctx, args[0], func(p *Product, by access.Actor) error {
				all, err := p.Webhook.Deliveries(ctx, by, filter)
				if err != nil {
					return err
				}
				if *asJSON {
					return a.Print(true, all, "")
				}
				return a.printDeliveries(all)
			})
		}
	},
}

// WebhookDelivery is the sub-command "webhook delivery" of portal.
var WebhookDelivery = Command{
	Name:  "webhook delivery",
	Args:  "DELIVERY_ID",
	Short: "Show a delivery with its attempts, as JSON",
	Bind: func(*flag.FlagSet) Action {
		return func(ctx context.Context, a *App, args []string) error {
			return a.with(ctx, func(p *Product) error {
				in, err := p.Webhook.PortfolioOfDelivery(ctx, args[0])
				if err != nil {
					return err
				}
				d, err := p.Webhook.Delivery(ctx, Operator(in), args[0])
				if err != nil {
					return err
				}
				return a.Print(true, json.RawMessage(encodeDelivery(nil, d)), "")
			})
		}
	},
}

// WebhookEvents is the sub-command "webhook events" of portal.
var WebhookEvents = Command{
	Name:  "webhook events",
	Args:  "EMAIL [--mode test|live] [--type T] [--since TIME] [--before ID]",
	Short: "List the events of a landlord's portfolio, newest first",
	Bind: func(f *flag.FlagSet) Action {
		mode := f.String("mode", "live", "test or live")
		kind, from := f.String("type", "", "only events of this type"), f.String(
			"since",
			"",
			"only those created at or after this time: 2026-11-02T16:00:00Z or 2026-11-02",
		)
		before := f.String("before", "", "list events older than the one with this ID")
		whose, asJSON := accountFlag(f), f.Bool("json", false, "print JSON")
		return func(ctx context.Context, a *App, args []string) error {
			if err := errors.Join(
				oneOf("--mode", *mode, access.Live.Values()),
				oneOf("--type", *kind, event.Type("").Values()),
			); err != nil {
				return Misuse(err.Error())
			}
			at, err := since(*from)
			if err != nil {
				return err
			}
			return a.within(ctx, args[0], *whose, func(p *Product, by developer.Member, _ developer.Account) error {
				in, err := p.Developer.PortfolioOf(ctx, by.AccountID, access.Mode(*mode))
				if err != nil {
					return err
				}
				all, err := p.Webhook.Events(ctx, Operator(in), webhook.EventFilter{
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

// WebhookEvent is the sub-command "webhook event" of portal.
var WebhookEvent = Command{
	Name:  "webhook event",
	Args:  "EVENT_ID",
	Short: "Show an event as it was sent, as JSON",
	Bind: func(*flag.FlagSet) Action {
		return func(ctx context.Context, a *App, args []string) error {
			return a.with(ctx, func(p *Product) error {
				in, err := p.Webhook.PortfolioOfEvent(ctx, args[0])
				if err != nil {
					return err
				}
				e, err := p.Webhook.Event(ctx, Operator(in), args[0])
				if err != nil {
					return err
				}
				if e.Body == nil {
					return fault.New(fault.NoRecord,
						"The event %s is older than 90 days. Its content was deleted.",
						e.ID)
				}
				return a.Print(true, json.RawMessage(e.Body), "")
			})
		}
	},
}

// WebhookRedeliver is the sub-command "webhook redeliver" of portal.
var WebhookRedeliver = Command{
	Name:  "webhook redeliver",
	Args:  "DELIVERY_ID",
	Short: "Send a delivery again, whatever its status",
	Bind: func(f *flag.FlagSet) Action {
		asJSON := f.Bool("json", false, "print JSON")
		return func(ctx context.Context, a *App, args []string) error {
			return a.with(ctx, func(p *Product) error {
				in, err := p.Webhook.PortfolioOfDelivery(ctx, args[0])
				if err != nil {
					return err
				}
				if _, err := p.Webhook.Redeliver(ctx, Operator(in), args[0]); err != nil {
					return err
				}
				return a.Print(*asJSON, map[string]string{
					"delivery_id": args[0],
				}, "Queued the delivery %s again.", args[0])
			})
		}
	},
}
