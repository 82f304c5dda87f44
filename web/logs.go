package web

import (
	"context"
	"strings"
	"time"

	"portal/api/access"
	"portal/api/developer"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/list"
	"portal/views"
)

// RequestLog is what programs asked with the keys of an account.
type RequestLog interface {
	Requests(ctx context.Context, by access.Actor, f developer.RequestFilter) (*list.Page[developer.Request], error)
	Request(ctx context.Context, by access.Actor, id string) (*developer.Request, error)
	KeysOf(ctx context.Context, accountID string) ([]developer.Key, error)
}

func (p *Pages) logs(v *visit) error {
	t := v.turn()
	keys, err := p.RequestLog.KeysOf(v.ctx(), v.person.Account.AccountID)
	if err != nil {
		return err
	}
	page, err := p.RequestLog.Requests(v.ctx(), v.actor(), requestFilter(v, t))
	if err != nil {
		return err
	}
	view := views.Logs{Frame: v.frame("Logs"), Filters: v.filters("Filter the log", "/logs", logFields(keys, v.mode())), Pages: t.pages(orNone(page.NextCursor))}
	if p.served("/keys") {
		view.Keys = "/keys"
	}
	names := keyNames(keys)
	for i := range page.Data {
		view.Requests = append(view.Requests, requestLine(v, &page.Data[i], names))
	}
	return v.show(views.LogsPage(view))
}

// statusClasses are those that the log is filtered by.
var statusClasses = map[string]int{"2xx": 2, "3xx": 3, "4xx": 4, "5xx": 5}

// requestFilter is what the address asks for.
func requestFilter(v *visit, t turn) developer.RequestFilter {
	f := v.form()
	filter := developer.RequestFilter{Limit: logLines, StartingAfter: t.position(id.Request), KeyID: f.ident("key", id.Key),
		Operation: f.word("operation"), Class: statusClasses[f.text("status")], Path: f.printable("path")}
	filter.From, filter.To = f.days(v.zone())
	return filter
}

func logFields(keys []developer.Key, mode access.Mode) []views.Field {
	return []views.Field{
		{Name: "status", Label: "Status", Kind: "select", Choices: []views.Choice{{Label: "All"}, {Value: "2xx", Label: "2xx"}, {Value: "4xx", Label: "4xx"}, {Value: "5xx", Label: "5xx"}}},
		{Name: "key", Label: "Key", Kind: "select", Choices: keyChoices(keys, mode)},
		{Name: "operation", Label: "Operation", Complete: "off", Code: true},
		{Name: "path", Label: "Path contains", Complete: "off", Code: true},
		{Name: "from", Label: "From", Kind: "date"},
		{Name: "to", Label: "To", Kind: "date"},
	}
}

func requestLine(v *visit, r *developer.Request, names map[string]string) views.RequestLine {
	line := views.RequestLine{Path: v.in("/logs/" + r.ID), Status: r.Status, Code: r.Code, Key: named(names, r.KeyID), At: v.time(r.At)}
	line.Method, _ = legible(r.Method)
	line.Target, _ = legible(strings.TrimPrefix(r.Path, "/api/v1/external"))
	return line
}

func (p *Pages) logged(v *visit) error {
	name, err := v.ident(id.Request)
	if err != nil {
		return err
	}
	r, err := p.RequestLog.Request(v.ctx(), v.actor(), name)
	if err != nil {
		return err
	}
	keys, err := p.RequestLog.KeysOf(v.ctx(), v.person.Account.AccountID)
	if err != nil {
		return err
	}
	view := views.Request{Frame: v.frame("Request"), RequestLine: requestLine(v, r, keyNames(keys)), ID: r.ID, Back: views.Link{Name: "Logs", Path: v.in("/logs")}, Facts: requestFacts(r)}
	view.Query, _ = legible(r.Query)
	if view.Sent, err = p.exchange(v, r); err != nil {
		return err
	}
	for _, e := range fault.Dictionary() {
		if string(e.Code) == r.Code {
			view.Error = "/docs/errors#" + r.Code
		}
	}
	return v.show(views.RequestPage(view))
}

// requestFacts are what else is known of a request.
func requestFacts(r *developer.Request) []views.Fact {
	var all []views.Fact
	add := func(name, value string) {
		if value, _ = legible(value); value != "" {
			all = append(all, views.Fact{Name: name, Value: value})
		}
	}
	add("Field at fault", r.Param)
	add("Operation", r.Operation)
	add("Path", r.Path)
	add("Took", r.Duration.Round(10*time.Microsecond).String())
	add("Answer", views.Number(float64(r.Bytes))+" bytes")
	add("Idempotency-Key", r.IdempotencyKey)
	if r.Replayed {
		add("Replayed", "the answer is one that was given before")
	}
	if r.DryRun {
		add("Preview", "nothing was saved")
	}
	add("Address", r.Address)
	add("User-Agent", r.UserAgent)
	return all
}
