package dbtest

import (
	"fmt"
	"slices"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/id"
	"portal/api/portfolio"
	"portal/api/portfolio/demo"
	"portal/api/portfolio/lease/terms"
)

// Record is the head of a record as the store gives it.
func Record(prefix, object string, mode access.Mode, at time.Time) portfolio.Record {
	return portfolio.Record{
		ID:        id.New(prefix, at),
		Object:    object,
		Mode:      mode,
		Version:   1,
		CreatedAt: clock.At(at),
		UpdatedAt: clock.At(at),
	}
}

// Filled is a book of one property with one unit, two tenants, a lease, a ticket
// and a ledger row, whose fields are filled as far as the store leaves them free.
func Filled(mode access.Mode, f *Filler) *portfolio.Book {
	b := &portfolio.Book{
		Properties: make([]portfolio.Property, 1),
		Units:      make([]portfolio.Unit, 1),
		Tenants:    make([]portfolio.Tenant, 2),
		Leases:     make([]portfolio.Lease, 1),
		Tickets:    make([]portfolio.Ticket, 1),
		Payments:   make([]portfolio.Payment, 1),
	}
	f.Fill(b)
	p, u, l, k, y := &b.Properties[0], &b.Units[0], &b.Leases[0], &b.Tickets[0], &b.Payments[0]
	head := func(r *portfolio.Record, prefix, object string) {
		r.ID, r.Object, r.Mode = id.New(prefix, Now), object, mode
	}
	head(&p.Record, id.Property, "property")
	head(&u.Record, id.Unit, "unit")
	head(&l.Record, id.Lease, "lease")
	head(&k.Record, id.Ticket, "maintenance_ticket")
	head(&y.Record, id.Payment, "payment")
	p.Country = "US"
	u.Currency = portfolio.Currency
	l.Currency = portfolio.Currency
	k.Currency = portfolio.Currency
	y.Currency = portfolio.Currency
	u.PropertyID, l.PropertyID, k.PropertyID, y.PropertyID = p.ID, p.ID, p.ID, p.ID
	l.UnitID, y.UnitID, y.LeaseID = u.ID, u.ID, l.ID
	l.TenantIDs, l.Tenants, l.Joining, l.DaysUntilEnd, l.DocumentURL = nil, nil, nil, nil, nil
	l.AutoCharge = mode == access.Test
	l.BalanceDue, l.DepositHeld = 0, 0 // which the rules fill
	l.Terms = terms.Terms{}            // which a book does not write
	for i := range b.Tenants {
		t := &b.Tenants[i]
		head(&t.Record, id.Tenant, "tenant")
		t.Name, t.LeaseIDs = t.FirstName+" "+t.LastName, []string{l.ID}
		Point(t.PropertyID, p.ID)
		Point(t.UnitID, u.ID)
		party := portfolio.Party{ID: t.ID, Name: t.Name}
		f.Fill(&party.Role)
		f.Fill(&party.SignedAt)
		l.Tenants = slices.Insert(l.Tenants, 0, party) // not in the order of their ids
		l.TenantIDs = slices.Insert(l.TenantIDs, 0, t.ID)
	}
	if l.Landlord != nil {
		l.Landlord.TenantEmail = b.Tenants[len(b.Tenants)-1].Email != nil // who is the first party
		if len(l.Landlord.CoOwners) == 0 {
			l.Landlord.CoOwners = nil
		}
	}
	Point(k.UnitID, u.ID)
	Point(k.TenantID, b.Tenants[0].ID)
	Point(k.LeaseID, l.ID)
	k.Number, k.AgeDays = fmt.Sprintf("T-%d", f.Uint32()), 0
	*k = *k.WithoutLinks()
	y.TenantID, y.BalanceDue, y.Overdue, y.DaysOverdue = b.Tenants[0].ID, 0, false, 0
	return b
}

// Point sets a reference that is not null.
func Point(reference *string, id string) {
	if reference != nil {
		*reference = id
	}
}

// DemoBook is the demo as it stands at noon.
func DemoBook() *portfolio.Book {
	b := demo.Book(Now, time.UTC)
	return &b
}
