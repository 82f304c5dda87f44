package ledger

import (
	"context"

	"portal/api/access"
	"portal/api/list"
	"portal/api/portfolio"
	"portal/api/portfolio/ledger"
	"portal/views/kit"
	"portal/web/page"
	"portal/web/related"
)

// sums are the tiles of the ledger: what matters today.
var sums = []struct {
	name, query string
	bad         bool
	filter      portfolio.PaymentFilter
}{
	{"Overdue", "overdue=true", true, portfolio.PaymentFilter{Overdue: new(true)}},
	{"Processing", "status=processing", false, portfolio.PaymentFilter{Status: portfolio.PaymentProcessing}},
	{
		"Partially paid", "status=partially_paid", false,
		portfolio.PaymentFilter{Status: portfolio.PaymentPartiallyPaid},
	},
	{"Failed", "status=failed", false, portfolio.PaymentFilter{Status: portfolio.PaymentFailed}},
}

// totals are what each tile adds up to, and then the list: with queries of their own, so that PostgreSQL plans that
// of the tiles once. The list of a search that goes through a part of what it has found has no total.
func (p *ledgerPages) totals(
	ctx context.Context, by access.Actor, listed portfolio.PaymentFilter,
) ([]ledger.Totals, error) {
	filters := make([]portfolio.PaymentFilter, len(sums))
	for i, t := range sums {
		filters[i] = t.filter
	}
	tiles, err := p.Portfolio.Ledger.PaymentTotals(ctx, by, filters...)
	if err != nil || related.Note(listed.Named) != "" {
		return tiles, err
	}
	all, err := p.Portfolio.Ledger.PaymentTotals(ctx, by, listed)
	return append(tiles, all...), err
}

func ledgerTiles(v *page.Request, totals []ledger.Totals) (all []kit.Tile) {
	for i, t := range sums {
		tile := kit.Tile{
			Name:  t.name,
			Value: totals[i].Balance.Dollars(),
			Words: chargesWords(totals[i].Rows),
			Path:  v.In("/ledger?" + t.query),
		}
		if t.bad && totals[i].Rows.N > 0 {
			tile.Tone, tile.Icon = kit.Failed, "triangle-alert"
		}
		all = append(all, tile)
	}
	return all
}

func chargesWords(n list.Count) string {
	switch {
	case n.N == 0:
		return "No charges"
	case n.N == 1 && !n.More:
		return "1 charge"
	}
	return n.Words() + " charges"
}

// sumLine adds up what is filtered, as far as it was counted.
func sumLine(t ledger.Totals) []kit.Cell {
	name := "Total of " + page.Counted(t.Rows.N, "charge")
	if t.Rows.More {
		name = "Total of 1,000 charges; there are more"
	}
	return []kit.Cell{
		{Text: name}, {}, {}, {}, {Text: t.Amount.Dollars()}, {Text: t.Paid.Dollars()}, {Text: t.Balance.Dollars()},
	}
}
