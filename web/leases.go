package web

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"portal/api/access"
	"portal/api/change"
	"portal/api/id"
	"portal/api/list"
	"portal/api/portfolio"
	"portal/views"
)

// Leases are the leases of a portfolio, and what people call its records.
type Leases interface {
	Leases(ctx context.Context, by access.Actor, f portfolio.LeaseFilter) (*list.Page[portfolio.Lease], error)
	Lease(ctx context.Context, by access.Actor, id string) (*portfolio.Lease, error)
	UpdateLease(ctx context.Context, by access.Actor, t change.Target, u portfolio.LeaseUpdate) (*change.Result[portfolio.Lease], error)
	Called(ctx context.Context, by access.Actor, ids ...string) (map[string]string, error)
}

// newestFirst is a page of a list as people read it: from the newest on.
func newestFirst(t turn, prefix string) list.Query {
	return list.Query{Limit: logLines, StartingAfter: t.position(prefix), Newest: true}
}

func (p *Pages) leases(v *visit) error {
	t, f := v.turn(), v.form()
	filter := portfolio.LeaseFilter{Query: newestFirst(t, id.Lease), Status: portfolio.LeaseStatus(f.among("status", portfolio.LeaseStatus("").Values())),
		PropertyID: f.ident("property_id", id.Property), UnitID: f.ident("unit_id", id.Unit), TenantID: f.ident("tenant_id", id.Tenant), EndingBefore: f.day("ending_before"), EndingAfter: f.day("ending_after")}
	page, err := p.Leases.Leases(v.ctx(), v.actor(), filter)
	if err != nil {
		return err
	}
	of, err := p.narrowed(v, filter.PropertyID, filter.UnitID, filter.TenantID)
	if err != nil {
		return err
	}
	view := views.Leases{Frame: v.frame("Leases"), Of: of, Pages: t.pages(orNone(page.NextCursor)), Filters: v.filters("Filter the leases", "/leases", leaseFields(f))}
	if p.served("/{mode}/properties") {
		view.Properties = v.in("/properties")
	}
	for i := range page.Data {
		view.Leases = append(view.Leases, leaseLine(v, &page.Data[i]))
	}
	return v.show(views.LeasesPage(view))
}

func leaseFields(f *form) []views.Field {
	return append([]views.Field{
		{Name: "status", Label: "Status", Kind: "select", Choices: choices(portfolio.LeaseStatus("").Values(), "", "All")},
		{Name: "ending_after", Label: "Ends after", Kind: "date"},
		{Name: "ending_before", Label: "Ends before", Kind: "date"},
	}, refs(f, "property_id", "unit_id", "tenant_id")...)
}

// refs are fields for ids that the address narrows a list down by. One gets there by a
// link, so nobody is asked for an id.
func refs(f *form, names ...string) (all []views.Field) {
	for _, name := range names {
		if f.text(name) != "" {
			all = append(all, views.Field{Name: name, Label: spoken(strings.TrimSuffix(name, "_id")), Code: true, Complete: "off"})
		}
	}
	return all
}

// narrowed names whose records a list shows, "" for all.
func (p *Pages) narrowed(v *visit, ids ...string) (string, error) {
	if !slices.ContainsFunc(ids, func(id string) bool { return id != "" }) {
		return "", nil
	}
	names, err := p.Leases.Called(v.ctx(), v.actor(), ids...)
	var all []string
	for _, of := range ids {
		if name := names[of]; name != "" && strings.HasPrefix(of, id.Unit+"_") {
			all = append(all, unitName(name))
		} else if name != "" {
			all = append(all, name)
		}
	}
	return strings.Join(all, ", "), err
}

func leaseLine(v *visit, l *portfolio.Lease) views.LeaseLine {
	names := make([]string, len(l.Tenants))
	for i, t := range l.Tenants {
		names[i] = t.Name
	}
	return views.LeaseLine{Path: v.in("/leases/" + l.ID), Address: l.RentalAddress, Tenants: strings.Join(names, ", "), Status: leaseStatus(l.Status),
		Dates: term(l), Rent: l.MonthlyRent.Words(), Ends: ends(l.DaysUntilEnd)}
}

// term is from when to when a lease is.
func term(l *portfolio.Lease) string {
	if l.EndDate == nil {
		return "from " + date(l.StartDate) + ", month to month"
	}
	return date(l.StartDate) + " to " + date(*l.EndDate)
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
	return "in " + counted(*days, "day")
}

func leaseStatus(s portfolio.LeaseStatus) views.Status {
	tones := map[portfolio.LeaseStatus]views.Tone{portfolio.LeaseActive: views.Done, portfolio.LeaseSigned: views.Done, portfolio.LeaseDraft: views.Waiting, portfolio.LeasePendingSignature: views.Waiting, portfolio.LeaseDeclined: views.Failed}
	tone, known := tones[s]
	if !known {
		tone = views.Idle
	}
	return views.Status{Tone: tone, Text: spoken(s)}
}

// leaseHere is the lease of the address.
func (p *Pages) leaseHere(v *visit) (*portfolio.Lease, error) {
	name, err := v.ident(id.Lease)
	if err != nil {
		return nil, err
	}
	return p.Leases.Lease(v.ctx(), v.actor(), name)
}

func (p *Pages) lease(v *visit) error {
	l, err := p.leaseHere(v)
	if err != nil {
		return err
	}
	names, err := p.Leases.Called(v.ctx(), v.actor(), l.PropertyID, l.UnitID)
	if err != nil {
		return err
	}
	rows, err := p.Ledger.Payments(v.ctx(), v.actor(), portfolio.PaymentFilter{Query: list.Query{Limit: logLines, Newest: true}, LeaseID: l.ID})
	if err != nil {
		return err
	}
	at := v.in("/leases/" + l.ID)
	view := views.Lease{Record: views.Record{Frame: v.frame(l.RentalAddress), Heading: views.Heading{Title: l.RentalAddress, About: term(l), Back: views.Link{Name: "Leases", Path: v.in("/leases")}},
		Edit: at + "/edit", Actions: leaseActions(at, l), Terms: leaseTerms(v, l, names)}, Parties: partiesOf(v, l), All: v.in("/ledger?lease_id=" + l.ID)}
	if l.Binding() {
		view.Charge = at + "/charge"
	}
	for i := range rows.Data {
		view.Rows = append(view.Rows, chargeLine(v, &rows.Data[i], nil))
	}
	return v.show(views.LeasePage(view))
}

func leaseActions(at string, l *portfolio.Lease) (all []views.Link) {
	if l.May(portfolio.LeaseTerminated) {
		all = append(all, views.Link{Name: "Terminate", Path: at + "/terminate"})
	}
	if l.May(portfolio.LeaseVoided) {
		all = append(all, views.Link{Name: "Void", Path: at + "/void"})
	}
	return all
}

func partiesOf(v *visit, l *portfolio.Lease) (all []views.Party) {
	without := "not kept here"
	if !l.Binding() {
		without = "not yet"
	}
	for i := range l.Tenants {
		t := &l.Tenants[i]
		all = append(all, views.Party{Tenant: views.Link{Name: t.Name, Path: v.pathTo("tenants", &t.ID)}, Role: spoken(t.Role), Signed: v.timeOr(t.SignedAt, without)})
	}
	return all
}

// leaseTerms are all fields of a lease.
func leaseTerms(v *visit, l *portfolio.Lease, names map[string]string) []views.Term {
	all := []views.Term{
		{Name: "Status", Status: leaseStatus(l.Status), Note: ends(l.DaysUntilEnd)},
		{Name: "Property", Text: called(names, l.PropertyID), Path: v.pathTo("properties", &l.PropertyID)},
		{Name: "Unit", Text: called(names, l.UnitID), Path: v.pathTo("units", &l.UnitID)},
		{Name: "Type", Text: leaseTypes[l.LeaseType]},
		{Name: "First day", Text: date(l.StartDate)},
		{Name: "Last day", Text: dateOr(l.EndDate)},
		{Name: "Rent a month", Text: l.MonthlyRent.Words(), Note: "due on day " + strconv.Itoa(l.RentDueDay) + " of the month"},
		{Name: "Deposit", Text: l.SecurityDeposit.Words()},
		{Name: "Late fee", Text: lateFee(l)},
		{Name: "Moved in", Text: dateOr(l.MoveInDate)},
		{Name: "Notice given", Text: dateOr(l.NoticeGivenDate)},
		{Name: "Moves out", Text: dateOr(l.MoveOutDate)},
	}
	if l.TerminatedOn != nil {
		all = append(all, views.Term{Name: "Ended early on", Text: date(*l.TerminatedOn)}, views.Term{Name: "Reason", Text: orNone(l.TerminationReason)})
	}
	if l.RenewedFromLeaseID != nil {
		all = append(all, views.Term{Name: "Renews", Text: "the lease before", Path: v.pathTo("leases", l.RenewedFromLeaseID)})
	}
	if l.RenewedToLeaseID != nil {
		all = append(all, views.Term{Name: "Renewed by", Text: "the lease after", Path: v.pathTo("leases", l.RenewedToLeaseID)})
	}
	return append(all, documentTerms(v, l)...)
}

func documentTerms(v *visit, l *portfolio.Lease) (all []views.Term) {
	if l.DocumentURL != nil {
		all = append(all, views.Term{Name: "Document", Text: "The lease as PDF", Path: *l.DocumentURL})
	}
	if l.ExpiresAt != nil {
		all = append(all, views.Term{Name: "Can be signed until", Time: v.time(*l.ExpiresAt)})
	}
	if l.SignedAt != nil {
		all = append(all, views.Term{Name: "Signed by all", Time: v.time(*l.SignedAt)})
	}
	if l.DocumentSHA256 != nil {
		all = append(all, views.Term{Name: "SHA-256 of the document", Text: *l.DocumentSHA256, ID: true})
	}
	return append(all, recordTerms(v, &l.Record)...)
}

// recordTerms are what every record carries.
func recordTerms(v *visit, r *portfolio.Record) []views.Term {
	return []views.Term{{Name: "Created", Time: v.time(r.CreatedAt)}, {Name: "Changed", Time: v.time(r.UpdatedAt), Note: "version " + strconv.FormatInt(r.Version, 10)}, {Name: "Id", Text: r.ID, ID: true}}
}

var leaseTypes = map[portfolio.LeaseType]string{
	portfolio.Fixed: "Fixed: ends on its last day", portfolio.MonthToMonth: "Month to month", portfolio.FixedWithRollover: "Fixed, then month to month",
}

func lateFee(l *portfolio.Lease) string {
	if l.LateFeeAmount == nil {
		return ""
	}
	days := 0
	if l.LateFeeGraceDays != nil {
		days = *l.LateFeeGraceDays
	}
	return fmt.Sprintf("%s, %s after the rent is due", l.LateFeeAmount.Words(), counted(days, "day"))
}
