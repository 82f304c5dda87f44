package records_test

import (
	"strconv"
	"strings"
	"sync"
	"testing"

	"portal/api/change"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/lease"
	"portal/api/portfolio/ledger"
	"portal/db/dbtest"
	"portal/db/portfoliostore"
)

// today is the day of the landlord.
func (h *leaseFixture) today() clock.Date { return clock.DateOf(h.now, h.by.Zone) }

// terminates ends a lease today.
func (h *leaseFixture) terminates(leaseID string) {
	h.Helper()
	h.ok(second(h.Leases.UpdateLease(h.Context(), h.by, change.Target{ID: leaseID}, lease.Update{
		Status: change.To(portfolio.LeaseTerminated),
	})))
}

// pays records dollars of a row.
func (h *leaseFixture) pays(row string, n int64) {
	h.Helper()
	h.ok(second(h.Ledger.RecordPayment(h.Context(), h.by, change.Target{ID: row}, dollars(n, "check"))))
}

// returns settles the deposit of a lease.
func (h *leaseFixture) returns(leaseID string, r ledger.DepositReturn) *portfolio.DepositStatement {
	h.Helper()
	m, err := h.Ledger.ReturnDeposit(h.Context(), h.by, change.Target{ID: leaseID}, r)
	h.ok(err)
	return m.After
}

// deductions are some of dollars each.
func deductions(dollars ...int64) *[]ledger.Deduction {
	all := []ledger.Deduction{}
	for _, n := range dollars {
		all = append(all, ledger.Deduction{Text: "Paint the hall", Amount: money.Dollars(n)})
	}
	return &all
}

// sums are what the rows of leases come to: what was charged and has cleared in all, and what is paid of deposits.
// Each row must tell what its transactions do.
func (h *leaseFixture) sums(leases ...string) (charged, cleared, balance, deposit money.Cents) {
	h.Helper()
	for _, l := range leases {
		found, err := h.Ledger.WithTransactions(h.Context(), h.by, portfolio.PaymentFilter{Query: someRows, LeaseID: l})
		h.ok(err)
		for _, p := range found.Data {
			if p.Status == portfolio.PaymentVoid {
				continue
			}
			var moved money.Cents
			for _, t := range p.Transactions {
				if t.Status == portfolio.TransactionSucceeded {
					moved += t.Amount
				}
			}
			if moved != p.AmountPaid {
				h.Errorf("the transactions of %s come to %s, it shows %s", *p.Description, moved, p.AmountPaid)
			}
			charged, cleared, balance = charged+p.Amount, cleared+p.AmountPaid, balance+p.BalanceDue
			if p.Type == portfolio.PaymentDeposit {
				deposit += p.AmountPaid
			}
		}
	}
	if charged-cleared != balance {
		h.Errorf("%s charged, %s cleared, and %s owed", charged, cleared, balance)
	}
	return charged, cleared, balance, deposit
}

func TestDepositPaysDeductionsAndWhatIsOwedAndTheRestGoesBack(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		deposit := h.owes(portfolio.PaymentDeposit, portfolio.PaymentDue)
		h.pays(deposit, 1000)
		rent := h.owes(portfolio.PaymentRent, portfolio.PaymentDue)
		h.pays(rent, 900)
		h.terminates(h.let)
		d, err := h.Ledger.Deposit(h.Context(), h.by, h.let)
		h.ok(err)
		if !d.Over || !d.Recorded || d.Held != money.Dollars(1000) || d.Owes() != money.Dollars(100) ||
			*d.EndedOn != h.today() || int(d.Deadline-h.today()) != d.Rules.Deposit.ReturnDays || d.Statement != nil {
			h.Errorf("%+v", d)
		}
		s := h.returns(h.let, ledger.DepositReturn{
			Deductions: deductions(120, 80), Owed: true, Method: new(portfolio.PaymentMethod("check")),
			Reference: new("1182"), PaidOn: new(h.today() - 1),
		})
		if s.Refunded != money.Dollars(700) || s.Sum(portfolio.DepositDeduction) != money.Dollars(200) ||
			s.Sum(portfolio.DepositOwed) != money.Dollars(100) || s.PaidOn != h.today()-1 || len(s.Content.Lines) != 3 {
			h.Errorf("%+v %+v", s, s.Content)
		}
		if _, _, balance, left := h.sums(h.let); balance != 0 || left != 0 {
			h.Errorf("%s is owed, %s of the deposit is left", balance, left)
		}
		found, err := h.Ledger.WithTransactions(h.Context(), h.by, portfolio.PaymentFilter{
			Query: someRows, LeaseID: h.let, Type: portfolio.PaymentDeposit,
		})
		h.ok(err)
		back := found.Data[len(found.Data)-1]
		if *back.Description != "Deposit returned" || back.Amount != money.Dollars(-700) ||
			back.Status != portfolio.PaymentSucceeded || *back.ReversesPaymentID != deposit ||
			*back.Method != "check" ||
			*back.Reference != "1182" || clock.DateOf(back.PaidAt.Std(), h.by.Zone) != h.today()-1 ||
			len(back.Transactions) != 1 || back.Transactions[0].Kind != portfolio.TransactionRefund {
			h.Errorf("%+v", back)
		}
		again, err := h.Ledger.Deposit(h.Context(), h.by, h.let)
		h.ok(err)
		if again.Held != 0 || again.Statement == nil || again.Statement.Refunded != s.Refunded {
			h.Errorf("%+v", again)
		}
		_, err = h.Ledger.ReturnDeposit(h.Context(), h.by, change.Target{ID: h.let}, ledger.DepositReturn{})
		if !fault.Is(err, fault.InvalidTransition) {
			h.Errorf("a second statement: %v", err)
		}
	})
}

func TestDepositOfEarlierLeaseGoesBackWithTheOneThatRenewsIt(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		deposit := h.owes(portfolio.PaymentDeposit, portfolio.PaymentDue)
		h.pays(deposit, 600)
		later := h.adds(h.lease(portfolio.LeaseActive, h.today()-20, h.tenants[0]), func(l *portfolio.Lease) {
			l.RenewedFromLeaseID = &h.let
		})
		dbtest.Exec(
			h,
			h.db,
			"UPDATE leases SET renewed_to_lease_id = $1, status = 'renewed' WHERE id = $2",
			later,
			h.let,
		)
		h.terminates(later)
		s := h.returns(later, ledger.DepositReturn{
			Deductions: deductions(50), Method: new(portfolio.PaymentMethod("cash")),
		})
		if s.Held != money.Dollars(600) || s.Refunded != money.Dollars(550) {
			h.Errorf("%+v", s)
		}
		// $400 that was never paid is no longer owed: the row counts as settled, and another takes it back.
		if _, _, balance, left := h.sums(h.let, later); left != 0 || balance != 0 {
			h.Errorf("%s of the deposit is left, %s is owed", left, balance)
		}
		_, err := h.Ledger.ReturnDeposit(h.Context(), h.by, change.Target{ID: h.let}, ledger.DepositReturn{})
		if !fault.Is(err, fault.InvalidTransition) {
			h.Errorf("the renewed lease: %v", err)
		}
	})
}

func TestDepositThatTheLedgerDoesNotHaveIsWrittenFirst(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		old := h.adds(
			h.lease(portfolio.LeaseExpired, h.today().AddMonths(-13), h.tenants[0]),
			func(l *portfolio.Lease) {
				l.SecurityDeposit = money.Dollars(900)
			},
		)
		d, err := h.Ledger.Deposit(h.Context(), h.by, old)
		h.ok(err)
		if d.Recorded || d.Held != money.Dollars(900) || !d.Over {
			h.Errorf("%+v", d)
		}
		s := h.returns(old, ledger.DepositReturn{
			Deductions: deductions(300), Held: new(money.Dollars(800)), Method: new(portfolio.PaymentMethod("check")),
		})
		if s.Held != money.Dollars(800) || s.Refunded != money.Dollars(500) {
			h.Errorf("%+v", s)
		}
		found, err := h.Ledger.WithTransactions(
			h.Context(),
			h.by,
			portfolio.PaymentFilter{Query: someRows, LeaseID: old},
		)
		h.ok(err)
		first := found.Data[0]
		if first.Type != portfolio.PaymentDeposit || first.AmountPaid != money.Dollars(800) ||
			*first.Method != "other" ||
			first.DueDate != h.reread(old).StartDate ||
			clock.DateOf(first.PaidAt.Std(), h.by.Zone) != h.reread(old).StartDate {
			h.Errorf("%+v", first)
		}
		if _, _, balance, left := h.sums(old); balance != 0 || left != 0 {
			h.Errorf("%s is owed, %s of the deposit is left", balance, left)
		}
	})
}

func TestCreditsGoBackWithTheDepositAndNobodyOwesTheRestOfIt(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		deposit := h.owes(portfolio.PaymentDeposit, portfolio.PaymentDue)
		h.pays(deposit, 400)
		h.terminates(h.let)
		u := h.home.Unit[h.by.Portfolio.Mode]
		credit := portfolio.Payment{
			Record: h.record("pay", "payment"), LeaseID: h.let, TenantID: h.tenants[0], UnitID: u.ID,
			PropertyID: u.PropertyID, Type: portfolio.PaymentRent, Amount: money.Dollars(-70),
			Currency: portfolio.Currency,
			Status:   portfolio.PaymentDue, DueDate: h.today(), Description: new("Credit: Rent"),
		}
		h.ok(portfoliostore.New(h.db).AddPayment(h.Context(), h.by.Portfolio, &credit))
		s := h.returns(h.let, ledger.DepositReturn{Owed: true, Method: new(portfolio.PaymentMethod("money_order"))})
		if s.Refunded != money.Dollars(470) || s.Sum(portfolio.DepositCredit) != money.Dollars(70) {
			h.Errorf("%+v", s)
		}
		if _, _, balance, left := h.sums(h.let); balance != 0 || left != 0 {
			h.Errorf("%s is owed, %s of the deposit is left", balance, left)
		}
	})
}

func TestWhatIsOwedAboveTheDepositStaysOwed(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		h.pays(h.owes(portfolio.PaymentDeposit, portfolio.PaymentDue), 1000)
		h.owes(portfolio.PaymentRent, portfolio.PaymentDue)
		h.terminates(h.let)
		s := h.returns(h.let, ledger.DepositReturn{Deductions: deductions(250), Owed: true})
		if s.Refunded != 0 || s.Method != nil || s.Sum(portfolio.DepositOwed) != money.Dollars(750) {
			h.Errorf("%+v", s)
		}
		if _, _, balance, left := h.sums(h.let); balance != money.Dollars(250) || left != 0 {
			h.Errorf("%s is owed, %s of the deposit is left", balance, left)
		}
	})
}

func TestWrongReturnsOfDepositsAreRefused(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		deposit := h.owes(portfolio.PaymentDeposit, portfolio.PaymentDue)
		h.pays(deposit, 500)
		check := new(portfolio.PaymentMethod("check"))
		_, err := h.Ledger.ReturnDeposit(
			h.Context(),
			h.by,
			change.Target{ID: h.let},
			ledger.DepositReturn{Method: check},
		)
		if !fault.Is(err, fault.InvalidTransition) {
			h.Errorf("while the tenancy goes on: %v", err)
		}
		h.terminates(h.let)
		charged, cleared, _, _ := h.sums(h.let)
		long := deductions(1)
		(*long)[0].Text = strings.Repeat("x", 201)
		for name, c := range map[string]struct {
			r     ledger.DepositReturn
			code  fault.Code
			param string
		}{
			"above what is held": {ledger.DepositReturn{Deductions: deductions(300, 201)}, fault.InvalidField, "deductions"},
			"nothing":            {ledger.DepositReturn{Deductions: deductions(0)}, fault.InvalidField, "deductions.0.amount"},
			"no method":          {ledger.DepositReturn{}, fault.MissingField, "method"},
			"card":               {ledger.DepositReturn{Method: new(portfolio.PayByCard)}, fault.InvalidField, "method"},
			"unknown method": {
				ledger.DepositReturn{Method: new(portfolio.PaymentMethod("gold"))}, fault.InvalidField, "method",
			},
			"tomorrow": {
				ledger.DepositReturn{Method: check, PaidOn: new(h.today() + 1)}, fault.InvalidField, "paid_on",
			},
			"another amount": {
				ledger.DepositReturn{Method: check, Held: new(money.Dollars(400))}, fault.InvalidField, "held",
			},
			"a long text": {ledger.DepositReturn{Method: check, Deductions: long}, fault.InvalidField, "deductions.0.text"},
			"too many": {
				ledger.DepositReturn{Method: check, Deductions: deductions(make([]int64, 21)...)},
				fault.InvalidField, "deductions",
			},
			"seen otherwise": {ledger.DepositReturn{Method: check, Seen: new("500.00 0.00 1.00")}, fault.StaleWrite, ""},
		} {
			_, err := h.Ledger.ReturnDeposit(h.Context(), h.by, change.Target{ID: h.let}, c.r)
			if got := fault.From(err); got.Code != c.code || got.Param != c.param {
				h.Errorf("%s: %v", name, err)
			}
		}
		_, err = h.Ledger.ReturnDeposit(h.Context(), h.elsewhere(), change.Target{ID: h.let}, ledger.DepositReturn{})
		if !fault.Is(err, fault.NoRecord) {
			h.Errorf("from another portfolio: %v", err)
		}
		if _, err := h.Ledger.Deposit(h.Context(), h.elsewhere(), h.let); !fault.Is(err, fault.NoRecord) {
			h.Errorf("read from another portfolio: %v", err)
		}
		stale := change.Target{ID: h.let, Version: new(int64(1))}
		_, err = h.Ledger.ReturnDeposit(h.Context(), h.by, stale, ledger.DepositReturn{Method: check})
		if !fault.Is(err, fault.StaleWrite) {
			h.Errorf("of an older version: %v", err)
		}
		if c, p, _, _ := h.sums(h.let); c != charged || p != cleared {
			h.Error("what was refused has changed the ledger")
		}
		made, err := portfoliostore.New(h.db).DepositStatements(h.Context(), h.by.Portfolio, h.let)
		h.ok(err)
		if len(made) != 0 {
			h.Errorf("%+v", made)
		}
	})
}

func TestDepositIsReturnedOnceWhoeverAsksAtOnce(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		h.pays(h.owes(portfolio.PaymentDeposit, portfolio.PaymentDue), 1000)
		h.terminates(h.let)
		var all sync.WaitGroup
		var made sync.Map
		for i := range 10 {
			all.Go(func() {
				_, err := h.Ledger.ReturnDeposit(h.Context(), h.by, change.Target{ID: h.let}, ledger.DepositReturn{
					Deductions: deductions(int64(i + 1)), Method: new(portfolio.PaymentMethod("cash")),
				})
				switch {
				case err == nil:
					made.Store(i, true)
				case !fault.Is(err, fault.InvalidTransition):
					h.Error(err)
				}
			})
		}
		all.Wait()
		n := 0
		made.Range(func(any, any) bool { n++; return true })
		if _, _, _, left := h.sums(h.let); n != 1 || left != 0 {
			h.Errorf("%d statements, %s left", n, left)
		}
	})
}

func TestOwnersAreRemindedOnceOfDepositThatIsHeld(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		h.Post, h.Events = h.post, nil
		h.pays(h.owes(portfolio.PaymentDeposit, portfolio.PaymentDue), 1000)
		h.terminates(h.let)
		d, err := h.Ledger.Deposit(h.Context(), h.by, h.let)
		h.ok(err)
		rollOver := func() (reminders int) {
			var all sync.WaitGroup
			for range 3 { // nodes
				all.Go(func() { h.ok(h.Calendar.RollOver(h.Context(), h.by.Portfolio, h.by.Zone)) })
			}
			all.Wait()
			for _, m := range h.emails() {
				if strings.HasPrefix(m.Subject, "Return the deposit by ") {
					reminders++
					by := d.Deadline.Std().Format("January 2, 2006")
					for _, want := range []string{"$1,000", by, "/live/leases/" + h.let} {
						if !strings.Contains(m.Content.Text, want) || !strings.Contains(m.Content.HTML, want) {
							h.Errorf("the email lacks %q:\n%s", want, m.Content.Text)
						}
					}
				}
			}
			return reminders
		}
		h.on(d.Deadline - 8)
		if n := rollOver(); n != 0 {
			h.Errorf("%d reminders too early", n)
		}
		h.on(d.Deadline - 7)
		if n := rollOver(); n != 1 {
			h.Errorf("%d reminders", n)
		}
		h.on(d.Deadline - 6)
		if n := rollOver(); n > 1 {
			h.Errorf("%d reminders a day later", n)
		}
	})
}

func TestNobodyIsRemindedOfDepositThatWentBack(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		h.Post, h.Events = h.post, nil
		h.pays(h.owes(portfolio.PaymentDeposit, portfolio.PaymentDue), 1000)
		h.terminates(h.let)
		h.returns(h.let, ledger.DepositReturn{Method: new(portfolio.PaymentMethod("cash"))})
		h.on(h.today() + 100)
		h.ok(h.Calendar.RollOver(h.Context(), h.by.Portfolio, h.by.Zone))
		for _, m := range h.emails() {
			if strings.HasPrefix(m.Subject, "Return the deposit by ") {
				h.Error(m.Subject)
			}
		}
	})
}

func TestTenancyEndsWithMoveOutOrTheLease(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		h.Post, h.Events = h.post, nil
		byMonth := h.adds(h.lease(portfolio.LeaseActive, h.today()-90, h.tenants[1]), func(l *portfolio.Lease) {
			l.LeaseType, l.EndDate, l.SecurityDeposit = portfolio.MonthToMonth, nil, money.Dollars(500)
		})
		out := h.today() + 5
		h.ok(second(h.Leases.UpdateLease(h.Context(), h.by, change.Target{ID: byMonth}, lease.Update{
			MoveOutDate: change.To(&out),
		})))
		d, err := h.Ledger.Deposit(h.Context(), h.by, byMonth)
		h.ok(err)
		if d.Over || *d.EndedOn != out {
			h.Errorf("%+v", d)
		}
		h.on(out + 1)
		d, err = h.Ledger.Deposit(h.Context(), h.by, byMonth)
		h.ok(err)
		if !d.Over || *d.EndedOn != out {
			h.Errorf("%+v", d)
		}
		h.on(clock.Day(2027, 1, 1)) // the other lease has expired
		h.ok(h.Calendar.RollOver(h.Context(), h.by.Portfolio, h.by.Zone))
		d, err = h.Ledger.Deposit(h.Context(), h.by, h.let)
		h.ok(err)
		if !d.Over || *d.EndedOn != clock.Day(2026, 12, 31) {
			h.Errorf("%+v", d)
		}
		on := dbtest.Texts(h, h.db, "SELECT CAST(deposit_reminder_on AS TEXT) FROM leases WHERE id = '"+h.let+"'")[0]
		if want := strconv.FormatInt(int64(d.Deadline)-7, 10); on != want {
			h.Errorf("reminded on %s, want %s", on, want)
		}
	})
}
