package records_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"portal/api/agreement/document/documenttest"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/language"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/ledger"
	"portal/api/portfolio/ledger/statement"
)

// checkStatement holds the statement of a lease against its balance and its ledger, for random months. It has the
// deposit that was paid under that lease, also while a lease that renews it, or is renewed by it, shows it as held.
func (w *ledgerWorld) checkStatement(l *ledgerLease, shown *portfolio.Lease, paid money.Cents) {
	w.Helper()
	of := func(from, until clock.Date) *ledger.LeaseStatement {
		a, err := w.Ledger.AccountStatement(w.Context(), w.by, []portfolio.Lease{*shown}, from, until)
		w.ok(err)
		return &a.Leases[0]
	}
	from := w.today().FirstOfMonth().AddMonths(-w.IntN(8))
	all, later, before := of(0, w.today()), of(from, w.today().LastOfMonth()), of(0, from-1)
	for name, s := range map[string]*ledger.LeaseStatement{"all": all, "later": later, "before": before} {
		for part, p := range map[string]*ledger.StatementPart{"rent": &s.Rent, "deposit": &s.Deposit} {
			balance := p.Opening
			for i := range p.Lines {
				line := &p.Lines[i]
				if balance += line.Paid; part == "rent" {
					balance += line.Charged - 2*line.Paid
				}
				if line.Balance != balance || line.Kind == ledger.LineAdjusted || i > 0 && line.Day < p.Lines[i-1].Day {
					w.wrong(l, "%s of %s: line %d is %+v, the balance %s", part, name, i, line, balance)
				}
			}
			if balance != p.Closing {
				w.wrong(l, "%s of %s closes at %s, want %s", part, name, p.Closing, balance)
			}
		}
	}
	for name, s := range map[string]*ledger.LeaseStatement{"all": all, "later": later} {
		if s.Rent.Closing != shown.BalanceDue || s.Deposit.Closing != paid {
			w.wrong(l, "%s closes at %s with %s of the deposit, want %s and %s", name, s.Rent.Closing,
				s.Deposit.Closing, shown.BalanceDue, paid)
		}
	}
	if later.Rent.Opening != before.Rent.Closing || later.Deposit.Opening != before.Deposit.Closing ||
		all.Rent.Opening != 0 || all.Deposit.Opening != 0 {
		w.wrong(l, "from %s it opens at %s, and before it closes at %s", from, later.Rent.Opening, before.Rent.Closing)
	}
	told := map[string]int{}
	for _, lines := range [][]ledger.StatementLine{all.Rent.Lines, all.Deposit.Lines, all.Ahead} {
		for i := range lines {
			if lines[i].Transaction != nil {
				told[lines[i].Transaction.ID]++
			}
		}
	}
	for i := range l.rows {
		p, err := w.Ledger.PaymentWithTransactions(w.Context(), w.by, l.rows[i].ID)
		w.ok(err)
		for _, t := range p.Transactions {
			if t.Kind != portfolio.TransactionCorrection && t.Status == portfolio.TransactionSucceeded &&
				told[t.ID] != 1 {
				w.wrong(l, "the statement tells of the %s of %s %d times", t.Kind, t.Amount, told[t.ID])
			}
		}
	}
}

// statementLines are the lines of a part of a statement in words.
func statementLines(p *ledger.StatementPart) (all []string) {
	for i := range p.Lines {
		l := &p.Lines[i]
		all = append(all, fmt.Sprintf("%s %s: %s, %s, %s", l.Day, statement.LineText(l, language.English), l.Charged,
			l.Paid, l.Balance))
	}
	return all
}

func (h *leaseFixture) statement(leaseID string, from, until clock.Date) *ledger.LeaseStatement {
	h.Helper()
	l, err := h.Leases.Lease(h.Context(), h.by, leaseID)
	h.ok(err)
	a, err := h.Ledger.AccountStatement(h.Context(), h.by, []portfolio.Lease{*l}, from, until)
	h.ok(err)
	return &a.Leases[0]
}

func (h *leaseFixture) tells(p *ledger.StatementPart, want ...string) {
	h.Helper()
	if got := statementLines(p); !slices.Equal(got, want) {
		h.Errorf("the lines are\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestStatementTellsEveryChargeAndMovementOfMoney(t *testing.T) {
	inEach(t, func(h *leaseFixture) { // today is November 12
		named := func(words string) func(p *portfolio.Payment) {
			return func(p *portfolio.Payment) { p.Description = &words }
		}
		october := h.charges(h.let, clock.Day(2026, 10, 1), named("Rent for October 2026"))
		h.pays(october, 1000)
		p, err := h.Ledger.PaymentWithTransactions(h.Context(), h.by, october)
		h.ok(err)
		h.ok(second(h.Ledger.ReturnPayment(h.Context(), h.by, change.Target{ID: october}, ledger.Correction{
			TransactionID: p.Transactions[0].ID, Reason: "NSF, which members alone read.",
		})))
		november := h.charges(h.let, clock.Day(2026, 11, 1), named("Rent for November 2026"))
		h.ok(second(h.Ledger.ForgivePart(h.Context(), h.by, change.Target{ID: november}, ledger.Forgiveness{
			Amount: money.Dollars(50), Reason: "The heat was off.",
		})))
		h.starts(november, portfolio.PayByACH)
		voided := h.charges(h.let, clock.Day(2026, 11, 2), named("A mistake"))
		h.ok(second(h.Ledger.VoidCharge(h.Context(), h.by, change.Target{ID: voided})))
		december := h.charges(h.let, clock.Day(2026, 12, 1), func(p *portfolio.Payment) {
			p.Status, p.Description = portfolio.PaymentScheduled, new("Rent for December 2026")
		})
		h.pays(december, 300)
		deposit := h.charges(h.let, clock.Day(2026, 10, 1), func(p *portfolio.Payment) {
			p.Type, p.Description = portfolio.PaymentDeposit, new("Security deposit")
		})
		h.pays(deposit, 800)

		s := h.statement(h.let, clock.Day(2026, 10, 1), clock.Day(2026, 11, 30))
		h.tells(&s.Rent,
			"2026-10-01 Rent for October 2026: 1000.00, 0.00, 1000.00",
			"2026-11-01 Rent for November 2026: 1000.00, 0.00, 2000.00",
			"2026-11-12 Payment, check, r1: Rent for October 2026: 0.00, 1000.00, 1000.00",
			"2026-11-12 Payment returned by the bank, check, r1: Rent for October 2026: 0.00, -1000.00, 2000.00",
			"2026-11-12 Forgiven: The heat was off. (Rent for November 2026): 0.00, 50.00, 1950.00",
			"2026-11-12 Payment under way, ACH: Rent for November 2026: 0.00, 950.00, 1000.00",
		)
		h.tells(&s.Deposit,
			"2026-10-01 Security deposit: 1000.00, 0.00, 0.00",
			"2026-11-12 Payment, check, r1: Security deposit: 0.00, 800.00, 800.00",
		)
		if len(s.Ahead) != 1 || s.Ahead[0].Paid != money.Dollars(300) || s.Ahead[0].Day != clock.Day(2026, 12, 1) {
			h.Errorf("paid ahead: %+v", s.Ahead)
		}
		l, err := h.Leases.Lease(h.Context(), h.by, h.let)
		h.ok(err)
		if s.Rent.Closing != l.BalanceDue || s.Deposit.Closing != l.DepositHeld || l.BalanceDue != money.Dollars(1000) {
			h.Errorf("%s and %s, the lease %s and %s", s.Rent.Closing, s.Deposit.Closing, l.BalanceDue, l.DepositHeld)
		}
		s = h.statement(h.let, clock.Day(2026, 11, 1), clock.Day(2026, 11, 30))
		if s.Rent.Opening != money.Dollars(1000) || s.Rent.Closing != money.Dollars(1000) || len(s.Rent.Lines) != 5 {
			h.Errorf("November: %+v", s.Rent)
		}
		h.now = time.Date(2026, 12, 5, 12, 0, 0, 0, h.by.Zone)
		s = h.statement(h.let, clock.Day(2026, 12, 1), clock.Day(2026, 12, 31))
		h.tells(&s.Rent,
			"2026-12-01 Rent for December 2026: 1000.00, 0.00, 2000.00",
			"2026-12-01 Payment, check, r1, received November 12, 2026: Rent for December 2026: 0.00, 300.00, 1700.00",
		)
	})
}

func TestStatementTellsWhatBecameOfTheDeposit(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		rent := h.owes(portfolio.PaymentRent, portfolio.PaymentDue)
		deposit := h.owes(portfolio.PaymentDeposit, portfolio.PaymentDue)
		h.pays(deposit, 900)
		h.pays(rent, 900)
		h.terminates(h.let)
		h.now = h.now.AddDate(0, 0, 1)
		h.returns(h.let, ledger.DepositReturn{
			Deductions: deductions(
				200,
			),
			Owed:      true,
			Method:    new(portfolio.PaymentMethod("check")),
			Reference: new("1182"),
		})
		s := h.statement(h.let, clock.Day(2026, 11, 1), h.today())
		h.tells(&s.Rent,
			"2026-11-01 Rent: 1000.00, 0.00, 1000.00",
			"2026-11-12 Payment, check, r1: Rent: 0.00, 900.00, 100.00",
			"2026-11-13 Paint the hall: 200.00, 0.00, 300.00",
			"2026-11-13 Paid from the deposit: Rent: 0.00, 100.00, 200.00",
			"2026-11-13 Paid from the deposit: Paint the hall: 0.00, 200.00, 0.00",
		)
		h.tells(&s.Deposit,
			"2026-11-01 Deposit: 1000.00, 0.00, 0.00",
			"2026-11-12 Payment, check, r1: Deposit: 0.00, 900.00, 900.00",
			"2026-11-13 Deposit no longer owed: -100.00, 0.00, 900.00",
			"2026-11-13 From the deposit: Paint the hall: 0.00, -200.00, 700.00",
			"2026-11-13 From the deposit: Rent: 0.00, -100.00, 600.00",
			"2026-11-13 Deposit returned, check, 1182: 0.00, -600.00, 0.00",
		)
	})
}

func TestStatementOfAnotherPortfolioIsEmptyAndTooLongOnesAreRefused(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		h.owes(portfolio.PaymentRent, portfolio.PaymentDue)
		l, err := h.Leases.Lease(h.Context(), h.by, h.let)
		h.ok(err)
		a, err := h.Ledger.AccountStatement(h.Context(), h.elsewhere(), []portfolio.Lease{*l}, 0, h.today())
		h.ok(err)
		if len(a.Leases[0].Rent.Lines) != 0 || a.Leases[0].Rent.Closing != 0 {
			h.Errorf("another portfolio reads %+v", a.Leases[0].Rent)
		}
		for range ledger.MostStatementLines {
			h.owes(portfolio.PaymentFee, portfolio.PaymentDue)
		}
		if _, err = h.Ledger.AccountStatement(h.Context(), h.by, []portfolio.Lease{*l}, 0, h.today()); !fault.Is(
			err, fault.InvalidField,
		) {
			h.Errorf("%d lines: %v", ledger.MostStatementLines+1, err)
		}
	})
}

func TestLongestStatementIsTaggedAndReadable(t *testing.T) {
	t.Parallel()
	lease := &portfolio.Lease{
		RentalAddress: "1420 Maple Avenue, Unit 2B, Austin, TX 78701", StartDate: clock.Day(2026, 1, 1),
		Tenants: []portfolio.Party{{Name: "Dana Whitfield"}, {Name: "Zoë Łuczak \U000F1234"}},
	}
	a := &ledger.AccountStatement{
		Landlord: "Harbor Lane Rentals LLC", From: clock.Day(2026, 1, 1), Until: clock.Day(2026, 11, 29),
		Leases: []ledger.LeaseStatement{{Lease: lease}, {Lease: lease}},
	}
	rent := &a.Leases[0].Rent
	charge := &portfolio.Payment{Description: new("Parking, a long description that takes more than one line")}
	for i := range ledger.MostStatementLines {
		rent.Closing++
		rent.Charged++
		rent.Lines = append(rent.Lines, ledger.StatementLine{
			Day: a.From.AddDays(i / 10), Payment: charge, Charged: 1, Balance: rent.Closing,
		})
	}
	a.Leases[1].Deposit = ledger.StatementPart{Opening: money.Dollars(900), Closing: money.Dollars(900)}
	for reads, want := range map[language.Language][]string{
		language.English: {
			"Statement of account", "Harbor Lane Rentals LLC", "Dana Whitfield, Zoë Łuczak ?",
			"January 1, 2026 to November 29, 2026", "Brought forward", "$20.00", "Deposit held, apart", "$900.00",
		},
		language.Spanish: {"Estado de cuenta", "1 de enero de 2026 al 29 de noviembre de 2026", "Saldo anterior"},
	} {
		content, err := statement.Account(a, reads, time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC))
		if err != nil {
			t.Fatal(err)
		}
		text := strings.Join(strings.Fields(documenttest.Tool(t, content, "pdftotext", "-layout", "FILE", "-")), " ")
		for _, s := range want {
			if !strings.Contains(text, s) {
				t.Errorf("it lacks %q:\n%s", s, text[:2000])
			}
		}
		if info := documenttest.Tool(t, content, "pdfinfo", "FILE"); !strings.Contains(info, "Tagged:          yes") {
			t.Error(info)
		}
	}
}
