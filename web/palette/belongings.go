package palette

import (
	"portal/api/id"
	"portal/api/list"
	"portal/api/portfolio"
	"portal/api/portfolio/property"
	"portal/web/page"
)

// few is how many of each kind are offered of what belongs to the tenants and properties that were found.
const few = 3

// belonging adds tickets whose title has the words of a text, and leases, tickets and charges of the tenants
// and properties that were found: the newest leases and tickets, and what is overdue before other charges.
func (p *Section) belonging(
	v *page.Request, of property.Found, text string, add func(prefix, key, name, note string),
) error {
	named := &portfolio.Named{}
	for i := range of.Tenants {
		named.TenantIDs = append(named.TenantIDs, of.Tenants[i].ID)
	}
	for i := range of.Properties {
		named.PropertyIDs = append(named.PropertyIDs, of.Properties[i].ID)
	}
	if of.Prefix == "" {
		var err error
		if named.Titles, err = p.Portfolio.Finder.Titles(v.Ctx(), v.Actor(), text); err != nil {
			return err
		}
	}
	if len(named.TenantIDs)+len(named.PropertyIDs) == 0 && named.Titles == nil {
		return nil
	}
	q := list.Query{Limit: few, Newest: true}
	ctx, by := v.Ctx(), v.Actor()
	charged := page.Meanwhile(func() (*list.Page[portfolio.Payment], error) {
		late := q
		late.Sort = portfolio.OverdueFirst
		return p.Portfolio.Ledger.Payments(ctx, by, portfolio.PaymentFilter{Query: late, Named: named})
	})
	leases, err := p.Portfolio.Leases.Leases(ctx, by, portfolio.LeaseFilter{Query: q, Named: named})
	if err != nil {
		return err
	}
	for i := range leases.Data {
		l := &leases.Data[i]
		add(id.Lease, l.ID, l.RentalAddress, page.LeaseStatus(l.Status).Text)
	}
	tickets, err := p.Portfolio.Tickets.Tickets(ctx, by, portfolio.TicketFilter{Query: q, Named: named})
	if err != nil {
		return err
	}
	for i := range tickets.Data {
		t := &tickets.Data[i]
		add(id.Ticket, t.ID, t.Title, page.TicketStatus(t.Status).Text)
	}
	charges, err := charged()
	if err != nil {
		return err
	}
	for i := range charges.Data {
		c := &charges.Data[i]
		add(id.Payment, c.ID, page.ChargeName(c)+" · "+c.Amount.Dollars(), page.ChargeStatus(c).Text)
	}
	return nil
}
