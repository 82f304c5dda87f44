package rentroll

import (
	"slices"

	"portal/api/id"
)

// ids are the identifiers of the records, made before the first record, since
// records name each other. Their order is that of the file.
type ids struct {
	units, tenants, leases []string // of each row, person and row
}

// nameRecords gives every record of the plan its identifier.
func (p *Plan) nameRecords() {
	properties := p.newIDs(id.Property, len(p.sites))
	for i := range p.sites {
		p.sites[i].id = properties[i]
		if h := p.sites[i].held; h != nil {
			p.sites[i].id = h.id
		}
	}
	rows := p.roll.rows.len()
	p.ids.units = p.newIDs(id.Unit, rows)
	p.ids.tenants = p.newIDs(id.Tenant, p.roll.people.len())
	p.ids.leases = p.newIDs(id.Lease, rows)
}

// newIDs are ascending identifiers. They are sorted because another goroutine
// that makes one for another time lets the generator start afresh.
func (p *Plan) newIDs(prefix string, n int) []string {
	all := make([]string, n)
	for i := range all {
		all[i] = id.New(prefix, p.now)
	}
	slices.Sort(all)
	return all
}
