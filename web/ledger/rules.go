package ledger

import (
	"portal/api/portfolio/lease"
	"portal/api/portfolio/ledger"
	"portal/api/portfolio/ledger/report"
	"portal/api/portfolio/property"
	"portal/api/portfolio/records"
)

// These are the rules by names that do not hide their methods where they are combined.
type (
	rows    = ledger.Ledger
	reports = report.Reports
	charged = lease.Leases
	names   = property.Finder
)

// Rules are the rules of a portfolio as the pages need them.
func Rules(p *records.Service, r *reports) Config {
	return Config{
		Ledger: struct {
			*rows
			*reports
		}{p.Ledger, r},
		Leases: struct {
			*charged
			*names
		}{p.Leases, p.Finder},
	}
}
