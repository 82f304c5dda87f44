package records_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/list"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/ledger/report"
	"portal/db/portfoliostore"
)

// owingLease is what a lease owes, by arithmetic of its own: of rent and fees first, then of the deposit.
type owingLease struct {
	rent             money.Cents
	due, late, owing [2]money.Cents
}

// Balances of leases, rent balances, the summary, the overview with its ages, the tile of the ledger, and the owner's
// statement take credits off in the same way, whatever is charged, paid, and credited.
func TestAllThatSaysWhatIsOwedAgrees(t *testing.T) {
	seed := ledgerSeed(t)
	inEach(t, func(h *leaseFixture) {
		random := rand.New(rand.NewPCG(seed, 7))
		today := clock.DateOf(h.now, h.by.Zone)
		var leases []string
		for range 6 {
			leases = append(leases, h.adds(
				h.lease(portfolio.LeaseActive, clock.Day(2026, 1, 1), h.tenants[0]), nil))
		}
		rows := map[string][]portfolio.Payment{}
		for n := range 60 {
			lease := leases[random.IntN(len(leases))]
			row := randomRow(random, today)
			h.charges(lease, row.DueDate, func(p *portfolio.Payment) {
				p.Type, p.Status, p.Amount, p.AmountPaid = row.Type, row.Status, row.Amount, row.AmountPaid
			})
			if rows[lease] = append(rows[lease], row); n%6 == 0 {
				h.agree(fmt.Sprintf("after %d rows of seed %d", n, seed), leases, rows, today)
			}
		}
	})
}

// randomRow is a charge or a credit, in any status.
func randomRow(random *rand.Rand, today clock.Date) (p portfolio.Payment) {
	p.Type = []portfolio.PaymentType{"rent", "rent", "fee", "deposit"}[random.IntN(4)]
	p.DueDate = today - clock.Date(random.IntN(130)) + 10
	p.Amount = money.Cents(1 + random.IntN(50_000))
	p.Status = []portfolio.PaymentStatus{
		"due", "due", "partially_paid", "failed", "processing", "succeeded", "void",
	}[random.IntN(7)]
	switch p.Status {
	case portfolio.PaymentSucceeded:
		p.AmountPaid = p.Amount
	case portfolio.PaymentPartiallyPaid:
		p.AmountPaid = p.Amount / 3
	default:
	}
	if random.IntN(3) == 0 {
		p.Amount, p.AmountPaid = -p.Amount, -p.AmountPaid
	}
	if p.DueDate > today && p.Status == portfolio.PaymentDue {
		p.Status = portfolio.PaymentScheduled
	}
	return p
}

// agree compares all that says what is owed.
func (h *leaseFixture) agree(when string, leases []string, rows map[string][]portfolio.Payment, today clock.Date) {
	h.Helper()
	var due, rent, late money.Cents
	of := map[string]owingLease{}
	owingLeases := 0
	for _, id := range leases {
		var l owingLease
		for _, p := range rows[id] {
			open := p.Status == "due" || p.Status == "scheduled" || p.Status == "partially_paid" || p.Status == "failed"
			if !open || p.DueDate > today {
				continue
			}
			half, left := 0, p.Amount-p.AmountPaid
			if p.Type == portfolio.PaymentDeposit {
				half = 1
			}
			if l.due[half] += left; p.Type == portfolio.PaymentRent {
				l.rent += left
			}
			if p.DueDate < today || left < 0 {
				l.owing[half] += left
			}
		}
		for half := range l.due {
			due += max(0, l.due[half])
			l.late[half] = max(0, l.owing[half])
		}
		rent += max(0, l.rent)
		if n := l.late[0] + l.late[1]; n > 0 {
			late += n
			owingLeases++
		}
		of[id] = l
	}
	for id, l := range of {
		shown, err := h.Leases.Lease(h.Context(), h.by, id)
		h.ok(err)
		if shown.BalanceDue != l.due[0] {
			h.Errorf("%s: the lease says %s, want %s", when, shown.BalanceDue, l.due[0])
		}
		tile, err := h.Ledger.OverdueTotal(h.Context(), h.by, portfolio.PaymentFilter{LeaseID: id})
		h.ok(err)
		if tile.Balance != l.late[0]+l.late[1] || tile.Rows.N > 0 != (tile.Balance > 0) {
			h.Errorf("%s: the tile of the lease says %+v, want %s", when, tile, l.late[0]+l.late[1])
		}
	}
	sum, err := h.Reports.Summary(h.Context(), h.by)
	h.ok(err)
	balances, err := h.Reports.RentBalances(h.Context(), h.by, report.BalanceFilter{Limit: 100})
	h.ok(err)
	if sum.ChargesDueTotal != due || sum.RentDueTotal != rent || balances.TotalDue != rent {
		h.Errorf("%s: the summary says %s and %s, rent balances %s, want %s and %s", when, sum.ChargesDueTotal,
			sum.RentDueTotal, balances.TotalDue, due, rent)
	}
	o, err := h.Reports.Overview(h.Context(), h.by, 1)
	h.ok(err)
	tile, err := h.Ledger.OverdueTotal(h.Context(), h.by, portfolio.PaymentFilter{})
	h.ok(err)
	var ages, byAge money.Cents
	for i, amount := range o.Overdue.Ages {
		ages += amount
		f := portfolio.PaymentFilter{Query: list.Query{}}
		if i < len(report.Ages) {
			f.DueAfter = new(today - clock.Date(report.Ages[i]) - 1)
		}
		if i > 0 {
			f.DueBefore = new(today - clock.Date(report.Ages[i-1]))
		}
		part, err := h.Ledger.OverdueTotal(h.Context(), h.by, f)
		h.ok(err)
		if byAge += part.Balance; part.Balance != amount {
			h.Errorf("%s: the arrears of age %d are %s, and the tile says %s", when, i, amount, part.Balance)
		}
	}
	if o.Overdue.Sum != late || ages != late || byAge != late || tile.Balance != late ||
		o.Overdue.Leases != owingLeases || o.Overdue.Charges != tile.Rows.N {
		h.Errorf(
			"%s: the overview says %+v, the tile %+v, want %s of %d leases",
			when,
			o.Overdue,
			tile,
			late,
			owingLeases,
		)
	}
	statement, err := h.Reports.OwnerStatement(h.Context(), h.by, nil, today-30, today)
	h.ok(err)
	if statement.Total.Overdue != late {
		h.Errorf("%s: the owner's statement says %s, want %s", when, statement.Total.Overdue, late)
	}
	other, err := h.Ledger.OverdueTotal(h.Context(), h.owner(access.Test), portfolio.PaymentFilter{})
	h.ok(err)
	if other.Rows.N != 0 {
		h.Errorf("another portfolio shows %+v", other)
	}
	overdue, _, err := portfoliostore.New(h.db).OverdueWithCredit(h.Context(), h.home.Test, today, 10)
	h.ok(err)
	if len(overdue) != 0 {
		h.Errorf("another portfolio shows %+v", overdue)
	}
}
