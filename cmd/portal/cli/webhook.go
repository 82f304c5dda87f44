package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"portal/api/access"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/event"
	"portal/api/fault"
	"portal/api/operation"
	"portal/api/texts"
	"portal/api/webhook"
	"portal/api/webhook/signature"
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
	f.Check(func(*Call) error {
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
	})
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
			"Enabled the endpoint %s. It missed %s.%s", c.Args[0], texts.Counted(missed, "event"), hint)
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
		send, said := c.Webhook.MissedEvents.SendMissed, "Queued %s."
		if *count {
			send, said = c.Webhook.MissedEvents.CountMissed, "The endpoint missed %s."
		}
		n, err := send(ctx, c.actor, c.Args[0], span)
		return c.Result(map[string]any{"id": c.Args[0], "events": n, "queued": !*count}, err, said,
			texts.Counted(n, "event"))
	})
}

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

// LargestBody is far more than any delivery has.
const LargestBody = 1 << 20

// WebhookVerify checks the signature of a delivery, with its raw body on standard input.
func WebhookVerify(f *Flags) Action {
	secrets := f.repeated("secret", "a signing secret; repeat the flag for more, the current one first")
	headers := f.repeated("header", "a header as you received it, 'NAME: VALUE'; repeat the flag for more")
	tolerance := f.Int("tolerance", int(signature.Tolerance/time.Second), "how many seconds the clocks may differ")
	at := f.String("at", "",
		"check as of this time instead of now: 2027-01-31T12:00:00Z, Unix seconds, or a duration such as -2h")
	return func(_ context.Context, c *Call) error {
		p, err := paste(*secrets, *headers, *tolerance)
		if err != nil {
			return err
		}
		now, err := asOf(*at)
		if err != nil {
			return err
		}
		p.Body, err = io.ReadAll(io.LimitReader(c.In, LargestBody+1))
		if err != nil {
			return fmt.Errorf("reading the body: %w", err)
		}
		if len(p.Body) > LargestBody {
			return errors.New("the body is larger than 1 MiB, and no delivery is that large")
		}
		return c.printVerdict(signature.Judge(p, now))
	}
}

func paste(secrets, headers []string, tolerance int) (p signature.Pasted, err error) {
	switch {
	case len(secrets) == 0:
		return p, Misuse("--secret is required: the signing secret of the endpoint")
	case len(headers) == 0:
		return p, Misuse("--header is required: the headers of the delivery, each as 'NAME: VALUE'")
	case tolerance < 0:
		return p, Misuse("--tolerance must be a number of seconds, 0 or more")
	}
	for _, s := range secrets {
		if strings.TrimSpace(s) == "" {
			return p, Misuse("a --secret is empty: is the variable set?")
		}
	}
	p = signature.Pasted{
		Header:    http.Header{},
		Secrets:   secrets,
		Tolerance: time.Duration(tolerance) * time.Second,
	}
	for i, h := range headers {
		name, value, found := strings.Cut(h, ":")
		if name = headerName(name); !found || name == "" {
			return p, notAHeader(i)
		}
		p.Header.Add(name, strings.TrimSpace(value))
	}
	return p, nil
}

// notAHeader says which --header is none, without its text, which may be secret.
func notAHeader(i int) error {
	return Misuse(fmt.Sprintf("--header number %d is not 'NAME: VALUE'", i+1))
}

// headerName takes a name as the wire has it, or as CGI and its heirs (PHP, Rack, WSGI)
// show it: HTTP_WEBHOOK_ID.
func headerName(name string) string {
	name = strings.TrimSpace(name)
	if cgi, is := strings.CutPrefix(name, "HTTP_"); is {
		name = cgi
	}
	return strings.ReplaceAll(name, "_", "-")
}

// asOf reads a moment, Unix seconds too, or is now.
func asOf(s string) (time.Time, error) {
	if n, err := strconv.ParseInt(s, 10, 64); err == nil {
		return time.Unix(n, 0), nil
	}
	t, err := moment(s)
	if t == nil || err != nil {
		return time.Now(), err
	}
	return t.Std(), nil
}

// printVerdict prints what was found; a delivery that is not valid is an error too.
func (c *Call) printVerdict(v signature.Verdict) error {
	var err error
	if !v.Valid {
		err = errors.New(v.Message)
	}
	if c.JSON {
		return errors.Join(c.printJSON(v), err)
	}
	if v.Valid {
		fmt.Fprintln(c.Out, v.Message)
	}
	w := newTable(c.Out)
	for _, check := range v.Checks {
		fmt.Fprintf(w, "%s\t%s\t%s\n", check.Name, check.Result, check.Message)
	}
	return errors.Join(w.Flush(), err)
}
