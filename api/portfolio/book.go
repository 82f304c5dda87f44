package portfolio

// Book is a whole portfolio to be written at once: a rent roll that is imported,
// or the demo. Its records carry their ids, and their CreatedAt is the time that
// their ids were made for.
type Book struct {
	Properties []Property
	Units      []Unit
	Tenants    []Tenant
	Leases     []Lease
	Tickets    []Ticket
	Payments   []Payment
}
