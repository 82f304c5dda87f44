package ledger

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"portal/api/clock"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/lease/terms"
)

// planning is a lease of a year for $1,000 with a deposit, parking and a fee to move in, on a day in its third month.
func planning(rows ...portfolio.Payment) *charging {
	l := &portfolio.Lease{
		Record:          portfolio.Record{ID: "lea_1"},
		Status:          portfolio.LeaseActive,
		LeaseType:       portfolio.Fixed,
		StartDate:       clock.Day(2026, 9, 16),
		EndDate:         new(clock.Day(2027, 9, 15)),
		MonthlyRent:     money.Dollars(1000),
		SecurityDeposit: money.Dollars(1500),
		RentDueDay:      1,
		TenantIDs:       []string{"ten_1"},
		Terms: terms.Terms{Fees: []terms.Fee{
			{Name: "Move-in fee", Amount: money.Dollars(100), Frequency: terms.OneTime},
			{Name: "Parking", Amount: money.Dollars(50), Frequency: terms.Monthly},
		}},
	}
	return &charging{
		lease:    l,
		until:    l.LastDay(),
		rows:     rows,
		today:    clock.Day(2026, 11, 10),
		auto:     true,
		whole:    true,
		lateFrom: func(due clock.Date) *clock.Date { return new(due + 6) },
	}
}

// lines are rows in one line each.
func lines(rows ...portfolio.Payment) (all []string) {
	for i := range rows {
		p := &rows[i]
		charge := "nothing"
		if p.Charge != nil {
			charge = *p.Charge
		}
		line := fmt.Sprintf("%s %s %s due %s", charge, p.Amount, p.Status, p.DueDate)
		if p.Part > 0 {
			line += fmt.Sprintf(" part %d", p.Part)
		}
		all = append(all, line)
	}
	return all
}

// written has the ledger written by which a plan is made, with ids.
func (c *charging) written() *charging {
	p := c.plan()
	for _, row := range p.added {
		row.ID = fmt.Sprintf("pay_%02d", len(c.rows))
		c.rows = append(c.rows, row)
	}
	return c
}

// of finds a row by what it charges.
func (c *charging) of(t *testing.T, charge string) *portfolio.Payment {
	t.Helper()
	i := slices.IndexFunc(c.rows, func(p portfolio.Payment) bool { return *p.Charge == charge })
	if i < 0 {
		t.Fatalf("nothing charges %s: %v", charge, lines(c.rows...))
	}
	return &c.rows[i]
}

func same(t *testing.T, got, want []string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestLeaseIsChargedFromItsFirstDay(t *testing.T) {
	t.Parallel()
	c := planning()
	p := c.plan()
	same(t, lines(p.added...), []string{
		"deposit 1500.00 due due 2026-09-16",
		"fee 0 100.00 due due 2026-09-16",
		"rent 2026-09 500.00 due due 2026-09-16",
		"fee 1 2026-09 25.00 due due 2026-09-16",
		"rent 2026-10 1000.00 due due 2026-10-01",
		"fee 1 2026-10 50.00 due due 2026-10-01",
		"rent 2026-11 1000.00 due due 2026-11-01",
		"fee 1 2026-11 50.00 due due 2026-11-01",
		"rent 2026-12 1000.00 scheduled due 2026-12-01",
		"fee 1 2026-12 50.00 scheduled due 2026-12-01",
	})
	if p.next != clock.Day(2026, 12, 2) {
		t.Errorf("is looked at again on %s", p.next)
	}
	if again := c.written().plan(); len(again.added)+len(again.changed) > 0 {
		t.Errorf("again: %+v", again)
	}
}

func TestWhatIsDueAtTheStartIsChargedHoweverFarAheadItIs(t *testing.T) {
	t.Parallel()
	c := planning()
	c.today, c.lease.Status = clock.Day(2026, 5, 1), portfolio.LeaseSigned
	p := c.plan()
	same(t, lines(p.added...), []string{
		"deposit 1500.00 scheduled due 2026-09-16",
		"fee 0 100.00 scheduled due 2026-09-16",
		"rent 2026-09 500.00 scheduled due 2026-09-16",
		"fee 1 2026-09 25.00 scheduled due 2026-09-16",
	})
	if p.next != clock.Day(2026, 9, 1) {
		t.Errorf("is looked at again on %s", p.next)
	}
}

func TestOlderLeaseIsChargedOnlyWhatIsDueLater(t *testing.T) {
	t.Parallel()
	c := planning()
	c.whole, c.after = false, clock.Day(2026, 11, 10)
	same(t, lines(c.plan().added...), []string{
		"rent 2026-12 1000.00 scheduled due 2026-12-01",
		"fee 1 2026-12 50.00 scheduled due 2026-12-01",
	})
	c.auto = false
	if p := c.plan(); len(p.added) > 0 || p.next != clock.LastDay {
		t.Errorf("a ledger that does not charge by itself: %+v", p)
	}
}

func TestChargesOfLeaseThatEndsSoonerAreRevisedOrCredited(t *testing.T) {
	t.Parallel()
	c := planning().written()
	paid := c.of(t, "rent 2026-11")
	paid.Status, paid.AmountPaid = portfolio.PaymentSucceeded, paid.Amount
	c.until, c.ended = new(clock.Day(2026, 11, 15)), true
	c.lease.Status, c.lease.TerminatedOn = portfolio.LeaseTerminated, c.until
	p := c.plan()
	same(t, lines(p.added...), []string{"rent 2026-11 -500.00 due due 2026-11-10 part 1"})
	if *p.added[0].ReversesPaymentID != paid.ID || *p.added[0].PeriodStart != clock.Day(2026, 11, 16) {
		t.Errorf("the credit is %+v", p.added[0])
	}
	var changed []string
	for _, row := range p.changed {
		charge := "nothing"
		if row.Charge != nil {
			charge = *row.Charge
		}
		changed = append(changed, fmt.Sprintf("%s %s %s until %s", charge, row.Amount, row.Status, row.PeriodEnd))
	}
	same(t, changed, []string{
		"fee 1 2026-11 25.00 due until 2026-11-15",
		"nothing 50.00 void until 2026-12-31",
		"nothing 1000.00 void until 2026-12-31",
	})
	if p.voided != 2 || p.revised != 1 || p.credited != 1 || p.next != clock.LastDay {
		t.Errorf("%+v", p)
	}
}

// Each month comes to what the lease charges for its days, however often its end moves.
func TestMonthComesToItsDaysHoweverOftenTheEndMoves(t *testing.T) {
	t.Parallel()
	for _, paid := range []bool{false, true} {
		c := planning().written()
		if paid {
			row := c.of(t, "rent 2026-11")
			row.Status, row.AmountPaid = portfolio.PaymentSucceeded, row.Amount
		}
		for i, end := range []int{20, 25, 10, 29, 30, 12, 30} {
			c.until = new(clock.Day(2026, 11, end))
			p := c.plan()
			for _, row := range p.changed {
				c.rows[slices.IndexFunc(c.rows, func(p portfolio.Payment) bool { return p.ID == row.ID })] = row
			}
			for n, row := range p.added {
				row.ID = fmt.Sprintf("pay_new%d%d", i, n)
				c.rows = append(c.rows, row)
			}
			var sum money.Cents
			for _, row := range c.rows {
				if row.Charge != nil && *row.Charge == "rent 2026-11" && row.Status != portfolio.PaymentVoid {
					sum += row.Amount
				}
			}
			if want := money.Cents((100_000*end*2 + 30) / 60); sum != want {
				t.Errorf("paid %v, until November %d: %s, want %s", paid, end, sum, want)
			}
		}
	}
}

func TestNewRentHoldsForWhatIsNotDueYet(t *testing.T) {
	t.Parallel()
	c := planning().written()
	c.lease.MonthlyRent = money.Dollars(1100)
	p := c.plan()
	same(t, lines(p.changed...), []string{"rent 2026-12 1100.00 scheduled due 2026-12-01"})
	december := c.of(t, "rent 2026-12")
	december.AmountPaid, december.Status = 1, portfolio.PaymentPartiallyPaid
	if p := c.plan(); len(p.changed)+len(p.added) > 0 {
		t.Errorf("what is paid ahead changes: %+v", p)
	}
}

func TestChargeThatAPersonVoidedIsNotWrittenAgain(t *testing.T) {
	t.Parallel()
	c := planning().written()
	c.of(t, "rent 2026-12").Status = portfolio.PaymentVoid
	if p := c.plan(); len(p.changed)+len(p.added) > 0 {
		t.Errorf("%+v", p)
	}
}

func TestRowsWithoutAChargeAreTakenForTheirMonth(t *testing.T) {
	t.Parallel()
	c := planning().written()
	c.of(t, "rent 2026-12").Charge = nil
	for i := range c.rows {
		if c.rows[i].Charge == nil {
			p := c.plan()
			if len(p.added)+len(p.changed) > 0 || len(p.adopted) != 1 || *p.adopted[0].Charge != "rent 2026-12" {
				t.Errorf("%+v", p)
			}
		}
	}
}

func TestRentFollowsTheDayOnWhichItIsDue(t *testing.T) {
	t.Parallel()
	c := planning().written()
	c.lease.RentDueDay = 5
	same(t, lines(c.plan().changed...), []string{
		"rent 2026-12 1000.00 scheduled due 2026-12-05",
		"fee 1 2026-12 50.00 scheduled due 2026-12-05",
	})
}

// apply takes a plan over into the rows, as the store does.
func (c *charging) apply(p plan) {
	for _, row := range p.changed {
		c.rows[slices.IndexFunc(c.rows, func(r portfolio.Payment) bool { return r.ID == row.ID })] = row
	}
	for _, row := range p.added {
		row.ID = fmt.Sprintf("pay_%02d", len(c.rows))
		c.rows = append(c.rows, row)
	}
}

// Rent that is due keeps the amount by which it was charged: a new rent changes it neither at once nor when the last
// day moves afterwards.
func TestMonthThatIsDueKeepsItsRentHoweverOftenTheEndMoves(t *testing.T) {
	t.Parallel()
	c := planning().written()
	c.lease.MonthlyRent = money.Dollars(2942)
	for _, end := range []int{20, 20, 12, 25, 30} {
		c.until = new(clock.Day(2026, 11, end))
		for range 2 { // a second look changes nothing
			c.apply(c.plan())
		}
		var sum money.Cents
		for _, row := range c.rows {
			if row.Charge != nil && *row.Charge == "rent 2026-11" && row.Status != portfolio.PaymentVoid {
				sum += row.Amount
			}
		}
		if want := money.Cents((100_000*end*2 + 30) / 60); sum != want {
			t.Errorf("until November %d: %s, want %s", end, sum, want)
		}
	}
}

// Of several rows for one month, each keeps the amount for its own days.
func TestRowsOfOneMonthKeepTheirDays(t *testing.T) {
	t.Parallel()
	c := planning()
	c.until = new(clock.Day(2026, 11, 15))
	c.written()
	first := c.of(t, "rent 2026-11")
	first.Status, first.AmountPaid = portfolio.PaymentSucceeded, first.Amount
	c.until = new(clock.Day(2026, 11, 30))
	c.apply(c.plan())
	c.lease.MonthlyRent = money.Dollars(1300)
	first = c.of(t, "rent 2026-11")
	first.Status, first.AmountPaid = portfolio.PaymentDue, 0 // the payment is taken back
	second := &c.rows[len(c.rows)-2]
	if *second.Charge != "rent 2026-11" {
		second = &c.rows[len(c.rows)-1]
	}
	second.Status, second.AmountPaid = portfolio.PaymentSucceeded, second.Amount
	for _, end := range []int{20, 20, 25, 18, 30} {
		c.until = new(clock.Day(2026, 11, end))
		c.apply(c.plan())
		var sum money.Cents
		for _, row := range c.rows {
			if row.Charge != nil && *row.Charge == "rent 2026-11" && row.Status != portfolio.PaymentVoid {
				sum += row.Amount
			}
		}
		if want := money.Cents((100_000*end*2 + 30) / 60); sum != want {
			t.Errorf("until November %d: %s, want %s: %v", end, sum, want, lines(c.rows...))
		}
	}
}

func TestLeaseThatIsOverIsChargedNothingMore(t *testing.T) {
	t.Parallel()
	c := planning()
	c.until = new(clock.Day(2026, 11, 2)) // when the tenants moved out
	c.written()
	c.until, c.lease.Status = new(clock.Day(2026, 11, 10)), portfolio.LeaseTerminated
	if p := c.plan(); len(p.added)+len(p.changed) > 0 {
		t.Errorf("added %v, changed %v", lines(p.added...), lines(p.changed...))
	}
}

// What was forgiven of a charge was never paid, and is not given back when the lease ends before its days.
func TestWhatWasForgivenIsNotCredited(t *testing.T) {
	t.Parallel()
	for end, want := range map[clock.Date]string{
		clock.Day(2026, 10, 31): "-600.00", // nothing of November is left, and 600 were owed
		clock.Day(2026, 11, 3):  "-600.00", // 100 are left, which the 400 cover
		clock.Day(2026, 11, 15): "-500.00",
	} {
		c := planning().written()
		rent := c.of(t, "rent 2026-11")
		rent.Status, rent.AmountPaid = portfolio.PaymentPartiallyPaid, money.Dollars(400)
		gift := *rent
		gift.ID, gift.ReversesPaymentID, gift.Charge = "pay_99", new(rent.ID), nil
		gift.Status, gift.Amount, gift.AmountPaid = portfolio.PaymentSucceeded, -money.Dollars(400), -money.Dollars(400)
		c.rows = append(c.rows, gift)
		c.until, c.ended = &end, true
		for range 2 {
			p := c.plan()
			c.apply(p)
		}
		var credits []string
		for i := range c.rows {
			if p := &c.rows[i]; p.Credit() && p.Type == portfolio.PaymentRent {
				credits = append(credits, p.Amount.String())
			}
		}
		if !slices.Equal(credits, []string{want}) {
			t.Errorf("until %s: credits of %v, want %s", end, credits, want)
		}
	}
}

// novemberRent adds up what is charged of the rent of November.
func (c *charging) novemberRent() (sum money.Cents) {
	for _, row := range c.rows {
		if row.Charge != nil && *row.Charge == "rent 2026-11" && row.Status != portfolio.PaymentVoid {
			sum += row.Amount
		}
	}
	return sum
}

// A month that was charged by an older rent comes to that rent for its days, whatever rows charge it and however often
// it is cut and extended, also where its rows do not say by which rent they were charged.
func TestNoCentOfAnOlderRentIsLost(t *testing.T) {
	t.Parallel()
	for _, rent := range []money.Cents{100_000, 99_999, 123_457, 180_001} {
		for _, known := range []bool{true, false} {
			for _, paid := range []bool{true, false} {
				c := planning()
				c.lease.MonthlyRent = rent
				c.written()
				row := c.of(t, "rent 2026-11")
				if !known {
					row.MonthlyRent = 0
				}
				if paid {
					row.Status, row.AmountPaid = portfolio.PaymentSucceeded, row.Amount
				}
				c.lease.MonthlyRent = money.Dollars(2942)
				for _, end := range []int{17, 7, 23, 11, 29, 1, 30, 13, 30} {
					c.until = new(clock.Day(2026, 11, end))
					c.apply(c.plan())
					want := money.Cents((int64(rent)*int64(end)*2 + 30) / 60)
					if got := c.novemberRent(); got != want {
						t.Errorf(
							"by %s (known %v, paid %v) until November %d: %s, want %s: %v",
							rent,
							known,
							paid,
							end,
							got,
							want,
							lines(c.rows...),
						)
					}
					for i := range c.rows { // some of what was added is paid meanwhile
						if r := &c.rows[i]; paid && end == 23 && r.Charge != nil && *r.Charge == "rent 2026-11" &&
							r.Amount > 0 {
							r.Status, r.AmountPaid = portfolio.PaymentSucceeded, r.Amount
						}
					}
				}
			}
		}
	}
}

// A credit that a person has voided is not written again. A later end of the lease brings what is credited beyond it.
func TestCreditThatAPersonVoidedIsNotWrittenAgain(t *testing.T) {
	t.Parallel()
	c := planning().written()
	paid := c.of(t, "rent 2026-11")
	paid.Status, paid.AmountPaid = portfolio.PaymentSucceeded, paid.Amount
	c.ended = true
	credits := func() (all []string) {
		for i := range c.rows {
			if p := &c.rows[i]; p.Credit() && p.Type == portfolio.PaymentRent {
				all = append(all, p.Amount.String())
			}
		}
		return all
	}
	ends := func(day int, want ...string) {
		t.Helper()
		for range 2 {
			c.until = new(clock.Day(2026, 11, day))
			c.apply(c.plan())
		}
		same(t, credits(), want)
	}
	ends(15, "-500.00")
	for i := range c.rows {
		if c.rows[i].Credit() {
			c.rows[i].Status = portfolio.PaymentVoid
		}
	}
	ends(15)
	ends(20)
	ends(15)
	ends(12, "-100.00") // 600 for 18 days, of which 500 were voided
	ends(15)
	if got := c.novemberRent(); got != money.Dollars(1000) {
		t.Errorf("November comes to %s", got)
	}
}

// Of a month that was extended, a person voids the further part: it is not charged again, but what comes to it is.
func TestFurtherPartThatAPersonVoidedIsNotWrittenAgain(t *testing.T) {
	t.Parallel()
	c := planning()
	c.until = new(clock.Day(2026, 11, 15))
	c.written()
	first := c.of(t, "rent 2026-11")
	first.Status, first.AmountPaid = portfolio.PaymentSucceeded, first.Amount
	c.until = new(clock.Day(2026, 11, 21))
	c.apply(c.plan())
	if got := c.novemberRent(); got != money.Dollars(700) {
		t.Fatalf("November comes to %s", got)
	}
	for i := range c.rows {
		if row := &c.rows[i]; row.Part > 0 && row.Type == portfolio.PaymentRent {
			row.Status = portfolio.PaymentVoid
		}
	}
	for _, of := range []struct {
		end  int
		want money.Cents
	}{{21, 50_000}, {30, 80_000}, {21, 50_000}, {15, 50_000}, {30, 80_000}} {
		c.until = new(clock.Day(2026, 11, of.end))
		for range 2 {
			c.apply(c.plan())
		}
		if got := c.novemberRent(); got != of.want {
			t.Errorf("until November %d: %s, want %s: %v", of.end, got, of.want, lines(c.rows...))
		}
	}
}

// Rent that a person voids and charges anew by hand follows the lease as before.
func TestRentThatWasChargedAnewFollowsItsLease(t *testing.T) {
	t.Parallel()
	c := planning().written()
	old := c.of(t, "rent 2026-11")
	again := *old
	old.Status, old.UpdatedAt = portfolio.PaymentVoid, 1000
	again.ID, again.Part, again.CreatedAt = "pay_anew", 1, 2000
	c.rows = append(c.rows, again)
	for _, end := range []int{15, 30} {
		c.until = new(clock.Day(2026, 11, end))
		c.apply(c.plan())
		if got, want := c.novemberRent(), money.Cents((100_000*end*2+30)/60); got != want {
			t.Errorf("until November %d: %s, want %s", end, got, want)
		}
	}
}
