package records_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"portal/api/agreement/document"
	"portal/api/agreement/document/documenttest"
	"portal/api/clock"
	"portal/api/contact"
	"portal/api/id"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/lease/terms"
	"portal/api/sampled"
	"portal/api/tenantportal"
	"portal/db"
	"portal/db/dbtest"
)

// What the document of a lease calls due at the start, what the ledger charges for it at the last signature, and what
// the tenant's page shows on the day on which all of it is due are one amount, and the right one. PORTAL_PROVE tries
// 2,000 random leases, PORTAL_TEST_SEED repeats a run.
func TestDocumentLedgerAndTenantsPageAgreeOnWhatIsDueAtTheStart(t *testing.T) {
	leases := 60
	if sampled.Whole {
		leases = 2000
	}
	seed := ledgerSeed(t)
	dbtest.Both(t, func(t *testing.T, d *db.DB) {
		rules := lateRules(t)
		for first := 0; first < leases; first += 250 { // a demo portfolio holds only so many records
			w := emptyLedger(t, d, rand.New(rand.NewPCG(seed, uint64(first))), fmt.Sprint("documents", first),
				"America/New_York")
			w.now = time.Date(2027, 12, 31, 22, 0, 0, 0, w.by.Zone)
			w.hour()
			for i := first; i < min(first+250, leases); i++ {
				w.agrees(rules[i%len(rules)])
			}
		}
	})
}

// starts is a day on which a lease starts: often the first or the last of a month, or a leap day.
func (w *ledgerWorld) starts() clock.Date {
	start := w.today().AddDays(w.IntN(400))
	switch w.IntN(5) {
	case 0:
		return start.LastOfMonth()
	case 1:
		return max(start.FirstOfMonth(), w.today())
	case 2:
		return clock.Day(2028, 2, 29)
	}
	return start
}

func (w *ledgerWorld) agrees(rule lateRule) {
	w.Helper()
	l, tenant := w.home(rule)
	l.StartDate, l.MonthlyRent, l.SecurityDeposit = w.starts(), w.cents(1, 4000), max(0, w.cents(-1000, 4000))
	w.draw(&l)
	if l.EndDate != nil && w.IntN(4) == 0 {
		l.EndDate = new(l.StartDate.AddDays(1 + w.IntN(20))) // within the first month, or a little longer
	}
	var held money.Cents
	if w.IntN(3) == 0 {
		earlier := l
		earlier.Record.ID, earlier.LeaseType = w.record(id.Lease, "lease").ID, portfolio.Fixed
		earlier.StartDate, earlier.EndDate = l.StartDate-400, new(l.StartDate-1)
		earlier.Terms = terms.Terms{LateFeeFrequency: terms.Once}
		w.signs(&earlier, tenant, rule)
		held = w.cents(0, 4000)
		l.RenewedFromLeaseID, l.Terms.HeldDeposit = &earlier.ID, &held
	}
	signed := w.signs(&l, tenant, rule)

	first := w.firstStretch(&l)
	want := max(0, l.SecurityDeposit-held) + first.share(l.MonthlyRent)
	for _, f := range l.Terms.Fees {
		if f.Frequency == terms.OneTime {
			want += f.Amount
		} else {
			want += first.share(f.Amount)
		}
	}
	signed.rows = w.read(signed)
	sum, _ := signed.sum(
		func(p *portfolio.Payment) bool { return p.PeriodStart == nil || *p.PeriodStart == l.StartDate },
	)
	if sum != want {
		w.wrong(signed, "the ledger charges %s at the start, want %s", sum, want)
	}
	if said := w.saidDue(&l, rule.state); !strings.HasPrefix(said, want.Words()+": ") {
		w.wrong(signed, "the document says that %s are due at the start, want %s", said, want)
	}
	account, err := w.tenants.Account(w.Context(), &tenantportal.Visit{
		By: w.by, Today: first.due, Leases: []portfolio.Lease{l},
	})
	w.ok(err)
	if account.Balance != want {
		w.wrong(signed, "the tenant's page shows %s on %s, want %s", account.Balance, first.due, want)
	}
}

// firstStretch is the first month of a lease, or a part of it.
func (w *ledgerWorld) firstStretch(l *portfolio.Lease) stretch {
	s := stretch{from: l.StartDate, to: l.StartDate.LastOfMonth()}
	s.length = int64(s.to-l.StartDate.FirstOfMonth()) + 1
	if l.EndDate != nil && l.LeaseType == portfolio.Fixed {
		s.to = min(s.to, *l.EndDate)
	}
	s.days = int64(s.to-s.from) + 1
	s.due = min(max(l.StartDate.FirstOfMonth()+clock.Date(l.RentDueDay)-1, s.from), s.to)
	return s
}

// saidDue is what the document of a lease says is due at its start.
func (w *ledgerWorld) saidDue(l *portfolio.Lease, state string) (said string) {
	of := documenttest.Terms(contact.State(state))
	l.Tenants[0].Name = "Dana Rivera"
	of.Lease, of.Emails = l, []string{"dana@example.com"}
	for _, row := range document.Compose(of).Totals {
		if row.Name == "Due at move-in" || row.Name == "Due at the start" {
			said = row.Value
		}
	}
	return said
}
