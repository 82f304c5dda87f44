package developer

import (
	"context"
	"strings"

	"portal/api/access"
	"portal/api/developer"
	"portal/api/id"
	"portal/api/list"
	views "portal/views/developer"
	"portal/views/kit"
	"portal/web/listing"
	"portal/web/page"
	"portal/web/payload"
)

// Activity is what assistants did.
type Activity interface {
	ToolCalls(ctx context.Context, by access.Actor, f developer.CallFilter) (*list.Page[developer.ToolCall], error)
	ToolCall(ctx context.Context, by access.Actor, id string) (*developer.ToolCall, error)
	Clients(ctx context.Context, by access.Actor, keyID string) ([]developer.Client, error)
	KeysOf(ctx context.Context, accountID string) ([]developer.Key, error)
}

// mostClients is how many assistants the page names.
const mostClients = 20

// callKinds are what the filter of kinds asks for.
var callKinds = []kit.Choice{{Label: "All"}, {Value: "saved", Label: "Changes"}, {Value: "preview", Label: "Previews"}}

func (p *Section) activity(v *page.Request) error {
	t := v.Cursor()
	keys, err := p.Activity.KeysOf(v.Ctx(), v.Person.Account.AccountID)
	if err != nil {
		return err
	}
	found, err := p.Activity.ToolCalls(v.Ctx(), v.Actor(), callFilter(v, t))
	if err != nil {
		return err
	}
	clients, err := p.Activity.Clients(v.Ctx(), v.Actor(), "")
	if err != nil {
		return err
	}
	names := keyNames(keys)
	view := listing.List{
		Title: "Assistant activity",
		About: "Tool calls by AI assistants from the last 90 days. Secrets are removed.",
		Path:  "/activity", Ask: "Filter the calls", Fields: callFields(keys, v.Mode()), Orders: byTime,
	}.View(v)
	view.Parts = assistantParts(v, clients, names)
	view.Grid = p.callGrid(v, found.Data, names)
	view.Grid.Pages = t.Pages(page.OrEmpty(found.NextCursor))
	view.Grid.Empty = listing.Empty(view.Filters, "calls", view.Grid.Empty)
	return v.Show(kit.ListingPage(view))
}

// callGrid is a table of calls, a line each.
func (p *Section) callGrid(v *page.Request, all []developer.ToolCall, names map[string]string) kit.Grid {
	table := kit.Table{
		Caption: "Tool calls",
		Columns: []kit.Column{
			{Name: "Tool"},
			{Name: "Status", Width: kit.Medium, Card: kit.CardStatus},
			{Name: "Kind", Width: kit.Medium, Card: kit.CardHidden},
			{Name: "Assistant", Card: kit.CardDetail},
			{Name: "Key", Card: kit.CardHidden},
			{Name: "Time", Right: true, Width: kit.Short, Card: kit.CardAmount},
		},
		Empty: kit.Empty{
			Title: "No assistant has called a tool yet",
			Words: "Connect one to /mcp with an API key of an owner. " +
				"Each call is shown here with its arguments and what it changed.",
		},
	}
	if p.Served("/keys") {
		table.Empty.Action = kit.Link{Name: "View keys", Path: "/keys"}
	}
	return kit.GridOf(table, all, func(call *developer.ToolCall) []kit.Cell {
		c := callLine(v, call, names)
		return []kit.Cell{
			{Text: c.Tool, Path: c.Path, Code: true},
			{Status: c.Outcome},
			{Text: c.Kind},
			{Text: c.Client},
			{Text: c.Key},
			{Time: c.At},
		}
	})
}

// assistantParts is the table of the assistants that called tools lately, none without one.
func assistantParts(v *page.Request, clients []developer.Client, names map[string]string) []kit.RelatedTable {
	if len(clients) == 0 {
		return nil
	}
	clients = clients[:min(len(clients), mostClients)]
	g := kit.GridOf(kit.Table{
		Caption: "Assistants, as they identify themselves",
		Columns: []kit.Column{
			{Name: "Assistant"},
			{Name: "Key", Card: kit.CardDetail},
			{Name: "Last seen", Right: true, Width: kit.Short, Card: kit.CardAmount},
		},
	}, clients, func(c *developer.Client) []kit.Cell {
		return []kit.Cell{
			{Text: clientName(c.Name, c.Version)},
			{Text: named(names, c.KeyID)},
			{Time: v.Time(c.LastSeenAt)},
		}
	})
	return []kit.RelatedTable{{ID: "assistants", Title: "Assistants", Grid: g}}
}

// callFilter is what the address asks for.
func callFilter(v *page.Request, t page.Cursor) developer.CallFilter {
	f := v.Form()
	filter := developer.CallFilter{
		Limit:         page.ListSize,
		StartingAfter: t.Position(id.Call),
		KeyID:         f.ID("key", id.Key),
		Tool:          f.Slug("tool"),
		Ascending:     f.Among("sort", byTime) == "oldest",
		Result:        developer.Result(f.Among("result", developer.Result("").Values())),
	}
	filter.From, filter.To = f.Days(v.Zone())
	switch f.Text("kind") {
	case "saved":
		filter.Saved = true
	case "preview":
		filter.DryRun = new(true)
	}
	return filter
}

func callFields(keys []developer.Key, mode access.Mode) []kit.Field {
	return []kit.Field{
		{Name: "key", Label: "Key", Kind: "select", Choices: keyChoices(keys, mode)},
		{Name: "tool", Label: "Tool", Complete: "off", Code: true},
		{
			Name:  "result",
			Label: "Status",
			Kind:  "select",
			Choices: []kit.Choice{
				{Label: "All"},
				{Value: "ok", Label: "Succeeded"},
				{Value: "failed", Label: "Failed"},
			},
		},
		{Name: "kind", Label: "Kind", Kind: "select", Choices: append([]kit.Choice(nil), callKinds...)},
		{Name: "from", Label: "From", Kind: "date", Group: "Date"},
		{Name: "to", Label: "To", Kind: "date", Group: "Date"},
	}
}

// keyChoices are the keys of a mode.
func keyChoices(keys []developer.Key, mode access.Mode) []kit.Choice {
	all := []kit.Choice{{Label: "All"}}
	for _, k := range keys {
		if k.Mode == mode {
			all = append(all, kit.Choice{Value: k.ID, Label: k.Name})
		}
	}
	return all
}

func keyNames(keys []developer.Key) map[string]string {
	names := map[string]string{}
	for _, k := range keys {
		names[k.ID] = k.Name
	}
	return names
}

// named is the name of what has an id, or the id itself.
func named(names map[string]string, id string) string {
	if name := names[id]; name != "" {
		return name
	}
	return id
}

// clientName is what an assistant calls itself.
func clientName(name, version string) string {
	if name == "" {
		return "Unknown"
	}
	shown, _ := page.Readable(strings.TrimSpace(name + " " + version))
	return shown
}

func callLine(v *page.Request, c *developer.ToolCall, names map[string]string) views.CallLine {
	line := views.CallLine{
		Path:    v.In("/activity/" + c.ID),
		ID:      c.ID,
		Client:  clientName(c.Client, c.ClientVersion),
		Key:     named(names, c.KeyID),
		At:      v.Time(c.At),
		Outcome: kit.Status{Tone: kit.Done, Text: "Succeeded"},
		Kind:    callKind(c),
	}
	line.Tool, _ = page.Readable(c.Tool)
	if line.Tool == "" {
		line.Tool = "(no name)"
	}
	if c.Outcome != developer.Succeeded {
		line.Outcome = kit.Status{Tone: kit.Failed, Text: c.Outcome}
	}
	return line
}

func callKind(c *developer.ToolCall) string {
	switch {
	case c.DryRun:
		return "Preview"
	case c.Change != "":
		return "Change"
	case c.Replayed:
		return "Answered before"
	}
	return "No change"
}

func (p *Section) call(v *page.Request) error {
	name, err := v.PathID(id.Call)
	if err != nil {
		return err
	}
	c, err := p.Activity.ToolCall(v.Ctx(), v.Actor(), name)
	if err != nil {
		return err
	}
	keys, err := p.Activity.KeysOf(v.Ctx(), v.Person.Account.AccountID)
	if err != nil {
		return err
	}
	bodies := payload.New(v, v.In("/activity/"+name))
	return bodies.Show(views.CallPage(callView(v, bodies, c, keyNames(keys))))
}

// callView is the page of a call.
func callView(v *page.Request, bodies *payload.Bodies, c *developer.ToolCall, names map[string]string) views.Call {
	readable := func(s string) string {
		s, _ = page.Readable(s)
		return s
	}
	line, key := callLine(v, c, names), ""
	if names[c.KeyID] != "" {
		key = "/keys/" + c.KeyID
	}
	view := views.Call{
		Record: kit.Record{
			Frame: v.Frame("Call of " + line.Tool),
			Heading: kit.Heading{
				Title:  line.Tool,
				About:  line.At.Text + " · " + payload.Milliseconds(c.Duration),
				Status: line.Outcome,
				Code:   true,
			},
			Facts: []kit.Facts{{Title: "Call", Terms: []kit.Term{
				{Name: "ID", Text: c.ID, ID: true},
				{Name: "Kind", Text: line.Kind},
				{Name: "Record", Text: c.RecordID, ID: true},
				{Name: "Request", Text: c.RequestID, Path: v.In("/logs/" + c.RequestID)},
			}}, {Title: "Assistant", Terms: []kit.Term{
				{Name: "Name", Text: line.Client},
				{Name: "API key", Text: line.Key, Path: key},
				{Name: "Protocol", Text: readable(c.Protocol)},
				{Name: "User agent", Text: readable(c.UserAgent)},
			}}},
		},
		Arguments: bodies.View("arguments", string(c.Arguments)),
		Change:    kit.Body{Absent: "It changed nothing."},
	}
	if message := readable(c.Message); message != "" {
		view.Notices = []kit.NoticeContent{{Tone: kit.Failed, Title: "The call failed", Words: message}}
	}
	if c.Change != "" {
		view.Change = bodies.View("change", string(c.Change))
	}
	if c.DryRun {
		view.Change.Note = "This was a preview. Nothing was saved."
	}
	return view
}
