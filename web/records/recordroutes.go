package records

import "portal/web/page"

// recordRoutes are the pages of leases, tickets and the ledger.
func (p *Section) recordRoutes() []page.Route {
	return []page.Route{
		page.Get("/{mode}/leases", page.Member, p.leases),
		page.Get("/{mode}/leases/:id", page.Member, p.lease),
		page.Get("/{mode}/leases/:id/edit", page.Member, p.editLease),
		page.Post("/{mode}/leases/:id/edit", page.Member, p.changeLease),
		page.Get("/{mode}/leases/:id/terminate", page.Member, p.askTerminate),
		page.Post("/{mode}/leases/:id/terminate", page.Member, p.terminate),
		page.Get("/{mode}/leases/:id/void", page.Member, p.askVoid),
		page.Post("/{mode}/leases/:id/void", page.Member, p.voidLease),
		page.Get("/{mode}/leases/:id/charge", page.Member, p.newCharge),
		page.Post("/{mode}/leases/:id/charge", page.Member, p.addCharge).Once(),

		page.Get("/{mode}/tickets", page.Member, p.tickets),
		page.Get("/{mode}/tickets/new", page.Member, p.newTicket),
		page.Post("/{mode}/tickets/new", page.Member, p.openTicket).Once(),
		page.Get("/{mode}/tickets/:id", page.Member, p.ticket),
		page.Get("/{mode}/tickets/:id/edit", page.Member, p.editTicket),
		page.Post("/{mode}/tickets/:id/edit", page.Member, p.changeTicket),
		page.Post("/{mode}/tickets/:id/status", page.Member, p.moveTicket),

		page.Get("/{mode}/ledger", page.Member, p.ledger),
		page.Get("/{mode}/ledger/:id", page.Member, p.charge),
		page.Get("/{mode}/ledger/:id/record", page.Member, p.askPayment),
		page.Post("/{mode}/ledger/:id/record", page.Member, p.recordPayment).Once(),
		page.Get("/{mode}/ledger/:id/void", page.Member, p.askVoidCharge),
		page.Post("/{mode}/ledger/:id/void", page.Member, p.voidCharge),
	}
}
