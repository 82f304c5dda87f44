package developer

import (
	"context"
	"strings"
	"time"

	"portal/api/access"
	"portal/api/developer"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/list"
	"portal/api/texts"
	views "portal/views/developer"
	"portal/views/kit"
	"portal/web/page"
)

// RequestLog is what programs asked with the keys of an account.
type RequestLog interface {
	Requests(ctx context.Context, by access.Actor, f developer.RequestFilter) (*list.Page[developer.Request], error)
	Request(ctx context.Context, by access.Actor, id string) (*developer.Request, error)
	KeysOf(ctx context.Context, accountID string) ([]developer.Key, error)
}

func (p *Section) logs(v *page.Request) error {
	t := v.Cursor()
	keys, err := p.RequestLog.KeysOf(v.Ctx(), v.Person.Account.AccountID)
	if err != nil {
		return err
	}
	found, err := p.RequestLog.Requests(v.Ctx(), v.Actor(), requestFilter(v, t))
	if err != nil {
		return err
	}
	view := views.Logs{
		Frame:   v.Frame("Logs"),
		Filters: v.Filters("Filter the log", "/logs", logFields(keys, v.Mode())),
		Pages:   t.Pages(page.OrEmpty(found.NextCursor)),
	}
	if p.Served("/keys") {
		view.Keys = "/keys"
	}
	names := keyNames(keys)
	for i := range found.Data {
		view.Requests = append(view.Requests, requestLine(v, &found.Data[i], names))
	}
	return v.Show(views.LogsPage(view))
}

// statusClasses are those that the log is filtered by.
var statusClasses = map[string]int{"2xx": 2, "3xx": 3, "4xx": 4, "5xx": 5}

// requestFilter is what the address asks for.
func requestFilter(v *page.Request, t page.Cursor) developer.RequestFilter {
	f := v.Form()
	filter := developer.RequestFilter{
		Limit:         page.ListSize,
		StartingAfter: t.Position(id.Request),
		KeyID:         f.ID("key", id.Key),
		Operation:     f.Slug("operation"),
		Class:         statusClasses[f.Text("status")],
		Path:          f.Printable("path"),
	}
	filter.From, filter.To = f.Days(v.Zone())
	return filter
}

func logFields(keys []developer.Key, mode access.Mode) []kit.Field {
	return []kit.Field{
		{
			Name:  "status",
			Label: "Status",
			Kind:  "select",
			Choices: []kit.Choice{
				{Label: "All"},
				{Value: "2xx", Label: "2xx"},
				{Value: "4xx", Label: "4xx"},
				{Value: "5xx", Label: "5xx"},
			},
		},
		{
			Name:    "key",
			Label:   "Key",
			Kind:    "select",
			Choices: keyChoices(keys, mode),
		},
		{
			Name:     "operation",
			Label:    "Operation",
			Complete: "off",
			Code:     true,
		},
		{
			Name:     "path",
			Label:    "Path contains",
			Complete: "off",
			Code:     true,
		},
		{Name: "from", Label: "From", Kind: "date"},
		{Name: "to", Label: "To", Kind: "date"},
	}
}

func requestLine(v *page.Request, r *developer.Request, names map[string]string) views.RequestLine {
	line := views.RequestLine{
		Path:   v.In("/logs/" + r.ID),
		Status: r.Status,
		Code:   r.Code,
		Key:    named(names, r.KeyID),
		At:     v.Time(r.At),
	}
	line.Method, _ = page.Readable(r.Method)
	line.Target, _ = page.Readable(strings.TrimPrefix(r.Path, "/api/v1/external"))
	return line
}

func (p *Section) logged(v *page.Request) error {
	name, err := v.PathID(id.Request)
	if err != nil {
		return err
	}
	r, err := p.RequestLog.Request(v.Ctx(), v.Actor(), name)
	if err != nil {
		return err
	}
	keys, err := p.RequestLog.KeysOf(v.Ctx(), v.Person.Account.AccountID)
	if err != nil {
		return err
	}
	view := views.Request{
		Frame:       v.Frame("Request"),
		RequestLine: requestLine(v, r, keyNames(keys)),
		ID:          r.ID,
		Back:        kit.Link{Name: "Logs", Path: v.In("/logs")},
		Facts:       requestFacts(r),
	}
	view.Query, _ = page.Readable(r.Query)
	if view.Sent, err = page.ExchangeView(v, p.Exchanges, r); err != nil {
		return err
	}
	for _, e := range fault.Dictionary() {
		if string(e.Code) == r.Code {
			view.Error = "/docs/errors#" + r.Code
		}
	}
	return v.Show(views.RequestPage(view))
}

// requestFacts are what else is known of a request.
func requestFacts(r *developer.Request) []kit.Fact {
	var all []kit.Fact
	add := func(name, value string) {
		if value, _ = page.Readable(value); value != "" {
			all = append(all, kit.Fact{Name: name, Value: value})
		}
	}
	add("Field at fault", r.Param)
	add("Operation", r.Operation)
	add("Path", r.Path)
	add("Took", r.Duration.Round(10*time.Microsecond).String())
	add("Response", texts.Number(r.Bytes)+" bytes")
	add("Idempotency-Key", r.IdempotencyKey)
	if r.Replayed {
		add("Replayed", "the response is one that was given before")
	}
	if r.DryRun {
		add("Preview", "nothing was saved")
	}
	add("Address", r.Address)
	add("User-Agent", r.UserAgent)
	return all
}
