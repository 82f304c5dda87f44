package property

import (
	"portal/api/portfolio"
	"portal/api/portfolio/verification"
)

// These are the rules by names that do not hide their methods where they are combined.
type (
	propertyRules = portfolio.Properties
	verifications = verification.Verifications
	homeRules     = portfolio.Homes
	unitRules     = portfolio.Units
	leaseRules    = portfolio.Leases
	ticketRules   = portfolio.Tickets
	ledgerRules   = portfolio.Ledger
	finder        = portfolio.Finder
)

// Rules are the rules of a portfolio as the pages need them.
func Rules(p *portfolio.Service, v *verifications, imports Imports) Config {
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
