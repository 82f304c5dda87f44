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
	named := kit.Field{
		Name:     "id",
		Label:    "Request ID",
		Kind:     "search",
		Code:     true,
		Complete: "off",
	}
	from := kit.Field{
		Name:     "address",
		Label:    "IP address of the client",
		Kind:     "search",
		Code:     true,
		Complete: "off",
		Optional: true,
	}
	f.FillField(&named)
	f.FillField(&from)
	view := views.LookUp{
		Frame:   v.Frame("Look-up"),
		Filters: kit.Filters{About: "Find a request", At: "/staff/look-up", Fields: []kit.Field{named, from}},
	}
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
		view.Minute, err = p.unkeyedMinute(v, asked, f.Printable("address"))
		if err != nil && !fault.Is(err, fault.NoRecord) {
			return err
		}
	default:
		return err
	}
	return bodies.Show(views.LookUpPage(view))
}

// unkeyedMinute is what the log has of the minute of a request without a row of its own,
// fault.NoRecord where what was asked for is no id of a request of the last 90 days.
func (p *Section) unkeyedMinute(v *page.Request, requestID, address string) (*views.UnkeyedMinute, error) {
	m, err := p.Developer.UnkeyedMinute(v.Ctx(), requestID, address)
	if err != nil {
		return nil, err
	}
	return &views.UnkeyedMinute{
		From:     v.Time(m.From),
		Counts:   unkeyedCounts(m.Counts),
		Requests: unkeyedRequests(v, m.Requests),
	}, nil
}

// unkeyedCounts is how many requests each client sent that have no row of their own.
func unkeyedCounts(all []developer.RequestCount) kit.RelatedTable {
	g := kit.Grid{Table: kit.Table{
		Caption: "Counted requests by client",
		Rows:    len(all),
		Columns: []kit.Column{{Name: "Client"}, {Name: "Requests", Right: true}, {Name: "Errors"}},
	}}
	for _, c := range all {
		g.Lines = append(g.Lines, []kit.Cell{
			{Text: c.Client, Code: true, None: "All other clients"},
			{Text: texts.Number(c.Total)},
			{Text: codeCounts(c.Codes)},
		})
	}
	return kit.RelatedTable{ID: "counted", Title: "Counted by client", Grid: g}
}

// unkeyedRequests are those with a row of their own, a line each.
func unkeyedRequests(v *page.Request, all []developer.Request) kit.RelatedTable {
	g := kit.Grid{Table: kit.Table{
		Caption: "Logged requests",
		Rows:    len(all),
		Columns: []kit.Column{
			{Name: "Request"},
			{Name: "Status", Width: kit.Narrow},
			{Name: "Error"},
			{Name: "Client"},
			{Name: "Time", Right: true, Width: kit.Medium},
		},
		Empty: kit.Empty{Title: "No request of this minute is in the log"},
	}}
	for i := range all {
		r := &all[i]
		g.Lines = append(g.Lines, []kit.Cell{
			{Text: payload.Title(r), Path: "/staff/look-up?id=" + url.QueryEscape(r.ID), Code: true},
			{HTTP: r.Status},
			{Text: r.Code, Code: true},
			{Text: r.Address, Code: true},
			{Time: v.Time(r.At), Clock: true},
		})
	}
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
