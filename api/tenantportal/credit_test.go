package tenantportal

import (
	"testing"

	"portal/api/clock"
	"portal/api/money"
	"portal/api/portfolio"
)

func TestCreditThatIsLeftIsTakenOffWhatItsLeaseOwes(t *testing.T) {
	t.Parallel()
	today := clock.Day(2026, 11, 12)
	row := func(amount, paid money.Cents, status portfolio.PaymentStatus) portfolio.Payment {
		p := portfolio.Payment{Amount: amount, AmountPaid: paid, Status: status, DueDate: today - 5}
		p.Compute(today)
		return p
	}
	rows := []portfolio.Payment{
		row(money.Dollars(-500), money.Dollars(-200), portfolio.PaymentPartiallyPaid),
		row(money.Dollars(-100), money.Dollars(-100), portfolio.PaymentSucceeded),
		row(money.Dollars(-70), 0, portfolio.PaymentVoid),
		row(money.Dollars(1450), money.Dollars(200), portfolio.PaymentDue),
	}
	a := accountOf(rows, today)
	if a.Balance != money.Dollars(950) || a.Credit != 0 || len(a.Due) != 2 || len(a.Rows) != 4 {
		t.Errorf("%+v", a)
	}
	rows[0].LeaseID = "another" // whose credit pays nothing of this one
	a = accountOf(rows, today)
	if a.Balance != money.Dollars(1250) || a.Credit != money.Dollars(300) || len(a.Due) != 1 {
		t.Errorf("%+v", a)
	}
	rows[0].LeaseID, rows[3].Type = "", portfolio.PaymentDeposit // which no credit pays
	a = accountOf(rows, today)
	if a.Balance != money.Dollars(1250) || a.Credit != money.Dollars(300) || len(a.Due) != 1 {
		t.Errorf("%+v", a)
	}
}
