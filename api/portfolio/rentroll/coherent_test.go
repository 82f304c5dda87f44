package rentroll_test

import (
	"fmt"
	"slices"

	"portal/api/id"
	"portal/api/portfolio"
	"portal/api/portfolio/rentroll"
)

// incoherent says what does not hang together in a book, or "".
func incoherent(p *rentroll.Plan, b *portfolio.Book) string {
	w := coherence{
		properties: map[string]*portfolio.Property{},
		units:      map[string]*portfolio.Unit{},
		tenants:    map[string]*portfolio.Tenant{},
		leases:     map[string]*portfolio.Lease{},
		joined:     map[string]int{},
		count:      map[string]int{},
		occupied:   map[string]int{},
		parties:    map[string][]string{},
	}
	for _, j := range p.Joined {
		w.joined[j.PropertyID] = j.Units
	}
	w.ascend(id.Property, func(i int) *portfolio.Record { return &b.Properties[i].Record }, len(b.Properties))
	w.ascend(id.Unit, func(i int) *portfolio.Record { return &b.Units[i].Record }, len(b.Units))
	w.ascend(id.Tenant, func(i int) *portfolio.Record { return &b.Tenants[i].Record }, len(b.Tenants))
	w.ascend(id.Lease, func(i int) *portfolio.Record { return &b.Leases[i].Record }, len(b.Leases))
	w.gather(b)
	for i := range b.Leases {
		w.lease(&b.Leases[i])
	}
	for i := range b.Units {
		w.unit(&b.Units[i])
	}
	for i := range b.Tenants {
		w.tenant(&b.Tenants[i])
	}
	w.property(b)
	w.want(len(b.Properties) == p.Properties && len(b.Units) == p.Units && len(b.Tenants) == p.Tenants &&
		len(b.Leases) == p.Leases, "the numbers of the plan")
	return w.why
}

type coherence struct {
	properties      map[string]*portfolio.Property
	units           map[string]*portfolio.Unit
	tenants         map[string]*portfolio.Tenant
	leases          map[string]*portfolio.Lease
	joined          map[string]int
	count, occupied map[string]int
	parties         map[string][]string
	why             string
}

func (w *coherence) want(ok bool, format string, args ...any) {
	if !ok && w.why == "" {
		w.why = fmt.Sprintf(format, args...)
	}
}

func (w *coherence) ascend(prefix string, at func(int) *portfolio.Record, n int) {
	last := ""
	for i := range n {
		r := at(i)
		w.want(id.Valid(prefix, r.ID) && r.ID > last, "%s is no ascending id", r.ID)
		w.want(r.Mode == "live" && r.Version == 1 && r.CreatedAt == r.UpdatedAt &&
			r.CreatedAt > 0, "the record %s", r.ID)
		last = r.ID
	}
}

func (w *coherence) gather(b *portfolio.Book) {
	for i := range b.Properties {
		w.properties[b.Properties[i].ID] = &b.Properties[i]
	}
	for i := range b.Units {
		w.units[b.Units[i].ID] = &b.Units[i]
	}
	for i := range b.Tenants {
		w.tenants[b.Tenants[i].ID] = &b.Tenants[i]
	}
	for i := range b.Leases {
		w.leases[b.Leases[i].ID] = &b.Leases[i]
	}
}

func (w *coherence) lease(l *portfolio.Lease) {
	unit := w.units[l.UnitID]
	w.want(unit != nil && unit.PropertyID == l.PropertyID, "the unit of %s", l.ID)
	w.want(len(l.TenantIDs) == 1 && len(l.Tenants) == 1 && l.Tenants[0].ID == l.TenantIDs[0], "the parties of %s", l.ID)
	tenant := w.tenants[l.TenantIDs[0]]
	w.want(tenant != nil && l.Tenants[0].Name == tenant.Name, "the tenant of %s", l.ID)
	w.want((l.EndDate == nil) == (l.LeaseType == portfolio.MonthToMonth), "the end of %s", l.ID)
	active := l.Status == portfolio.LeaseActive
	w.want(unit != nil &&
		(unit.CurrentLeaseID != nil &&
			*unit.CurrentLeaseID == l.ID) == active, "the current lease of the unit of %s", l.ID)
	w.parties[l.TenantIDs[0]] = append(w.parties[l.TenantIDs[0]], l.ID)
}

func (w *coherence) unit(u *portfolio.Unit) {
	_, joins := w.joined[u.PropertyID]
	w.want((w.properties[u.PropertyID] != nil) != joins, "the property of %s", u.ID)
	w.want((u.Status == portfolio.UnitOccupied) == (u.CurrentLeaseID != nil), "the status of %s", u.ID)
	w.want(u.IsDefault == (!joins && w.count[u.PropertyID] == 0), "whether %s is the default", u.ID)
	w.count[u.PropertyID]++
	if u.CurrentLeaseID != nil {
		w.occupied[u.PropertyID]++
		w.want(w.leases[*u.CurrentLeaseID] != nil &&
			w.leases[*u.CurrentLeaseID].UnitID == u.ID, "the lease of %s", u.ID)
	}
}

func (w *coherence) tenant(t *portfolio.Tenant) {
	w.want(slices.Equal(t.LeaseIDs, w.parties[t.ID]), "the leases of %s", t.ID)
	active := ""
	for _, l := range t.LeaseIDs {
		if w.leases[l].Status == portfolio.LeaseActive {
			active = l
		}
	}
	w.want((active != "") == (t.CurrentLeaseID != nil) &&
		(active != "") == (t.Status == portfolio.TenantCurrent), "the status of %s", t.ID)
	w.want(w.units[*t.UnitID] != nil && w.units[*t.UnitID].PropertyID == *t.PropertyID, "the home of %s", t.ID)
	if t.CurrentLeaseID != nil {
		l := w.leases[*t.CurrentLeaseID]
		w.want(l.Status == portfolio.LeaseActive && l.UnitID == *t.UnitID &&
			l.StartDate == *t.MoveInDate, "the lease of %s", t.ID)
	}
}

func (w *coherence) property(b *portfolio.Book) {
	for _, p := range b.Properties {
		w.want(p.UnitCount == w.count[p.ID] && p.OccupiedUnitCount == w.occupied[p.ID], "the counts of %s", p.ID)
	}
	for property, units := range w.joined {
		w.want(units == w.count[property], "the units that join %s", property)
	}
}
