package ticket

import "portal/api/portfolio"

// These are the rules by names that do not hide their methods where they are combined.
type (
	ticketRecords = portfolio.Tickets
	homeRecords   = portfolio.Homes
	finderRecords = portfolio.Finder
	tenantRecords = portfolio.Tenants
)

// Rules are the rules of a portfolio as the pages need them.
func Rules(p *portfolio.Service) Config {
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
