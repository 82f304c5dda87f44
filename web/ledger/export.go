package ledger

import (
	"slices"

	"portal/api/list"
	"portal/api/portfolio"
	"portal/web/csvexport"
	"portal/web/page"
	"portal/web/related"
)

// exportLedger answers with the rows of the ledger that the address asks for as a file.
func (p *ledgerPages) exportLedger(v *page.Request) error {
	f, err := p.ledgerFilter(v)
	switch {
	case err != nil:
		return err
	case related.Note(f.Named) != "":
		return related.TooWide(v, "/ledger")
	}
	var names map[string]string
	var homes map[string]*portfolio.Home
	return csvexport.Serve(v, p.Portfolio, csvexport.Table[portfolio.Payment]{
		Name:  "ledger",
		Query: f.Query,
		Page: func(q list.Query) (*list.Page[portfolio.Payment], error) {
			f.Query = q
			return p.Portfolio.Ledger.Payments(v.Ctx(), v.Actor(), f)
		},
		Row: p.Portfolio.Ledger.Payment,
		Load: func(rows []portfolio.Payment) (err error) {
			var ids, units []string
			for i := range rows {
				ids, units = append(ids, rows[i].TenantID), append(units, rows[i].UnitID)
			}
			if names, err = p.Portfolio.Finder.Called(v.Ctx(), v.Actor(), ids...); err != nil {
				return err
			}
			homes, err = p.Portfolio.Homes.Homes(v.Ctx(), v.Actor(), portfolio.Distinct(units))
			return err
		},
		Cells: func(c *portfolio.Payment) csvexport.Cells {
			return ledgerColumns(c, names[c.TenantID], homes[c.UnitID])
		},
	})
}

func ledgerColumns(c *portfolio.Payment, tenant string, home *portfolio.Home) csvexport.Cells {
	return slices.Concat(csvexport.Cells{
		"Charge ID", c.ID, "Type", c.Type, "Fee type", c.FeeType, "Description", c.Description,
		"Status", c.Status, "Tenant", tenant,
	}, csvexport.HomeCells(home), csvexport.Cells{
		"Amount", c.Amount, "Paid", c.AmountPaid, "Balance", c.BalanceDue, "Due date", c.DueDate,
		"Days overdue", c.DaysOverdue, "Period start", c.PeriodStart, "Period end", c.PeriodEnd,
		"Method", c.Method, "Reference", c.Reference, "Started (UTC)", c.InitiatedAt,
		"Paid in full (UTC)", c.PaidAt, "Failure", c.FailureMessage, "Lease ID", c.LeaseID,
		"Tenant ID", c.TenantID, "Property ID", c.PropertyID, "Unit ID", c.UnitID,
	}, csvexport.RecordCells(&c.Record))
}
