package cli

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
	"portal/api/event"
	"portal/api/operation"
	"portal/api/webhook"
)

// Operator is the actor of a sub-command: it may do what an owner may.
func Operator(in access.Portfolio) access.Actor {
	scopes, _ := access.ScopesOf(string(access.Payments)) // a scope that there is
	return access.Actor{
		Portfolio: in,
		Scopes:    scopes,
		Role:      access.Owner,
		Zone:      time.UTC,
	}
}

// atEndpoint does something with an endpoint as the operator.
func (a *App) atEndpoint(ctx context.Context, id string, do func(p *Product, by access.Actor) error) error {
	return a.with(ctx, func(p *Product) error {
		in, err := p.Webhook.PortfolioOfEndpoint(ctx, id)
		if err != nil {
			return err
		}
		return do(p, Operator(in))
	})
}

// WebhookTest is the sub-command "webhook test" of portal.
var WebhookTest = Command{
	Name:  "webhook test",
	Args:  "ENDPOINT_ID",
	Short: "Send a test event to a webhook endpoint",
	Bind: func(f *flag.FlagSet) Action {
		asJSON := f.Bool("json", false, "print JSON")
		return func(ctx context.Context, a *App, args []string) error {
			return a.atEndpoint(ctx, args[0], func(p *Product, by access.Actor) error {
				made, err := p.Webhook.Test(ctx, by, args[0])
				if err != nil {
					return err
				}
				return a.Print(*asJSON, map[string]string{"delivery_id": made.After.ID},
					"Queued the delivery %s. The running service sends it within a second.", made.After.ID)
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
	d.event = f.String("event", "", "only deliveries of the event with this ID")
	d.since = f.String("since", "", "only those created at or after this time: 2026-11-02T16:00:00Z or 2026-11-02")
	d.before = f.String("before", "", "list deliveries older than the one with this ID")
}

func (d *deliveriesFlags) filter(endpoint string) (webhook.DeliveryFilter, error) {
	f := webhook.DeliveryFilter{
		EndpointID: endpoint,
		EventID:    *d.event,
		EventType:  event.Type(*d.kind),
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
		return Misuse(name + " must be one of " + strings.Join(values, ", "))
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
		return nil, Misuse("--since: " + err.Error())
	}
	return &at, nil
}

func (a *App) printDeliveries(all []webhook.Delivery) error {
	w := tabwriter.NewWriter(a.Out, 0, 0, 2, ' ', 0)
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
		fmt.Fprintf(w, "There may be more. To list them, add --before %s\n", all[mostDeliveries-1].ID)
	}
	return w.Flush()
}

var encodeDelivery = operation.Encoder[webhook.Delivery]()

// WebhookUpdate is the sub-command "webhook update" of portal.
var WebhookUpdate = Command{
	Name:  "webhook update",
	Args:  "ENDPOINT_ID [--url URL] [--events a,b] [--description TEXT] [--status S]",
	Short: "Update an endpoint; its signing secret stays the same",
	Bind: func(f *flag.FlagSet) Action {
		var u webhook.EndpointUpdate
		f.Func("url", "where to send events", func(s string) error { u.URL = change.To(s); return nil })
		f.Func("events", "event types, separated by commas; * is all", func(s string) error {
			kinds := []webhook.Kind{}
			for name := range strings.SplitSeq(s, ",") {
				kinds = append(kinds, webhook.Kind(strings.TrimSpace(name)))
			}
			u.Events = change.To(kinds)
			return nil
		})
		f.Func("description", "what the endpoint is for; an empty text clears it", func(s string) error {
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
		asJSON := f.Bool("json", false, "print JSON")
		return func(ctx context.Context, a *App, args []string) error {
			if err := checkUpdate(&u); err != nil {
				return err
			}
			return a.atEndpoint(ctx, args[0], func(p *Product, by access.Actor) error {
				made, err := p.Webhook.UpdateEndpoint(ctx, by, change.Target{ID: args[0]}, u)
				if err != nil {
					return err
				}
				said := []string{fmt.Sprintf("The endpoint %s is %s, at version %d.", args[0], made.After.Status,
					made.After.Version)}
				for _, w := range made.Warnings {
					said = append(said, w.Message)
				}
				return a.Print(
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
		return Misuse("nothing to change: add --url, --events, --description, or --status")
	}
	if u.Status.Given && !slices.Contains(u.Status.Value.Values(), string(u.Status.Value)) {
		return Misuse("--status must be enabled or disabled")
	}
	for _, k := range u.Events.Value {
		if !slices.Contains(k.Values(), string(k)) {
			return Misuse("--events must be from " + strings.Join(k.Values(), ", "))
		}
	}
	return nil
}

func (a *App) printEvents(asJSON bool, all []webhook.Event) error {
	if asJSON {
		lines := []map[string]any{}
		for _, e := range all {
			lines = append(lines, map[string]any{"id": e.ID, "type": e.Type, "created_at": e.CreatedAt})
		}
		return a.Print(true, lines, "")
	}
	w := tabwriter.NewWriter(a.Out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "ID\tTYPE\tCREATED")
	for _, e := range all {
		fmt.Fprintf(w, "%s\t%s\t%s\n", e.ID, e.Type, e.CreatedAt)
	}
	return w.Flush()
}

// WebhookEnable is the sub-command "webhook enable" of portal.
var WebhookEnable = Command{
	Name:  "webhook enable",
	Args:  "ENDPOINT_ID",
	Short: "Enable an endpoint again and count the events it missed",
	Bind: func(f *flag.FlagSet) Action {
		asJSON := f.Bool("json", false, "print JSON")
		return func(ctx context.Context, a *App, args []string) error {
			return a.atEndpoint(ctx, args[0], func(p *Product, by access.Actor) error {
				made, missed, err := p.Webhook.EnableEndpoint(ctx, by, args[0])
				if err != nil {
					return err
				}
				hint := ""
				if missed > 0 {
					hint = fmt.Sprintf(" To send them: portal webhook resend %s --since %s",
						args[0], made.Before.DisabledAt)
				}
				return a.Print(*asJSON, map[string]any{"id": args[0], "status": made.After.Status, "missed": missed},
					"Enabled the endpoint %s. It missed %d events.%s", args[0], missed, hint)
			})
		}
	},
}

// WebhookResend is the sub-command "webhook resend" of portal.
var WebhookResend = Command{
	Name:  "webhook resend",
	Args:  "ENDPOINT_ID --since TIME [--until TIME] [--count]",
	Short: "Send an endpoint the events it missed in a period",
	Bind: func(f *flag.FlagSet) Action {
		since, until := f.String(
			"since",
			"",
			"start of the period: 2026-11-02T16:00:00Z or 2026-11-02",
		), f.String(
			"until",
			"",
			"end of the period, exclusive (default: now)",
		)
		count := f.Bool("count", false, "only count the missed events")
		asJSON := f.Bool("json", false, "print JSON")
		return func(ctx context.Context, a *App, args []string) error {
			span, err := spanOf(*since, *until)
			if err != nil {
				return err
			}
			return a.atEndpoint(ctx, args[0], func(p *Product, by access.Actor) error {
				send, said := p.Webhook.MissedEvents.SendMissed, "Queued %d events."
				if *count {
					send, said = p.Webhook.MissedEvents.CountMissed, "The endpoint missed %d events."
				}
				n, err := send(ctx, by, args[0], span)
				if err != nil {
					return err
				}
				return a.Print(*asJSON, map[string]any{"id": args[0], "events": n, "queued": !*count}, said, n)
			})
		}
	},
}

// spanOf reads a time from two moments; the second may be left out.
func spanOf(since, until string) (webhook.Span, error) {
	from, err := instant(since)
	if err != nil {
		return webhook.Span{}, Misuse("--since: " + err.Error())
	}
	to := clock.At(time.Now())
	if until != "" {
		if to, err = instant(until); err != nil {
			return webhook.Span{}, Misuse("--until: " + err.Error())
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
