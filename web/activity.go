package web

import (
	"context"
	"strings"
	"time"

	"portal/api/access"
	"portal/api/developer"
	"portal/api/id"
	"portal/api/list"
	"portal/views"
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
var callKinds = []views.Choice{{Label: "All"}, {Value: "saved", Label: "Changes"}, {Value: "preview", Label: "Previews"}}

func (p *Pages) activity(v *visit) error {
	t := v.turn()
	keys, err := p.Activity.KeysOf(v.ctx(), v.person.Account.AccountID)
	if err != nil {
		return err
	}
	page, err := p.Activity.ToolCalls(v.ctx(), v.actor(), callFilter(v, t))
	if err != nil {
		return err
	}
	clients, err := p.Activity.Clients(v.ctx(), v.actor(), "")
	if err != nil {
		return err
	}
	names := keyNames(keys)
	view := views.Activity{Frame: v.frame("Assistant activity"), Filters: v.filters("Filter the calls", "/activity", callFields(keys, v.mode())), Pages: t.pages(orNone(page.NextCursor))}
	if p.served("/keys") {
		view.Keys = "/keys"
	}
	for i := range page.Data {
		view.Calls = append(view.Calls, callLine(v, &page.Data[i], names))
	}
	for _, c := range clients[:min(len(clients), mostClients)] {
		view.Clients = append(view.Clients, views.ClientLine{Name: clientName(c.Name, c.Version), Key: named(names, c.KeyID), Seen: v.time(c.LastSeenAt)})
	}
	return v.show(views.ActivityPage(view))
}

// callFilter is what the address asks for.
func callFilter(v *visit, t turn) developer.CallFilter {
	f := v.form()
	filter := developer.CallFilter{Limit: logLines, StartingAfter: t.position(id.Call), KeyID: f.ident("key", id.Key), Tool: f.word("tool"),
		Result: developer.Result(f.among("result", developer.Result("").Values()))}
	filter.From, filter.To = f.days(v.zone())
	switch f.text("kind") {
	case "saved":
		filter.Saved = true
	case "preview":
		filter.DryRun = new(true)
	}
	return filter
}

func callFields(keys []developer.Key, mode access.Mode) []views.Field {
	return []views.Field{
		{Name: "key", Label: "Key", Kind: "select", Choices: keyChoices(keys, mode)},
		{Name: "tool", Label: "Tool", Complete: "off", Code: true},
		{Name: "result", Label: "Outcome", Kind: "select", Choices: []views.Choice{{Label: "All"}, {Value: "ok", Label: "Succeeded"}, {Value: "failed", Label: "Failed"}}},
		{Name: "kind", Label: "Kind", Kind: "select", Choices: append([]views.Choice(nil), callKinds...)},
		{Name: "from", Label: "From", Kind: "date"},
		{Name: "to", Label: "To", Kind: "date"},
	}
}

// keyChoices are the keys of a mode.
func keyChoices(keys []developer.Key, mode access.Mode) []views.Choice {
	all := []views.Choice{{Label: "All"}}
	for _, k := range keys {
		if k.Mode == mode {
			all = append(all, views.Choice{Value: k.ID, Label: k.Name})
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
		return "unknown"
	}
	shown, _ := legible(strings.TrimSpace(name + " " + version))
	return shown
}

func callLine(v *visit, c *developer.ToolCall, names map[string]string) views.CallLine {
	line := views.CallLine{Path: v.in("/activity/" + c.ID), ID: c.ID, Client: clientName(c.Client, c.ClientVersion), Key: named(names, c.KeyID), At: v.time(c.At),
		Outcome: views.Status{Tone: views.Done, Text: "Succeeded"}, Kind: callKind(c)}
	line.Tool, _ = legible(c.Tool)
	if line.Tool == "" {
		line.Tool = "(no name)"
	}
	if c.Outcome != developer.Succeeded {
		line.Outcome = views.Status{Tone: views.Failed, Text: c.Outcome}
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

func (p *Pages) call(v *visit) error {
	name, err := v.ident(id.Call)
	if err != nil {
		return err
	}
	c, err := p.Activity.ToolCall(v.ctx(), v.actor(), name)
	if err != nil {
		return err
	}
	keys, err := p.Activity.KeysOf(v.ctx(), v.person.Account.AccountID)
	if err != nil {
		return err
	}
	view := views.Call{Frame: v.frame("Call of a tool"), CallLine: callLine(v, c, keyNames(keys)), Back: views.Link{Name: "Assistant activity", Path: v.in("/activity")},
		Record: c.RecordID, RequestID: c.RequestID, Took: c.Duration.Round(10 * time.Microsecond).String(), Arguments: bodyView(string(c.Arguments)),
		Change: views.Body{Absent: "It changed nothing."}}
	view.Message, _ = legible(c.Message)
	view.Protocol, _ = legible(c.Protocol)
	view.UserAgent, _ = legible(c.UserAgent)
	if c.Change != "" {
		view.Change = bodyView(string(c.Change))
	}
	if c.DryRun {
		view.Change.Note = "It was a preview: this would change, and nothing was saved."
	}
	return v.show(views.CallPage(view))
}
