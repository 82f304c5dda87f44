package developer

import (
	"strconv"
	"strings"

	"portal/api/developer"
	"portal/api/fault"
	"portal/api/list"
	"portal/api/webhook"
	"portal/web/csvexport"
	"portal/web/eventsubject"
	"portal/web/page"
)

// exportLogs answers with the requests that the address asks for as a file.
func (p *Section) exportLogs(v *page.Request) error {
	f := requestFilter(v, v.Cursor())
	keys, err := p.RequestLog.KeysOf(v.Ctx(), v.Person.Account.AccountID)
	if err != nil {
		return err
	}
	columns := logColumns(keyNames(keys))
	return csvexport.Serve(v, p.Trail, csvexport.Table[developer.Request]{
		Name: "logs",
		Page: func(q list.Query) (*list.Page[developer.Request], error) {
			f.Limit, f.StartingAfter = q.Limit, q.StartingAfter
			return p.RequestLog.Requests(v.Ctx(), v.Actor(), f)
		},
		Row: func(name string) (*developer.Request, error) {
			return p.RequestLog.Request(v.Ctx(), v.Actor(), name)
		},
		Columns: func([]developer.Request) ([]csvexport.Column[developer.Request], error) { return columns, nil },
	})
}

func logColumns(names map[string]string) []csvexport.Column[developer.Request] {
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
		{Name: "Duration (ms)", Of: func(r *row) value {
			return csvexport.Text(strconv.FormatFloat(float64(r.Duration.Microseconds())/1000, 'f', -1, 64))
		}},
		{Name: "Size (bytes)", Of: func(r *row) value { return csvexport.Number(int(r.Bytes)) }},
		{Name: "API key", Of: func(r *row) value { return csvexport.Text(named(names, r.KeyID)) }},
		{Name: "API key ID", Of: func(r *row) value { return csvexport.Text(r.KeyID) }},
		{Name: "Source", Of: func(r *row) value { return csvexport.Text(r.Address) }},
		{Name: "User agent", Of: func(r *row) value { return csvexport.Text(r.UserAgent) }},
		{Name: "Idempotency key", Of: func(r *row) value { return csvexport.Text(r.IdempotencyKey) }},
		{Name: "Replayed", Of: func(r *row) value { return csvexport.Text(yesOrNo(r.Replayed)) }},
		{Name: "Dry run", Of: func(r *row) value { return csvexport.Text(yesOrNo(r.DryRun)) }},
	}
}

func yesOrNo(is bool) string {
	if is {
		return "yes"
	}
	return "no"
}

// exportDeliveries answers with the deliveries that the address asks for as a file.
func (p *webhookPages) exportDeliveries(v *page.Request) error {
	f, addresses := deliveryFilter(v), map[string]string{}
	return csvexport.Serve(v, p.Trail, csvexport.Table[webhook.Delivery]{
		Name: "deliveries",
		Page: func(q list.Query) (*list.Page[webhook.Delivery], error) {
			f.Limit, f.Before, f.After = q.Limit+1, q.StartingAfter, ""
			if f.Ascending {
				f.Before, f.After = "", q.StartingAfter
			}
			found, err := p.Deliveries.Deliveries(v.Ctx(), v.Actor(), f)
			return list.Of(found, q.Limit, (*webhook.Delivery).Identity), err
		},
		Row: func(name string) (*webhook.Delivery, error) {
			return p.Deliveries.Delivery(v.Ctx(), v.Actor(), name)
		},
		Columns: func(rows []webhook.Delivery) ([]csvexport.Column[webhook.Delivery], error) {
			err := p.learnAddresses(v, rows, addresses)
			return deliveryColumns(addresses), err
		},
	})
}

// learnAddresses looks up where deliveries went, for each endpoint once in a file.
func (p *webhookPages) learnAddresses(v *page.Request, rows []webhook.Delivery, known map[string]string) error {
	for i := range rows {
		name := rows[i].EndpointID
		if _, is := known[name]; is {
			continue
		}
		e, err := p.Endpoints.Endpoint(v.Ctx(), v.Actor(), name)
		switch {
		case err == nil:
			known[name] = e.URL
		case fault.Is(err, fault.NoRecord):
			known[name] = "" // gone with a portfolio that was made anew meanwhile
		default:
			return err
		}
	}
	return nil
}

func deliveryColumns(addresses map[string]string) []csvexport.Column[webhook.Delivery] {
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

// exportEvents answers with the events that the address asks for as a file.
func (p *webhookPages) exportEvents(v *page.Request) error {
	f := eventFilter(v)
	return csvexport.Serve(v, p.Trail, csvexport.Table[webhook.Event]{
		Name: "events",
		Page: func(q list.Query) (*list.Page[webhook.Event], error) {
			f.Limit, f.Before = q.Limit+1, q.StartingAfter
			found, err := p.Deliveries.Events(v.Ctx(), v.Actor(), f)
			return list.Of(found, q.Limit, (*webhook.Event).Identity), err
		},
		Row:     func(name string) (*webhook.Event, error) { return p.Deliveries.Event(v.Ctx(), v.Actor(), name) },
		Columns: func([]webhook.Event) ([]csvexport.Column[webhook.Event], error) { return eventColumns(v), nil },
	})
}

func eventColumns(v *page.Request) []csvexport.Column[webhook.Event] {
	type row = webhook.Event
	type value = csvexport.Value
	about := func(e *row) (words, record string) {
		words, path := eventsubject.Of(v, e)
		return words, path[strings.LastIndexByte(path, '/')+1:]
	}
	return []csvexport.Column[row]{
		{Name: "Event ID", Of: func(e *row) value { return csvexport.Text(e.ID) }},
		{Name: "Type", Of: func(e *row) value { return csvexport.Text(e.Type) }},
		{Name: "About", Of: func(e *row) value {
			words, _ := about(e)
			return csvexport.Text(words)
		}},
		{Name: "Record ID", Of: func(e *row) value {
			_, record := about(e)
			return csvexport.Text(record)
		}},
		{Name: "Created (UTC)", Of: func(e *row) value { return csvexport.Of(e.CreatedAt) }},
	}
}
