package portfolio

import "portal/api/list"

// The orders of lists that people read. A list that does not have an order comes with the newest first.
const (
	NewestFirst   list.Sort = "newest"
	ByAddress     list.Sort = "address"
	ByName        list.Sort = "name"    // of a tenant, as it is shown: the first name leads
	EndingSoonest list.Sort = "ending"  // from today on; then those without an end, then those that have ended
	UpdatedFirst  list.Sort = "updated" // what changed last
	OverdueFirst  list.Sort = "overdue" // the oldest one; then what is not overdue, as LatestDue has it
	LatestDue     list.Sort = "due"     // what is due last
)

// PropertySorts are the orders of properties.
func PropertySorts() []string { return list.Sorts(NewestFirst, ByAddress) }

// TenantSorts are the orders of tenants.
func TenantSorts() []string { return list.Sorts(NewestFirst, ByName) }

// LeaseSorts are the orders of leases.
func LeaseSorts() []string { return list.Sorts(NewestFirst, EndingSoonest) }

// TicketSorts are the orders of tickets.
func TicketSorts() []string { return list.Sorts(NewestFirst, UpdatedFirst) }

// PaymentSorts are the orders of the ledger.
func PaymentSorts() []string { return list.Sorts(OverdueFirst, LatestDue, NewestFirst) }
