package export

import (
	"cmp"
	"context"
	"slices"

	"portal/api/clock"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/rentroll"
)

// columns are the names of the columns: those of the template, then those that an import also knows.
func columns() []string {
	return append(
		slices.Clone(rentroll.Columns()),
		"property_name", "balance", "move_in", "move_out", "lease_type", "rent_due_day", "late_fee_amount",
		"late_fee_grace_days",
	)
}

// page is what the lines of some units are made of.
type page struct {
	properties map[string]*portfolio.Property
	leases     map[string][]*portfolio.Lease // those of a unit that have lines, in the order of their first days
	all        map[string]*portfolio.Lease   // every lease of the units
	tenants    map[string]*portfolio.Tenant
	balances   map[string]portfolio.Balance
}

// load reads what the lines of the present units are made of. Units of archived properties have none.
func (f *File) load(ctx context.Context) (*page, error) {
	p := &page{
		properties: map[string]*portfolio.Property{},
		leases:     map[string][]*portfolio.Lease{},
		all:        map[string]*portfolio.Lease{},
		tenants:    map[string]*portfolio.Tenant{},
	}
	var ids []string
	for i := range f.page {
		ids = append(ids, f.page[i].PropertyID)
	}
	properties, err := f.rolls.store.PropertiesWithIDs(ctx, f.in, portfolio.Distinct(ids))
	if err != nil {
		return nil, err
	}
	for i := range properties {
		if properties[i].Status == portfolio.PropertyActive {
			p.properties[properties[i].ID] = &properties[i]
		}
	}
	return p, f.loadLeases(ctx, p)
}

func (f *File) loadLeases(ctx context.Context, p *page) error {
	var unitIDs, leaseIDs, tenantIDs []string
	for i := range f.page {
		if p.properties[f.page[i].PropertyID] != nil {
			unitIDs = append(unitIDs, f.page[i].ID)
		}
	}
	leases, err := f.rolls.store.LeasesOfUnits(ctx, f.in, unitIDs)
	if err != nil {
		return err
	}
	for i := range leases {
		p.all[leases[i].ID] = &leases[i]
	}
	for i := range leases {
		l := &leases[i]
		if !l.Binding() || len(parties(l)) == 0 {
			continue
		}
		if end := p.lastDay(l, f.today); end != nil && *end < l.StartDate {
			continue // it never began
		}
		p.leases[l.UnitID] = append(p.leases[l.UnitID], l)
		leaseIDs = append(leaseIDs, l.ID)
		tenantIDs = append(tenantIDs, l.TenantIDs...)
	}
	for _, all := range p.leases {
		slices.SortFunc(all, func(a, b *portfolio.Lease) int {
			return cmp.Or(cmp.Compare(a.StartDate, b.StartDate), cmp.Compare(a.ID, b.ID))
		})
	}
	if p.balances, err = f.rolls.store.Balances(ctx, f.in, f.today, leaseIDs); err != nil {
		return err
	}
	tenants, err := f.rolls.store.TenantsWithIDs(ctx, f.in, portfolio.Distinct(tenantIDs))
	for i := range tenants {
		p.tenants[tenants[i].ID] = &tenants[i]
	}
	return err
}

// parties are the tenants of a lease, the primary one first. A guarantor rents nothing, so a rent roll has none.
func parties(l *portfolio.Lease) (ids []string) {
	for i := range l.Tenants {
		if l.Tenants[i].Role != portfolio.PartyGuarantor {
			ids = append(ids, l.Tenants[i].ID)
		}
	}
	return ids
}

// lastDay is the last day of a lease, nil where it goes on. One that another renews ends before that one begins, and
// one that rolls over goes on from month to month after its end date.
func (p *page) lastDay(l *portfolio.Lease, today clock.Date) *clock.Date {
	end := l.EndDate
	switch {
	case l.Status == portfolio.LeaseTerminated:
		return l.TerminatedOn
	case l.LeaseType == portfolio.FixedWithRollover && end != nil && *end < today && l.Status != portfolio.LeaseExpired:
		end = nil
	}
	if l.RenewedToLeaseID == nil {
		return end
	}
	next := p.all[*l.RenewedToLeaseID]
	if next == nil || !next.Binding() || next.NeverStarted() || end != nil && *end < next.StartDate {
		return end
	}
	return new(next.StartDate - 1)
}

// lines are the lines of a unit.
func (p *page) lines(u *portfolio.Unit, today clock.Date) (all [][]any) {
	of := p.properties[u.PropertyID]
	if of == nil {
		return nil
	}
	place := append(placeCells(of), u.UnitNumber)
	facts := []any{u.Bedrooms, u.Bathrooms, u.SquareFeet, u.MarketRent}
	none := make([]any, len(facts))
	for _, l := range p.leases[u.ID] {
		end := p.lastDay(l, today)
		days := []any{l.StartDate, end, l.MonthlyRent}
		for i, id := range parties(l) {
			if i > 0 {
				all = append(all, slices.Concat(place, none, p.tenant(id), days, []any{nil, of.Name}, nothing()))
				continue
			}
			all = append(all, slices.Concat(
				place,
				facts,
				p.tenant(id),
				days,
				[]any{l.SecurityDeposit, of.Name},
				terms(l, end, p.balances[l.ID].Due),
			))
		}
	}
	if len(all) == 0 {
		vacant := make([]any, len(p.tenant(""))+4) // nobody, no days, no amounts
		all = append(all, slices.Concat(place, facts, vacant, []any{of.Name}, nothing()))
	}
	return all
}

// placeCells say where a property is, and what it is.
func placeCells(p *portfolio.Property) []any {
	street := p.StreetAddress
	if p.StreetAddress2 != nil {
		street += ", " + *p.StreetAddress2
	}
	return []any{street, p.City, string(p.State), p.PostalCode, string(p.PropertyType), p.YearBuilt}
}

// tenant are the names of a tenant and how to reach them.
func (p *page) tenant(id string) []any {
	t := p.tenants[id]
	if t == nil {
		return make([]any, 4)
	}
	return []any{t.FirstName, t.LastName, t.Email, phone(t.Phone)}
}

// phone is a number as people in North America write it, which no spreadsheet takes for a formula or a number.
func phone(e164 *string) any {
	if e164 == nil {
		return nil
	}
	n := *e164
	if len(n) == len("+15125550142") && n[:2] == "+1" {
		return "(" + n[2:5] + ") " + n[5:8] + "-" + n[8:]
	}
	return n
}

// terms are what a lease says beyond the columns of the template. One without a last day goes on from month to month.
func terms(l *portfolio.Lease, end *clock.Date, balance money.Cents) []any {
	owed, kind := any(nil), l.LeaseType
	if balance != 0 {
		owed = balance
	}
	if end == nil {
		kind = portfolio.MonthToMonth
	}
	return []any{
		owed, l.MoveInDate, l.MoveOutDate, string(kind), l.RentDueDay, l.LateFeeAmount, l.LateFeeGraceDays,
	}
}

// nothing are the terms of a line that has none of its own.
func nothing() []any { return make([]any, 7) }
