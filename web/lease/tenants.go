package lease

import (
	"net/url"
	"strings"

	"portal/api/id"
	"portal/api/list"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/views/kit"
	"portal/web/listing"
	"portal/web/page"
	"portal/web/related"
)

// tenantPages is the pages of tenants.
type tenantPages struct{ *Section }

func (p *tenantPages) routes() []page.Route {
	of := page.With(id.Tenant, p.Portfolio.Tenants.Tenant)
	return append([]page.Route{
		page.Get("/{mode}/tenants", page.Member, p.tenants),
		page.Get("/{mode}/tenants.csv", page.Member, p.exportTenants),
		page.Get("/{mode}/tenants/new", page.Member, p.addTenant),
		page.Post("/{mode}/tenants/new", page.Member, p.addTenant).Once(),
		page.Get("/{mode}/tenants/unit", page.Member, p.pickTenantUnit),
		page.Post("/{mode}/tenants/unit", page.Member, p.leaveForUnit),
		page.Get("/{mode}/tenants/:id", page.Member, of(p.tenant)),
		page.Get("/{mode}/tenants/:id/edit", page.Member, of(p.editTenant)),
		page.Post("/{mode}/tenants/:id/edit", page.Member, of(p.editTenant)),
	}, p.pageRoutes()...)
}

// tenantFilter is what the address asks for of the list.
func tenantFilter(v *page.Request) portfolio.TenantFilter {
	f := v.Form()
	return portfolio.TenantFilter{
		Query:      listing.Query(v, id.Tenant, portfolio.TenantSorts()),
		Search:     f.SearchText(),
		Status:     portfolio.TenantStatus(f.Among("status", portfolio.TenantStatus("").Values())),
		Email:      page.Clip(f.Printable("email"), 254),
		PropertyID: f.ID("property_id", id.Property),
		UnitID:     f.ID("unit_id", id.Unit),
	}
}

// tenantParts are the tabs of the list.
var tenantParts = []listing.Part{
	{Name: "Current", Status: string(portfolio.TenantCurrent)},
	{Name: "Notice given", Status: string(portfolio.TenantNotice)},
	{Name: "Future", Status: string(portfolio.TenantFuture)},
	{Name: "Prospects", Status: string(portfolio.TenantProspect)},
	{Name: "Past", Status: string(portfolio.TenantPast)},
}

func (p *tenantPages) tenants(v *page.Request) error {
	filter := tenantFilter(v)
	ctx, by := v.Ctx(), v.Actor()
	found, counts, err := page.Both(
		func() (*list.Page[portfolio.Tenant], error) { return p.Portfolio.Tenants.Tenants(ctx, by, filter) },
		func() (list.Counts[portfolio.TenantStatus], error) {
			return p.Portfolio.Tenants.TenantCounts(ctx, by, filter)
		},
	)
	if err != nil {
		return err
	}
	homes, err := p.homesOf(v, found.Data)
	if err != nil {
		return err
	}
	balances, err := p.tenantBalances(v, found.Data)
	if err != nil {
		return err
	}
	fields, err := p.tenantFields(v, filter)
	if err != nil {
		return err
	}
	view := listing.List{
		Title: "Tenants", Path: "/tenants", Ask: "Filter the tenants", Fields: fields, Orders: portfolio.TenantSorts(),
	}.View(v)
	view.Primary = kit.Action{Name: "Add tenant", Path: v.In("/tenants/new"), Icon: "plus"}
	if v.Shell.Served("/{mode}/applications/new") {
		view.Other = append(
			view.Other,
			kit.Action{Name: "Invite applicant", Path: v.In("/applications/new"), Icon: "user-plus"},
		)
	}
	view.Tabs = listing.Tabs(v, view.Filters, tenantParts, counts)
	view.Grid = kit.GridOf(kit.Table{
		Caption: "Tenants",
		Columns: []kit.Column{
			{Name: "Name"},
			{Name: "Email", Card: kit.CardHidden},
			{Name: "Phone", Width: kit.Medium, Card: kit.CardAmount},
			{Name: "Home", Card: kit.CardDetail},
			{Name: "Status", Width: kit.Medium},
			{Name: "Balance", Right: true, Width: kit.Date}, // on a card only where there is one
		},
		Pages: listing.Pages(v, found.NextCursor, len(found.Data), counts),
		Empty: listing.Empty(view.Filters, "tenants", noTenants(v)),
	}, found.Data, func(x *portfolio.Tenant) []kit.Cell {
		home := page.HomeCell(v, x, homes)
		home.Text, home.Tail = related.CutUnit(home.Text)
		home.Note = ""
		return []kit.Cell{
			{Text: x.Name, Path: v.In("/tenants/" + x.ID)},
			{Text: page.OrEmpty(x.Email)},
			{Text: page.Phone(x.Phone)},
			home,
			{Status: page.TenantStatuses[x.Status]},
			balanceCell(balances[x.ID]),
		}
	})
	listing.Searched(v, &view, found.NextCursor, len(found.Data))
	return v.Show(kit.ListingPage(view))
}

// tenantFields ask which tenants are listed.
func (p *tenantPages) tenantFields(v *page.Request, filter portfolio.TenantFilter) ([]kit.Field, error) {
	given, err := related.Given(v, p.Portfolio.Finder, filter.PropertyID, filter.UnitID)
	return append([]kit.Field{
		{Name: "search", Label: "Name, email, or phone", Kind: "search"},
		listing.Status(v, tenantParts, nil),
	}, given...), err
}

// noTenants is what the list says before there is a tenant.
func noTenants(v *page.Request) kit.Empty {
	e := kit.Empty{
		Title:  "No tenants yet",
		Words:  "Add one, import a rent roll, or accept an application.",
		Action: kit.Link{Name: "View properties", Path: v.In("/properties")},
	}
	if v.Shell.Served("/{mode}/import") {
		e.Action = kit.Link{Name: "Import rent roll", Path: v.In("/import")}
	}
	return e
}

// homesOf are the homes of tenants, read together.
func (p *tenantPages) homesOf(v *page.Request, tenants []portfolio.Tenant) (map[string]*portfolio.Home, error) {
	return p.Portfolio.Homes.Homes(v.Ctx(), v.Actor(), page.UnitsOf(tenants))
}

func (p *tenantPages) tenant(v *page.Request, x *portfolio.Tenant) error {
	homes, err := p.homesOf(v, []portfolio.Tenant{*x})
	if err != nil {
		return err
	}
	balances, err := p.tenantBalances(v, []portfolio.Tenant{*x})
	if err != nil {
		return err
	}
	owner := related.Owner{Path: "/tenants/" + x.ID, TenantID: x.ID}
	belongs := related.Source{Portfolio: p.Portfolio}
	tabs, part, err := belongs.Tabs(v, owner)
	if err != nil {
		return err
	}
	view := kit.Detail{Record: tenantRecord(v, x, homes, balances[x.ID], tabs)}
	if part != nil {
		view.Parts = []kit.RelatedTable{*part}
		return v.Show(kit.DetailPage(view))
	}
	if view.Parts, err = belongs.Latest(v, owner); err != nil {
		return err
	}
	if view.Panels, err = p.pagePanels(v, x); err != nil {
		return err
	}
	return v.Show(kit.DetailPage(view))
}

// tenantRecord is what a tenant’s page says of them.
func tenantRecord(
	v *page.Request, t *portfolio.Tenant, homes map[string]*portfolio.Home, balance money.Cents, tabs []kit.Tab,
) kit.Record {
	home := page.HomeCell(v, t, homes)
	about := home.Text
	if home.Note != "" {
		about += ", " + home.Note
	}
	r := kit.Record{
		Frame:   v.Frame(t.Name),
		Heading: kit.Heading{Title: t.Name, About: about, Status: page.TenantStatuses[t.Status]},
		Edit:    v.In("/tenants/" + t.ID + "/edit"),
		Facts:   tenantFacts(v, t, home, balance),
		Tabs:    tabs,
	}
	if v.Shell.Served("/{mode}/tickets/new") {
		r.Primary = kit.Action{
			Name: "Open ticket", Path: v.In("/tickets/new?tenant_id=" + t.ID), Icon: "wrench",
		}
	}
	create := v.In("/leases/new?tenant_id=" + t.ID)
	if t.UnitID != nil {
		create = generateAt(v, *t.UnitID, url.Values{"tenant_id": {t.ID}})
	}
	r.Menu = append(r.Menu, kit.Action{Name: "Create lease", Path: create, Icon: "file-text"})
	if t.Status == portfolio.TenantProspect { // a lease is what comes next
		r.Menu = r.Menu[:len(r.Menu)-1]
		if r.Primary.Path != "" {
			r.Menu = append(r.Menu, r.Primary)
		}
		r.Primary = kit.Action{Name: "Create lease", Path: create, Icon: "plus"}
	}
	return r
}

func tenantFacts(v *page.Request, t *portfolio.Tenant, home kit.Cell, balance money.Cents) []kit.Facts {
	return []kit.Facts{
		{Title: "Contact", Terms: []kit.Term{
			{Name: "Email", Text: page.OrEmpty(t.Email)},
			{Name: "Phone", Text: page.Phone(t.Phone)},
			{Name: "Other email", Text: page.OrEmpty(t.AlternateEmail)},
			{Name: "Other phone", Text: page.Phone(t.AlternatePhone)},
			{Name: "Prefers", Text: contactMethod(t.PreferredContactMethod)},
			{Name: "Mailing address", Text: mailingAddress(t.MailingAddress)},
			{Name: "Emergency contact", Text: emergencyContact(t.EmergencyContact)},
		}},
		{Title: "Home", Terms: []kit.Term{
			{Name: "Unit", Text: home.Text, Path: home.Path, Note: home.Note},
			{Name: "Moved in", Text: page.DateOr(t.MoveInDate)},
			{Name: "Moved out", Text: page.DateOr(t.MoveOutDate)},
			{Name: "Balance", Text: balance.Dollars(), Note: balanceNote(balance)},
		}},
		page.RecordFacts(v, &t.Record),
	}
}

var contactMethods = map[portfolio.ContactMethod]string{"email": "Email", "sms": "Text message", "phone": "Phone"}

func contactMethod(m *portfolio.ContactMethod) string {
	if m == nil {
		return ""
	}
	return contactMethods[*m]
}

func mailingAddress(a *portfolio.MailingAddress) string {
	if a == nil {
		return ""
	}
	return listed(
		a.StreetAddress,
		page.OrEmpty(a.StreetAddress2),
		a.City,
		strings.TrimSpace(string(a.State)+" "+page.OrEmpty(a.PostalCode)),
	)
}

func emergencyContact(c *portfolio.EmergencyContact) string {
	if c == nil {
		return ""
	}
	return listed(c.Name, page.OrEmpty(c.Relationship), page.Phone(c.Phone), page.OrEmpty(c.Email))
}

// listed are the texts that are there, behind each other.
func listed(texts ...string) string {
	var there []string
	for _, s := range texts {
		if s != "" {
			there = append(there, s)
		}
	}
	return strings.Join(there, ", ")
}
