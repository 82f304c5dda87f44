package web

// recordRoutes are the pages of leases, tickets and the ledger.
func (p *Pages) recordRoutes() []route {
	return []route{
		get("/{mode}/leases", member, p.leases),
		get("/{mode}/leases/:id", member, p.lease),
		get("/{mode}/leases/:id/edit", member, p.editLease),
		post("/{mode}/leases/:id/edit", member, p.changeLease),
		get("/{mode}/leases/:id/terminate", member, p.askTerminate),
		post("/{mode}/leases/:id/terminate", member, p.terminate),
		get("/{mode}/leases/:id/void", member, p.askVoid),
		post("/{mode}/leases/:id/void", member, p.voidLease),
		get("/{mode}/leases/:id/charge", member, p.newCharge),
		post("/{mode}/leases/:id/charge", member, p.addCharge).once(),

		get("/{mode}/tickets", member, p.tickets),
		get("/{mode}/tickets/new", member, p.newTicket),
		post("/{mode}/tickets/new", member, p.openTicket).once(),
		get("/{mode}/tickets/:id", member, p.ticket),
		get("/{mode}/tickets/:id/edit", member, p.editTicket),
		post("/{mode}/tickets/:id/edit", member, p.changeTicket),
		post("/{mode}/tickets/:id/status", member, p.moveTicket),

		get("/{mode}/ledger", member, p.ledger),
		get("/{mode}/ledger/:id", member, p.charge),
		get("/{mode}/ledger/:id/record", member, p.askPayment),
		post("/{mode}/ledger/:id/record", member, p.recordPayment).once(),
		get("/{mode}/ledger/:id/void", member, p.askVoidCharge),
		post("/{mode}/ledger/:id/void", member, p.voidCharge),
	}
}
