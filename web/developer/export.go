package developer

import (
	"portal/api/developer"
	"portal/api/list"
	"portal/api/mail"
	"portal/api/webhook"
	"portal/web/columns"
	"portal/web/csvexport"
	"portal/web/page"
)

// exportLogs answers with the requests that the address asks for as a file.
func (p *Section) exportLogs(v *page.Request) error {
	f := requestFilter(v, v.Cursor())
	keys, err := p.RequestLog.KeysOf(v.Ctx(), v.Person.Account.AccountID)
	if err != nil {
		return err
	}
	all := columns.Requests(keyNames(keys))
	return csvexport.Serve(v, p.Trail, csvexport.Table[developer.Request]{
		Name: "logs",
		Page: func(q list.Query) (*list.Page[developer.Request], error) {
			f.Limit, f.StartingAfter = q.Limit, q.StartingAfter
			for {
				found, err := p.RequestLog.Requests(v.Ctx(), v.Actor(), f)
				if err != nil || len(found.Data) > 0 || !found.HasMore {
					return found, err
				}
				f.StartingAfter = *found.NextCursor
			}
		},
		Row: func(name string) (*developer.Request, error) {
			return p.RequestLog.Request(v.Ctx(), v.Actor(), name)
		},
		Columns: func([]developer.Request) ([]csvexport.Column[developer.Request], error) { return all, nil },
	})
}

// exportDeliveries answers with the deliveries that the address asks for as a file.
func (p *webhookPages) exportDeliveries(v *page.Request) error {
	f, to := deliveryFilter(v), columns.Addresses{}
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
			return columns.Deliveries(to), to.Learn(v, p.Endpoints, rows)
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
			found, err := p.Deliveries.Events(v.Ctx(), v.Actor(), f)
			return list.Of(found, q.Limit, (*webhook.Event).Identity), err
		},
		Row:     func(name string) (*webhook.Event, error) { return p.Deliveries.Event(v.Ctx(), v.Actor(), name) },
		Columns: func([]webhook.Event) ([]csvexport.Column[webhook.Event], error) { return columns.Events(v), nil },
	})
}

// exportEndpoints answers with the endpoints as a file, in the order that the address asks for.
func (p *webhookPages) exportEndpoints(v *page.Request) error {
	return csvexport.Serve(v, p.Trail, csvexport.Table[webhook.Endpoint]{
		Name:  "endpoints",
		Query: endpointQuery(v),
		Page: func(q list.Query) (*list.Page[webhook.Endpoint], error) {
			return p.Endpoints.Endpoints(v.Ctx(), v.Actor(), q)
		},
		Row: func(name string) (*webhook.Endpoint, error) {
			return p.Endpoints.Endpoint(v.Ctx(), v.Actor(), name)
		},
		Columns: func([]webhook.Endpoint) ([]csvexport.Column[webhook.Endpoint], error) {
			return columns.Endpoints(), nil
		},
	})
}

// exportCalls answers with the calls of tools that the address asks for as a file.
func (p *Section) exportCalls(v *page.Request) error {
	f := callFilter(v, v.Cursor())
	keys, err := p.Activity.KeysOf(v.Ctx(), v.Person.Account.AccountID)
	if err != nil {
		return err
	}
	all := columns.Calls(keyNames(keys))
	return csvexport.Serve(v, p.Trail, csvexport.Table[developer.ToolCall]{
		Name: "activity",
		Page: func(q list.Query) (*list.Page[developer.ToolCall], error) {
			f.Limit, f.StartingAfter = q.Limit, q.StartingAfter
			return p.Activity.ToolCalls(v.Ctx(), v.Actor(), f)
		},
		Row: func(name string) (*developer.ToolCall, error) {
			return p.Activity.ToolCall(v.Ctx(), v.Actor(), name)
		},
		Columns: func([]developer.ToolCall) ([]csvexport.Column[developer.ToolCall], error) { return all, nil },
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
		// The place of an email in the list is its id, so that none moves. Its content is not opened.
		Row:     func(name string) (*mail.Entry, error) { return &mail.Entry{ID: name}, nil },
		Columns: func([]mail.Entry) ([]csvexport.Column[mail.Entry], error) { return columns.Mails(), nil },
	})
}

// exportKeys answers with the keys of the account as a file, in the order that the address asks for.
func (p *keyPages) exportKeys(v *page.Request) error {
	all, err := p.sortedKeys(v)
	if err != nil {
		return err
	}
	return csvexport.ServeAll(v, p.Trail, "keys", all, columns.Keys(p.Now()))
}
