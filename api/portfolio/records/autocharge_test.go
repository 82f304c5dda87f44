package records_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/audit"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/list"
	"portal/api/portfolio"
	"portal/db/dbtest"
	"portal/db/portfoliostore"
	"portal/db/servicestore"
)

// ledgerOf are the rows of the ledger in words, the oldest first.
func (h *leaseFixture) ledgerOf() (all []string) {
	h.Helper()
	found, err := h.Ledger.Payments(h.Context(), h.by, portfolio.PaymentFilter{Query: list.Query{Limit: 100}})
	h.ok(err)
	for _, p := range found.Data {
		all = append(all, fmt.Sprintf("%s %s due %s", *p.Description, p.Amount, p.DueDate))
	}
	slices.Sort(all)
	return all
}

// previewed are the rows that would be written, and what is skipped, in words.
func (h *leaseFixture) previewed() (rows, skipped []string) {
	h.Helper()
	p, err := h.Ledger.PreviewAutoCharge(h.Context(), h.by, 100)
	h.ok(err)
	for _, row := range p.Rows {
		rows = append(rows, fmt.Sprintf("%s %s due %s", *row.Description, row.Amount, row.DueDate))
	}
	for _, s := range p.Skipped {
		skipped = append(skipped, string(s.Reason))
	}
	slices.Sort(rows)
	if p.Count != len(p.Rows) || p.Skips.N != len(p.Skipped) {
		h.Errorf("%d rows and %d leases are counted as %d and %v", len(p.Rows), len(p.Skipped), p.Count, p.Skips)
	}
	return rows, skipped
}

func TestPreviewShowsWhatTheLedgerThenCharges(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		h.adds(h.lease(portfolio.LeaseExpired, clock.Day(2025, 1, 1), h.tenants[1]), nil)
		h.adds(h.lease(portfolio.LeaseSigned, clock.Day(2027, 3, 1), h.tenants[1]), nil)
		h.adds(h.lease(portfolio.LeaseActive, clock.Day(2026, 3, 1), h.tenants[2]), func(l *portfolio.Lease) {
			l.MonthlyRent = 0
		})
		want := []string{"Rent for December 2026 1450.00 due 2026-12-01", "Rent for March 2027 1450.00 due 2027-03-01"}
		rows, skipped := h.previewed()
		if !slices.Equal(rows, want) || !slices.Equal(skipped, []string{"no_rent", "ended"}) {
			h.Errorf("would be charged: %q, skipped: %q", rows, skipped)
		}
		p, err := h.Ledger.PreviewAutoCharge(h.Context(), h.by, 1)
		h.ok(err)
		if len(p.Rows) != 1 || p.Count != 2 || p.Total.String() != "2900.00" || p.Leases != 2 || len(p.Skipped) != 1 ||
			p.Skips.N != 2 {
			h.Errorf("a preview of one row: %+v", p)
		}
		if got := h.ledgerOf(); len(got) > 0 {
			h.Fatalf("the preview has written %q", got)
		}
		h.ok(h.Ledger.AutoCharge(h.Context(), h.by.Portfolio, h.by.Zone))
		if got := h.ledgerOf(); len(got) > 0 {
			h.Fatalf("charged before an owner wants it: %q", got)
		}

		h.ok(second(h.Ledger.SetAutoCharge(h.Context(), h.by, true)))
		h.ok(h.Ledger.AutoCharge(h.Context(), h.by.Portfolio, h.by.Zone))
		if got := h.ledgerOf(); !slices.Equal(got, want[:1]) {
			h.Errorf("charged %q", got)
		}
		rows, skipped = h.previewed() // the lease ends on December 31
		if !slices.Equal(rows, want[1:]) || !slices.Equal(skipped, []string{"charged", "no_rent", "ended"}) {
			h.Errorf("then would be charged: %q, skipped: %q", rows, skipped)
		}
	})
}

func TestOwnersAloneDecideWhetherTheLedgerChargesByItself(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		manager := h.by
		manager.Role = access.Manager
		if _, err := h.Ledger.SetAutoCharge(h.Context(), manager, true); !fault.Is(err, fault.OwnerRequired) {
			h.Errorf("a manager: %v", err)
		}
		demo := h.by
		demo.Portfolio.Mode = access.Test
		if _, err := h.Ledger.SetAutoCharge(h.Context(), demo, false); !fault.Is(err, fault.InvalidTransition) {
			h.Errorf("a demo portfolio: %v", err)
		}
		setting := func() string {
			now, err := h.Ledger.AutoChargeSetting(h.Context(), h.by)
			h.ok(err)
			let, err := h.Leases.Lease(h.Context(), h.by, h.let)
			h.ok(err)
			all, err := h.Leases.Leases(h.Context(), h.by, portfolio.LeaseFilter{Query: list.Query{Limit: 5}})
			h.ok(err)
			if let.AutoCharge != now.On() || all.Data[0].AutoCharge != now.On() || all.Data[1].AutoCharge != now.On() {
				h.Errorf("auto_charge is %t, and %t in the list", let.AutoCharge, all.Data[0].AutoCharge)
			}
			if now.Since == nil {
				return "off"
			}
			return now.Since.String()
		}
		h.ok(portfoliostore.New(h.db).SetAutoCharge(h.Context(), h.by.Portfolio, nil))
		h.Trail = audit.Log{Store: servicestore.NewTrail(h.db), Now: func() time.Time { return h.now }}
		var user string
		dbtest.Query(h.T, h.db, "SELECT id FROM users", func(_ []string, values []any) { user = fmt.Sprint(values[0]) })
		person := audit.With(h.Context(), audit.By{UserID: user})
		h.by.AccountID = h.home.AccountID
		since := clock.At(h.now).String()
		for i, step := range []struct {
			on   bool
			want string
		}{{true, since}, {true, since}, {false, "off"}, {false, "off"}} {
			m, err := h.Ledger.SetAutoCharge(person, h.by, step.on)
			if got := setting(); err != nil || got != step.want || m.After.On() != step.on {
				h.Errorf("step %d: %s, want %s; %+v, %v", i, got, step.want, m, err)
			}
			h.now = h.now.Add(1e9)
		}
		page, err := h.Trail.Entries(h.Context(), audit.Query{AccountID: h.home.AccountID})
		h.ok(err)
		var done []string
		for _, e := range page.Data {
			done = append(done, e.Action)
		}
		if want := []string{
			"account.auto_charge_turned_off",
			"account.auto_charge_turned_on",
		}; !slices.Equal(
			done,
			want,
		) {
			h.Errorf("the trail says %q", done)
		}
		h.quiet()
	})
}

// What fell due while the ledger did not charge by itself gets no late fee once it does again.
func TestTurningAutomaticRentOnAgainChargesNoLateFeesForBefore(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		store, today := portfoliostore.New(h.db), clock.DateOf(h.now, h.by.Zone)
		h.charges(h.let, today-40, func(p *portfolio.Payment) { p.LateFeeOn = new(today - 34) })
		for _, want := range []int{1, 0} {
			late, err := store.LatePayments(h.Context(), h.by.Portfolio, today, 10)
			h.ok(err)
			if len(late) != want {
				h.Errorf("%d rows are looked at for late fees, want %d", len(late), want)
			}
			h.ok(store.SetAutoCharge(h.Context(), h.by.Portfolio, new(clock.At(h.now))))
		}
	})
}

// An import writes in parts so that others need not wait, and the ledger would keep everybody waiting twice as long.
func TestLeasesAreChargedAfterAnImport(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		since := clock.At(h.now)
		h.ok(portfoliostore.New(h.db).SetAutoCharge(h.Context(), h.by.Portfolio, &since))
		charge := func() int {
			h.Helper()
			h.ok(h.Ledger.AutoCharge(h.Context(), h.by.Portfolio, h.by.Zone))
			return len(h.ledgerOf())
		}
		imports := func(in access.Portfolio, began time.Time, left int) {
			h.Helper()
			dbtest.Exec(t, h.db, "DELETE FROM imports")
			dbtest.Exec(t, h.db, "INSERT INTO imports (portfolio_id, id, created_at, user_id, name, size, status, "+
				"records, written, units_left) VALUES ($1, 'imp_1', $2, '', 'roll.csv', 1, 'queued', 9, 1, $3)",
				in.ID, int64(clock.At(began)), left)
		}
		imports(h.by.Portfolio, h.now.Add(-time.Minute), 8)
		if n := charge(); n > 0 {
			t.Errorf("%d rows were charged during an import", n)
		}
		for what, begin := range map[string]func(){
			"the import is done":             func() { imports(h.by.Portfolio, h.now, 0) },
			"it was sent an hour ago":        func() { imports(h.by.Portfolio, h.now.Add(-time.Hour), 8) },
			"it is one of another portfolio": func() { imports(h.home.Test, h.now, 8) },
		} {
			dbtest.Exec(t, h.db, "DELETE FROM payments")
			dbtest.Exec(t, h.db, "UPDATE leases SET charge_on = 0")
			if begin(); charge() == 0 {
				t.Errorf("nothing is charged though %s", what)
			}
		}
	})
}
