package main

import (
	"context"
	"flag"
	"fmt"
	"text/tabwriter"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/webhook"
)

// operator is who a sub-command acts as: whoever runs it may do what an owner may.
func operator(in access.Portfolio) access.Actor {
	scopes, _ := access.ScopesOf(string(access.Payments)) // a scope that there is
	return access.Actor{Portfolio: in, Scopes: scopes, Role: access.Owner, Zone: time.UTC}
}

// atEndpoint does something with an endpoint as the operator.
func (a *app) atEndpoint(ctx context.Context, id string, do func(p *product, by access.Actor) error) error {
	return a.with(ctx, func(p *product) error {
		in, err := p.webhook.PortfolioOfEndpoint(ctx, id)
		if err != nil {
			return err
		}
		return do(p, operator(in))
	})
}

var webhookTestCommand = command{
	name: "webhook test", args: "ENDPOINT_ID", short: "Send a test event to a webhook endpoint",
	bind: func(f *flag.FlagSet) action {
		asJSON := f.Bool("json", false, "answer in JSON")
		return func(ctx context.Context, a *app, args []string) error {
			return a.atEndpoint(ctx, args[0], func(p *product, by access.Actor) error {
				delivery, err := p.webhook.Test(ctx, by, args[0])
				if err != nil {
					return err
				}
				return a.print(*asJSON, map[string]string{"delivery_id": delivery},
					"The delivery %s is queued; the running service sends it within a second.", delivery)
			})
		}
	},
}

// mostDeliveries is how many deliveries a list shows.
const mostDeliveries = 100

var webhookDeliveriesCommand = command{
	name: "webhook deliveries", args: "ENDPOINT_ID [--status S] [--before ID]", short: "List the deliveries to an endpoint, the newest first",
	bind: func(f *flag.FlagSet) action {
		status, before := f.String("status", "", "pending, succeeded, failed or cancelled"), f.String("before", "", "list those that are older than the delivery of this id")
		asJSON := f.Bool("json", false, "answer in JSON")
		return func(ctx context.Context, a *app, args []string) error {
			return a.atEndpoint(ctx, args[0], func(p *product, by access.Actor) error {
				all, err := p.webhook.Deliveries(ctx, by, webhook.DeliveryFilter{EndpointID: args[0], Status: webhook.DeliveryStatus(*status), Before: *before, Limit: mostDeliveries})
				if err != nil {
					return err
				}
				if *asJSON {
					return a.print(true, all, "")
				}
				w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
				fmt.Fprintln(w, "ID\tEVENT\tTYPE\tSTATUS\tATTEMPTS\tNEXT ATTEMPT\tCREATED")
				for _, d := range all {
					fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%d\t%s\t%s\n", d.ID, d.EventID, d.EventType, d.Status, d.AttemptCount, or(d.NextAttemptAt), d.CreatedAt)
				}
				if len(all) == mostDeliveries {
					fmt.Fprintf(w, "There may be more: list those before %s with --before.\n", all[mostDeliveries-1].ID)
				}
				return w.Flush()
			})
		}
	},
}

var webhookDeliveryCommand = command{
	name: "webhook delivery", args: "DELIVERY_ID", short: "Show a delivery with its attempts, as JSON",
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
				return a.print(true, d, "")
			})
		}
	},
}

var webhookRedeliverCommand = command{
	name: "webhook redeliver", args: "DELIVERY_ID", short: "Send a delivery again, whatever became of it",
	bind: func(f *flag.FlagSet) action {
		asJSON := f.Bool("json", false, "answer in JSON")
		return func(ctx context.Context, a *app, args []string) error {
			return a.with(ctx, func(p *product) error {
				in, err := p.webhook.PortfolioOfDelivery(ctx, args[0])
				if err != nil {
					return err
				}
				if err := p.webhook.Redeliver(ctx, operator(in), args[0]); err != nil {
					return err
				}
				return a.print(*asJSON, map[string]string{"delivery_id": args[0]}, "The delivery %s is queued again.", args[0])
			})
		}
	},
}

var webhookEnableCommand = command{
	name: "webhook enable", args: "ENDPOINT_ID", short: "Enable an endpoint again and tell what it has missed",
	bind: func(f *flag.FlagSet) action {
		asJSON := f.Bool("json", false, "answer in JSON")
		return func(ctx context.Context, a *app, args []string) error {
			return a.atEndpoint(ctx, args[0], func(p *product, by access.Actor) error {
				made, missed, err := p.webhook.EnableEndpoint(ctx, by, args[0])
				if err != nil {
					return err
				}
				hint := ""
				if missed > 0 {
					hint = fmt.Sprintf(" Send those with: portal webhook resend %s --since %s", args[0], made.Before.DisabledAt)
				}
				return a.print(*asJSON, map[string]any{"id": args[0], "status": made.After.Status, "missed": missed},
					"The endpoint %s is enabled. It has missed %d events.%s", args[0], missed, hint)
			})
		}
	},
}

var webhookResendCommand = command{
	name: "webhook resend", args: "ENDPOINT_ID --since TIME [--until TIME] [--count]", short: "Send an endpoint what it has missed in a time",
	bind: func(f *flag.FlagSet) action {
		since, until := f.String("since", "", "from when on: 2026-11-02T16:00:00Z or 2026-11-02"), f.String("until", "", "up to before when; now if left out")
		count := f.Bool("count", false, "only tell how many events it has missed")
		asJSON := f.Bool("json", false, "answer in JSON")
		return func(ctx context.Context, a *app, args []string) error {
			span, err := spanOf(*since, *until)
			if err != nil {
				return err
			}
			return a.atEndpoint(ctx, args[0], func(p *product, by access.Actor) error {
				send, said := p.webhook.SendMissed, "%d events are queued."
				if *count {
					send, said = p.webhook.CountMissed, "It has missed %d events."
				}
				n, err := send(ctx, by, args[0], span)
				if err != nil {
					return err
				}
				return a.print(*asJSON, map[string]any{"id": args[0], "events": n, "queued": !*count}, said, n)
			})
		}
	},
}

// spanOf reads a time from two moments; the second may be left out.
func spanOf(since, until string) (webhook.Span, error) {
	from, err := instant(since)
	if err != nil {
		return webhook.Span{}, misuse("--since: " + err.Error())
	}
	to := clock.At(time.Now())
	if until != "" {
		if to, err = instant(until); err != nil {
			return webhook.Span{}, misuse("--until: " + err.Error())
		}
	}
	return webhook.Span{From: from, To: to}, nil
}

// instant reads a moment, or the beginning of a day in UTC.
func instant(s string) (clock.Time, error) {
	if d, err := clock.ParseDate(s); err == nil {
		return clock.At(d.Std()), nil
	}
	return clock.ParseTime(s)
}
