package developer

import (
	"cmp"
	"strings"

	"portal/api/developer"
	"portal/api/fault"
	"portal/api/list"
	"portal/api/mail"
	"portal/api/webhook"
	"portal/web/csvexport"
	"portal/web/page"
)

// exportLogs answers with the requests that the address asks for as a file.
func (p *Section) exportLogs(v *page.Request) error {
	f := requestFilter(v, v.Cursor())
	keys, err := p.Developer.KeysOf(v.Ctx(), v.Person.Account.AccountID)
	if err != nil {
		return err
	}
	names := keyNames(keys)
	return csvexport.Serve(v, p.Trail, csvexport.Table[developer.Request]{
		Name: "logs",
		Page: func(q list.Query) (*list.Page[developer.Request], error) {
			f.Limit, f.StartingAfter = q.Limit, q.StartingAfter
			for {
				found, err := p.Developer.Requests(v.Ctx(), v.Actor(), f)
				if err != nil || len(found.Data) > 0 || !found.HasMore {
					return found, err
				}
				f.StartingAfter = *found.NextCursor
			}
		},
		Row: p.Developer.Request,
		Cells: func(r *developer.Request) csvexport.Cells {
			return csvexport.Cells{
				"Request ID", r.ID, "Time (UTC)", r.At, "Method", r.Method, "Path", r.Path, "Query", r.Query,
				"Operation", r.Operation, "Status", r.Status, "Error", r.Code, "Field", r.Param,
				"Duration (ms)", r.Duration, "Size (bytes)", r.Bytes,
				"API key", cmp.Or(names[r.KeyID], r.KeyID), "API key ID", r.KeyID, "Source", r.Address,
				"User agent", r.UserAgent, "Idempotency key", r.IdempotencyKey, "Replayed", r.Replayed,
				"Dry run", r.DryRun,
			}
		},
	})
}

// exportDeliveries answers with the deliveries that the address asks for as a file.
func (p *webhookPages) exportDeliveries(v *page.Request) error {
	f, urls := deliveryFilter(v), map[string]string{}
	return csvexport.Serve(v, p.Trail, csvexport.Table[webhook.Delivery]{
		Name: "deliveries",
		Page: func(q list.Query) (*list.Page[webhook.Delivery], error) {
			f.Limit, f.Before, f.After = q.Limit+1, q.StartingAfter, ""
			if f.Ascending {
				f.Before, f.After = "", q.StartingAfter
			}
			found, err := p.Webhook.Deliveries(v.Ctx(), v.Actor(), f)
			return list.Of(found, q.Limit, (*webhook.Delivery).Identity), err
		},
		Row: p.Webhook.Delivery,
		Load: func(rows []webhook.Delivery) error {
			for i := range rows {
				name := rows[i].EndpointID
				if _, known := urls[name]; known {
					continue
				}
				e, err := p.Webhook.Endpoint(v.Ctx(), v.Actor(), name)
				switch {
				case err == nil:
					urls[name] = e.URL
				case fault.Is(err, fault.NoRecord):
					urls[name] = "" // gone with a portfolio that was made anew meanwhile
				default:
					return err
				}
			}
			return nil
		},
		Cells: func(d *webhook.Delivery) csvexport.Cells {
			return csvexport.Cells{
				"Delivery ID", d.ID, "Event", d.EventType, "Status", d.Status,
				"Endpoint", urls[d.EndpointID], "Response", d.LastStatusCode, "Error", d.LastError,
				"Duration (ms)", d.LastDurationMS, "Attempts", d.AttemptCount,
				"Next attempt (UTC)", d.NextAttemptAt, "Endpoint ID", d.EndpointID, "Event ID", d.EventID,
				"Created (UTC)", d.CreatedAt, "Updated (UTC)", d.UpdatedAt,
			}
		},
	})
}

// exportEvents answers with the events that the address asks for as a file.
func (p *webhookPages) exportEvents(v *page.Request) error {
	f := eventFilter(v)
	return csvexport.Serve(v, p.Trail, csvexport.Table[webhook.Event]{
		Name: "events",
		Page: func(q list.Query) (*list.Page[webhook.Event], error) {
			f.Limit, f.Before = q.Limit+1, q.StartingAfter
			found, err := p.Webhook.Events(v.Ctx(), v.Actor(), f)
			return list.Of(found, q.Limit, (*webhook.Event).Identity), err
		},
		Row: p.Webhook.Event,
		Cells: func(e *webhook.Event) csvexport.Cells {
			record, about := e.Subject()
			if v.PathOf(record) == "" {
				record = "" // an endpoint of a test
			}
			return csvexport.Cells{
				"Event ID", e.ID, "Type", e.Type, "About", about,
				"Record ID", record, "Created (UTC)", e.CreatedAt,
			}
		},
	})
}

// exportEndpoints answers with the endpoints as a file, in the order that the address asks for. Nothing of a secret
// is among its columns.
func (p *webhookPages) exportEndpoints(v *page.Request) error {
	return csvexport.Serve(v, p.Trail, csvexport.Table[webhook.Endpoint]{
		Name:  "endpoints",
		Query: endpointQuery(v),
		Page: func(q list.Query) (*list.Page[webhook.Endpoint], error) {
			return p.Webhook.Endpoints(v.Ctx(), v.Actor(), q)
		},
		Row: p.Webhook.Endpoint,
		Cells: func(e *webhook.Endpoint) csvexport.Cells {
			return csvexport.Cells{
				"Endpoint ID", e.ID, "URL", e.URL, "Description", e.Description, "Status", e.Status,
				"Events", joined(e.Events), "Last delivery (UTC)", e.LastDeliveryAt,
				"Last success (UTC)", e.LastSuccessAt, "Disabled (UTC)", e.DisabledAt,
				"Disabled by", e.DisabledReason, "Created (UTC)", e.CreatedAt, "Updated (UTC)", e.UpdatedAt,
			}
		},
	})
}

// joined are kinds of event with commas between them.
func joined(kinds []webhook.Kind) string {
	all := make([]string, len(kinds))
	for i, k := range kinds {
		all[i] = string(k)
	}
	return strings.Join(all, ", ")
}

// exportCalls answers with the calls of tools that the address asks for as a file.
func (p *Section) exportCalls(v *page.Request) error {
	f := callFilter(v, v.Cursor())
	keys, err := p.Developer.KeysOf(v.Ctx(), v.Person.Account.AccountID)
	if err != nil {
		return err
	}
	names := keyNames(keys)
	return csvexport.Serve(v, p.Trail, csvexport.Table[developer.ToolCall]{
		Name: "activity",
		Page: func(q list.Query) (*list.Page[developer.ToolCall], error) {
			f.Limit, f.StartingAfter = q.Limit, q.StartingAfter
			return p.Developer.ToolCalls(v.Ctx(), v.Actor(), f)
		},
		Row: p.Developer.ToolCall,
		Cells: func(c *developer.ToolCall) csvexport.Cells {
			return csvexport.Cells{
				"Call ID", c.ID, "Time (UTC)", c.At, "Tool", c.Tool, "Outcome", c.Outcome, "Message", c.Message,
				"Preview", c.DryRun, "Changed", c.Change != "" && !c.DryRun, "Replayed", c.Replayed,
				"Record ID", c.RecordID, "Assistant", c.Client, "Version", c.ClientVersion,
				"API key", cmp.Or(names[c.KeyID], c.KeyID), "API key ID", c.KeyID, "Request ID", c.RequestID,
				"Duration (ms)", c.Duration,
			}
		},
	})
}

// exportMails answers with the emails that the address asks for as a file, without their contents.
func (p *Section) exportMails(v *page.Request) error {
	f := mailFilter(v)
	return csvexport.Serve(v, p.Trail, csvexport.Table[mail.Entry]{
		Name: "mail",
		Page: func(q list.Query) (*list.Page[mail.Entry], error) {
			f.Limit, f.Before = q.Limit+1, q.StartingAfter
			found, err := p.Mails.MailsIn(v.Ctx(), v.Actor().Portfolio, f)
			return list.Of(found, q.Limit, (*mail.Entry).Identity), err
		},
		Cells: func(e *mail.Entry) csvexport.Cells {
			return csvexport.Cells{
				"Email ID", e.ID, "Written (UTC)", e.CreatedAt, "To", e.To, "Subject", e.Subject,
				"Status", e.Status, "Attempts", e.Attempts, "Sent (UTC)", e.SentAt, "Last error", e.LastError,
			}
		},
	})
}

// exportKeys answers with the keys of the account as a file, in the order that the address asks for. A key itself is
// kept nowhere.
func (p *keyPages) exportKeys(v *page.Request) error {
	all, err := p.sortedKeys(v)
	if err != nil {
		return err
	}
	return csvexport.ServeAll(v, p.Trail, "keys", all, func(k *developer.Key) csvexport.Cells {
		return csvexport.Cells{
			"Key ID", k.ID, "Name", k.Name, "Begins with", k.KeyPrefix, "Mode", k.Mode,
			"Status", k.State(p.Now()), "Scopes", strings.ReplaceAll(k.Scopes.String(), ",", ", "),
			"Created by", k.Creator, "Created (UTC)", k.CreatedAt, "Last used (UTC)", k.LastUsedAt,
			"Expires (UTC)", k.ExpiresAt, "Revoked (UTC)", k.RevokedAt,
		}
	})
}
