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
	return csvexport.Serve(v, p.Portfolio, csvexport.Table[portfolio.Payment]{
		Name:  "ledger",
		Query: f.Query,
		Page: func(q list.Query) (*list.Page[portfolio.Payment], error) {
			f.Query = q
			return p.Portfolio.Ledger.Payments(v.Ctx(), v.Actor(), f)
		},
		Row: func(name string) (*portfolio.Payment, error) {
			return p.Portfolio.Ledger.Payment(v.Ctx(), v.Actor(), name)
		},
		Columns: func(rows []portfolio.Payment) ([]csvexport.Column[portfolio.Payment], error) {
			var ids, units []string
			for i := range rows {
				ids, units = append(ids, rows[i].TenantID), append(units, rows[i].UnitID)
			}
			names, err := p.Portfolio.Finder.Called(v.Ctx(), v.Actor(), ids...)
			if err != nil {
				return nil, err
			}
			homes, err := p.Portfolio.Homes.Homes(v.Ctx(), v.Actor(), portfolio.Distinct(units))
			return ledgerColumns(names, homes), err
		},
	})
}

func ledgerColumns(names map[string]string, homes map[string]*portfolio.Home) []csvexport.Column[portfolio.Payment] {
	type row = portfolio.Payment
	type value = csvexport.Value
	return slices.Concat([]csvexport.Column[row]{
		{Name: "Charge ID", Of: func(c *row) value { return csvexport.Text(c.ID) }},
		{Name: "Type", Of: func(c *row) value { return csvexport.Text(c.Type) }},
		{Name: "Fee type", Of: func(c *row) value { return csvexport.TextOr(c.FeeType) }},
		{Name: "Description", Of: func(c *row) value { return csvexport.TextOr(c.Description) }},
		{Name: "Status", Of: func(c *row) value { return csvexport.Text(c.Status) }},
		{Name: "Tenant", Of: func(c *row) value { return csvexport.Text(names[c.TenantID]) }},
	}, csvexport.HomeColumns(func(c *row) *portfolio.Home { return homes[c.UnitID] }), []csvexport.Column[row]{
		{Name: "Amount", Of: func(c *row) value { return csvexport.Of(c.Amount) }},
		{Name: "Paid", Of: func(c *row) value { return csvexport.Of(c.AmountPaid) }},
		{Name: "Balance", Of: func(c *row) value { return csvexport.Of(c.BalanceDue) }},
		{Name: "Due date", Of: func(c *row) value { return csvexport.Of(c.DueDate) }},
		{Name: "Days overdue", Of: func(c *row) value { return csvexport.Number(c.DaysOverdue) }},
		{Name: "Period start", Of: func(c *row) value { return csvexport.Or(c.PeriodStart) }},
		{Name: "Period end", Of: func(c *row) value { return csvexport.Or(c.PeriodEnd) }},
		{Name: "Method", Of: func(c *row) value { return csvexport.TextOr(c.Method) }},
		{Name: "Reference", Of: func(c *row) value { return csvexport.TextOr(c.Reference) }},
		{Name: "Started (UTC)", Of: func(c *row) value { return csvexport.Or(c.InitiatedAt) }},
		{Name: "Paid in full (UTC)", Of: func(c *row) value { return csvexport.Or(c.PaidAt) }},
		{Name: "Failure", Of: func(c *row) value { return csvexport.TextOr(c.FailureMessage) }},
		{Name: "Lease ID", Of: func(c *row) value { return csvexport.Text(c.LeaseID) }},
		{Name: "Tenant ID", Of: func(c *row) value { return csvexport.Text(c.TenantID) }},
		{Name: "Property ID", Of: func(c *row) value { return csvexport.Text(c.PropertyID) }},
		{Name: "Unit ID", Of: func(c *row) value { return csvexport.Text(c.UnitID) }},
	}, csvexport.RecordColumns(func(c *row) *portfolio.Record { return &c.Record }))
}
