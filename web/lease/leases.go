package lease

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"portal/api/id"
	"portal/api/list"
	"portal/api/portfolio"
	"portal/api/portfolio/lease/terms"
	"portal/views/kit"
	views "portal/views/lease"
	"portal/web/listing"
	"portal/web/page"
	"portal/web/related"
)

// leasePages is the pages of leases.
type leasePages struct{ *Section }

func (p *leasePages) routes() []page.Route {
	of := page.With(id.Lease, p.Portfolio.Leases.Lease)
	return []page.Route{
		page.Get("/{mode}/leases", page.Member, p.leases),
		page.Get("/{mode}/leases.csv", page.Member, p.exportLeases),
		page.Get("/{mode}/leases/new", page.Member, p.pickUnit),
		page.Get("/{mode}/leases/:id", page.Member, of(p.lease)),
		page.Get("/{mode}/leases/:id/edit", page.Member, of(p.editLease)),
		page.Post("/{mode}/leases/:id/edit", page.Member, of(p.editLease)),
		page.Get("/{mode}/leases/:id/lead", page.Member, of(p.stateLead)),
		page.Post("/{mode}/leases/:id/lead", page.Member, of(p.stateLead)),
		page.Get("/{mode}/leases/:id/extend", page.Member, of(p.extend)),
		page.Post("/{mode}/leases/:id/extend", page.Member, of(p.extend)),
		page.Get("/{mode}/leases/:id/terminate", page.Member, of(p.terminate)),
		page.Post("/{mode}/leases/:id/terminate", page.Member, of(p.terminate)),
		page.Get("/{mode}/leases/:id/people", page.Member, of(p.draftPeople)),
		page.Post("/{mode}/leases/:id/people", page.Member, of(p.draftPeople)),
		page.Get("/{mode}/leases/:id/money", page.Member, of(p.draftMoney)),
		page.Post("/{mode}/leases/:id/money", page.Member, of(p.draftMoney)),
		page.Get("/{mode}/leases/:id/law", page.Member, of(p.draftLaw)),
		page.Post("/{mode}/leases/:id/law", page.Member, of(p.draftLaw)),
		page.Get("/{mode}/leases/:id/review", page.Member, of(p.draftReview)),
		page.Get("/{mode}/leases/:id/restart", page.Member, of(p.restart)),
		page.Post("/{mode}/leases/:id/restart", page.Member, of(p.restart)),
		page.Get("/{mode}/leases/:id/void", page.Member, of(p.voidLease)),
		page.Post("/{mode}/leases/:id/void", page.Member, of(p.voidLease)),
	}
}

// pickUnit asks for which unit a lease is generated, and leads on to the form with the tenant whom the address
// names.
func (p *leasePages) pickUnit(v *page.Request) error {
	with := url.Values{}
	if tenant := v.Form().Text("tenant_id"); id.Valid(id.Tenant, tenant) {
		with.Set("tenant_id", tenant)
	}
	if unit := v.Form().Text("unit_id"); id.Valid(id.Unit, unit) {
		return v.SeeOther(generateAt(v, unit, with))
	}
	back := kit.Link{Name: "Leases", Path: v.In("/leases")}
	heading := kit.Heading{Title: "Create lease", About: "Choose the home.", Back: back}
	return related.UnitPicker{Portfolio: p.Portfolio, With: with}.Pick(v, heading, "/leases/new")
}

// generateAt is the address of the form of a unit with what it is to be filled with.
func generateAt(v *page.Request, unit string, with url.Values) string {
	at := v.In("/leases/generate?unit_id=" + unit)
	if len(with) > 0 {
		at += "&" + with.Encode()
	}
	return at
}

// leaseFilter is what the address asks for of the list.
func (p *leasePages) leaseFilter(v *page.Request) (portfolio.LeaseFilter, error) {
	f := v.Form()
	named, err := related.Named(v, p.Portfolio.Finder)
	filter := portfolio.LeaseFilter{
		Named:        named,
		Query:        listing.Query(v, id.Lease, portfolio.LeaseSorts()),
		Status:       portfolio.LeaseStatus(f.Among("status", portfolio.LeaseStatus("").Values())),
		PropertyID:   f.ID("property_id", id.Property),
		UnitID:       f.ID("unit_id", id.Unit),
		TenantID:     f.ID("tenant_id", id.Tenant),
		EndingBefore: f.Day("ending_before"),
		EndingAfter:  f.Day("ending_after"),
	}
	switch f.Text("with") {
	case "pets":
		filter.HasPets = new(true)
	case "vehicles":
		filter.HasVehicles = new(true)
	case "utilities":
		filter.HasUtilities = new(true)
	case "co_owners":
		filter.HasCoOwners = new(true)
	case "guarantors":
		filter.HasGuarantors = new(true)
	}
	return filter, err
}

// leaseParts are the tabs of the list.
var leaseParts = []listing.Part{
	{Name: "Active", Status: string(portfolio.LeaseActive)},
	{Name: "Out for signature", Status: string(portfolio.LeasePendingSignature)},
	{Name: "Signed", Status: string(portfolio.LeaseSigned)},
	{Name: "Drafts", Status: string(portfolio.LeaseDraft)},
	{Name: "Expired", Status: string(portfolio.LeaseExpired)},
}

func (p *leasePages) leases(v *page.Request) error {
	filter, err := p.leaseFilter(v)
	if err != nil {
		return err
	}
	found, err := p.Portfolio.Leases.Leases(v.Ctx(), v.Actor(), filter)
	if err != nil {
		return err
	}
	counts, err := related.Counts(filter.Named, func() (list.Counts[portfolio.LeaseStatus], error) {
		return p.Portfolio.Leases.LeaseCounts(v.Ctx(), v.Actor(), filter)
	})
	if err != nil {
		return err
	}
	fields, err := p.leaseFields(v, filter)
	if err != nil {
		return err
	}
	view := listing.List{
		Title: "Leases", Path: "/leases", Ask: "Filter the leases", Fields: fields, Orders: portfolio.LeaseSorts(),
	}.View(v)
	view.Primary = kit.Action{Name: "Create lease", Path: v.In("/leases/new"), Icon: "plus"}
	view.Other = []kit.Action{
		{Name: "Library", Path: v.In(libraryAt)}, {Name: "Templates", Path: v.In(templatesAt)},
	}
	if view.Note = related.Note(filter.Named); view.Note != "" {
		view.Export = ""
	}
	view.Tabs = listing.Tabs(v, view.Filters, leaseParts, counts)
	view.Grid = kit.GridOf(leaseTable(v, view.Filters), found.Data, func(l *portfolio.Lease) []kit.Cell {
		return leaseLine(v, l)
	})
	view.Grid.Pages = listing.Pages(v, found.NextCursor, len(found.Data), counts)
	return v.Show(kit.ListingPage(view))
}

func (p *leasePages) leaseFields(v *page.Request, filter portfolio.LeaseFilter) ([]kit.Field, error) {
	given, err := related.Given(v, p.Portfolio.Finder, filter.PropertyID, filter.UnitID, filter.TenantID)
	return append([]kit.Field{
		related.Search(),
		listing.Status(v, leaseParts, portfolio.LeaseStatus("").Values()),
		{Name: "with", Label: "With", Kind: "select", Choices: []kit.Choice{
			{Label: "All"},
			{Value: "pets", Label: "Pets"},
			{Value: "vehicles", Label: "Vehicles"},
			{Value: "utilities", Label: "Utilities"},
			{Value: "co_owners", Label: "Co-owners"},
			{Value: "guarantors", Label: "Guarantors"},
		}},
		{Name: "ending_after", Label: "After", Kind: "date", Group: "Ends"},
		{Name: "ending_before", Label: "Before", Kind: "date", Group: "Ends"},
	}, given...), err
}

func leaseTable(v *page.Request, f kit.Filters) kit.Table {
	empty := kit.Empty{
		Title:  "No leases yet",
		Words:  "Create a lease, import a rent roll, or accept an application.",
		Action: kit.Link{Name: "Create lease", Path: v.In("/leases/new")},
	}
	return kit.Table{
		Caption: "Leases",
		Empty:   listing.Empty(f, "leases", empty),
		Columns: []kit.Column{
			{Name: "Tenants"},
			{Name: "Unit", Card: kit.CardDetail},
			{Name: "Status", Width: kit.Medium},
			{Name: "Term", Width: kit.Long, Card: kit.CardHidden},
			{Name: "Rent / month", Right: true, Width: kit.Date, Card: kit.CardAmount},
			{Name: "Balance", Right: true, Width: kit.Date}, // on a card only where there is one
			{
				Name:  "Ends in",
				Right: true,
				Width: kit.Short,
				Card:  kit.CardAmount,
			}, // on a card only to continue a draft
		},
	}
}

func leaseLine(v *page.Request, l *portfolio.Lease) []kit.Cell {
	place := kit.Cell{Path: v.PathTo("units", &l.UnitID)}
	place.Text, _ = related.Place(l.RentalAddress)
	place.Text, place.Tail = related.CutUnit(place.Text)
	balance := kit.Cell{Off: true}
	if l.Binding() { // nothing is charged before
		balance = balanceCell(l.BalanceDue)
	}
	who := kit.Cell{Text: tenantNames(l), Path: v.In("/leases/" + l.ID), Cut: true, None: "No tenants"}
	return []kit.Cell{
		who,
		place,
		{Status: page.LeaseStatuses[l.Status]},
		{Text: related.Term(l)},
		{Text: l.MonthlyRent.Dollars(), Off: isDraft(l)},
		balance,
		endOrDraft(v, l),
	}
}

// endOrDraft is in how many days a lease ends, or leads on to what is missing of a draft.
func endOrDraft(v *page.Request, l *portfolio.Lease) kit.Cell {
	if isDraft(l) {
		return kit.Cell{Text: "Continue draft", Path: continued(v, l)}
	}
	return kit.Cell{Text: strings.TrimPrefix(ends(l.DaysUntilEnd), "in "), Off: true}
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

func (p *leasePages) lease(v *page.Request, l *portfolio.Lease) error {
	names, err := p.Portfolio.Finder.Called(v.Ctx(), v.Actor(), l.PropertyID, l.UnitID)
	if err != nil {
		return err
	}
	used, err := p.usedTemplate(v, l)
	if err != nil {
		return err
	}
	if used != "" {
		names[l.Terms.Template.ID] = used
	}
	owner := related.Owner{Path: "/leases/" + l.ID, LeaseID: l.ID}
	belongs := related.Source{Portfolio: p.Portfolio}
	tabs, part, err := belongs.Tabs(v, owner)
	if err != nil {
		return err
	}
	view := views.Lease{Record: leaseRecord(v, l, names, tabs)}
	if part != nil {
		view.Parts = []kit.RelatedTable{withCharge(v, l, part)}
		return v.Show(views.LeasePage(view))
	}
	view.Signing.Signers, view.Document = signersOf(v, l), documentOf(l)
	if err := p.withDocument(v, l, &view); err != nil {
		return err
	}
	if err := p.withEnding(v, l, &view); err != nil {
		return err
	}
	if err := p.withDeposit(v, l, &view); err != nil {
		return err
	}
	if err := p.withCondition(v, l, &view); err != nil {
		return err
	}
	if err := p.withOnline(v, l, &view); err != nil {
		return err
	}
	if d := view.Deposit; d != nil && len(d.Actions) > 0 && !d.Settled { // the state sets a day for it
		view.Primary = d.Actions[0]
		d.Actions = nil
	}
	view.Signing = signingOf(l, view.Signing, v)
	if view.Signing.Sent && l.Status == portfolio.LeaseDraft {
		view.Heading.Status = kit.Status{Tone: kit.Waiting, Text: "Draft, sent"}
	}
	if view.Signing.Sign != "" {
		view.Primary = kit.Action{Name: "Sign lease", Path: view.Signing.Sign, Icon: "pen-line"}
		view.Signing.Sign = ""
	}
	if l.Open() && l.Lapsed(p.Portfolio.BusinessNow(v.Actor().Portfolio)) { // until it is marked as expired
		view.Primary = kit.Action{
			Name: "Extend time to sign", Path: v.In("/leases/" + l.ID + "/extend"), Icon: "clock", How: kit.Asks,
		}
	}
	if view.Parts, err = p.ledgerParts(v, l, belongs, owner); err != nil {
		return err
	}
	if err := p.withNotices(v, l, &view); err != nil {
		return err
	}
	return v.Show(views.LeasePage(view))
}

// ledgerParts are the charges of a lease: those through today with the balance after each, and those to come. While
// none is due, they are all in one table.
func (p *leasePages) ledgerParts(
	v *page.Request, l *portfolio.Lease, belongs related.Source, owner related.Owner,
) ([]kit.RelatedTable, error) {
	parts, err := p.accountParts(v, l)
	if err != nil {
		return nil, err
	}
	if len(parts) > 0 {
		owner.DueAfter = new(p.Portfolio.Today(v.Actor()))
	}
	charges, err := belongs.Charges(v, owner, list.Query{Limit: page.ListSize, Newest: true})
	if err != nil {
		return nil, err
	}
	if len(parts) == 0 {
		return []kit.RelatedTable{withCharge(v, l, charges)}, nil
	}
	withCharge(v, l, &parts[0])
	if charges.Grid.Rows > 0 {
		charges.Title = "Scheduled charges"
		parts = append(parts, *charges)
	}
	return parts, nil
}

// withCharge is the charges of a lease with the button that adds one, where that can be.
func withCharge(v *page.Request, l *portfolio.Lease, part *kit.RelatedTable) kit.RelatedTable {
	if l.Binding() {
		part.New = kit.Action{Name: "Add charge", Path: v.In("/leases/" + l.ID + "/charge"), Icon: "plus"}
	}
	return *part
}

// leaseRecord is what a lease’s page says of it.
func leaseRecord(v *page.Request, l *portfolio.Lease, names map[string]string, tabs []kit.Tab) kit.Record {
	at := v.In("/leases/" + l.ID)
	street, town := related.Place(l.RentalAddress)
	r := kit.Record{
		Frame: v.Frame(street),
		Heading: kit.Heading{
			Title:  street,
			About:  tenantNames(l) + " · " + town + " · " + page.TermOf(l),
			Status: page.LeaseStatuses[l.Status],
		},
		Edit:  at + "/edit",
		Facts: leaseFacts(v, l, names),
		Tabs:  tabs,
	}
	if l.Binding() {
		r.Primary = kit.Action{Name: "Add charge", Path: at + "/charge", Icon: "plus"}
		if l.SignedAt != nil && l.DocumentURL != nil { // what all have signed leads
			r.Menu = append(r.Menu, r.Primary)
			r.Primary = kit.Action{Name: "Open signed lease", Path: *l.DocumentURL, Icon: "file-text"}
		}
		r.Menu = append(r.Menu, kit.Action{Name: "Statement of account", Path: at + "/statement", Icon: "receipt"})
	}
	if isDraft(l) {
		r.Edit = at + "/people"
		r.Primary = kit.Action{Name: "Continue draft", Path: continued(v, l), Icon: "pen-line"}
	}
	if slices.Contains(portfolio.AgreedLeases(), l.Status) && l.RenewedToLeaseID == nil {
		r.Menu = append(r.Menu, kit.Action{
			Name: "Renew lease",
			Path: v.In("/leases/generate?unit_id=" + l.UnitID + "&renews_lease_id=" + l.ID),
			Icon: "rotate-cw",
		})
	}
	if v.Shell.Served("/{mode}/tickets/new") {
		r.Menu = append(r.Menu, kit.Action{
			Name: "Open ticket", Path: v.In("/tickets/new?unit_id=" + l.UnitID), Icon: "wrench",
		})
	}
	switch extend := (kit.Action{Name: "Extend time to sign", Path: at + "/extend", Icon: "clock", How: kit.Asks}); {
	case l.Revivable():
		r.Primary = extend
	case l.Open() && l.ExpiresAt != nil:
		r.Menu = append(r.Menu, extend)
	}
	if l.May(portfolio.LeaseTerminated) {
		name := "End lease early…"
		if l.Status == portfolio.LeaseSigned {
			name = "End lease before it starts…"
		}
		r.Menu = append(r.Menu, kit.Action{Name: name, Path: at + "/terminate", How: kit.Asks, Bad: true})
		if l.Status == portfolio.LeaseSigned && l.DocumentID != nil && v.Owns() &&
			v.Shell.Served("/{mode}/leases/:id/ask-to-end") {
			r.Menu = append(r.Menu, kit.Action{
				Name: "Ask tenants to end lease…", Path: at + "/ask-to-end", How: kit.Asks, Bad: true,
			})
		}
	}
	if l.May(portfolio.LeaseVoided) {
		r.Menu = append(r.Menu, kit.Action{Name: "Void lease…", Path: at + "/void", How: kit.Asks, Bad: true})
	}
	return r
}

// tenantNames are the names of the tenants of a lease.
func tenantNames(l *portfolio.Lease) string {
	names := make([]string, len(l.Tenants))
	for i, t := range l.Tenants {
		names[i] = t.Name
	}
	return strings.Join(names, ", ")
}

// signersOf are the tenants of a lease as its signers, as far as the record itself knows.
func signersOf(v *page.Request, l *portfolio.Lease) (all []views.Signer) {
	for i := range l.Tenants {
		t := &l.Tenants[i]
		s := views.Signer{
			Person: kit.Link{Name: t.Name, Path: v.PathTo("tenants", &t.ID)},
			Role:   page.Label(t.Role),
		}
		if t.SignedAt != nil {
			s.Trail = []kit.Moment{{Title: "Signed", Time: v.Time(*t.SignedAt)}}
			s.Status = kit.Status{Tone: kit.Done, Text: "Signed"}
		} else if !l.Binding() {
			s.Status = kit.Status{Tone: kit.Idle, Text: "Not signed"}
		}
		all = append(all, s)
	}
	return all
}

// signingOf is how far the signatures of a lease are.
func signingOf(l *portfolio.Lease, s views.Signing, v *page.Request) views.Signing {
	signed := 0
	for i := range s.Signers {
		if s.Signers[i].Status.Text == "Signed" {
			signed++
		}
	}
	if signed > 0 || l.Status == portfolio.LeasePendingSignature || s.Sent {
		s.Note = fmt.Sprintf("%d of %d signed", signed, len(s.Signers))
	}
	if l.Status != portfolio.LeasePendingSignature && !s.Sent {
		return s
	}
	if l.ExpiresAt != nil {
		s.Note += " · sign by " + v.Time(*l.ExpiresAt).Short
	}
	if len(s.Signers) > 3 {
		return s
	}
	s.Stages = []kit.Stage{{Name: "Sent", Done: s.Sending == nil}}
	next := true
	for i := range s.Signers {
		done := s.Signers[i].Status.Text == "Signed"
		first, _, _ := strings.Cut(s.Signers[i].Person.Name, " ")
		s.Stages = append(s.Stages, kit.Stage{Name: first, Done: done, Now: next && !done})
		next = next && done
	}
	s.Stages = append(s.Stages, kit.Stage{Name: "Done"})
	return s
}

// documentOf is the file of a lease.
func documentOf(l *portfolio.Lease) views.Document {
	if l.DocumentURL == nil {
		return views.Document{}
	}
	d := views.Document{
		Path:   *l.DocumentURL,
		Title:  "Residential lease agreement",
		Words:  "Everyone signs exactly this file. The signed copy and the audit trail are added when all have signed.",
		SHA256: page.OrEmpty(l.DocumentSHA256),
	}
	if l.SignedAt != nil {
		d.Signed = true
		d.Title, d.Words = "Signed residential lease agreement", "With all signatures and the audit trail."
	}
	return d
}

// What the day is called on which the tenants agreed to the end of a lease.
const (
	agreedOnPaper = "Tenants agreed on paper"
	agreedByEmail = "Tenants agreed by email"
)

// leaseFacts are the terms of a lease, its dates, and what every record carries.
func leaseFacts(v *page.Request, l *portfolio.Lease, names map[string]string) []kit.Facts {
	rent := "a month, due on the " + page.Ordinal(l.RentDueDay)
	agreed := kit.Facts{Title: "Terms", Terms: []kit.Term{
		{Name: "Rent", Text: l.MonthlyRent.Dollars(), Note: rent},
		{Name: "Deposit", Text: l.SecurityDeposit.Dollars(), Note: heldNote(l)},
		{Name: "Late fee", Text: lateFee(l)},
		{Name: "Type", Text: page.LeaseTypes[l.LeaseType]},
		{Name: "Property", Text: page.Called(names, l.PropertyID), Path: v.PathTo("properties", &l.PropertyID)},
		{Name: "Unit", Text: page.UnitName(page.Called(names, l.UnitID)), Path: v.PathTo("units", &l.UnitID)},
	}}
	if l.Binding() || l.BalanceDue != 0 { // nothing is charged before
		agreed.Terms = slices.Insert(agreed.Terms, 1, kit.Term{
			Name: "Balance", Text: l.BalanceDue.Dollars(), Note: balanceNote(l.BalanceDue),
		})
	}
	if of := l.Terms.Template; of != nil && names[of.ID] != "" {
		agreed.Terms = append(agreed.Terms, kit.Term{
			Name: "Template", Text: names[of.ID], Path: v.In(templatesAt + "/" + of.ID),
		})
	}
	if l.RenewedFromLeaseID != nil {
		agreed.Terms = append(agreed.Terms, kit.Term{
			Name: "Renews", Text: "Earlier lease", Path: v.PathTo("leases", l.RenewedFromLeaseID),
		})
	}
	if l.RenewedToLeaseID != nil {
		agreed.Terms = append(agreed.Terms, kit.Term{
			Name: "Renewed by", Text: "Later lease", Path: v.PathTo("leases", l.RenewedToLeaseID),
		})
	}
	dates := kit.Facts{Title: "Dates", Terms: []kit.Term{
		{Name: "First day", Text: page.Date(l.StartDate)},
		{Name: "Last day", Text: page.DateOr(l.EndDate), Note: ends(l.DaysUntilEnd)},
		{Name: "Moved in", Text: page.DateOr(l.MoveInDate)},
		{Name: "Notice given", Text: page.DateOr(l.NoticeGivenDate)},
		{Name: "Moves out", Text: page.DateOr(l.MoveOutDate)},
		{Name: "Ended early", Text: page.DateOr(l.TerminatedOn), Note: page.OrEmpty(l.TerminationReason)},
	}}
	if l.ExpiresAt != nil {
		until := kit.Term{Name: "Sign by", Time: v.Time(*l.ExpiresAt)}
		if l.Revivable() {
			until.Name = "Time to sign ended"
		}
		dates.Terms = append(dates.Terms, until)
	}
	if on := l.Terms.TenantsAgreedOn; on != nil {
		dates.Terms = append(dates.Terms, kit.Term{Name: agreedOnPaper, Text: page.Date(*on)})
	}
	if l.SignedAt != nil {
		dates.Terms = append(dates.Terms, kit.Term{Name: "Signed by all", Time: v.Time(*l.SignedAt)})
	}
	return []kit.Facts{agreed, dates, page.RecordFacts(v, &l.Record)}
}

func lateFee(l *portfolio.Lease) string {
	if l.LateFeeAmount == nil {
		return ""
	}
	fee := l.LateFeeAmount.Dollars()
	if l.Terms.LateFeeFrequency == terms.Daily {
		fee += " a day"
	}
	if l.LateFeeGraceDays == nil {
		return fee
	}
	return fmt.Sprintf("%s, %s after the rent is due", fee, page.Counted(*l.LateFeeGraceDays, "day"))
}
