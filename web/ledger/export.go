package ledger

import (
	"context"
	"slices"

	"portal/api/access"
	"portal/api/list"
	"portal/api/portfolio"
	"portal/api/portfolio/ledger"
	"portal/views/kit"
	"portal/web/csvexport"
	"portal/web/page"
	"portal/web/related"
)

// exportLedger answers with the rows of the ledger that the address asks for as a file.
func (p *Section) exportLedger(v *page.Request) error {
	f, err := p.ledgerFilter(v)
	switch {
	case err != nil:
		return err
	case related.Note(f.Named) != "":
		return related.TooWide(v, "/ledger")
	}
	file := ledgerFile[portfolio.Payment]{Section: p, row: func(c *portfolio.Payment) *portfolio.Payment { return c }}
	t := file.table(v, f, p.Portfolio.Ledger.Payments)
	t.Name, t.Row = "ledger", p.Portfolio.Ledger.Payment
	t.Cells = func(c *portfolio.Payment) csvexport.Cells {
		return ledgerColumns(c, file.names[c.TenantID], file.homes[c.UnitID])
	}
	return csvexport.Serve(v, p.Portfolio, t)
}

// exportTransactions answers with the movements of the money of the rows that the address asks for as a file. The way
// of paying narrows down the movements, as those of one row may have several.
func (p *Section) exportTransactions(v *page.Request) error {
	f, err := p.ledgerFilter(v)
	switch {
	case err != nil:
		return err
	case related.Note(f.Named) != "":
		return related.TooWide(v, "/ledger")
	}
	method := f.Method
	f.Method = ""
	file := ledgerFile[portfolio.PaymentWithTransactions]{
		Section: p, row: func(c *portfolio.PaymentWithTransactions) *portfolio.Payment { return &c.Payment },
	}
	t := file.table(v, f, p.Portfolio.Ledger.WithTransactions)
	t.Name, t.Row = "transactions", p.Portfolio.Ledger.PaymentWithTransactions
	t.Cells = func(c *portfolio.PaymentWithTransactions) csvexport.Cells {
		return transactionColumns(&c.Payment, &portfolio.Transaction{}, "", nil)
	}
	t.Lines = func(c *portfolio.PaymentWithTransactions) (all []csvexport.Cells) {
		for i := range c.Transactions {
			moved := &c.Transactions[i]
			if method == "" || moved.Method != nil && *moved.Method == method {
				all = append(all, transactionColumns(&c.Payment, moved, file.names[c.TenantID], file.homes[c.UnitID]))
			}
		}
		return all
	}
	return csvexport.Serve(v, p.Portfolio, t)
}

// ledgerFile is a file about rows of the ledger, with the names of the tenants and the homes of a page of them.
type ledgerFile[T any] struct {
	*Section
	row   func(*T) *portfolio.Payment
	names map[string]string
	homes map[string]*portfolio.Home
}

// table reads the rows that a filter finds, still without columns.
func (x *ledgerFile[T]) table(
	v *page.Request, f portfolio.PaymentFilter,
	read func(context.Context, access.Actor, portfolio.PaymentFilter) (*list.Page[T], error),
) csvexport.Table[T] {
	return csvexport.Table[T]{
		Query: f.Query,
		Page: func(q list.Query) (*list.Page[T], error) {
			f.Query = q
			return read(v.Ctx(), v.Actor(), f)
		},
		Load: func(rows []T) (err error) {
			var ids, units []string
			for i := range rows {
				c := x.row(&rows[i])
				ids, units = append(ids, c.TenantID), append(units, c.UnitID)
			}
			if x.names, err = x.Portfolio.Finder.Called(v.Ctx(), v.Actor(), ids...); err != nil {
				return err
			}
			x.homes, err = x.Portfolio.Homes.Homes(v.Ctx(), v.Actor(), portfolio.Distinct(units))
			return err
		},
	}
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

// sums are the tiles of the ledger: what matters today. The one without a status, the first one, is of what is
// overdue.
var sums = []struct {
	name   string
	bad    bool
	status portfolio.PaymentStatus
}{
	{"Overdue", true, ""},
	{"Processing", false, portfolio.PaymentProcessing},
	{"Partially paid", false, portfolio.PaymentPartiallyPaid},
	{"Failed", false, portfolio.PaymentFailed},
}

// tiles are what each tile adds up to, of all that the other filters of the list find. There are none where the
// search goes through a part of what it has found.
func (p *Section) tiles(
	ctx context.Context, by access.Actor, listed portfolio.PaymentFilter,
) ([]ledger.Totals, error) {
	if related.Note(listed.Named) != "" {
		return nil, nil
	}
	listed.Query = list.Query{}
	overdue, err := p.Portfolio.Ledger.OverdueTotal(ctx, by, listed)
	if err != nil {
		return nil, err
	}
	var filters []portfolio.PaymentFilter
	for _, t := range sums[1:] {
		listed.Status, listed.Overdue = t.status, nil
		filters = append(filters, listed)
	}
	totals, err := p.Portfolio.Ledger.PaymentTotals(ctx, by, filters...)
	return append([]ledger.Totals{overdue}, totals...), err
}

// total is what a list adds up to, of which it is known how many rows it has: as many as are counted at most.
func (p *Section) total(
	ctx context.Context, by access.Actor, listed portfolio.PaymentFilter, rows list.Count,
) (ledger.Totals, error) {
	if rows.More || rows.N == 0 {
		return ledger.Totals{Rows: rows}, nil
	}
	all, err := p.Portfolio.Ledger.PaymentTotals(ctx, by, listed)
	if err != nil {
		return ledger.Totals{}, err
	}
	return all[0], nil
}

func ledgerTiles(f kit.Filters, totals []ledger.Totals) (all []kit.Tile) {
	for i := range totals {
		t, overdue := sums[i], ""
		if t.status == "" {
			overdue = "true"
		}
		tile := kit.Tile{
			Name:  t.name,
			Value: atLeast(totals[i]),
			Words: chargesWords(totals[i].Rows),
			Path:  f.With("status", string(t.status), "overdue", overdue),
		}
		if t.bad && totals[i].Rows.N > 0 {
			tile.Tone, tile.Icon = kit.Failed, "triangle-alert"
		}
		all = append(all, tile)
	}
	return all
}

func chargesWords(n list.Count) string {
	if n.N == 0 {
		return "No charges"
	}
	return page.CountWords(n, "charge")
}

// atLeast is what is owed, with a plus where more rows are.
func atLeast(t ledger.Totals) string {
	if t.Rows.More {
		return t.Balance.Dollars() + "+"
	}
	return t.Balance.Dollars()
}

// sumLine is the total of what is filtered, up to as many rows as are counted, or else of the page.
func sumLine(t ledger.Totals, shown []portfolio.Payment) []kit.Cell {
	name := "Total of " + page.Counted(t.Rows.N, "charge")
	if t.Rows.More {
		name, t = "Total of this page", ledger.Totals{}
		for i := range shown {
			t.Amount += shown[i].Amount
			t.Paid += shown[i].AmountPaid
			t.Balance += shown[i].BalanceDue
		}
	}
	return []kit.Cell{
		{Text: name}, {}, {}, {}, {Text: t.Amount.Dollars()}, {Text: t.Paid.Dollars()}, {Text: t.Balance.Dollars()},
	}
}
