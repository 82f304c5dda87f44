package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"portal/api/change"
	"portal/api/clock"
	"portal/api/operation"
	"portal/api/webhook"
)

// WebhookTest sends a test event to an endpoint.
func WebhookTest(*Flags) Action {
	return at((*webhook.Service).PortfolioOfEndpoint, func(ctx context.Context, c *Call) error {
		made, err := c.Webhook.Test(ctx, c.actor, c.Args[0])
		if err != nil {
			return err
		}
		return c.Print(map[string]string{"delivery_id": made.After.ID},
			"Queued the delivery %s. The running service sends it within a second.", made.After.ID)
	})
}

// WebhookUpdate updates an endpoint.
func WebhookUpdate(f *Flags) Action {
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
		u.Description = change.To(optionalText(s))
		return nil
	})
	f.Func("status", "enabled or disabled", func(s string) error {
		u.Status = change.To(webhook.EndpointStatus(s))
		return nil
	})
	f.Check(func(*Call) error { return checkUpdate(&u) })
	return at((*webhook.Service).PortfolioOfEndpoint, func(ctx context.Context, c *Call) error {
		made, err := c.Webhook.UpdateEndpoint(ctx, c.actor, change.Target{ID: c.Args[0]}, u)
		if err != nil {
			return err
		}
		said := []string{
			fmt.Sprintf("The endpoint %s is %s, at version %d.", c.Args[0], made.After.Status, made.After.Version),
		}
		for _, w := range made.Warnings {
			said = append(said, w.Message)
		}
		return c.Print(
			json.RawMessage(operation.Encoder[webhook.Endpoint]()(nil, made.After)),
			"%s", strings.Join(said, "\n"),
		)
	})
}

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

// WebhookEnable enables an endpoint again and counts the events it missed.
func WebhookEnable(*Flags) Action {
	return at((*webhook.Service).PortfolioOfEndpoint, func(ctx context.Context, c *Call) error {
		made, missed, err := c.Webhook.EnableEndpoint(ctx, c.actor, c.Args[0])
		if err != nil {
			return err
		}
		hint := ""
		if missed > 0 {
			hint = fmt.Sprintf(" To send them: portal webhook resend %s --since %s", c.Args[0], made.Before.DisabledAt)
		}
		return c.Print(map[string]any{"id": c.Args[0], "status": made.After.Status, "missed": missed},
			"Enabled the endpoint %s. It missed %d events.%s", c.Args[0], missed, hint)
	})
}

// WebhookResend sends an endpoint the events it missed in a period.
func WebhookResend(f *Flags) Action {
	since := f.String("since", "", "start of the period: 2026-11-02T16:00:00Z or 2026-11-02")
	until := f.String("until", "", "end of the period, exclusive (default: now)")
	count := f.Bool("count", false, "only count the missed events")
	span := webhook.Span{To: clock.At(time.Now())}
	f.Check(func(*Call) (err error) {
		if span.From, err = instant(*since); err != nil {
			return Misuse("--since: " + err.Error())
		}
		if *until == "" {
			return nil
		}
		if span.To, err = instant(*until); err != nil {
			return Misuse("--until: " + err.Error())
		}
		return nil
	})
	return at((*webhook.Service).PortfolioOfEndpoint, func(ctx context.Context, c *Call) error {
		send, said := c.Webhook.MissedEvents.SendMissed, "Queued %d events."
		if *count {
			send, said = c.Webhook.MissedEvents.CountMissed, "The endpoint missed %d events."
		}
		n, err := send(ctx, c.actor, c.Args[0], span)
		return c.Result(map[string]any{"id": c.Args[0], "events": n, "queued": !*count}, err, said, n)
	})
}
