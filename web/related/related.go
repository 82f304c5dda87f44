// Package related draws what belongs to a record of the portfolio: its leases, tickets and
// charges, each in a tab of the record's page. It also asks for the unit to which a new
// record belongs.
//
// It knows no section, which says whose they are.
package related

import (
	"cmp"
	"context"
	"fmt"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/id"
	"portal/api/list"
	"portal/api/portfolio"
	"portal/api/portfolio/property"
	"portal/api/portfolio/records"
	"portal/views/kit"
	"portal/web/page"
)

// Source is where what belongs to a record is read.
type Source struct{ Portfolio *records.Service }

// Owner is the record whose page is shown. One of the ids is set.
type Owner struct {
	Path       string // of its page, without the mode
	PropertyID string
	UnitID     string
	TenantID   string
	LeaseID    string
	DueAfter   *clock.Date // of its charges only those that are due after this day, nil for all
}

// filter is what narrows a list of the dashboard down to what belongs to the owner.
func (o Owner) filter() string {
	switch {
	case o.PropertyID != "":
		return "property_id=" + o.PropertyID
	case o.UnitID != "":
		return "unit_id=" + o.UnitID
	case o.TenantID != "":
		return "tenant_id=" + o.TenantID
	}
	return "lease_id=" + o.LeaseID
}

func (o Owner) leases(q list.Query) portfolio.LeaseFilter {
	return portfolio.LeaseFilter{Query: q, PropertyID: o.PropertyID, UnitID: o.UnitID, TenantID: o.TenantID}
}

func (o Owner) tickets(q list.Query) portfolio.TicketFilter {
	return portfolio.TicketFilter{Query: q, PropertyID: o.PropertyID, UnitID: o.UnitID, TenantID: o.TenantID}
}

func (o Owner) charges(q list.Query) portfolio.PaymentFilter {
	return portfolio.PaymentFilter{
		Query: q, PropertyID: o.PropertyID, UnitID: o.UnitID, TenantID: o.TenantID, LeaseID: o.LeaseID,
		DueAfter: o.DueAfter,
	}
}

// The tabs of what belongs to a record, by their name in the address.
const (
	leases  = "leases"
	tickets = "tickets"
	charges = "charges"
)

// Tabs are the views of a record, the first one of which is its summary, and those that are
// served for what belongs to it, with how much of it there is. What the address asks for is marked, and
// shown, nil for the summary.
func (s Source) Tabs(v *page.Request, o Owner) ([]kit.Tab, *kit.RelatedTable, error) {
	at, asked := v.In(o.Path), v.Form().Among("tab", []string{leases, tickets, charges})
	all := []kit.Tab{{Name: "Summary", Path: at, Here: asked == ""}}
	var counted []func() (list.Count, error) // of the tabs behind the summary
	for _, t := range []struct {
		key, name, served string
		count             func(context.Context, access.Actor, Owner) (list.Count, error)
	}{
		{leases, "Leases", "/leases", s.countLeases},
		{tickets, "Tickets", "/tickets", s.countTickets},
		{charges, "Charges", "/ledger", s.countCharges},
	} {
		if o.LeaseID != "" && t.key != charges || !v.Shell.Served("/{mode}"+t.served) {
			continue
		}
		ctx, by := v.Ctx(), v.Actor()
		counted = append(counted, page.Meanwhile(func() (list.Count, error) { return t.count(ctx, by, o) }))
		all = append(all, kit.Tab{Name: t.name, Path: at + "?tab=" + t.key, Here: asked == t.key})
	}
	shown, err := s.tab(v, o)
	for i, wait := range counted {
		n, failed := wait()
		err = cmp.Or(err, failed)
		all[i+1].Count = n.Words()
	}
	return all, shown, err
}

func (s Source) countLeases(ctx context.Context, by access.Actor, o Owner) (list.Count, error) {
	n, err := s.Portfolio.Leases.LeaseCounts(ctx, by, o.leases(list.Query{}))
	return n.Of(), err
}

func (s Source) countTickets(ctx context.Context, by access.Actor, o Owner) (list.Count, error) {
	n, err := s.Portfolio.Tickets.TicketCounts(ctx, by, o.tickets(list.Query{}))
	return n.Of(), err
}

func (s Source) countCharges(ctx context.Context, by access.Actor, o Owner) (list.Count, error) {
	totals, err := s.Portfolio.Ledger.PaymentTotals(ctx, by, o.charges(list.Query{}))
	if err != nil {
		return list.Count{}, err
	}
	return totals[0].Rows, nil
}

// tab is what the tab that the address asks for shows.
func (s Source) tab(v *page.Request, o Owner) (*kit.RelatedTable, error) {
	var t *kit.RelatedTable
	var err error
	switch v.Form().Text("tab") {
	case leases:
		t, err = s.Leases(v, o, page.NewestFirst(v.Cursor(), id.Lease))
	case tickets:
		t, err = s.Tickets(v, o, page.NewestFirst(v.Cursor(), id.Ticket))
	case charges:
		t, err = s.Charges(v, o, page.NewestFirst(v.Cursor(), id.Payment))
	}
	return t, err
}

// Leases are the leases of a record.
func (s Source) Leases(v *page.Request, o Owner, q list.Query) (*kit.RelatedTable, error) {
	found, err := s.Portfolio.Leases.Leases(v.Ctx(), v.Actor(), o.leases(q))
	if err != nil {
		return nil, err
	}
	t := &kit.RelatedTable{ID: "leases", Title: "Leases", Grid: LeaseGrid(v, found.Data, o.UnitID == "")}
	return s.paged(v, t, o, "/leases", found.NextCursor), nil
}

// Tickets are the tickets of a record.
func (s Source) Tickets(v *page.Request, o Owner, q list.Query) (*kit.RelatedTable, error) {
	found, err := s.Portfolio.Tickets.Tickets(v.Ctx(), v.Actor(), o.tickets(q))
	if err != nil {
		return nil, err
	}
	t := &kit.RelatedTable{ID: "tickets", Title: "Tickets", Grid: TicketGrid(v, found.Data)}
	if v.Shell.Served("/{mode}/tickets/new") {
		t.New = kit.Action{Name: "Open ticket", Path: v.In("/tickets/new?" + o.filter()), Icon: "plus"}
	}
	return s.paged(v, t, o, "/tickets", found.NextCursor), nil
}

// Charges are the charges of a record.
func (s Source) Charges(v *page.Request, o Owner, q list.Query) (*kit.RelatedTable, error) {
	found, err := s.Portfolio.Ledger.Payments(v.Ctx(), v.Actor(), o.charges(q))
	if err != nil {
		return nil, err
	}
	t := &kit.RelatedTable{ID: "charges", Title: "Charges", Grid: ChargeGrid(v, found.Data)}
	return s.paged(v, t, o, "/ledger", found.NextCursor), nil
}

// paged gives a table its way on: pages in its own tab, the whole list in the summary.
func (s Source) paged(v *page.Request, t *kit.RelatedTable, o Owner, at string, next *string) *kit.RelatedTable {
	if v.Form().Text("tab") != "" {
		t.Grid.Pages = v.Cursor().Pages(page.OrEmpty(next))
	} else if next != nil && v.Shell.Served("/{mode}"+at) {
		t.All = v.In(at + "?" + o.filter())
	}
	return t
}

// recent is how many rows of each kind a summary shows.
const recent = 5

// Latest are the newest leases, tickets and charges of a record, for its summary.
func (s Source) Latest(v *page.Request, o Owner) (all []kit.RelatedTable, err error) {
	q := list.Query{Limit: recent, Newest: true}
	for _, read := range []func(*page.Request, Owner, list.Query) (*kit.RelatedTable, error){
		s.Leases, s.Tickets, s.Charges,
	} {
		t, err := read(v, o, q)
		if err != nil {
			return nil, err
		}
		all = append(all, *t)
	}
	return all, nil
}

// Named is what the search of a list of leases, tickets or charges has found, nil where nothing is
// searched for.
func Named(v *page.Request, f *property.Finder) (*portfolio.Named, error) {
	return f.Named(v.Ctx(), v.Actor(), v.Form().SearchText())
}

// NamedTickets is Named for a list of tickets, which are found by the words of their title, too.
func NamedTickets(v *page.Request, f *property.Finder) (*portfolio.Named, error) {
	return f.NamedTickets(v.Ctx(), v.Actor(), v.Form().SearchText())
}

// Search asks for the words of such a search.
func Search() kit.Field { return kit.Field{Name: "search", Label: "Tenant or address", Kind: "search"} }

// Note says that a search has found more than it goes through, "" where it has not.
func Note(n *portfolio.Named) string {
	if n == nil || !n.More {
		return ""
	}
	return fmt.Sprintf("More than %d tenants or properties match. This list has those of the newest %[1]d: "+
		"add a word to find others.", portfolio.MostNamed)
}

// Counts counts the records that a search finds. Those of one that goes through a part of what it has found would be
// the counts of the part: there are none.
func Counts[S ~string](n *portfolio.Named, count func() (list.Counts[S], error)) (list.Counts[S], error) {
	if Note(n) != "" {
		return nil, nil //nolint:nilnil // not counted
	}
	return count()
}

// TooWide refuses the file of a list whose search goes through a part of what it has found.
func TooWide(v *page.Request, list string) error {
	return v.RefuseAt(v.In(list)+"?"+v.Request().URL.RawQuery,
		"The search is too wide for a file: add a word, or clear it to export all rows.")
}
