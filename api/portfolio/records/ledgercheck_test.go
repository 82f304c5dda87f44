package records_test

import (
	"slices"
	"strings"

	"portal/api/clock"
	"portal/api/list"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/lease/terms"
	"portal/api/portfolio/ledger/report"
	"portal/api/tenantportal"
)

// stretch is a calendar month of a lease, or a part of it.
type stretch struct {
	name     string
	from, to clock.Date
	days     int64 // of the lease
	length   int64 // of the month
	due      clock.Date
}

// share is what of a monthly amount is charged for the days of the lease.
func (s stretch) share(monthly money.Cents) money.Cents {
	return (monthly*money.Cents(s.days)*2 + money.Cents(s.length)) / money.Cents(s.length*2)
}

// lastDay is the last one that a lease charges, nil where it goes on.
func (w *ledgerWorld) lastDay(l *portfolio.Lease) *clock.Date {
	w.Helper()
	moveOut := l.MoveOutDate
	if noted, is := w.movedOut[l.ID]; is {
		moveOut = noted
	}
	last := l.EndDate
	if l.LeaseType == portfolio.FixedWithRollover {
		last = nil
	}
	if last == nil {
		last = moveOut
	}
	if l.Status == portfolio.LeaseTerminated && (last == nil || *l.TerminatedOn < *last) {
		last = l.TerminatedOn
	}
	if l.RenewedToLeaseID != nil {
		next, err := w.store.Lease(w.Context(), w.by.Portfolio, *l.RenewedToLeaseID)
		w.ok(err)
		if before := next.StartDate - 1; last == nil || before < *last {
			last = &before
		}
	}
	return w.lastDayOf(l, last)
}

// lastDayOf is the last day that a lease charges, where it would be a day by its dates alone: to a lease that is over
// nothing is added, whatever is noted of it later.
func (w *ledgerWorld) lastDayOf(l *portfolio.Lease, last *clock.Date) *clock.Date {
	if l.Status != portfolio.LeaseExpired && l.Status != portfolio.LeaseRenewed {
		delete(w.lastDays, l.ID)
		return last
	}
	if was, over := w.lastDays[l.ID]; over && (last == nil || was < *last) {
		last = &was
	}
	if last != nil {
		w.lastDays[l.ID] = *last
	}
	return last
}

// stretches are the months of a lease until 40 days from now.
func (w *ledgerWorld) stretches(l *portfolio.Lease) (all []stretch) {
	last := w.lastDay(l)
	for from := l.StartDate; from <= w.today()+60 || from.FirstOfMonth() == l.StartDate.FirstOfMonth(); {
		s := stretch{from: from, to: from.LastOfMonth(), name: from.Std().Format("2006-01")}
		s.length = int64(s.to-from.FirstOfMonth()) + 1
		if last != nil {
			s.to = min(s.to, *last)
		}
		if s.to < from {
			return all
		}
		s.days = int64(s.to-from) + 1
		s.due = min(max(from.FirstOfMonth()+clock.Date(l.RentDueDay)-1, from), s.to)
		all = append(all, s)
		from = from.LastOfMonth() + 1
	}
	return all
}

// monthOf names the month that a row is for.
func monthOf(p *portfolio.Payment) string {
	if p.PeriodStart == nil {
		return ""
	}
	return p.PeriodStart.Std().Format("2006-01")
}

// freeze notes by which rent each month is charged: that of the day on which it fell due, or of what was paid ahead.
func (w *ledgerWorld) freeze(l *ledgerLease, is *portfolio.Lease, rows []portfolio.Payment) {
	for _, p := range rows {
		month := monthOf(&p)
		if p.Type != portfolio.PaymentRent || month == "" || p.Amount < 0 {
			continue
		}
		if l.rents[month] == nil {
			l.rents[month] = []money.Cents{is.MonthlyRent}
		}
		touched := p.AmountPaid != 0 || p.UnderWay != 0
		if !l.fixed[month] && !touched && p.DueDate > w.today() && len(l.rents[month]) > 1 &&
			!l.waived["paid ahead "+month] {
			l.rents[month] = []money.Cents{is.MonthlyRent}
		}
		if touched && p.DueDate > w.today() {
			l.waived["paid ahead "+month] = true // either rent may hold
		}
		if p.DueDate <= w.today() && p.Status != portfolio.PaymentVoid {
			l.fixed[month] = true
		}
	}
}

// checkLeases holds the rows of leases against what the leases say. All are read together.
func (w *ledgerWorld) checkLeases(some ...*ledgerLease) {
	w.Helper()
	var leaseIDs, rowIDs []string
	for _, l := range some {
		leaseIDs = append(leaseIDs, l.id)
	}
	leases, err := w.store.LeasesWithTerms(w.Context(), w.by.Portfolio, leaseIDs)
	w.ok(err)
	rows, err := w.store.RowsOfLeases(w.Context(), w.by.Portfolio, leaseIDs)
	w.ok(err)
	for _, of := range rows {
		for i := range of {
			rowIDs = append(rowIDs, of[i].ID)
		}
	}
	moved, err := w.store.TransactionsOf(w.Context(), w.by.Portfolio, rowIDs)
	w.ok(err)
	for _, l := range some {
		is, before := leases[l.id], l.rows
		w.freeze(l, is, rows[l.id])
		l.rows = rows[l.id]
		w.checkMoney(l, moved)
		w.checkUntouched(l, before)
		w.checkMonths(l, is)
		w.checkOnce(l, is)
		w.checkLateFees(l, is, before)
		w.checkCredits(l)
	}
}

// checkMoney holds each row against its transactions.
func (w *ledgerWorld) checkMoney(l *ledgerLease, moved map[string][]portfolio.Transaction) {
	w.Helper()
	names := map[string]bool{}
	for i := range l.rows {
		p := &l.rows[i]
		var cleared money.Cents
		for _, t := range moved[p.ID] {
			if t.Status == portfolio.TransactionSucceeded {
				cleared += t.Amount
			}
		}
		if cleared != p.AmountPaid {
			w.wrong(l, "%s: %s has cleared, and %s is shown", p.ID, cleared, p.AmountPaid)
		}
		owed := p.Amount - cleared
		if p.Status == portfolio.PaymentVoid {
			owed = 0
			if cleared != 0 {
				w.wrong(l, "%s is void, and %s of it is paid", p.ID, cleared)
			}
		}
		if p.Compute(w.today()); p.BalanceDue != owed {
			w.wrong(l, "%s: %s is owed, and %s is shown", p.ID, owed, p.BalanceDue)
		}
		if p.Amount >= 0 && owed < 0 || p.Amount < 0 && owed > 0 {
			w.wrong(l, "%s: more is paid than charged", p.ID)
		}
		if p.Status == portfolio.PaymentScheduled && p.DueDate <= w.today() ||
			p.Status == portfolio.PaymentDue && p.DueDate > w.today() {
			w.wrong(l, "%s is %s on %s", p.ID, p.Status, w.today())
		}
		if p.Charge != nil && p.Status != portfolio.PaymentVoid {
			name := *p.Charge + " part " + string(rune('0'+p.Part))
			if names[name] {
				w.wrong(l, "%s is charged twice", name)
			}
			names[name] = true
		}
	}
}

// checkUntouched holds that what was paid, or is being paid, has not changed but for what is paid of it.
func (w *ledgerWorld) checkUntouched(l *ledgerLease, before []portfolio.Payment) {
	w.Helper()
	for _, was := range before {
		i := slices.IndexFunc(l.rows, func(p portfolio.Payment) bool { return p.ID == was.ID })
		if i < 0 {
			w.wrong(l, "%s is gone", was.ID)
		}
		is := &l.rows[i]
		late := is.FeeType != nil && *is.FeeType == portfolio.LateFee && is.Amount > was.Amount
		if (was.AmountPaid != 0 || was.UnderWay != 0) &&
			(is.Amount != was.Amount && !late || is.DueDate != was.DueDate || is.Status == portfolio.PaymentVoid) {
			w.wrong(l, "%s was %s due %s, of which %s was paid, and is %s due %s", was.ID, was.Amount, was.DueDate,
				was.AmountPaid, is.Amount, is.DueDate)
		}
	}
}

// sum adds up what rows charge that pass.
func (l *ledgerLease) sum(passes func(*portfolio.Payment) bool) (sum money.Cents, rows []*portfolio.Payment) {
	for i := range l.rows {
		if p := &l.rows[i]; p.Status != portfolio.PaymentVoid && !l.forgiven[p.ID] && passes(p) {
			sum += p.Amount
			rows = append(rows, p)
		}
	}
	return sum, rows
}

// left adds up what was forgiven of rows that pass: so much of them stays charged, however the lease changes, as nobody
// gets money back that was never paid.
func (l *ledgerLease) left(passes func(*portfolio.Payment) bool) (sum money.Cents) {
	for i := range l.rows {
		p := &l.rows[i]
		if !l.forgiven[p.ID] {
			continue
		}
		of := slices.IndexFunc(l.rows, func(r portfolio.Payment) bool { return r.ID == *p.ReversesPaymentID })
		if passes(&l.rows[of]) {
			sum -= p.Amount
		}
	}
	return sum
}

// checkMonths holds the rent and the monthly fees of each month against the days of the lease.
func (w *ledgerWorld) checkMonths(l *ledgerLease, is *portfolio.Lease) {
	w.Helper()
	for i := -1; i < len(is.Terms.Fees); i++ {
		rent, name := i < 0, "rent "
		if !rent {
			if is.Terms.Fees[i].Frequency != terms.Monthly {
				continue
			}
			name = "fee " + string(rune('0'+i)) + " "
		}
		seen := map[string]bool{}
		of := func(month string) func(*portfolio.Payment) bool {
			return func(p *portfolio.Payment) bool {
				if month != "" && monthOf(p) != month || p.PeriodStart == nil {
					return false
				}
				if rent {
					return p.Type == portfolio.PaymentRent
				}
				return p.Type == portfolio.PaymentFee && p.Description != nil &&
					strings.TrimPrefix(*p.Description, "Credit: ") == is.Terms.Fees[i].Name
			}
		}
		for _, s := range w.stretches(is) {
			seen[s.name] = true
			if l.waived[name+s.name] {
				continue
			}
			sum, rows := l.sum(of(s.name))
			first := s.from == is.StartDate
			if rows == nil && (s.due > w.today()+30 && !first || is.Status != portfolio.LeaseActive &&
				is.Status != portfolio.LeaseSigned && s.due > w.today()) {
				continue
			}
			if !rent {
				if want := max(l.left(of(s.name)), s.share(is.Terms.Fees[i].Amount)); sum != want {
					w.wrong(l, "%s%s comes to %s, want %s", name, s.name, sum, want)
				}
				continue
			}
			if !slices.ContainsFunc(l.rentsOf(s.name, is), func(r money.Cents) bool {
				return max(l.left(of(s.name)), s.share(r)) == sum
			}) {
				w.wrong(l, "the rent of %s, %d days until %s, comes to %s, want that of %v", s.name, s.days, s.to, sum,
					l.rentsOf(s.name, is))
			}
			if len(rows) == 1 && rows[0].Status == portfolio.PaymentScheduled && s.due > w.today() &&
				rows[0].DueDate != s.due && rows[0].AmountPaid == 0 && !l.waived["paid ahead "+s.name] {
				w.wrong(l, "the rent of %s is due on %s, want %s", s.name, rows[0].DueDate, s.due)
			}
		}
		last := w.lastDay(is)
		_, all := l.sum(of(""))
		for _, p := range all {
			if month := monthOf(p); !seen[month] && last != nil && *p.PeriodStart > *last && !l.waived[name+month] {
				if sum, _ := l.sum(of(month)); sum != l.left(of(month)) {
					w.wrong(l, "%s%s comes to %s, after the last day %s", name, month, sum, last)
				}
			}
		}
	}
}

// rentsOf are the monthly rents by which a month may be charged.
func (l *ledgerLease) rentsOf(month string, is *portfolio.Lease) []money.Cents {
	if all := l.rents[month]; all != nil {
		return all
	}
	return []money.Cents{is.MonthlyRent}
}

// checkOnce holds the deposit and the fees that are charged once against the lease.
func (w *ledgerWorld) checkOnce(l *ledgerLease, is *portfolio.Lease) {
	w.Helper()
	var held money.Cents
	if is.RenewedFromLeaseID != nil {
		held = *is.Terms.HeldDeposit
	}
	deposit, _ := l.sum(func(p *portfolio.Payment) bool { return p.Type == portfolio.PaymentDeposit })
	if want := max(0, is.SecurityDeposit-held); deposit != want && !l.waived["deposit"] {
		w.wrong(l, "the deposit comes to %s, want %s", deposit, want)
	}
	for i, f := range is.Terms.Fees {
		if f.Frequency != terms.OneTime || l.waived["fee "+string(rune('0'+i))] {
			continue
		}
		sum, _ := l.sum(func(p *portfolio.Payment) bool { return p.Description != nil && *p.Description == f.Name })
		if sum != f.Amount {
			w.wrong(l, "%s comes to %s, want %s", f.Name, sum, f.Amount)
		}
	}
}

// checkLateAfter holds that the days of grace of rent that was charged after its due date count from the day on which
// it was charged: nobody was late with it before.
func (w *ledgerWorld) checkLateAfter(l *ledgerLease, signed clock.Date, before []portfolio.Payment) {
	w.Helper()
	for i := range l.rows {
		p := &l.rows[i]
		if p.Type != portfolio.PaymentRent || p.Charge == nil || p.Amount <= 0 {
			continue
		}
		charged := max(signed, clock.DateOf(p.CreatedAt.Std(), w.by.Zone))
		isNew := !slices.ContainsFunc(before, func(r portfolio.Payment) bool { return r.ID == p.ID })
		if p.LateAfter != 0 && p.LateAfter != charged || isNew && p.LateAfter == 0 && p.DueDate < charged {
			w.wrong(l, "the grace of %s, due on %s and charged on %s, counts from %s",
				p.ID, p.DueDate, charged, p.LateAfter)
		}
	}
}

// checkLateFees holds the late fees that were charged, or have grown, since the step before against the law.
func (w *ledgerWorld) checkLateFees(l *ledgerLease, is *portfolio.Lease, before []portfolio.Payment) {
	w.Helper()
	grace := l.rule.grace
	if is.LateFeeGraceDays != nil {
		grace = max(grace, *is.LateFeeGraceDays)
	}
	signed := clock.DateOf(is.SignedAt.Std(), w.by.Zone)
	fees := map[string]*portfolio.Payment{}
	for i := range l.rows {
		p := &l.rows[i]
		if p.FeeType == nil || *p.FeeType != portfolio.LateFee || p.Status == portfolio.PaymentVoid ||
			l.forgiven[p.ID] {
			continue
		}
		of := strings.TrimPrefix(*p.Charge, "late ")
		if fees[of] != nil {
			w.wrong(l, "%s has two late fees", of)
		}
		fees[of] = p
		n := slices.IndexFunc(l.rows, func(r portfolio.Payment) bool { return r.ID == of })
		if n < 0 || l.rows[n].Type != portfolio.PaymentRent || l.rows[n].Amount <= 0 {
			w.wrong(l, "%s is a late fee for no rent", p.ID)
		}
		rent := &l.rows[n]
		was := slices.IndexFunc(before, func(r portfolio.Payment) bool { return r.ID == p.ID })
		if was >= 0 && before[was].Amount >= p.Amount {
			continue
		}
		from := max(rent.DueDate, signed, rent.LateAfter) + clock.Date(grace) + 1
		if w.today() < from {
			w.wrong(l, "%s is a late fee on %s, within the grace until %s", p.ID, w.today(), from)
		}
		if rent.AmountPaid >= rent.Amount {
			w.wrong(l, "%s is a late fee for rent that is paid", p.ID)
		}
		o := owing{is.MonthlyRent, rent.Amount - rent.AmountPaid, int64(w.today()-from) + 1, 1}
		if most, limited := l.rule.most(o); limited && p.Amount > most {
			w.wrong(l, "%s is a late fee of %s in %s, where at most %s is allowed", p.ID, p.Amount, l.rule.state, most)
		}
	}
	w.checkLateAfter(l, signed, before)
	if l.lateTerms || is.LateFeeAmount == nil {
		return
	}
	for i := range l.rows {
		p := &l.rows[i]
		from := max(p.DueDate, signed, p.LateAfter) + clock.Date(grace) + 1
		late := p.Type == portfolio.PaymentRent && p.Amount > 0 && p.Status.Unpaid() && w.today() >= from
		if late && p.UnderWay == 0 && fees[p.ID] == nil && !l.waived["late "+p.ID] && p.UpdatedAt != clock.At(w.now) {
			w.wrong(l, "%s has no late fee, as it must since %s", p.ID, from)
		}
	}
}

// checkCredits holds that nothing is due beside a credit, the deposit apart.
func (w *ledgerWorld) checkCredits(l *ledgerLease) {
	w.Helper()
	var left, due *portfolio.Payment
	for i := range l.rows {
		switch p := &l.rows[i]; {
		case p.Credit() && p.BalanceDue < 0:
			left = p
		case p.Status.Unpaid() && p.BalanceDue > 0 && p.Type != portfolio.PaymentDeposit:
			due = p
		}
	}
	if left != nil && due != nil {
		w.wrong(l, "%s is due beside the credit %s", due.ID, left.ID)
	}
}

// held is what is held of deposits under a lease: of its own and of those that it renews, unless another one has begun
// that renews it.
func (w *ledgerWorld) held(l *ledgerLease) (sum money.Cents) {
	w.Helper()
	is, err := w.store.Lease(w.Context(), w.by.Portfolio, l.id)
	w.ok(err)
	if to := is.RenewedToLeaseID; to != nil {
		next, err := w.store.Lease(w.Context(), w.by.Portfolio, *to)
		w.ok(err)
		if next.StartDate <= w.today() {
			return 0
		}
	}
	for of := &is; ; {
		for _, p := range w.read(&ledgerLease{id: of.ID}) {
			if p.Type == portfolio.PaymentDeposit && p.Status != portfolio.PaymentVoid {
				sum += p.AmountPaid
			}
		}
		if of.RenewedFromLeaseID == nil || of.StartDate > w.today() {
			return sum
		}
		before, err := w.store.Lease(w.Context(), w.by.Portfolio, *of.RenewedFromLeaseID)
		w.ok(err)
		of = &before
	}
}

// checkViews holds all who show what is owed under a lease against its rows.
func (w *ledgerWorld) checkViews(l *ledgerLease) {
	w.Helper()
	var all, rent, due, theirs money.Cents
	var balance portfolio.Balance // of the lease
	for _, of := range w.leases {
		var rents money.Cents
		var b portfolio.Balance
		for i := range of.rows {
			p := &of.rows[i]
			if of == l {
				all += p.BalanceDue
			}
			if b.Add(p, w.today()); p.Type == portfolio.PaymentRent && p.Counts(w.today()) {
				rents += p.BalanceDue
			}
		}
		if of == l {
			balance = b
		}
		if due += b.Owed(); of.tenant == l.tenant {
			theirs += b.Owed()
		}
		rent += max(rents, 0)
	}
	shown, err := w.Leases.Lease(w.Context(), w.by, l.id)
	w.ok(err)
	paid := balance.DepositHeld
	balance.DepositHeld = w.held(l)
	if shown.BalanceDue != balance.Due || shown.DepositHeld != balance.DepositHeld {
		w.wrong(l, "the lease shows %s and %s held, want %+v", shown.BalanceDue, shown.DepositHeld, balance)
	}
	w.checkStatement(l, shown, paid)
	totals, err := w.Ledger.PaymentTotals(w.Context(), w.by, portfolio.PaymentFilter{
		Query: list.Query{Limit: 100}, LeaseID: l.id,
	})
	w.ok(err)
	if totals[0].Balance != all {
		w.wrong(l, "the list of its rows comes to %s, want %s", totals[0].Balance, all)
	}
	balances, err := w.Reports.RentBalances(w.Context(), w.by, report.BalanceFilter{Limit: 100})
	w.ok(err)
	sum, err := w.Reports.Summary(w.Context(), w.by)
	w.ok(err)
	if balances.TotalDue != rent || sum.RentDueTotal != rent || sum.ChargesDueTotal != due {
		w.wrong(l, "rent balances %s and the summary %s and %s, want %s and %s", balances.TotalDue, sum.RentDueTotal,
			sum.ChargesDueTotal, rent, due)
	}
	v := &tenantportal.Visit{By: w.by, Today: w.today()}
	for _, of := range w.leases {
		if of.tenant == l.tenant {
			v.Leases = append(v.Leases, portfolio.Lease{Record: portfolio.Record{ID: of.id}})
		}
	}
	account, err := w.tenants.Account(w.Context(), v)
	w.ok(err)
	if account.Balance != theirs {
		w.wrong(l, "the tenant's page says %s, want %s", account.Balance, theirs)
	}
}
