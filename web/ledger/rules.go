package ledger

import (
	"portal/api/portfolio"
	"portal/api/portfolio/report"
)

// These are the rules by names that do not hide their methods where they are combined.
type (
	rows    = portfolio.Ledger
	reports = report.Reports
	charged = portfolio.Leases
	names   = portfolio.Finder
)

// Rules are the rules of a portfolio as the pages need them.
func Rules(p *portfolio.Service, r *reports) Config {
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
