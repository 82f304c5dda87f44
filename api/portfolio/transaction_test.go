package portfolio_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"portal/api/clock"
	"portal/api/money"
	"portal/api/portfolio"
)

const today = clock.Date(20_000)

func at(minute int) clock.Time { return clock.Time(1_728_000_000_000 + int64(minute)*60_000) }

// moved is a transaction that has moved an amount, at a minute.
func moved(kind portfolio.TransactionKind, amount money.Cents, method string, minute int) portfolio.Transaction {
	return portfolio.Transaction{
		ID: fmt.Sprintf("txn_%d", minute), Kind: kind, Amount: amount, Status: portfolio.TransactionSucceeded,
		Method: new(portfolio.PaymentMethod(method)), Reference: new("ref " + method), OccurredAt: at(minute),
	}
}

// with is a transaction that has been changed.
func with(t portfolio.Transaction, change func(*portfolio.Transaction)) portfolio.Transaction {
	change(&t)
	return t
}

func underWay(t *portfolio.Transaction) { t.Status = portfolio.TransactionProcessing }

func failed(t *portfolio.Transaction) {
	t.Status, t.FailureCode = portfolio.TransactionFailed, new("insufficient_funds")
}

func takingBack(id string) func(*portfolio.Transaction) {
	return func(t *portfolio.Transaction) { t.Corrects = &id }
}

func TestRowShowsWhatItsTransactionsTell(t *testing.T) {
	t.Parallel()
	pay, back := portfolio.TransactionPayment, portfolio.TransactionCorrection
	check, cash := moved(pay, 400, "check", 1), moved(pay, 600, "cash", 2)
	type moves = []portfolio.Transaction
	one, two := with(check, func(t *portfolio.Transaction) { t.ID = "txn_1" }), cash
	sent, refused := with(moved(pay, 1000, "ach", 1), underWay), with(moved(pay, 1000, "ach", 1), failed)
	forgiven := with(moved(back, 600, "", 5), func(t *portfolio.Transaction) { t.Method, t.Reference = nil, nil })
	undone := func(id string, amount money.Cents) portfolio.Transaction {
		return with(moved(back, -amount, "check", 3), takingBack(id))
	}
	given := func(amount money.Cents) portfolio.Transaction {
		return moved(portfolio.TransactionRefund, -amount, "cash", 6)
	}
	returned := moved(portfolio.TransactionReturn, -1000, "ach", 6)
	for name, c := range map[string]struct {
		all       moves
		status    portfolio.PaymentStatus
		paid      money.Cents
		method    string
		reference string
		paidAt    int
		failure   string
	}{
		"nothing":              {nil, "due", 0, "", "", 0, ""},
		"a part":               {moves{one}, "partially_paid", 400, "check", "ref check", 0, ""},
		"both parts":           {moves{one, two}, "succeeded", 1000, "cash", "ref cash", 2, ""},
		"out of order":         {moves{two, one}, "succeeded", 1000, "check", "ref check", 2, ""},
		"on its way":           {moves{sent}, "processing", 0, "ach", "ref ach", 0, ""},
		"refused":              {moves{refused}, "failed", 0, "ach", "ref ach", 0, "insufficient_funds"},
		"refused, then a part": {moves{refused, one}, "partially_paid", 400, "check", "ref check", 0, ""},
		"a part, then refused": {
			moves{one, refused}, "partially_paid", 400, "ach", "ref ach", 0, "insufficient_funds",
		},
		"in error": {moves{one, undone("txn_1", 400)}, "due", 0, "", "", 0, ""},
		"one of two in error": {
			moves{one, two, undone("txn_2", 600)}, "partially_paid", 400, "check", "ref check", 0, "",
		},
		"in error, then right": {
			moves{one, undone("txn_1", 400), moved(pay, 1000, "cash", 4)}, "succeeded", 1000, "cash", "ref cash", 4, "",
		},
		"the rest forgiven":    {moves{one, forgiven}, "succeeded", 1000, "check", "ref check", 5, ""},
		"given back":           {moves{one, two, given(1000)}, "refunded", 0, "cash", "ref cash", 0, ""},
		"given back in part":   {moves{one, two, given(300)}, "partially_paid", 700, "cash", "ref cash", 0, ""},
		"returned by the bank": {moves{moved(pay, 1000, "ach", 1), returned}, "failed", 0, "ach", "ref ach", 0, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := portfolio.Payment{Amount: 1000, DueDate: today}
			p.Derive(c.all, today)
			got := []any{p.Status, p.AmountPaid, said(p.Method), said(p.Reference), said(p.FailureCode)}
			want := []any{c.status, c.paid, c.method, c.reference, c.failure}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("it shows %v, want %v", got, want)
			}
			if (p.PaidAt == nil) != (c.paidAt == 0) || p.PaidAt != nil && *p.PaidAt != at(c.paidAt) {
				t.Errorf("it was paid at %v, want minute %d", p.PaidAt, c.paidAt)
			}
		})
	}
	later := portfolio.Payment{Amount: 1000, DueDate: today + 1}
	if later.Derive(nil, today); later.Status != portfolio.PaymentScheduled {
		t.Errorf("a row that is not due yet is %s", later.Status)
	}
}

func said[T ~string](s *T) string {
	if s == nil {
		return ""
	}
	return string(*s)
}

// Whatever a process of another version has done to a row, its transactions tell what it shows, and say the same again
// when they are stored.
func TestTransactionsOfAnyRowTellWhatItShows(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(5, 2))
	for n := range 5000 {
		p := portfolio.Payment{Amount: 1000, DueDate: today}
		p.ID, p.Version, p.UpdatedAt = "pay_01KA5R2M7Q8D4E6F9G1H3J5K7M", int64(n), at(900)
		p.Status = portfolio.PaymentStatus(portfolio.PaymentDue.Values()[r.IntN(8)])
		var stored []portfolio.Transaction
		if r.IntN(2) == 0 {
			stored = append(stored, moved(portfolio.TransactionPayment, 100, "check", 1))
		}
		switch p.Status {
		case portfolio.PaymentSucceeded:
			p.AmountPaid = 1000
		case portfolio.PaymentPartiallyPaid, portfolio.PaymentProcessing:
			p.AmountPaid = 100 + money.Cents(r.IntN(800))
		case portfolio.PaymentFailed, portfolio.PaymentRefunded, portfolio.PaymentDue, portfolio.PaymentScheduled:
			stored = nil
		case portfolio.PaymentVoid:
			continue // of which nothing was paid
		}
		if p.Status != portfolio.PaymentDue && p.Status != portfolio.PaymentScheduled {
			p.Method = new(portfolio.PaymentMethod(portfolio.PayByACH.Values()[r.IntN(7)]))
			p.Reference = new("ref")
		}
		if p.Status == portfolio.PaymentFailed {
			p.FailureCode, p.FailureMessage = new("insufficient_funds"), new("The account has too little.")
		}
		all := p.Told(stored)
		derived := p
		day := today
		if p.Status == portfolio.PaymentScheduled {
			day--
		}
		derived.Derive(all, day)
		if derived.Status != p.Status || derived.AmountPaid != p.AmountPaid || said(derived.Method) != said(p.Method) ||
			said(derived.Reference) != said(p.Reference) || said(derived.FailureCode) != said(p.FailureCode) {
			t.Fatalf("%+v tells %+v, which show %+v", p, all, derived)
		}
		if again := derived.Told(all); !reflect.DeepEqual(again, all) {
			t.Fatalf("stored, %+v tell %+v", all, again)
		}
		if !reflect.DeepEqual(p.Told(stored), all) {
			t.Fatalf("%+v tells other transactions the second time", p)
		}
	}
}
