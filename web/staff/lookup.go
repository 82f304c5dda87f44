package staff

import (
	"net/url"
	"strings"

	"portal/api/developer"
	"portal/api/fault"
	"portal/api/texts"
	"portal/views/kit"
	views "portal/views/staff"
	"portal/web/page"
	"portal/web/payload"
)

// lookUp finds a request of the log by its id, for the staff.
func (p *Section) lookUp(v *page.Request) error {
	f := v.Form()
	named := kit.Field{Name: "id", Label: "Request ID", Kind: "search", Code: true, Complete: "off"}
	from := named
	from.Name, from.Label, from.Optional = "address", "IP address of the client", true
	view := views.LookUp{
		Frame:   v.Frame("Look-up"),
		Filters: v.Filters("Find a request", "/staff/look-up", []kit.Field{named, from}),
	}
	view.Filters.Clear = ""
	asked := f.Printable("id")
	if asked == "" {
		return v.Show(views.LookUpPage(view))
	}
	bodies := payload.New(v, "/staff/look-up?id="+url.QueryEscape(asked))
	r, err := p.Developer.Logged(v.Ctx(), asked)
	switch {
	case err == nil:
		account := kit.Term{Name: "Account", Text: "None, without a valid key"}
		if r.AccountID != "" {
			account.Text, account.Path = r.AccountID, "/staff/accounts/"+r.AccountID
		}
		found, err := bodies.Logged(p.Exchanges, &r, account, kit.Term{Name: "API key", Text: r.KeyID})
		if err != nil {
			return err
		}
		view.Found = &found
	case fault.Is(err, fault.NoRecord):
		view.Trouble = fault.From(err).Message
		m, err := p.Developer.UnkeyedMinute(v.Ctx(), asked, f.Printable("address"))
		switch {
		case err == nil:
			view.Minute = &views.UnkeyedMinute{
				From: v.Time(m.From), Counts: unkeyedCounts(m.Counts), Requests: unkeyedRequests(v, m.Requests),
			}
		case !fault.Is(err, fault.NoRecord): // what was asked for is no id of a request of the last 90 days
			return err
		}
	default:
		return err
	}
	return bodies.Show(views.LookUpPage(view))
}

// unkeyedCounts is how many requests each client sent that have no row of their own.
func unkeyedCounts(all []developer.RequestCount) kit.RelatedTable {
	g := kit.PartGrid(kit.Table{
		Caption: "Counted requests by client",
		Columns: []kit.Column{{Name: "Client"}, {Name: "Requests", Right: true}, {Name: "Errors"}},
	}, all, func(c *developer.RequestCount) []kit.Cell {
		return []kit.Cell{
			{Text: c.Client, Code: true, None: "All other clients"},
			{Text: texts.Number(c.Total)},
			{Text: codeCounts(c.Codes)},
		}
	})
	return kit.RelatedTable{ID: "counted", Title: "Counted by client", Grid: g}
}

// unkeyedRequests are those with a row of their own, a line each.
func unkeyedRequests(v *page.Request, all []developer.Request) kit.RelatedTable {
	g := kit.PartGrid(kit.Table{
		Caption: "Logged requests",
		Columns: []kit.Column{
			{Name: "Request"},
			{Name: "Status", Width: kit.Narrow},
			{Name: "Error"},
			{Name: "Client"},
			{Name: "Time", Right: true, Width: kit.Medium},
		},
		Empty: kit.Empty{Title: "No request of this minute is in the log"},
	}, all, func(r *developer.Request) []kit.Cell {
		return []kit.Cell{
			{Text: payload.Title(r), Path: "/staff/look-up?id=" + url.QueryEscape(r.ID), Code: true},
			{HTTP: r.Status},
			{Text: r.Code, Code: true},
			{Text: r.Address, Code: true},
			{Time: v.Time(r.At), Clock: true},
		}
	})
	return kit.RelatedTable{ID: "logged", Title: "Logged requests", Grid: g}
}

// codeCounts is how often each code was answered, in words.
func codeCounts(all []developer.CodeCount) string {
	words := make([]string, len(all))
	for i, c := range all {
		code := c.Code
		if code == "" {
			code = "no error"
		}
		words[i] = code + " × " + texts.Number(c.Count)
	}
	return strings.Join(words, ", ")
}
