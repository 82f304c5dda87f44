package lease

import (
	"slices"

	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/ledger"
	"portal/views/kit"
	"portal/web/page"
)

// balanceCell is what is owed, in a list. A card shows it where there is something.
func balanceCell(due money.Cents) kit.Cell { return kit.Cell{Text: due.Dollars(), Off: due == 0} }

// balanceNote explains a balance below 0.
func balanceNote(due money.Cents) string {
	if due < 0 {
		return "credit"
	}
	return ""
}

// heldNote is how much of the deposit is held. The ledger of a lease that was imported may have nothing of it.
func heldNote(l *portfolio.Lease) string {
	if l.DepositHeld == 0 {
		return ""
	}
	return l.DepositHeld.Dollars() + " held"
}

// tenantBalances are what is owed today under the leases of each tenant, the deposit apart, by the tenant's id. A
// credit of one lease does not reduce what is owed under another.
func (p *tenantPages) tenantBalances(
	v *page.Request, tenants []portfolio.Tenant,
) (map[string]money.Cents, error) {
	var ids []string
	for i := range tenants {
		ids = append(ids, tenants[i].LeaseIDs...)
	}
	leases, err := p.Portfolio.Leases.Balances(v.Ctx(), v.Actor(), portfolio.Distinct(ids)...)
	all := map[string]money.Cents{}
	for i := range tenants {
		t := &tenants[i]
		var owed, credit money.Cents
		for _, id := range t.LeaseIDs {
			due := leases[id].Due
			owed, credit = owed+max(due, 0), credit+min(due, 0)
		}
		if owed == 0 {
			owed = credit
		}
		all[t.ID] = owed
	}
	return all, err
}

// accountParts are the charges through today with the balance after each, and what the ledger has of the deposit. There
// are none of a lease whose ledger is empty.
func (p *leasePages) accountParts(v *page.Request, l *portfolio.Lease) (all []kit.RelatedTable, err error) {
	a, err := p.Portfolio.Ledger.Account(v.Ctx(), v.Actor(), l.ID)
	if err != nil {
		return nil, err
	}
	if len(a.Lines) > 0 {
		all = append(all, balanceTable(v, l, a))
	}
	if slices.ContainsFunc(a.Deposit, func(c portfolio.Payment) bool { // one to come is among the scheduled charges
		return c.DueDate <= p.Portfolio.Today(v.Actor()) || c.AmountPaid != 0
	}) {
		all = append(all, depositTable(v, a))
	}
	return all, nil
}

// shownLines is how many lines the page of a lease shows of its ledger. Earlier ones are brought forward: the statement
// of account has them.
const shownLines = 6

func balanceTable(v *page.Request, l *portfolio.Lease, a *ledger.Account) kit.RelatedTable {
	lines := a.Lines
	first := max(len(lines)-shownLines, 0)
	grid := kit.PartGrid(kit.Table{
		Caption: "Balance, the oldest charge first",
		Columns: []kit.Column{
			{Name: "Charge"},
			{Name: "Due"},
			{Name: "Status"},
			{Name: "Amount", Right: true},
			{Name: "Paid", Right: true},
			{Name: "Balance", Right: true},
		},
	}, lines[first:], func(c *ledger.AccountLine) []kit.Cell {
		return []kit.Cell{
			{Text: page.ChargeName(&c.Payment), Path: v.PathTo("ledger", &c.ID)},
			{Text: page.Date(c.DueDate)},
			{Status: page.ChargeStatus(&c.Payment)},
			{Text: c.Amount.Dollars()},
			{Text: c.AmountPaid.Dollars()},
			{Text: c.Balance.Dollars()},
		}
	})
	if first > 0 {
		off := kit.Cell{Off: true}
		brought := []kit.Cell{{Text: "Brought forward"}, off, off, off, off, {Text: lines[first-1].Balance.Dollars()}}
		grid.Lines = append([][]kit.Cell{brought}, grid.Lines...)
		grid.Rows++
	}
	grid.Sum = []kit.Cell{{Text: "Balance today"}, {}, {}, {}, {}, {Text: a.Balance.Due.Dollars()}}
	return kit.RelatedTable{
		ID: "balance", Title: "Balance", Grid: grid, All: v.In("/leases/" + l.ID + "?tab=charges"),
	}
}

func depositTable(v *page.Request, a *ledger.Account) kit.RelatedTable {
	grid := kit.PartGrid(kit.Table{
		Caption: "Deposit",
		Columns: []kit.Column{
			{Name: "Charge"},
			{Name: "Due"},
			{Name: "Status"},
			{Name: "Amount", Right: true},
			{Name: "Held", Right: true},
		},
	}, a.Deposit, func(c *portfolio.Payment) []kit.Cell {
		return []kit.Cell{
			{Text: page.ChargeName(c), Path: v.PathTo("ledger", &c.ID)},
			{Text: page.Date(c.DueDate)},
			{Status: page.ChargeStatus(c)},
			{Text: c.Amount.Dollars()},
			{Text: c.AmountPaid.Dollars()},
		}
	})
	held := "Held today"
	if a.Moved {
		held = "Held today: moved to the lease that renews this one"
	}
	grid.Sum = []kit.Cell{{Text: held}, {}, {}, {}, {Text: a.Balance.DepositHeld.Dollars()}}
	return kit.RelatedTable{ID: "held", Title: "Deposit held", Grid: grid}
}
