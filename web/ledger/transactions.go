package ledger

import (
	"slices"

	"portal/api/list"
	"portal/api/portfolio"
	"portal/web/csvexport"
	"portal/web/page"
	"portal/web/related"
)

// exportTransactions answers with the movements of the money of the rows that the address asks for as a file. The way
// of paying narrows down the movements, as those of one row may have several.
func (p *ledgerPages) exportTransactions(v *page.Request) error {
	f, err := p.ledgerFilter(v)
	switch {
	case err != nil:
		return err
	case related.Note(f.Named) != "":
		return related.TooWide(v, "/ledger")
	}
	method := f.Method
	f.Method = ""
	var names map[string]string
	var homes map[string]*portfolio.Home
	return csvexport.Serve(v, p.Portfolio, csvexport.Table[portfolio.PaymentWithTransactions]{
		Name:  "transactions",
		Query: f.Query,
		Page: func(q list.Query) (*list.Page[portfolio.PaymentWithTransactions], error) {
			f.Query = q
			return p.Portfolio.Ledger.WithTransactions(v.Ctx(), v.Actor(), f)
		},
		Row: p.Portfolio.Ledger.PaymentWithTransactions,
		Load: func(rows []portfolio.PaymentWithTransactions) (err error) {
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
		Cells: func(c *portfolio.PaymentWithTransactions) csvexport.Cells {
			return transactionColumns(&c.Payment, &portfolio.Transaction{}, "", nil)
		},
		Lines: func(c *portfolio.PaymentWithTransactions) (all []csvexport.Cells) {
			for i := range c.Transactions {
				t := &c.Transactions[i]
				if method == "" || t.Method != nil && *t.Method == method {
					all = append(all, transactionColumns(&c.Payment, t, names[c.TenantID], homes[c.UnitID]))
				}
			}
			return all
		},
	})
}

func transactionColumns(
	c *portfolio.Payment, t *portfolio.Transaction, tenant string, home *portfolio.Home,
) csvexport.Cells {
	return slices.Concat(csvexport.Cells{
		"Transaction ID", t.ID, "Kind", t.Kind, "Method", t.Method, "Amount", t.Amount, "Status", t.Status,
		"Occurred (UTC)", t.OccurredAt, "Reference", t.Reference, "Failure code", t.FailureCode,
		"Recorded by", t.RecordedBy, "Reason", t.Reason, "Corrects", t.Corrects, "Tenant", tenant,
	}, csvexport.HomeCells(home), csvexport.Cells{
		"Charge ID", c.ID, "Charge type", c.Type, "Charge due date", c.DueDate, "Lease ID", c.LeaseID,
		"Tenant ID", c.TenantID, "Property ID", c.PropertyID, "Unit ID", c.UnitID,
	})
}
