package property

import (
	"portal/api/portfolio/lease"
	"portal/api/portfolio/ledger"
	"portal/api/portfolio/property"
	"portal/api/portfolio/property/verification"
	"portal/api/portfolio/records"
	"portal/api/portfolio/ticket"
)

// These are the rules by names that do not hide their methods where they are combined.
type (
	propertyRules = property.Properties
	verifications = verification.Verifications
	homeRules     = property.Homes
	unitRules     = property.Units
	leaseRules    = lease.Leases
	ticketRules   = ticket.Tickets
	ledgerRules   = ledger.Ledger
	finder        = property.Finder
)

// Rules are the rules of a portfolio as the pages need them.
func Rules(p *records.Service, v *verifications, imports Imports) Config {
	return Config{
		Properties: struct {
			*propertyRules
			*verifications
		}{p.Properties, v},
		Units: struct {
			*homeRules
			*unitRules
			*leaseRules
			*ticketRules
			*ledgerRules
		}{p.Homes, p.Units, p.Leases, p.Tickets, p.Ledger},
		Search: struct {
			*finder
			*homeRules
		}{p.Finder, p.Homes},
		Imports: imports,
	}
}
