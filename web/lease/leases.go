package lease

import (
	"fmt"
	"strconv"
	"strings"

	"portal/api/id"
	"portal/api/list"
	"portal/api/portfolio"
	"portal/api/portfolio/lease/terms"
	"portal/views/kit"
	views "portal/views/lease"
	"portal/web/page"
	"portal/web/unitpicker"
)

// leasePages is the pages of leases.
type leasePages struct{ *Section }

func (p *leasePages) routes() []page.Route {
	return []page.Route{
		page.Get("/{mode}/leases", page.Member, p.leases),
		page.Get("/{mode}/leases/new", page.Member, p.pickUnit),
		page.Get("/{mode}/leases/:id", page.Member, p.lease),
		page.Get("/{mode}/leases/:id/edit", page.Member, p.editLease),
		page.Post("/{mode}/leases/:id/edit", page.Member, p.changeLease),
		page.Get("/{mode}/leases/:id/terminate", page.Member, p.askTerminate),
		page.Post("/{mode}/leases/:id/terminate", page.Member, p.terminate),
		page.Get("/{mode}/leases/:id/void", page.Member, p.askVoid),
		page.Post("/{mode}/leases/:id/void", page.Member, p.voidLease),
	}
}

// pickUnit asks for which unit a lease is generated, and leads on to the form.
func (p *leasePages) pickUnit(v *page.Request) error {
	if unit := v.Form().Text("unit_id"); id.Valid(id.Unit, unit) {
		return v.SeeOther(v.In("/leases/generate?unit_id=" + unit))
	}
	back := kit.Link{Name: "Leases", Path: v.In("/leases")}
	heading := kit.Heading{Title: "Generate a lease", About: "For which home?", Back: back}
	return unitpicker.Picker{Portfolio: p.Portfolio}.Pick(v, heading, "/leases/new")
}

func (p *leasePages) leases(v *page.Request) error {
	t, f := v.Cursor(), v.Form()
	filter := portfolio.LeaseFilter{
		Query:        page.NewestFirst(t, id.Lease),
		Status:       portfolio.LeaseStatus(f.Among("status", portfolio.LeaseStatus("").Values())),
		PropertyID:   f.ID("property_id", id.Property),
		UnitID:       f.ID("unit_id", id.Unit),
		TenantID:     f.ID("tenant_id", id.Tenant),
		EndingBefore: f.Day("ending_before"),
		EndingAfter:  f.Day("ending_after"),
	}
	found, err := p.Portfolio.Leases.Leases(v.Ctx(), v.Actor(), filter)
	if err != nil {
		return err
	}
	of, err := page.Narrowed(v, p.Portfolio.Finder, filter.PropertyID, filter.UnitID, filter.TenantID)
	if err != nil {
		return err
	}
	view := views.Leases{
		Frame:   v.Frame("Leases"),
		Of:      of,
		Pages:   t.Pages(page.OrEmpty(found.NextCursor)),
		Filters: v.Filters("Filter the leases", "/leases", leaseFields(f)),
	}
	if p.Served("/{mode}/properties") {
		view.Properties = v.In("/properties")
	}
	for i := range found.Data {
		view.Leases = append(view.Leases, leaseLine(v, &found.Data[i]))
	}
	return v.Show(views.LeasesPage(view))
}

func leaseFields(f *page.Form) []kit.Field {
	return append([]kit.Field{
		{
			Name:    "status",
			Label:   "Status",
			Kind:    "select",
			Choices: page.Choices(portfolio.LeaseStatus("").Values(), "", "All"),
		},
		{Name: "ending_after", Label: "Ends after", Kind: "date"},
		{Name: "ending_before", Label: "Ends before", Kind: "date"},
	}, page.RefFields(f, "property_id", "unit_id", "tenant_id")...)
}

func leaseLine(v *page.Request, l *portfolio.Lease) views.Line {
	names := make([]string, len(l.Tenants))
	for i, t := range l.Tenants {
		names[i] = t.Name
	}
	return views.Line{
		Path:    v.In("/leases/" + l.ID),
		Address: l.RentalAddress,
		Tenants: strings.Join(names, ", "),
		Status:  page.LeaseStatus(l.Status),
		Dates:   page.TermOf(l),
		Rent:    l.MonthlyRent.Words(),
		Ends:    ends(l.DaysUntilEnd),
	}
}

// ends says in how many days a lease ends, "" where that is not known.
func ends(days *int) string {
	switch {
	case days == nil:
		return ""
	case *days == 0:
		return "today"
	case *days < 0:
		return "over"
	}
	return "in " + page.Counted(*days, "day")
}

// leaseHere is the lease of the address.
func (p *leasePages) leaseHere(v *page.Request) (*portfolio.Lease, error) {
	name, err := v.PathID(id.Lease)
	if err != nil {
		return nil, err
	}
	return p.Portfolio.Leases.Lease(v.Ctx(), v.Actor(), name)
}

func (p *leasePages) lease(v *page.Request) error {
	l, err := p.leaseHere(v)
	if err != nil {
		return err
	}
	names, err := p.Portfolio.Finder.Called(v.Ctx(), v.Actor(), l.PropertyID, l.UnitID)
	if err != nil {
		return err
	}
	rows, err := p.Portfolio.Ledger.Payments(v.Ctx(), v.Actor(), portfolio.PaymentFilter{
		Query:   list.Query{Limit: page.ListSize, Newest: true},
		LeaseID: l.ID,
	})
	if err != nil {
		return err
	}
	at := v.In("/leases/" + l.ID)
	view := views.Lease{
		Record: kit.Record{
			Frame: v.Frame(l.RentalAddress),
			Heading: kit.Heading{
				Title: l.RentalAddress,
				About: page.TermOf(l),
				Back:  kit.Link{Name: "Leases", Path: v.In("/leases")},
			},
			Edit:    at + "/edit",
			Actions: p.leaseActions(v, l),
			Terms:   leaseTerms(v, l, names),
		},
		Parties: partiesOf(v, l),
		All:     v.In("/ledger?lease_id=" + l.ID),
	}
	if l.Binding() {
		view.Charge = at + "/charge"
	}
	if err := p.withDocument(v, l, &view); err != nil {
		return err
	}
	for i := range rows.Data {
		view.Rows = append(view.Rows, page.ChargeLine(v, &rows.Data[i], nil))
	}
	return v.Show(views.LeasePage(view))
}

func (p *leasePages) leaseActions(v *page.Request, l *portfolio.Lease) (all []kit.Link) {
	at := v.In("/leases/" + l.ID)
	if mayRenew(l) {
		all = append(all, kit.Link{
			Name: "Renew",
			Path: v.In("/leases/generate?unit_id=" + l.UnitID + "&renews_lease_id=" + l.ID),
		})
	}
	if l.May(portfolio.LeaseTerminated) {
		all = append(all, kit.Link{Name: "Terminate", Path: at + "/terminate"})
	}
	if l.May(portfolio.LeaseVoided) {
		all = append(all, kit.Link{Name: "Void lease…", Path: at + "/void"})
	}
	return all
}

func partiesOf(v *page.Request, l *portfolio.Lease) (all []views.Party) {
	without := "not kept here"
	if !l.Binding() {
		without = "not yet"
	}
	for i := range l.Tenants {
		t := &l.Tenants[i]
		all = append(all, views.Party{
			Tenant: kit.Link{Name: t.Name, Path: v.PathTo("tenants", &t.ID)},
			Role:   page.Label(t.Role),
			Signed: v.TimeOr(t.SignedAt, without),
		})
	}
	return all
}

// leaseTerms are all fields of a lease.
func leaseTerms(v *page.Request, l *portfolio.Lease, names map[string]string) []kit.Term {
	all := []kit.Term{
		{Name: "Status", Status: page.LeaseStatus(l.Status), Note: ends(l.DaysUntilEnd)},
		{
			Name: "Property",
			Text: page.Called(names, l.PropertyID),
			Path: v.PathTo("properties", &l.PropertyID),
		},
		{Name: "Unit", Text: page.Called(names, l.UnitID), Path: v.PathTo("units", &l.UnitID)},
		{Name: "Type", Text: page.LeaseTypes[l.LeaseType]},
		{Name: "First day", Text: page.Date(l.StartDate)},
		{Name: "Last day", Text: page.DateOr(l.EndDate)},
		{
			Name: "Monthly rent",
			Text: l.MonthlyRent.Words(),
			Note: "due on day " + strconv.Itoa(l.RentDueDay) + " of the month",
		},
		{Name: "Deposit", Text: l.SecurityDeposit.Words()},
		{Name: "Late fee", Text: lateFee(l)},
		{Name: "Moved in", Text: page.DateOr(l.MoveInDate)},
		{Name: "Notice given", Text: page.DateOr(l.NoticeGivenDate)},
		{Name: "Moves out", Text: page.DateOr(l.MoveOutDate)},
	}
	if l.TerminatedOn != nil {
		all = append(
			all,
			kit.Term{Name: "Ended early on", Text: page.Date(*l.TerminatedOn)},
			kit.Term{Name: "Reason", Text: page.OrEmpty(l.TerminationReason)},
		)
	}
	if l.RenewedFromLeaseID != nil {
		all = append(all, kit.Term{
			Name: "Renews",
			Text: "the lease before",
			Path: v.PathTo("leases", l.RenewedFromLeaseID),
		})
	}
	if l.RenewedToLeaseID != nil {
		all = append(all, kit.Term{
			Name: "Renewed by",
			Text: "the lease after",
			Path: v.PathTo("leases", l.RenewedToLeaseID),
		})
	}
	return append(all, documentTerms(v, l)...)
}

func documentTerms(v *page.Request, l *portfolio.Lease) (all []kit.Term) {
	if l.DocumentURL != nil {
		text := "The lease as PDF"
		if l.SignedAt != nil {
			text = "The signed lease as PDF"
		}
		all = append(all, kit.Term{Name: "Document", Text: text, Path: *l.DocumentURL})
	}
	if l.ExpiresAt != nil {
		all = append(all, kit.Term{Name: "Sign by", Time: v.Time(*l.ExpiresAt)})
	}
	if l.SignedAt != nil {
		all = append(all, kit.Term{Name: "Signed by all", Time: v.Time(*l.SignedAt)})
	}
	if l.DocumentSHA256 != nil {
		all = append(all, kit.Term{Name: "SHA-256 of the signed lease", Text: *l.DocumentSHA256, ID: true})
	}
	return append(all, page.RecordTerms(v, &l.Record)...)
}

func lateFee(l *portfolio.Lease) string {
	if l.LateFeeAmount == nil {
		return ""
	}
	fee := l.LateFeeAmount.Words()
	if l.Terms.LateFeeFrequency == terms.Daily {
		fee += " a day"
	}
	if l.LateFeeGraceDays == nil {
		return fee
	}
	return fmt.Sprintf("%s, %s after the rent is due", fee, page.Counted(*l.LateFeeGraceDays, "day"))
}
