package ticket

import (
	"portal/api/portfolio/lease"
	"portal/api/portfolio/property"
	"portal/api/portfolio/records"
	"portal/api/portfolio/ticket"
)

// These are the rules by names that do not hide their methods where they are combined.
type (
	ticketRecords = ticket.Tickets
	homeRecords   = property.Homes
	finderRecords = property.Finder
	tenantRecords = lease.Tenants
)

// Rules are the rules of a portfolio as the pages need them.
func Rules(p *records.Service) Config {
	return Config{
		Tickets: struct {
			*ticketRecords
			*homeRecords
			*finderRecords
			*tenantRecords
		}{p.Tickets, p.Homes, p.Finder, p.Tenants},
		Records: p.Finder,
	}
}
