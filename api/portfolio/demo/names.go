package demo

import (
	"cmp"
	"fmt"
	"slices"

	"portal/api/id"
	"portal/api/portfolio"
)

// names tells the id of each record by the name that it had in the tables.
type names map[string]string

// named gives every record its id and puts the ids where the names were.
func (b *draft) named() portfolio.Book {
	for _, p := range b.payments {
		b.Payments = append(b.Payments, *p)
	}
	n := names{}
	name(n, id.Property, b.Properties, func(p *portfolio.Property) *portfolio.Record { return &p.Record })
	name(n, id.Unit, b.Units, func(u *portfolio.Unit) *portfolio.Record { return &u.Record })
	name(n, id.Tenant, b.Tenants, func(t *portfolio.Tenant) *portfolio.Record { return &t.Record })
	name(n, id.Lease, b.Leases, func(l *portfolio.Lease) *portfolio.Record { return &l.Record })
	name(n, id.Ticket, b.Tickets, func(t *portfolio.Ticket) *portfolio.Record { return &t.Record })
	name(n, id.Payment, b.Payments, func(p *portfolio.Payment) *portfolio.Record { return &p.Record })
	n.link(&b.Book)
	for i := range b.Payments { // each was paid by itself
		if p := &b.Payments[i]; p.InitiatedAt != nil && !p.Method.ByHand() {
			p.PaymentID = new(id.New(id.Attempt, p.InitiatedAt.Std()))
		}
	}
	return b.Book
}

// name orders records by their creation and gives them ids. No two are created in
// the same millisecond, so the order never rests on the random part of an id.
func name[T any](n names, prefix string, rows []T, record func(*T) *portfolio.Record) {
	slices.SortStableFunc(rows, func(a, b T) int {
		return cmp.Compare(record(&a).CreatedAt, record(&b).CreatedAt)
	})
	for i := range rows {
		r := record(&rows[i])
		if i > 0 {
			late := max(record(&rows[i-1]).CreatedAt+1-r.CreatedAt, 0)
			r.CreatedAt, r.UpdatedAt = r.CreatedAt+late, r.UpdatedAt+late
		}
		n[r.ID] = id.New(prefix, r.CreatedAt.Std())
		r.ID = n[r.ID]
	}
}

// link replaces every name of a record by the record's id.
func (n names) link(b *portfolio.Book) {
	for i := range b.Units {
		u := &b.Units[i]
		n.put(&u.PropertyID)
		n.putOptional(&u.CurrentLeaseID)
	}
	for i := range b.Tenants {
		t := &b.Tenants[i]
		n.putOptional(&t.PropertyID, &t.UnitID, &t.CurrentLeaseID)
		n.putAll(t.LeaseIDs)
		slices.Sort(t.LeaseIDs)
	}
	for i := range b.Leases {
		n.linkLease(&b.Leases[i])
	}
	for i := range b.Payments {
		p := &b.Payments[i]
		n.put(&p.LeaseID, &p.TenantID, &p.UnitID, &p.PropertyID)
	}
	for i := range b.Tickets {
		t := &b.Tickets[i]
		t.Number = fmt.Sprintf("T-%d", 1001+i)
		n.put(&t.PropertyID)
		n.putOptional(&t.UnitID, &t.TenantID, &t.LeaseID)
	}
}

func (n names) linkLease(l *portfolio.Lease) {
	n.put(&l.PropertyID, &l.UnitID)
	n.putOptional(&l.RenewedFromLeaseID, &l.RenewedToLeaseID)
	n.putAll(l.TenantIDs)
	for i := range l.Tenants {
		n.put(&l.Tenants[i].ID)
	}
}

func (n names) put(refs ...*string) {
	for _, ref := range refs {
		known, ok := n[*ref]
		if !ok {
			panic("demo: nothing is called " + *ref)
		}
		*ref = known
	}
}

// putOptional makes new strings, as the old ones may be the names of other records.
func (n names) putOptional(refs ...**string) {
	for _, ref := range refs {
		if *ref != nil {
			s := **ref
			n.put(&s)
			*ref = &s
		}
	}
}

func (n names) putAll(refs []string) {
	for i := range refs {
		n.put(&refs[i])
	}
}
