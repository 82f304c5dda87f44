package developer

import (
	"context"
	"strconv"
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
	"portal/web/listing"
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
	view := kit.Listing{
		Frame:   v.Frame("Logs"),
		Heading: kit.Heading{Title: "Logs", About: "API requests from the last 90 days. Secrets are removed."},
		Filters: v.Filters("Filter the log", "/logs", logFields(keys, v.Mode())),
	}
	view.Grid.Table = p.logTable(view.Filters)
	view.Grid.Rows, view.Grid.Pages = len(found.Data), t.Pages(page.OrEmpty(found.NextCursor))
	names := keyNames(keys)
	for i := range found.Data {
		view.Grid.Lines = append(view.Grid.Lines, logLine(v, &found.Data[i], names))
	}
	return v.Show(kit.ListingPage(view))
}

func (p *Section) logTable(f kit.Filters) kit.Table {
	empty := kit.Empty{
		Title: "No requests yet",
		Words: "Each request with a key of this mode is shown here within a second, for 90 days.",
	}
	if p.Served("/keys") {
		empty.Action = kit.Link{Name: "Go to the keys", Path: "/keys"}
	}
	return kit.Table{
		Caption: "Requests",
		Lines:   true,
		Columns: []kit.Column{
			{Name: "Request"},
			{Name: "Status", Width: kit.Narrow},
			{Name: "Error", Width: kit.Medium, Card: kit.CardHidden},
			{Name: "Key", Width: kit.Short, Card: kit.CardDetail},
			{Name: "Duration", Right: true, Width: kit.Narrow, Card: kit.CardHidden},
			{Name: "Time", Right: true, Width: kit.Medium, Card: kit.CardAmount},
		},
		Empty: listing.Empty(f, "requests", empty),
	}
}

func logLine(v *page.Request, r *developer.Request, names map[string]string) []kit.Cell {
	line := requestLine(v, r, names)
	return []kit.Cell{
		{Text: line.Method + " " + line.Target, Path: line.Path, Code: true},
		{HTTP: line.Status},
		{Text: line.Code, Code: true},
		{Text: line.Key},
		{Text: milliseconds(r.Duration)},
		{Text: line.At.Short},
	}
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
		{Name: "path", Label: "Path", Kind: "search"},
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
		{Name: "from", Label: "From", Kind: "date", Group: "Date"},
		{Name: "to", Label: "To", Kind: "date", Group: "Date"},
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
	line := requestLine(v, r, keyNames(keys))
	view := views.Request{
		Frame:  v.Frame(line.Method + " " + line.Target),
		Title:  line.Method + " " + line.Target,
		About:  line.At.Text + " · " + milliseconds(r.Duration),
		Status: r.Status,
		Facts:  requestFacts(r, line),
	}
	if view.Sent, err = page.ExchangeView(v, p.Exchanges, r); err != nil {
		return err
	}
	return v.Show(views.RequestPage(view))
}

// milliseconds is how long something took: 0.4 ms, 18 ms.
func milliseconds(d time.Duration) string {
	ms := float64(d.Microseconds()) / 1000
	if ms < 10 {
		return strconv.FormatFloat(ms, 'f', 1, 64) + " ms"
	}
	return texts.Number(int(ms+0.5)) + " ms"
}

// requestFacts are what is known of a request.
func requestFacts(r *developer.Request, line views.RequestLine) []kit.Facts {
	readable := func(s string) string {
		s, _ = page.Readable(s)
		return s
	}
	request := kit.Facts{Title: "Request", Terms: []kit.Term{
		{Name: "ID", Text: r.ID, ID: true},
		{Name: "Operation", Text: r.Operation},
		{Name: "API key", Text: line.Key},
		{Name: "Path", Text: readable(r.Path)},
		{Name: "Query", Text: readable(r.Query)},
		{Name: "Idempotency key", Text: readable(r.IdempotencyKey)},
		{Name: "Source", Text: readable(r.Address)},
		{Name: "User agent", Text: readable(r.UserAgent)},
	}}
	response := kit.Facts{Title: "Response", Terms: []kit.Term{
		{Name: "Error", Text: r.Code, Path: errorPath(r.Code)},
		{Name: "Field", Text: readable(r.Param)},
		{Name: "Time", Text: line.At.Text},
		{Name: "Duration", Text: milliseconds(r.Duration)},
		{Name: "Size", Text: texts.Number(r.Bytes) + " bytes"},
	}}
	if r.Replayed {
		response.Terms = append(
			response.Terms,
			kit.Term{Name: "Replayed", Text: "The response of the first request with this key"},
		)
	}
	if r.DryRun {
		response.Terms = append(response.Terms, kit.Term{Name: "Dry run", Text: "Nothing was saved"})
	}
	return []kit.Facts{request, response}
}

// errorPath is the entry of a code in the dictionary of errors, "" where there is none.
func errorPath(code string) string {
	for _, e := range fault.Dictionary() {
		if string(e.Code) == code {
			return "/docs/errors#" + code
		}
	}
	return ""
}
