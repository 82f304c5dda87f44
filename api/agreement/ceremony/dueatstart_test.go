package ceremony_test

import (
	"context"
	"strings"
	"testing"

	"portal/api/change"
	"portal/api/clock"
	"portal/api/list"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/lease"
	"portal/api/portfolio/lease/terms"
	"portal/api/secret"
	"portal/api/tenantportal"
	"portal/db/portfoliostore"
)

// The signed copy, the ledger from the last signature on and the tenant's page say the same amount: of $1,450.50 a
// month from January 9, 23 of 31 days are $1,076.18, and of $50 for parking $37.10.
func TestSignedCopyLedgerAndTenantsPageAgreeOnWhatIsDue(t *testing.T) {
	onEach(t, func(f *fixture) {
		f.ok(f.rules.Tx.Exclusively(f.Context(), f.by.Portfolio, func(ctx context.Context) error {
			return portfoliostore.New(f.db).SetAutoCharge(ctx, f.by.Portfolio, new(clock.At(f.now)))
		}))
		_, err := f.rules.Leases.UpdateLease(f.Context(), f.by, change.Target{ID: f.lease.ID}, lease.Update{
			SecurityDeposit: change.To(money.Cents(120_000)),
			RentDueDay:      change.To(3),
			Fees: change.To([]terms.Fee{
				{Name: "Parking", Amount: money.Dollars(50), Frequency: terms.Monthly},
				{Name: "Garage remote", Amount: 40_25, Frequency: terms.OneTime},
			}),
		})
		f.ok(err)
		f.executesVersion(2)
		const due = money.Cents(1076_18 + 37_10 + 1200_00 + 40_25)
		if text := strings.Join(strings.Fields(f.executed()), " "); !strings.Contains(text, due.Words()) {
			f.Errorf("the signed copy does not say %s", due.Words())
		}
		found, err := f.rules.Ledger.Payments(f.Context(), f.by, portfolio.PaymentFilter{
			Query: list.Query{Limit: 100}, LeaseID: f.lease.ID,
		})
		f.ok(err)
		var charged money.Cents
		for i := range found.Data {
			p := &found.Data[i]
			if charged += p.Amount; p.DueDate != clock.Day(2027, 1, 9) || p.Status != portfolio.PaymentScheduled {
				f.Errorf("%s of %s is %s, due on %s", p.Type, p.Amount, p.Status, p.DueDate)
			}
		}
		if charged != due || len(found.Data) != 4 {
			f.Errorf("%d rows of %s, want four of %s", len(found.Data), charged, due)
		}
		box, err := secret.NewBox(make([]byte, secret.KeySize))
		f.ok(err)
		pages := tenantportal.New(f.rules, f.agreements, portfoliostore.New(f.db), box)
		account, err := pages.Account(f.Context(), &tenantportal.Visit{
			By: f.by, Today: clock.Day(2027, 1, 9), Leases: []portfolio.Lease{*f.reread()},
		})
		f.ok(err)
		if account.Balance != due {
			f.Errorf("the tenant's page shows %s, want %s", account.Balance, due)
		}
	})
}
