// Package palette answers what somebody types into the palette: pages, actions, records of their
// portfolio and pages of the documentation, as a list that a script shows.
//
// It knows no other section and no SQL.
package palette

import (
	"net/http"
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

// Section is the palette.
type Section struct {
	*page.Shell
	Config
}

// Config is where the palette looks.
type Config struct {
	Portfolio *records.Service
	// Places finds at most so many pages of the documentation by words, the best first.
	Places func(words string, most int) []kit.PaletteItem
}

// New makes the palette.
func New(shell *page.Shell, c Config) *Section { return &Section{shell, c} }

// Routes is the one address of the palette.
func (p *Section) Routes() []page.Route {
	return []page.Route{page.Get("/{mode}/palette", page.Member, p.answer)}
}

// actions are what somebody may do from every page, as far as there are such pages.
var actions = page.NavGroup{Title: "Actions", Items: []page.NavItem{
	{Path: "/test/demo", Icon: "zap", Name: "Trigger test event"},
	{Path: "/keys/new", Icon: "key-round", Name: "Create API key"},
	{Path: "/{mode}/webhooks/new", Icon: "webhook", Name: "Add endpoint"},
	{Path: "/{mode}/properties/new", Icon: "building-2", Name: "Add property"},
	{Path: "/{mode}/leases/new", Icon: "file-text", Name: "Create lease"},
	{Path: "/{mode}/ledger/new", Icon: "receipt", Name: "Add charge"},
	{Path: "/{mode}/tickets/new", Icon: "wrench", Name: "Create ticket"},
	{Path: "/{mode}/applications/new", Icon: "user-plus", Name: "Invite applicant"},
	{Path: "/team/invite", Icon: "users-round", Name: "Invite teammate"},
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
		found, err := p.found(v, text)
		if err != nil {
			return err
		}
		all = append(all, found)
	}
	for _, g := range page.Reachable([]page.NavGroup{actions}, expanded(v)) {
		all = append(all, matching("Actions", []kit.NavGroup{frame.Listed(v, g)}, text))
	}
	all = append(all, matching("Pages", v.Frame("").Navigation, text))
	if text != "" {
		all = append(all, kit.PaletteGroup{Title: "Docs", Items: p.Places(text, most)})
	}
	return v.Show(kit.PaletteAnswer(all))
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

// found are the properties, tenants and tickets that a text finds with what belongs to them, or the record of an id.
func (p *Section) found(v *page.Request, text string) (kit.PaletteGroup, error) {
	of := kit.PaletteGroup{Title: "Records"}
	found, err := p.Portfolio.Finder.Search(v.Ctx(), v.Actor(), text, most)
	if err != nil {
		return of, err
	}
	add := func(prefix, key, name, note string) {
		k := kinds[prefix]
		if note != "" {
			note = " · " + note
		}
		of.Items = append(of.Items, kit.PaletteItem{
			Icon: k.Icon, Name: name, Note: k.Name + note, Path: v.In(k.Path + key),
		})
	}
	if found.Prefix != "" {
		add(found.Prefix, text, text, "")
	}
	opening, path, err := v.Opening(text)
	if err != nil {
		return of, err
	}
	if path != "" {
		of.Items = append(of.Items, kit.PaletteItem{Icon: opening.Icon, Name: text, Note: opening.Name, Path: path})
	}
	for i := range found.Tenants {
		add(id.Tenant, found.Tenants[i].ID, found.Tenants[i].Name, "")
	}
	for i := range found.Properties {
		add(id.Property, found.Properties[i].ID, page.Street(&found.Properties[i]), "")
	}
	err = p.belonging(v, found, text, add)
	return of, err
}

// few is how many of each kind are offered of what belongs to the tenants and properties that were found.
const few = 3

// belonging adds tickets whose title has the words of a text, and leases, tickets and charges of the tenants
// and properties that were found: the newest leases and tickets, and what is overdue before other charges.
func (p *Section) belonging(
	v *page.Request, of property.Found, text string, add func(prefix, key, name, note string),
) error {
	named := &portfolio.Named{}
	for i := range of.Tenants {
		named.TenantIDs = append(named.TenantIDs, of.Tenants[i].ID)
	}
	for i := range of.Properties {
		named.PropertyIDs = append(named.PropertyIDs, of.Properties[i].ID)
	}
	if of.Prefix == "" {
		var err error
		if named.Titles, err = p.Portfolio.Finder.Titles(v.Ctx(), v.Actor(), text); err != nil {
			return err
		}
	}
	if len(named.TenantIDs)+len(named.PropertyIDs) == 0 && named.Titles == nil {
		return nil
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
		return err
	}
	for i := range leases.Data {
		l := &leases.Data[i]
		add(id.Lease, l.ID, l.RentalAddress, page.LeaseStatuses[l.Status].Text)
	}
	tickets, err := p.Portfolio.Tickets.Tickets(ctx, by, portfolio.TicketFilter{Query: q, Named: named})
	if err != nil {
		return err
	}
	for i := range tickets.Data {
		t := &tickets.Data[i]
		add(id.Ticket, t.ID, t.Title, page.TicketStatuses[t.Status].Text)
	}
	charges, err := charged()
	if err != nil {
		return err
	}
	for i := range charges.Data {
		c := &charges.Data[i]
		add(id.Payment, c.ID, page.ChargeName(c)+" · "+c.Amount.Dollars(), page.ChargeStatus(c).Text)
	}
	return nil
}
