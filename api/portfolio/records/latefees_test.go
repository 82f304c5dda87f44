package records_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"portal/api/change"
	"portal/api/clock"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/lease/terms"
	"portal/api/portfolio/ledger"
	"portal/api/sampled"
	"portal/db"
	"portal/db/dbtest"
)

// lateCase is a lease whose rent of March is late, with what happens to it.
type lateCase struct {
	name  string
	often terms.Frequency
	// happens is what a person does on a day, after the job has run: the first day of the late fee is 0.
	happens func(w *ledgerWorld, c *lateLease, day int)
	// without tells the days on which there is no late fee though the rent is owed.
	without func(day int) bool
}

// lateLease is such a lease in a state.
type lateLease struct {
	*ledgerLease
	lateCase
	from clock.Date // first day of the late fee
	paid money.Cents
	most money.Cents // that the fee has come to, as it never shrinks
}

const marchRent, lateOnce, lateDaily = money.Cents(100_000), money.Cents(15_000), money.Cents(2_000)

// rent is the row of March, fee its late fee, nil for none.
func (c *lateLease) rent(w *ledgerWorld) (rent, fee *portfolio.Payment) {
	rows := w.read(c.ledgerLease)
	c.rows = rows
	for i := range rows {
		if rows[i].Type == portfolio.PaymentRent {
			rent = &rows[i]
		}
		if rows[i].FeeType != nil && *rows[i].FeeType == portfolio.LateFee && rows[i].Status != portfolio.PaymentVoid {
			if fee != nil {
				w.Errorf("%s in %s: two late fees", c.name, c.rule.state)
			}
			fee = &rows[i]
		}
	}
	return rent, fee
}

func (c *lateLease) pays(w *ledgerWorld, amount money.Cents, on *clock.Date) {
	rent, _ := c.rent(w)
	m, err := w.Ledger.RecordPayment(w.Context(), w.by, change.Target{ID: rent.ID}, ledger.Clearing{
		Amount: amount, Method: "check", On: on,
	})
	w.ok(err)
	c.paid = m.After.AmountPaid
}

func never(int) bool { return false }

var lateCases = []lateCase{
	{"unpaid", terms.Once, func(*ledgerWorld, *lateLease, int) {}, never},
	{"unpaid, by the day", terms.Daily, func(*ledgerWorld, *lateLease, int) {}, never},
	{"paid in part in time", terms.Once, func(w *ledgerWorld, c *lateLease, day int) {
		if day == -1 {
			c.pays(w, 40_000, nil)
		}
	}, never},
	{"paid in part late, by the day", terms.Daily, func(w *ledgerWorld, c *lateLease, day int) {
		switch day {
		case 2:
			c.pays(w, 50_000, nil)
		case 4:
			c.pays(w, 50_000, nil)
		}
	}, never},
	{"paid in time, as is recorded late and corrected", terms.Once, func(w *ledgerWorld, c *lateLease, day int) {
		rent, _ := c.rent(w)
		switch day {
		case 1:
			c.pays(w, marchRent, new(c.from-1))
			c.most = 0
		case 4:
			p, err := w.Ledger.PaymentWithTransactions(w.Context(), w.by, rent.ID)
			w.ok(err)
			w.ok(second(w.Ledger.CorrectPayment(w.Context(), w.by, change.Target{ID: rent.ID}, ledger.Correction{
				TransactionID: p.Transactions[0].ID, Reason: "Of another tenant.",
			})))
			c.paid = 0
		}
	}, func(day int) bool { return day >= 2 && day <= 4 }},
	{"taken back by a person", terms.Once, func(w *ledgerWorld, c *lateLease, day int) {
		if _, fee := c.rent(w); day == 1 {
			w.ok(second(w.Ledger.VoidCharge(w.Context(), w.by, change.Target{ID: fee.ID})))
		}
	}, func(day int) bool { return day >= 2 }},
	{"under way until it fails", terms.Once, func(w *ledgerWorld, c *lateLease, day int) {
		rent, _ := c.rent(w)
		switch day {
		case -1:
			w.ok(w.processor().starts(w.Context(), rent, portfolio.PayByACH))
		case 3:
			w.fails(rent.ID)
		}
	}, func(day int) bool { return day <= 3 }},
}

// wants is the late fee of a day, 0 for none.
func (c *lateLease) wants(day int) money.Cents {
	if day < 0 || c.without(day) {
		return 0
	}
	overdue := marchRent - c.paid
	if overdue == 0 {
		return c.most
	}
	asked := lateOnce
	if c.often == terms.Daily {
		asked = min(lateDaily*money.Cents(day+1), marchRent)
	}
	if most, limited := c.rule.most(owing{marchRent, overdue, int64(day) + 1, 0}); limited {
		asked = min(asked, most)
	}
	c.most = max(c.most, asked)
	return c.most
}

// In every state a late fee comes on its day, is what the lease asks for and no more than the law allows, and goes
// where the rent was there in time.
func TestLateFeesOfEveryState(t *testing.T) {
	dbtest.Both(t, func(t *testing.T, d *db.DB) {
		w := emptyLedger(t, d, rand.New(rand.NewPCG(1, 1)), "late", "America/Chicago")
		w.now = time.Date(2027, 2, 20, 12, 0, 0, 0, w.by.Zone)
		w.hour()
		var all []*lateLease
		for i, rule := range lateRules(t) {
			if d.Postgres() != nil && i%7 > 0 && !sampled.Whole {
				continue // SQLite has them all
			}
			for n, of := range lateCases {
				all = append(all, w.late(rule, of, []*int{nil, new(3), new(0)}[(i+n)%3]))
			}
		}
		for range 45 {
			w.now = w.now.AddDate(0, 0, 1)
			w.hour()
			for _, c := range all {
				c.looks(w)
			}
		}
	})
}

// late signs a lease of March over $1,000.
func (w *ledgerWorld) late(rule lateRule, of lateCase, grace *int) *lateLease {
	w.Helper()
	l, tenant := w.home(rule)
	l.LeaseType, l.StartDate, l.EndDate = portfolio.Fixed, clock.Day(2027, 3, 1), new(clock.Day(2027, 3, 31))
	l.MonthlyRent, l.RentDueDay, l.LateFeeGraceDays = marchRent, 1, grace
	l.Terms.LateFeeFrequency, l.LateFeeAmount = of.often, new(lateOnce)
	if of.often == terms.Daily {
		l.LateFeeAmount = new(lateDaily)
	}
	days := rule.grace
	if grace != nil {
		days = max(days, *grace)
	}
	return &lateLease{
		ledgerLease: w.signs(&l, tenant, rule), lateCase: of, from: l.StartDate.AddDays(days + 1),
	}
}

// looks holds the late fee of today against what it must be, and has happen what happens today.
func (c *lateLease) looks(w *ledgerWorld) {
	w.Helper()
	day := int(w.today() - c.from)
	if day == 10 && c.paid < marchRent { // the job need not look at it any more
		c.pays(w, marchRent-c.paid, nil)
	}
	if day < -1 || day > 9 {
		return
	}
	var got money.Cents
	if _, fee := c.rent(w); fee != nil {
		got = fee.Amount
	}
	if want := c.wants(day); got != want {
		w.Errorf("%s in %s on day %d: %s, want %s", c.name, c.rule.state, day, got, want)
	}
	c.happens(w, c, day)
	if _, fee := c.rent(w); fee != nil && c.without(day+1) && c.paid == marchRent {
		w.Errorf("%s in %s: the late fee is still there", c.name, c.rule.state)
	}
}
