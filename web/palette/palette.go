// Package palette is the search of everything: records of a portfolio, pages, actions and pages of the
// documentation, as a list that a script shows in the palette and as a page that finds the same.
//
// It knows no other section and no SQL.
package palette

import (
	"net/http"
	"slices"
	"strings"

	"portal/api/id"
	"portal/api/list"
	"portal/api/portfolio"
	"portal/api/portfolio/property"
	"portal/api/portfolio/records"
	"portal/views/kit"
	"portal/web/frame"
	"portal/web/page"
)

// most is how many of a kind are offered.
const most = 5

// Section is the palette and the page of the search.
type Section struct {
	*page.Shell
	Config
}

// Config is where the search looks.
type Config struct {
	Portfolio *records.Service
	// Places finds at most so many pages of the documentation by words, the best first.
	Places func(words string, most int) []kit.PaletteItem
}

// New makes the search.
func New(shell *page.Shell, c Config) *Section { return &Section{shell, c} }

// Routes are those of the palette and of the page.
func (p *Section) Routes() []page.Route {
	return []page.Route{
		page.Get("/{mode}/palette", page.Member, p.answer),
		page.Get("/{mode}/search", page.Member, p.search),
	}
}

// actions are what somebody may do from every page, as far as there are such pages.
var actions = page.NavGroup{Title: "Actions", Items: []page.NavItem{
	{Path: "/test/demo", Icon: "zap", Name: "Trigger test event", Words: "webhook simulate"},
	{Path: "/keys/new", Icon: "key-round", Name: "Create API key", Words: "add new"},
	{Path: "/{mode}/webhooks/new", Icon: "webhook", Name: "Add endpoint", Words: "create new webhook"},
	{Path: "/{mode}/properties/new", Icon: "building-2", Name: "Add property", Words: "create new"},
	{Path: "/{mode}/leases/new", Icon: "file-text", Name: "Create lease", Words: "add new generate"},
	{Path: "/{mode}/ledger/new", Icon: "receipt", Name: "Add charge", Words: "create new fee"},
	{Path: "/{mode}/tickets/new", Icon: "wrench", Name: "Create ticket", Words: "add new maintenance"},
	{Path: "/{mode}/tenants/new", Icon: "user-plus", Name: "Add tenant", Words: "new person"},
	{Path: "/{mode}/applications/new", Icon: "user-plus", Name: "Invite applicant", Words: "add new tenant"},
	{Path: "/team/invite", Icon: "users-round", Name: "Invite teammate", Words: "add new member"},
	{
		Path: "/{mode}/ledger", Query: "status=due", Icon: "receipt", Name: "Record payment",
		Words: "paid check cash rent",
	},
}}

// lists are those that somebody asks for by what is in them, as far as there are such pages.
var lists = page.NavGroup{Title: "Lists", Items: []page.NavItem{
	{
		Path: "/{mode}/ledger", Query: "overdue=true", Icon: "receipt", Name: "Overdue charges",
		Words: "late unpaid rent arrears",
	},
	{
		Path: "/{mode}/search", Query: "q=vacant", Icon: "building-2", Name: "Vacant units",
		Words: "vacancies empty available",
	},
	{
		Path: "/{mode}/leases", Query: "sort=ending", Icon: "file-text", Name: "Leases that end soonest",
		Words: "expiring renewal",
	},
	{
		Path: "/{mode}/tickets", Query: "priority=emergency", Icon: "siren", Name: "Emergencies",
		Words: "urgent tickets",
	},
	{Path: "/{mode}/ledger.csv", Icon: "download", Name: "Export ledger", Words: "csv download payments charges"},
	{Path: "/{mode}/properties.csv", Icon: "download", Name: "Export properties", Words: "csv download rent roll"},
	{
		Path: "/{mode}/import/export.xlsx", Icon: "download", Name: "Export rent roll",
		Words: "excel xlsx csv download portfolio",
	},
	{Path: "/{mode}/tenants.csv", Icon: "download", Name: "Export tenants", Words: "csv download"},
	{Path: "/{mode}/leases.csv", Icon: "download", Name: "Export leases", Words: "csv download"},
	{Path: "/{mode}/tickets.csv", Icon: "download", Name: "Export tickets", Words: "csv download"},
	{
		Path: "/{mode}/ledger/transactions.csv", Icon: "download", Name: "Export transactions",
		Words: "csv download payments ledger",
	},
}}

// kinds are the pages of records by the prefix of their ids, and what stands there.
var kinds = map[string]kit.NavItem{
	id.Property: {Path: "/properties/", Icon: "building-2", Name: "Property"},
	id.Unit:     {Path: "/units/", Icon: "building-2", Name: "Unit"},
	id.Tenant:   {Path: "/tenants/", Icon: "users", Name: "Tenant"},
	id.Lease:    {Path: "/leases/", Icon: "file-text", Name: "Lease"},
	id.Ticket:   {Path: "/tickets/", Icon: "wrench", Name: "Ticket"},
	id.Payment:  {Path: "/ledger/", Icon: "receipt", Name: "Charge"},
}

func (p *Section) answer(v *page.Request) error {
	text := strings.TrimSpace(page.Clip(v.Form().Printable("q"), 200))
	var all []kit.PaletteGroup
	if text != "" {
		of, err := p.find(v, text, most)
		if err != nil {
			return err
		}
		title := "Records"
		if of.Words != "" {
			title = "Records that match " + of.Words
		}
		all = append(all, kit.PaletteGroup{Title: title, Items: slices.Concat(of.items(v), of.belonging)})
	}
	return v.Show(kit.PaletteAnswer(append(all, p.places(v, text)...)))
}

// places are the actions, pages and pages of the documentation that a text finds: those of every page for none.
func (p *Section) places(v *page.Request, text string) (all []kit.PaletteGroup) {
	offered := []page.NavGroup{actions}
	if text != "" {
		offered = append(offered, lists)
	}
	for _, g := range page.Reachable(offered, expanded(v)) {
		g.Items = slices.DeleteFunc(g.Items, func(i page.NavItem) bool { return !begins(i.Name+" "+i.Words, text) })
		of := kit.PaletteGroup{Title: g.Title}
		for _, i := range frame.Listed(v, g, nil).Items {
			of.Items = append(of.Items, kit.PaletteItem{Icon: i.Icon, Name: i.Name, Path: i.Path})
		}
		if text != "" {
			of.Items = of.Items[:min(len(of.Items), most)]
		}
		all = append(all, of)
	}
	all = append(all, matching("Pages", v.Frame("").Navigation, text))
	if text != "" {
		all = append(all, kit.PaletteGroup{Title: "Docs", Items: p.Places(text, most)})
	}
	return all
}

// expanded are the routes that the reader is admitted to.
func expanded(v *page.Request) (all []page.Route) {
	for _, r := range v.Shell.Routes {
		if r.Method == http.MethodGet && (r.Audience != page.Owner || v.Owns()) {
			all = append(all, r)
		}
	}
	return all
}

// matching are the places whose names have a word that begins with each word of a text.
func matching(title string, groups []kit.NavGroup, text string) kit.PaletteGroup {
	of := kit.PaletteGroup{Title: title}
	for _, g := range groups {
		for _, i := range g.Items {
			if begins(i.Name, text) && (text == "" || len(of.Items) < most) {
				of.Items = append(of.Items, kit.PaletteItem{Icon: i.Icon, Name: i.Name, Path: i.Path})
			}
		}
	}
	return of
}

func begins(name, text string) bool {
	name = " " + strings.ToLower(name)
	for word := range strings.FieldsSeq(strings.ToLower(text)) {
		if !strings.Contains(name, " "+word) {
			return false
		}
	}
	return true
}

// findings are the records that a text finds, and what belongs to them.
type findings struct {
	property.Found
	opened    *kit.PaletteItem // the one that has the text as its id or number
	belonging []kit.PaletteItem
}

// find finds units, properties, tenants and tickets with what belongs to them, or the record of an id or number.
func (p *Section) find(v *page.Request, text string, most int) (of findings, err error) {
	if of.Found, err = p.Portfolio.Finder.Search(v.Ctx(), v.Actor(), text, most); err != nil {
		return of, err
	}
	if of.ID != "" {
		prefix, _, _ := strings.Cut(of.ID, "_")
		one := item(v, prefix, of.ID, text, "")
		if of.Part != "" {
			one.Note, one.Path = "Transaction", one.Path+"#"+of.Part
		}
		of.opened = &one
		return of, nil
	}
	opening, path, err := v.Opening(text)
	if err != nil {
		return of, err
	}
	if path != "" {
		of.opened = &kit.PaletteItem{Icon: opening.Icon, Name: text, Note: opening.Name, Path: path}
		return of, nil
	}
	of.belonging, err = p.belonging(v, &of.Found, text)
	return of, err
}

// items are the records themselves, without what belongs to them.
func (of *findings) items(v *page.Request) (all []kit.PaletteItem) {
	if of.opened != nil {
		return []kit.PaletteItem{*of.opened}
	}
	for _, h := range of.Homes[:min(len(of.Homes), most)] {
		all = append(all, item(v, id.Unit, h.Unit.ID, h.Street(), page.UnitStandings[h.Unit.Status].Text))
	}
	for i := range of.Tenants {
		all = append(all, item(v, id.Tenant, of.Tenants[i].ID, of.Tenants[i].Name, ""))
	}
	for i := range of.Properties {
		all = append(all, item(v, id.Property, of.Properties[i].ID, page.Street(&of.Properties[i]), ""))
	}
	return all
}

// item is a record as the palette shows it.
func item(v *page.Request, prefix, key, name, note string) kit.PaletteItem {
	k := kinds[prefix]
	if note != "" {
		note = " · " + note
	}
	return kit.PaletteItem{Icon: k.Icon, Name: name, Note: k.Name + note, Path: v.In(k.Path + key)}
}

// few is how many of each kind are offered of what belongs to the tenants and properties that were found.
const few = 3

// belonging adds tickets whose title has the words of a text, and leases, tickets and charges of the tenants
// and properties that were found: the newest leases and tickets, and what is overdue before other charges.
func (p *Section) belonging(v *page.Request, of *property.Found, text string) (all []kit.PaletteItem, err error) {
	add := func(prefix, key, name, note string) { all = append(all, item(v, prefix, key, name, note)) }
	named := &portfolio.Named{}
	for i := range of.Tenants {
		named.TenantIDs = append(named.TenantIDs, of.Tenants[i].ID)
	}
	for i := range of.Properties {
		named.PropertyIDs = append(named.PropertyIDs, of.Properties[i].ID)
	}
	if named.Titles, err = p.Portfolio.Finder.Titles(v.Ctx(), v.Actor(), text); err != nil {
		return nil, err
	}
	if len(named.TenantIDs)+len(named.PropertyIDs) == 0 && named.Titles == nil {
		return nil, nil
	}
	q := list.Query{Limit: few, Newest: true}
	ctx, by := v.Ctx(), v.Actor()
	charged := page.Meanwhile(func() (*list.Page[portfolio.Payment], error) {
		late := q
		late.Sort = portfolio.OverdueFirst
		return p.Portfolio.Ledger.Payments(ctx, by, portfolio.PaymentFilter{Query: late, Named: named})
	})
	leases, err := p.Portfolio.Leases.Leases(ctx, by, portfolio.LeaseFilter{Query: q, Named: named})
	if err != nil {
		return nil, err
	}
	for i := range leases.Data {
		l := &leases.Data[i]
		add(id.Lease, l.ID, l.RentalAddress, page.LeaseStatuses[l.Status].Text)
	}
	tickets, err := p.Portfolio.Tickets.Tickets(ctx, by, portfolio.TicketFilter{Query: q, Named: named})
	if err != nil {
		return nil, err
	}
	for i := range tickets.Data {
		t := &tickets.Data[i]
		add(id.Ticket, t.ID, t.Title, page.TicketStatuses[t.Status].Text)
	}
	charges, err := charged()
	if err != nil {
		return nil, err
	}
	for i := range charges.Data {
		c := &charges.Data[i]
		add(id.Payment, c.ID, page.ChargeName(c)+" · "+c.Amount.Dollars(), page.ChargeStatus(c).Text)
	}
	return all, nil
}
