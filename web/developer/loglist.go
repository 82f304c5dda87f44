package developer

import (
	"context"
	"net/http"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/developer"
	"portal/api/id"
	"portal/api/list"
	"portal/api/texts"
	views "portal/views/developer"
	"portal/views/kit"
	"portal/web/listing"
	"portal/web/live"
	"portal/web/page"
	"portal/web/payload"
)

func (p *Section) logs(v *page.Request) error {
	if _, at, err := v.Opening(v.Form().Printable("path")); err != nil || at != "" {
		if err != nil {
			return err
		}
		return v.SeeOther(at)
	}
	t := v.Cursor()
	keys, err := p.Developer.KeysOf(v.Ctx(), v.Person.Account.AccountID)
	if err != nil {
		return err
	}
	filter := requestFilter(v, t)
	found, err := p.Developer.Requests(v.Ctx(), v.Actor(), filter)
	if err != nil {
		return err
	}
	view := listing.List{
		Title: "Logs", About: "API requests from the last 90 days. Secrets are removed.", Path: "/logs",
		Ask: "Filter the log", Fields: logFields(keys, v.Mode()), Orders: byTime,
	}.View(v)
	view.Frame, view.Grid = view.Frame.With("parts.css"), logGrid(v, found.Data, keys)
	if view.Tabs, err = p.logTabs(v, view.Filters, filter); err != nil {
		return err
	}
	empty := kit.Empty{
		Title: "No requests yet",
		Words: "Requests with a key of this mode appear here within a second and stay for 90 days.",
	}
	if p.Served("/keys") {
		empty.Action = kit.Link{Name: "View keys", Path: "/keys"}
	}
	view.Grid.Empty = listing.Empty(view.Filters, "requests", empty)
	view.Grid.Pages = t.Pages(page.OrEmpty(found.NextCursor))
	logReached(v, &view, found, filter)
	if filter.StartingAfter == "" && !filter.Ascending {
		view.Frame = view.Frame.Live()
		view.Grid.Live = kit.Live{
			Path:   filtered(v, "/logs/stream"),
			Cursor: p.logFeed(v).Cursor(found.Data),
			Most:   page.ListSize,
			One:    "request",
			Many:   "requests",
		}
	}
	if open := v.Form().ID("request", id.Request); open != "" {
		return p.logBeside(v, view, open, keys)
	}
	return v.Show(kit.ListingPage(view))
}

// logBeside shows one request beside the log.
func (p *Section) logBeside(v *page.Request, log kit.Listing, name string, keys []developer.Key) error {
	r, err := p.Developer.Request(v.Ctx(), v.Actor(), name)
	if err != nil {
		return err
	}
	open, err := payload.New(v, v.In("/logs/"+name)).Logged(p.Exchanges, r, keyTerm(r, keys))
	if err != nil {
		return err
	}
	return v.Show(views.LogsPage(views.Logs{
		Listing: log,
		Open:    open,
		Page:    v.In("/logs/" + name),
		Close:   logWith(v, ""),
	}))
}

// logWith is the address of the log as it is, with another request beside it, or none.
func logWith(v *page.Request, name string) string {
	q := v.Request().URL.Query()
	q.Del(live.Cursor)
	q.Del("request")
	if name != "" {
		q.Set("request", name)
	}
	if len(q) == 0 {
		return v.In("/logs")
	}
	return v.In("/logs") + "?" + q.Encode()
}

// logReached says how far a page of the log was searched that is not full while others follow.
func logReached(
	v *page.Request, view *kit.Listing, found *list.Page[developer.Request], f developer.RequestFilter,
) {
	next, more := found.Next()
	if !more || len(found.Data) == page.ListSize {
		return
	}
	last, _ := id.Time(next)
	way, which := "back to ", "older"
	if f.Ascending {
		way, which = "up to ", "newer"
	}
	words := texts.Number(developer.RequestsSearched) + " requests searched, " + way + v.Time(clock.At(last)).Text + "."
	if len(found.Data) > 0 {
		view.Note = words + " The next page searches " + which + " ones."
		return
	}
	view.Grid.Empty = kit.Empty{
		Title:  "No match so far",
		Words:  words,
		Action: kit.Link{Name: "Search " + which + " requests", Path: view.Grid.Pages.Next},
	}
	view.Grid.Pages.Next = ""
}

// logFeed is what the first page of the log shows from now on. A line of it never changes.
func (p *Section) logFeed(v *page.Request) *live.List[developer.Request] {
	filter := requestFilter(v, v.Cursor())
	return &live.List[developer.Request]{
		Read: func(ctx context.Context) ([]developer.Request, error) {
			found, err := p.Developer.Requests(ctx, v.Actor(), filter)
			if err != nil {
				return nil, err
			}
			return found.Data, nil
		},
		Size:  page.ListSize,
		ID:    func(r *developer.Request) string { return r.ID },
		State: func(*developer.Request) string { return "" },
		Draw: func(ctx context.Context, added []developer.Request, gone []string) (live.Component, error) {
			keys, err := p.Developer.KeysOf(ctx, v.Person.Account.AccountID)
			if err != nil {
				return nil, err
			}
			return kit.LiveRows(logGrid(v, added, keys), gone), nil
		},
	}
}

// streamLogs tells an open log of new requests.
func (p *Section) streamLogs(v *page.Request) error { return p.Streams.Serve(v, p.logFeed(v)) }

// logGrid is a table of requests, a line each.
func logGrid(v *page.Request, all []developer.Request, keys []developer.Key) kit.Grid {
	g := kit.Grid{Table: kit.Table{
		Caption: "Requests",
		Lines:   true,
		Rows:    len(all),
		Columns: []kit.Column{
			{Name: "Request"},
			{Name: "Status", Width: kit.Narrow},
			{Name: "Error", Width: kit.Medium, Card: kit.CardHidden},
			{Name: "Key", Width: kit.Short, Card: kit.CardDetail},
			{Name: "Duration", Right: true, Width: kit.Narrow, Card: kit.CardHidden},
			{Name: "Time", Right: true, Width: kit.Medium, Card: kit.CardAmount},
		},
	}}
	names, open := keyNames(keys), v.Form().ID("request", id.Request)
	for i := range all {
		r := &all[i]
		g.IDs, g.Lines = append(g.IDs, r.ID), append(g.Lines, []kit.Cell{
			{
				Text: payload.Title(r),
				Path: v.In("/logs/" + r.ID),
				Wide: logWith(v, r.ID),
				Here: r.ID == open,
				Code: true,
			},
			{HTTP: r.Status},
			{Text: r.Code, Code: true},
			{Text: page.Called(names, r.KeyID)},
			{Text: payload.Milliseconds(r.Duration)},
			{Time: v.Time(r.At), Clock: true},
		})
	}
	return g
}

// statusClasses are those that the log is filtered by.
var statusClasses = map[string]int{"2xx": 2, "3xx": 3, "4xx": 4, "5xx": 5}

// logTabs are the classes of statuses. Their counts are kept by the hour for the whole log, so that what is
// filtered further has none.
func (p *Section) logTabs(v *page.Request, f kit.Filters, asked developer.RequestFilter) ([]kit.Tab, error) {
	since := clock.At(p.Now().Add(-developer.RequestsKept))
	spans, err := p.Developer.RequestSpans(v.Ctx(), v.Actor(), since, developer.RequestsKept+time.Hour)
	var all developer.RequestSpan
	for i := range spans {
		all.Add(&spans[i])
	}
	tabs := listing.Tabs(v, f, []listing.Part{
		{Name: "Succeeded", Status: "2xx"}, {Name: "4xx", Status: "4xx"}, {Name: "5xx", Status: "5xx"},
	}, list.Counts[string]{
		"2xx": list.CountOf(all.Succeeded),
		"4xx": list.CountOf(all.ClientFailed + all.Throttled),
		"5xx": list.CountOf(all.ServerFailed),
	})
	if asked.KeyID != "" || asked.Method != "" || asked.Operation != "" || asked.Path != "" ||
		v.Form().Text("from")+v.Form().Text("to") != "" {
		for i := range tabs {
			tabs[i].Count = ""
		}
	}
	return tabs, err
}

// requestFilter is what the address asks for.
func requestFilter(v *page.Request, t page.Cursor) developer.RequestFilter {
	f := v.Form()
	filter := developer.RequestFilter{
		Limit:         page.ListSize,
		StartingAfter: t.Position(id.Request),
		KeyID:         f.ID("key", id.Key),
		Method:        f.Among("method", methods),
		Operation:     f.Slug("operation"),
		Class:         statusClasses[f.Text("status")],
		Path:          f.Printable("path"),
		Ascending:     f.Among("sort", byTime) == "oldest",
	}
	filter.From, filter.To = f.Days(v.Zone())
	return filter
}

// methods are those that the API answers.
var methods = []string{http.MethodGet, http.MethodPost, http.MethodPatch, http.MethodPut, http.MethodDelete}

func logFields(keys []developer.Key, mode access.Mode) []kit.Field {
	return []kit.Field{
		{Name: "path", Label: "Path or request ID", Kind: "search"},
		{Name: "status", Kind: "hidden"},
		{Name: "method", Label: "Method", Kind: "select", Choices: allOr(methods)},
		{Name: "key", Label: "Key", Kind: "select", Choices: keyChoices(keys, mode)},
		{Name: "operation", Label: "Operation", Complete: "off", Code: true},
		{Name: "from", Label: "From", Kind: "date", Group: "Date"},
		{Name: "to", Label: "To", Kind: "date", Group: "Date"},
	}
}

func (p *Section) logged(v *page.Request) error {
	r, err := page.Here(v, id.Request, p.Developer.Request)
	if err != nil {
		return err
	}
	keys, err := p.Developer.KeysOf(v.Ctx(), v.Person.Account.AccountID)
	if err != nil {
		return err
	}
	bodies := payload.New(v, v.In("/logs/"+r.ID))
	view, err := bodies.Logged(p.Exchanges, r, keyTerm(r, keys))
	if err != nil {
		return err
	}
	return bodies.Show(views.RequestPage(v.Frame(view.Title), view))
}

// keyTerm is the key that a request came with, by its name.
func keyTerm(r *developer.Request, keys []developer.Key) kit.Term {
	return kit.Term{Name: "API key", Text: page.Called(keyNames(keys), r.KeyID)}
}
