package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"portal/api/access"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/operation"
	"portal/api/webhook"
)

// operator is the actor of a sub-command: it may do what an owner may.
func operator(in access.Portfolio) access.Actor {
	scopes, _ := access.ScopesOf(string(access.Payments)) // a scope that there is
	return access.Actor{
		Portfolio: in,
		Scopes:    scopes,
		Role:      access.Owner,
		Zone:      time.UTC,
	}
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
	name:  "webhook test",
	args:  "ENDPOINT_ID",
	short: "Send a test event to a webhook endpoint",
	bind: func(f *flag.FlagSet) action {
		asJSON := f.Bool("json", false, "answer in JSON")
		return func(ctx context.Context, a *app, args []string) error {
			return a.atEndpoint(ctx, args[0], func(p *product, by access.Actor) error {
				made, err := p.webhook.Test(ctx, by, args[0])
				if err != nil {
					return err
				}
				return a.print(*asJSON, map[string]string{"delivery_id": made.After.ID},
					"The delivery %s is queued; the running service sends it within a second.", made.After.ID)
			})
		}
	},
}

// mostDeliveries is how many deliveries or events a list shows.
const mostDeliveries = 100

// deliveriesFlags narrow a list of deliveries.
type deliveriesFlags struct{ status, kind, event, since, before *string }

func (d *deliveriesFlags) bind(f *flag.FlagSet) {
	d.status = f.String("status", "", strings.Join(webhook.DeliveryStatus("").Values(), ", "))
	d.kind = f.String("type", "", "only events of this type, for example payment.succeeded")
	d.event = f.String("event", "", "only deliveries of the event of this id")
	d.since = f.String("since", "", "only those created from then on: 2026-11-02T16:00:00Z or 2026-11-02")
	d.before = f.String("before", "", "list those that are older than the delivery of this id")
}

func (d *deliveriesFlags) filter(endpoint string) (webhook.DeliveryFilter, error) {
	f := webhook.DeliveryFilter{
		EndpointID: endpoint,
		EventID:    *d.event,
		EventType:  webhook.EventType(*d.kind),
		Status:     webhook.DeliveryStatus(*d.status),
		Before:     *d.before,
		Limit:      mostDeliveries,
	}
	if err := oneOf("--status", *d.status, f.Status.Values()); err != nil {
		return f, err
	}
	if err := oneOf("--type", *d.kind, f.EventType.Values()); err != nil {
		return f, err
	}
	var err error
	f.From, err = since(*d.since)
	return f, err
}

// oneOf refuses the value of a flag that is none of its values; "" is none given.
func oneOf(name, value string, values []string) error {
	if value != "" && !slices.Contains(values, value) {
		return misuse(name + " is one of " + strings.Join(values, ", "))
	}
	return nil
}

// since reads the flag --since, nil where it was not given.
func since(s string) (*clock.Time, error) {
	if s == "" {
		return nil, nil //nolint:nilnil // no bound
	}
	at, err := instant(s)
	if err != nil {
		return nil, misuse("--since: " + err.Error())
	}
	return &at, nil
}

func (a *app) printDeliveries(all []webhook.Delivery) error {
	w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "ID\tEVENT\tTYPE\tSTATUS\tATTEMPTS\tLAST STATUS\tNEXT ATTEMPT\tCREATED\tLAST ERROR")
	for i := range all {
		d := &all[i]
		code := "-"
		if d.LastStatusCode != nil {
			code = strconv.Itoa(*d.LastStatusCode)
		}
		fmt.Fprintf(
			w,
			"%s\t%s\t%s\t%s\t%d\t%s\t%s\t%s\t%s\n",
			d.ID,
			d.EventID,
			d.EventType,
			d.Status,
			d.AttemptCount,
			code,
			or(d.NextAttemptAt),
			d.CreatedAt,
			orNone(d.LastError),
		)
	}
	if len(all) == mostDeliveries {
		fmt.Fprintf(w, "There may be more: list those before %s with --before.\n", all[mostDeliveries-1].ID)
	}
	return w.Flush()
}

var encodeDelivery = operation.Encoder[webhook.Delivery]()

var webhookUpdateCommand = command{
	name:  "webhook update",
	args:  "ENDPOINT_ID [--url URL] [--events a,b] [--description TEXT] [--status S]",
	short: "Change an endpoint; its signing secret stays",
	bind: func(f *flag.FlagSet) action {
		var u webhook.EndpointUpdate
		f.Func("url", "where events are sent", func(s string) error { u.URL = change.To(s); return nil })
		f.Func("events", "kinds of event, separated by commas; * is all", func(s string) error {
			kinds := []webhook.Kind{}
			for name := range strings.SplitSeq(s, ",") {
				kinds = append(kinds, webhook.Kind(strings.TrimSpace(name)))
			}
			u.Events = change.To(kinds)
			return nil
		})
		f.Func("description", "what it is for; an empty text clears it", func(s string) error {
			u.Description = change.To[*string](nil)
			if s != "" {
				u.Description = change.To(&s)
			}
			return nil
		})
		f.Func(
			"status",
			"enabled or disabled",
			func(s string) error { u.Status = change.To(webhook.EndpointStatus(s)); return nil },
		)
		asJSON := f.Bool("json", false, "answer in JSON")
		return func(ctx context.Context, a *app, args []string) error {
			if err := checkUpdate(&u); err != nil {
				return err
			}
			return a.atEndpoint(ctx, args[0], func(p *product, by access.Actor) error {
				made, err := p.webhook.UpdateEndpoint(ctx, by, change.Target{ID: args[0]}, u)
				if err != nil {
					return err
				}
				said := []string{fmt.Sprintf("The endpoint %s is %s, at version %d.", args[0], made.After.Status,
					made.After.Version)}
				for _, w := range made.Warnings {
					said = append(said, w.Message)
				}
				return a.print(
					*asJSON,
					json.RawMessage(encodeEndpoint(nil, made.After)),
					"%s",
					strings.Join(said, "\n"),
				)
			})
		}
	},
}

var encodeEndpoint = operation.Encoder[webhook.Endpoint]()

// checkUpdate refuses a change of nothing and values that there are not.
func checkUpdate(u *webhook.EndpointUpdate) error {
	if u.URL.Absent() && u.Events.Absent() && u.Description.Absent() && u.Status.Absent() {
		return misuse("name what to change: --url, --events, --description or --status")
	}
	if u.Status.Given && !slices.Contains(u.Status.Value.Values(), string(u.Status.Value)) {
		return misuse("--status is one of enabled, disabled")
	}
	for _, k := range u.Events.Value {
		if !slices.Contains(k.Values(), string(k)) {
			return misuse("--events are of " + strings.Join(k.Values(), ", "))
		}
	}
	return nil
}

func (a *app) printEvents(asJSON bool, all []webhook.Event) error {
	if asJSON {
		lines := []map[string]any{}
		for _, e := range all {
			lines = append(lines, map[string]any{"id": e.ID, "type": e.Type, "created_at": e.CreatedAt})
		}
		return a.print(true, lines, "")
	}
	w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "ID\tTYPE\tCREATED")
	for _, e := range all {
		fmt.Fprintf(w, "%s\t%s\t%s\n", e.ID, e.Type, e.CreatedAt)
	}
	return w.Flush()
}

var webhookEnableCommand = command{
	name:  "webhook enable",
	args:  "ENDPOINT_ID",
	short: "Enable an endpoint again and tell what it has missed",
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
					hint = fmt.Sprintf(" Send those with: portal webhook resend %s --since %s",
						args[0], made.Before.DisabledAt)
				}
				return a.print(*asJSON, map[string]any{"id": args[0], "status": made.After.Status, "missed": missed},
					"The endpoint %s is enabled. It has missed %d events.%s", args[0], missed, hint)
			})
		}
	},
}

var webhookResendCommand = command{
	name:  "webhook resend",
	args:  "ENDPOINT_ID --since TIME [--until TIME] [--count]",
	short: "Send an endpoint what it has missed in a time",
	bind: func(f *flag.FlagSet) action {
		since, until := f.String(
			"since",
			"",
			"from when on: 2026-11-02T16:00:00Z or 2026-11-02",
		), f.String(
			"until",
			"",
			"up to before when; now if left out",
		)
		count := f.Bool("count", false, "only tell how many events it has missed")
		asJSON := f.Bool("json", false, "answer in JSON")
		return func(ctx context.Context, a *app, args []string) error {
			span, err := spanOf(*since, *until)
			if err != nil {
				return err
			}
			return a.atEndpoint(ctx, args[0], func(p *product, by access.Actor) error {
				send, said := p.webhook.MissedEvents.SendMissed, "%d events are queued."
				if *count {
					send, said = p.webhook.MissedEvents.CountMissed, "It has missed %d events."
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
