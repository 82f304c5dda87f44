package developer

import (
	"cmp"
	"strings"

	"portal/api/access"
	"portal/api/developer"
	"portal/api/id"
	views "portal/views/developer"
	"portal/views/kit"
	"portal/web/listing"
	"portal/web/page"
	"portal/web/payload"
)

// mostClients is how many assistants the page names.
const mostClients = 20

// callKinds are what the filter of kinds asks for.
var callKinds = []kit.Choice{{Label: "All"}, {Value: "saved", Label: "Changes"}, {Value: "preview", Label: "Previews"}}

func (p *Section) activity(v *page.Request) error {
	t := v.Cursor()
	keys, err := p.Developer.KeysOf(v.Ctx(), v.Person.Account.AccountID)
	if err != nil {
		return err
	}
	found, err := p.Developer.ToolCalls(v.Ctx(), v.Actor(), callFilter(v, t))
	if err != nil {
		return err
	}
	clients, err := p.Developer.Clients(v.Ctx(), v.Actor(), "")
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
		return []kit.Cell{
			{Text: toolName(call), Path: v.In("/activity/" + call.ID), Code: true},
			{Status: callOutcome(call)},
			{Text: callKind(call)},
			{Text: clientName(call.Client, call.ClientVersion)},
			{Text: page.Called(names, call.KeyID)},
			{Time: v.Time(call.At)},
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
			{Text: page.Called(names, c.KeyID)},
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

// clientName is what an assistant calls itself.
func clientName(name, version string) string {
	if name == "" {
		return "Unknown"
	}
	shown, _ := page.Readable(strings.TrimSpace(name + " " + version))
	return shown
}

func toolName(c *developer.ToolCall) string {
	name, _ := page.Readable(c.Tool)
	return cmp.Or(name, "(no name)")
}

func callOutcome(c *developer.ToolCall) kit.Status {
	if c.Outcome != developer.Succeeded {
		return kit.Status{Tone: kit.Failed, Text: c.Outcome}
	}
	return kit.Status{Tone: kit.Done, Text: "Succeeded"}
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
	c, err := page.Here(v, id.Call, p.Developer.ToolCall)
	if err != nil {
		return err
	}
	keys, err := p.Developer.KeysOf(v.Ctx(), v.Person.Account.AccountID)
	if err != nil {
		return err
	}
	bodies := payload.New(v, v.In("/activity/"+c.ID))
	return bodies.Show(views.CallPage(callView(v, bodies, c, keyNames(keys))))
}

// callView is the page of a call.
func callView(v *page.Request, bodies *payload.Bodies, c *developer.ToolCall, names map[string]string) views.Call {
	readable := func(s string) string {
		s, _ = page.Readable(s)
		return s
	}
	key := ""
	if names[c.KeyID] != "" {
		key = "/keys/" + c.KeyID
	}
	view := views.Call{
		Record: kit.Record{
			Frame: v.Frame("Call of " + toolName(c)),
			Heading: kit.Heading{
				Title:  toolName(c),
				About:  v.Time(c.At).Text + " · " + payload.Milliseconds(c.Duration),
				Status: callOutcome(c),
				Code:   true,
			},
			Facts: []kit.Facts{{Title: "Call", Terms: []kit.Term{
				{Name: "ID", Text: c.ID, ID: true},
				{Name: "Kind", Text: callKind(c)},
				{Name: "Record", Text: c.RecordID, ID: true},
				{Name: "Request", Text: c.RequestID, Path: v.In("/logs/" + c.RequestID)},
			}}, {Title: "Assistant", Terms: []kit.Term{
				{Name: "Name", Text: clientName(c.Client, c.ClientVersion)},
				{Name: "API key", Text: page.Called(names, c.KeyID), Path: key},
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
