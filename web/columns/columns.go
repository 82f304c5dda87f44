// Package columns has the columns of the files of what developers look after: requests, deliveries, events,
// endpoints, calls of tools, emails and keys.
//
// It knows no page, and not how the rows are read.
package columns

import (
	"cmp"
	"context"
	"strconv"
	"strings"
	"time"

	"portal/api/access"
	"portal/api/developer"
	"portal/api/fault"
	"portal/api/mail"
	"portal/api/webhook"
	"portal/web/csvexport"
	"portal/web/page"
)

// Requests are those of the log. names are of keys, by their ids.
func Requests(names map[string]string) []csvexport.Column[developer.Request] {
	type row = developer.Request
	type value = csvexport.Value
	return []csvexport.Column[row]{
		{Name: "Request ID", Of: func(r *row) value { return csvexport.Text(r.ID) }},
		{Name: "Time (UTC)", Of: func(r *row) value { return csvexport.Of(r.At) }},
		{Name: "Method", Of: func(r *row) value { return csvexport.Text(r.Method) }},
		{Name: "Path", Of: func(r *row) value { return csvexport.Text(r.Path) }},
		{Name: "Query", Of: func(r *row) value { return csvexport.Text(r.Query) }},
		{Name: "Operation", Of: func(r *row) value { return csvexport.Text(r.Operation) }},
		{Name: "Status", Of: func(r *row) value { return csvexport.Number(r.Status) }},
		{Name: "Error", Of: func(r *row) value { return csvexport.Text(r.Code) }},
		{Name: "Field", Of: func(r *row) value { return csvexport.Text(r.Param) }},
		{Name: "Duration (ms)", Of: func(r *row) value { return milliseconds(r.Duration) }},
		{Name: "Size (bytes)", Of: func(r *row) value { return csvexport.Number(int(r.Bytes)) }},
		{Name: "API key", Of: func(r *row) value { return csvexport.Text(cmp.Or(names[r.KeyID], r.KeyID)) }},
		{Name: "API key ID", Of: func(r *row) value { return csvexport.Text(r.KeyID) }},
		{Name: "Source", Of: func(r *row) value { return csvexport.Text(r.Address) }},
		{Name: "User agent", Of: func(r *row) value { return csvexport.Text(r.UserAgent) }},
		{Name: "Idempotency key", Of: func(r *row) value { return csvexport.Text(r.IdempotencyKey) }},
		{Name: "Replayed", Of: func(r *row) value { return csvexport.Text(yesOrNo(r.Replayed)) }},
		{Name: "Dry run", Of: func(r *row) value { return csvexport.Text(yesOrNo(r.DryRun)) }},
	}
}

// milliseconds is how long something took: 1.2.
func milliseconds(d time.Duration) csvexport.Value {
	return csvexport.Text(strconv.FormatFloat(float64(d.Microseconds())/1000, 'f', -1, 64))
}

func yesOrNo(is bool) string {
	if is {
		return "yes"
	}
	return "no"
}

// Addresses are where endpoints are, by their ids.
type Addresses map[string]string

// Endpoint finds endpoints of a portfolio.
type Endpoint interface {
	Endpoint(ctx context.Context, by access.Actor, id string) (*webhook.Endpoint, error)
}

// Learn looks up where deliveries went, each endpoint once.
func (a Addresses) Learn(v *page.Request, all Endpoint, rows []webhook.Delivery) error {
	for i := range rows {
		name := rows[i].EndpointID
		if _, known := a[name]; known {
			continue
		}
		e, err := all.Endpoint(v.Ctx(), v.Actor(), name)
		switch {
		case err == nil:
			a[name] = e.URL
		case fault.Is(err, fault.NoRecord):
			a[name] = "" // gone with a portfolio that was made anew meanwhile
		default:
			return err
		}
	}
	return nil
}

// Deliveries are those of deliveries, with the addresses of their endpoints.
func Deliveries(addresses Addresses) []csvexport.Column[webhook.Delivery] {
	type row = webhook.Delivery
	type value = csvexport.Value
	return []csvexport.Column[row]{
		{Name: "Delivery ID", Of: func(d *row) value { return csvexport.Text(d.ID) }},
		{Name: "Event", Of: func(d *row) value { return csvexport.Text(d.EventType) }},
		{Name: "Status", Of: func(d *row) value { return csvexport.Text(d.Status) }},
		{Name: "Endpoint", Of: func(d *row) value { return csvexport.Text(addresses[d.EndpointID]) }},
		{Name: "Response", Of: func(d *row) value { return csvexport.NumberOr(d.LastStatusCode) }},
		{Name: "Error", Of: func(d *row) value { return csvexport.TextOr(d.LastError) }},
		{Name: "Duration (ms)", Of: func(d *row) value { return wholeOr(d.LastDurationMS) }},
		{Name: "Attempts", Of: func(d *row) value { return csvexport.Number(d.AttemptCount) }},
		{Name: "Next attempt (UTC)", Of: func(d *row) value { return csvexport.Or(d.NextAttemptAt) }},
		{Name: "Endpoint ID", Of: func(d *row) value { return csvexport.Text(d.EndpointID) }},
		{Name: "Event ID", Of: func(d *row) value { return csvexport.Text(d.EventID) }},
		{Name: "Created (UTC)", Of: func(d *row) value { return csvexport.Of(d.CreatedAt) }},
		{Name: "Updated (UTC)", Of: func(d *row) value { return csvexport.Of(d.UpdatedAt) }},
	}
}

func wholeOr(n *int64) csvexport.Value {
	if n == nil {
		return csvexport.Value{}
	}
	return csvexport.Number(int(*n))
}

// Events are those of events, with what each one is about.
func Events(v *page.Request) []csvexport.Column[webhook.Event] {
	type row = webhook.Event
	type value = csvexport.Value
	return []csvexport.Column[row]{
		{Name: "Event ID", Of: func(e *row) value { return csvexport.Text(e.ID) }},
		{Name: "Type", Of: func(e *row) value { return csvexport.Text(e.Type) }},
		{Name: "About", Of: func(e *row) value {
			_, words := e.Subject()
			return csvexport.Text(words)
		}},
		{Name: "Record ID", Of: func(e *row) value {
			record, _ := e.Subject()
			if v.PathOf(record) == "" {
				record = "" // an endpoint of a test
			}
			return csvexport.Text(record)
		}},
		{Name: "Created (UTC)", Of: func(e *row) value { return csvexport.Of(e.CreatedAt) }},
	}
}

// Endpoints are those of webhook endpoints. Nothing of a secret is among them.
func Endpoints() []csvexport.Column[webhook.Endpoint] {
	type row = webhook.Endpoint
	type value = csvexport.Value
	return []csvexport.Column[row]{
		{Name: "Endpoint ID", Of: func(e *row) value { return csvexport.Text(e.ID) }},
		{Name: "URL", Of: func(e *row) value { return csvexport.Text(e.URL) }},
		{Name: "Description", Of: func(e *row) value { return csvexport.TextOr(e.Description) }},
		{Name: "Status", Of: func(e *row) value { return csvexport.Text(e.Status) }},
		{Name: "Events", Of: func(e *row) value { return csvexport.Text(joined(e.Events)) }},
		{Name: "Last delivery (UTC)", Of: func(e *row) value { return csvexport.Or(e.LastDeliveryAt) }},
		{Name: "Last success (UTC)", Of: func(e *row) value { return csvexport.Or(e.LastSuccessAt) }},
		{Name: "Disabled (UTC)", Of: func(e *row) value { return csvexport.Or(e.DisabledAt) }},
		{Name: "Disabled by", Of: func(e *row) value { return csvexport.TextOr(e.DisabledReason) }},
		{Name: "Created (UTC)", Of: func(e *row) value { return csvexport.Of(e.CreatedAt) }},
		{Name: "Updated (UTC)", Of: func(e *row) value { return csvexport.Of(e.UpdatedAt) }},
	}
}

// joined are kinds of event with commas between them.
func joined(kinds []webhook.Kind) string {
	all := make([]string, len(kinds))
	for i, k := range kinds {
		all[i] = string(k)
	}
	return strings.Join(all, ", ")
}

// Calls are those of calls of tools. names are of keys, by their ids.
func Calls(names map[string]string) []csvexport.Column[developer.ToolCall] {
	type row = developer.ToolCall
	type value = csvexport.Value
	return []csvexport.Column[row]{
		{Name: "Call ID", Of: func(c *row) value { return csvexport.Text(c.ID) }},
		{Name: "Time (UTC)", Of: func(c *row) value { return csvexport.Of(c.At) }},
		{Name: "Tool", Of: func(c *row) value { return csvexport.Text(c.Tool) }},
		{Name: "Outcome", Of: func(c *row) value { return csvexport.Text(c.Outcome) }},
		{Name: "Message", Of: func(c *row) value { return csvexport.Text(c.Message) }},
		{Name: "Preview", Of: func(c *row) value { return csvexport.Text(yesOrNo(c.DryRun)) }},
		{Name: "Changed", Of: func(c *row) value { return csvexport.Text(yesOrNo(c.Change != "" && !c.DryRun)) }},
		{Name: "Replayed", Of: func(c *row) value { return csvexport.Text(yesOrNo(c.Replayed)) }},
		{Name: "Record ID", Of: func(c *row) value { return csvexport.Text(c.RecordID) }},
		{Name: "Assistant", Of: func(c *row) value { return csvexport.Text(c.Client) }},
		{Name: "Version", Of: func(c *row) value { return csvexport.Text(c.ClientVersion) }},
		{Name: "API key", Of: func(c *row) value { return csvexport.Text(cmp.Or(names[c.KeyID], c.KeyID)) }},
		{Name: "API key ID", Of: func(c *row) value { return csvexport.Text(c.KeyID) }},
		{Name: "Request ID", Of: func(c *row) value { return csvexport.Text(c.RequestID) }},
		{Name: "Duration (ms)", Of: func(c *row) value { return milliseconds(c.Duration) }},
	}
}

// Mails are those of emails, without their contents, which have links that open something.
func Mails() []csvexport.Column[mail.Entry] {
	type row = mail.Entry
	type value = csvexport.Value
	return []csvexport.Column[row]{
		{Name: "Email ID", Of: func(e *row) value { return csvexport.Text(e.ID) }},
		{Name: "Written (UTC)", Of: func(e *row) value { return csvexport.Of(e.CreatedAt) }},
		{Name: "To", Of: func(e *row) value { return csvexport.Text(e.To) }},
		{Name: "Subject", Of: func(e *row) value { return csvexport.Text(e.Subject) }},
		{Name: "Status", Of: func(e *row) value { return csvexport.Text(e.Status) }},
		{Name: "Attempts", Of: func(e *row) value { return csvexport.Number(e.Attempts) }},
		{Name: "Sent (UTC)", Of: func(e *row) value { return csvexport.Or(e.SentAt) }},
		{Name: "Last error", Of: func(e *row) value { return csvexport.TextOr(e.LastError) }},
	}
}

// Keys are those of API keys, with how each one stands at a moment. A key itself is kept nowhere.
func Keys(now time.Time) []csvexport.Column[developer.Key] {
	type row = developer.Key
	type value = csvexport.Value
	return []csvexport.Column[row]{
		{Name: "Key ID", Of: func(k *row) value { return csvexport.Text(k.ID) }},
		{Name: "Name", Of: func(k *row) value { return csvexport.Text(k.Name) }},
		{Name: "Begins with", Of: func(k *row) value { return csvexport.Text(k.KeyPrefix) }},
		{Name: "Mode", Of: func(k *row) value { return csvexport.Text(k.Mode) }},
		{Name: "Status", Of: func(k *row) value { return csvexport.Text(k.State(now)) }},
		{Name: "Scopes", Of: func(k *row) value {
			return csvexport.Text(strings.ReplaceAll(k.Scopes.String(), ",", ", "))
		}},
		{Name: "Created by", Of: func(k *row) value { return csvexport.Text(k.Creator) }},
		{Name: "Created (UTC)", Of: func(k *row) value { return csvexport.Of(k.CreatedAt) }},
		{Name: "Last used (UTC)", Of: func(k *row) value { return csvexport.Or(k.LastUsedAt) }},
		{Name: "Expires (UTC)", Of: func(k *row) value { return csvexport.Or(k.ExpiresAt) }},
		{Name: "Revoked (UTC)", Of: func(k *row) value { return csvexport.Or(k.RevokedAt) }},
	}
}
