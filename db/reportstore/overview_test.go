package reportstore_test

import (
	"cmp"
	"slices"

	"portal/api/clock"
	"portal/api/portfolio"
	"portal/api/portfolio/ledger/report"
	"portal/db/dbtest"
)

var overviews = []struct {
	name string
	test func(*fixture)
}{
	{"AnOverviewFollowsWhatHappensToRent", anOverviewFollowsWhatHappensToRent},
	{"RentThatWasThereBeforeIsAmongAnOverview", rentThatWasThereBeforeIsAmongAnOverview},
}

// always is a window in which all of the demo lies.
var always = report.OverviewWindow{From: today - 1000, Until: today + 1000, Today: today, Now: 0, Soon: 1 << 50}

func anOverviewCountsWhatTheListsShow(s *demoStore) {
	w := report.OverviewWindow{From: today - 100, Until: today + 40, Today: today, Now: 0, Soon: 1 << 50}
	got, want := s.overview(w), s.counted(w)
	s.Same(got, want)
	s.Want(len(want.Rent) > 1 && want.Overdue.Charges > 0 && want.Tickets[portfolio.PriorityEmergency] > 0,
		"the demo has too little: %+v", want)
}

func anOverviewFollowsWhatHappensToRent(r *fixture) {
	in := r.Landlord("dana").Live
	s := &demoStore{fixture: r, in: in, rows: r.stock(in)}
	for _, c := range []struct {
		name   string
		change func(*portfolio.Payment)
		stays  bool
	}{
		{name: "moved", change: func(p *portfolio.Payment) { p.DueDate = today - 3 }},
		{name: "a month old", change: ages(30)},
		{name: "more than a month old", change: ages(31)},
		{name: "two months old", change: ages(60)},
		{name: "more than three months old", change: ages(91)},
		{name: "raised", change: func(p *portfolio.Payment) { p.Amount += 5 }},
		{name: "paid", change: func(p *portfolio.Payment) { p.AmountPaid += 7 }},
		{name: "void", change: func(p *portfolio.Payment) { p.Status = portfolio.PaymentVoid }},
		{name: "refunded", change: func(p *portfolio.Payment) { p.Status = portfolio.PaymentRefunded }},
		{name: "a fee", change: func(p *portfolio.Payment) { p.Type = portfolio.PaymentFee }},
		{name: "due", change: func(p *portfolio.Payment) { p.Status = portfolio.PaymentDue }, stays: true},
	} {
		before := s.overview(always)
		s.changeRent(c.change)
		after := s.overview(always)
		s.Same(after, s.counted(always))
		s.Want(slices.Equal(after.Rent, before.Rent) == c.stays, "%s: the rent was %v and is %v", c.name, before, after)
	}
	for _, gone := range []string{"lease_id = (SELECT min(lease_id) FROM payments)", "1 = 1"} {
		before := s.rentKept()
		r.Raw("DELETE FROM payments WHERE " + gone)
		s.Same(s.rentKept(), s.rentSummed())
		s.Want(!slices.Equal(s.rentKept(), before), "%s: the rent is as before", gone)
	}
}

func rentThatWasThereBeforeIsAmongAnOverview(r *fixture) {
	r.stock(r.Landlord("dana").Live)
	kept := r.rentKept()
	r.Same(kept, r.rentSummed())
	r.Raw("DELETE FROM rent_days")
	r.Raw(dbtest.Backfill(r, r.DB, "00034_overview.sql", "rent_days"))
	r.Same(r.rentKept(), kept)
	r.Want(len(kept) > 1, "the demo has too little rent: %v", kept)
}

// rentKept is the rent by the day that the triggers keep.
func (r *fixture) rentKept() []string {
	r.Helper()
	return dbtest.Texts(r, r.DB, `SELECT day || ' ' || due || ' ' || collected
		FROM rent_days
		WHERE due <> 0 OR collected <> 0
		ORDER BY day`)
}

// rentSummed is the same, summed up from the ledger.
func (r *fixture) rentSummed() []string {
	r.Helper()
	return dbtest.Texts(r, r.DB, `SELECT due_date || ' ' || sum(amount) || ' ' || sum(amount_paid)
		FROM payments
		WHERE type = 'rent' AND status NOT IN ('void', 'refunded')
		GROUP BY due_date
		ORDER BY due_date`)
}

// ages has a row be a fee that is overdue for some days.
func ages(days clock.Date) func(*portfolio.Payment) {
	return func(p *portfolio.Payment) {
		p.Type, p.Status, p.DueDate = portfolio.PaymentFee, portfolio.PaymentDue, today-days
	}
}

// changeRent changes a row of rent that is scheduled.
func (s *demoStore) changeRent(change func(*portfolio.Payment)) {
	s.Helper()
	for _, row := range s.rows["payments"] {
		p := row.(*portfolio.Payment)
		if p.Type == portfolio.PaymentRent && p.Status == portfolio.PaymentScheduled {
			p.Version++
			change(p)
			s.OK(s.Portfolio.SavePayment(s.Context(), s.in, p))
			return
		}
	}
	s.Fatal("the demo has no rent that is scheduled")
}

// overview is what the store reads, in the order of the days and without those of nothing.
func (s *demoStore) overview(w report.OverviewWindow) report.Overview {
	s.Helper()
	o, err := s.Insight.Overview(s.Context(), s.in, w)
	s.OK(err)
	o.Rent = slices.DeleteFunc(o.Rent, func(d report.RentDay) bool { return d.Due == 0 && d.Collected == 0 })
	slices.SortFunc(o.Rent, func(a, b report.RentDay) int { return cmp.Compare(a.Day, b.Day) })
	o.Expiring.Address = ""
	return o
}

// counted is the same, counted from the records one by one.
func (s *demoStore) counted(w report.OverviewWindow) report.Overview {
	o := report.Overview{Tickets: map[portfolio.Priority]int{}}
	for _, p := range portfolio.Priority("").Values() {
		o.Tickets[portfolio.Priority(p)] = 0
	}
	days, leases := map[clock.Date]report.RentDay{}, map[string]bool{}
	for _, row := range s.rows["payments"] {
		p := row.(*portfolio.Payment)
		if slices.Contains(portfolio.UnpaidPayments(), p.Status) && p.DueDate < w.Today {
			if p.Amount <= 0 || p.AmountPaid >= p.Amount {
				continue
			}
			o.Overdue.Charges++
			o.Overdue.Sum += p.Amount - p.AmountPaid
			o.Overdue.Ages[min((int(w.Today-p.DueDate)-1)/30, 3)] += p.Amount - p.AmountPaid
			leases[p.LeaseID] = true
		}
		if p.Type == portfolio.PaymentRent && p.Status != portfolio.PaymentVoid &&
			p.Status != portfolio.PaymentRefunded && p.DueDate >= w.From && p.DueDate < w.Until {
			d := days[p.DueDate]
			days[p.DueDate] = report.RentDay{
				Day:       p.DueDate,
				Due:       d.Due + p.Amount,
				Collected: d.Collected + p.AmountPaid,
			}
		}
	}
	o.Overdue.Leases = len(leases)
	for _, d := range days {
		o.Rent = append(o.Rent, d)
	}
	slices.SortFunc(o.Rent, func(a, b report.RentDay) int { return cmp.Compare(a.Day, b.Day) })
	for _, row := range s.rows["tickets"] {
		t := row.(*portfolio.Ticket)
		if t.Status.Final() {
			continue
		}
		o.Tickets[t.Priority]++
		if t.Priority == portfolio.PriorityEmergency && (o.OldestEmergency == 0 || t.CreatedAt < o.OldestEmergency) {
			o.OldestEmergency = t.CreatedAt
		}
	}
	for _, row := range s.rows["leases"] {
		l := row.(*portfolio.Lease)
		if l.Status == portfolio.LeasePendingSignature && l.ExpiresAt != nil {
			o.Expiring.Leases++
			if o.Expiring.First == 0 || *l.ExpiresAt < o.Expiring.First {
				o.Expiring.First = *l.ExpiresAt
			}
		}
	}
	return o
}

// anOwnersStatementComesToTheOverviewAndTheRows compares it with the overview of the same days, and with a loop over
// the rows, for all properties and for each.
func anOwnersStatementComesToTheOverviewAndTheRows(s *demoStore) {
	for _, days := range [][2]clock.Date{{today - 100, today + 40}, {today - 400, today}, {today + 900, today + 999}} {
		from, until := days[0], days[1]
		o := s.overview(report.OverviewWindow{From: from, Until: until + 1, Today: today, Now: 0, Soon: 1 << 50})
		want, units := report.OwnerSums{Overdue: o.Overdue.Sum}, map[string]report.OwnerSums{}
		for _, day := range o.Rent {
			want.RentDue, want.RentCollected = want.RentDue+day.Due, want.RentCollected+day.Collected
		}
		for _, row := range s.rows["payments"] {
			p := row.(*portfolio.Payment)
			u, due := units[p.UnitID], p.DueDate >= from && p.DueDate <= until
			switch counts := p.Status != portfolio.PaymentVoid && p.Status != portfolio.PaymentRefunded; {
			case !counts:
			case p.Type == portfolio.PaymentDeposit:
				u.DepositsHeld += p.AmountPaid
			case p.Type == portfolio.PaymentRent && due:
				u.RentDue, u.RentCollected = u.RentDue+p.Amount, u.RentCollected+p.AmountPaid
			case p.Type == portfolio.PaymentFee && due:
				u.FeesDue, u.FeesCollected = u.FeesDue+p.Amount, u.FeesCollected+p.AmountPaid
			}
			if p.Status.Unpaid() && p.DueDate < today && p.Amount > 0 {
				u.Overdue += p.Amount - p.AmountPaid
			}
			units[p.UnitID] = u
		}
		all, err := s.OwnerStatement(s.Context(), s.in, "", from, until, today)
		s.OK(err)
		var sum, loop report.OwnerSums
		properties := map[string]int{}
		for _, u := range all {
			s.Same(u.OwnerSums, units[u.UnitID])
			sum.Add(u.OwnerSums)
			properties[u.PropertyID]++
		}
		for _, u := range units {
			loop.Add(u)
		}
		s.Same(sum, loop)
		want.FeesDue, want.FeesCollected, want.DepositsHeld = sum.FeesDue, sum.FeesCollected, sum.DepositsHeld
		s.Same(sum, want)
		s.Want(len(properties) > 1 && sum.DepositsHeld > 0 && sum.Overdue > 0, "the demo has too little: %+v", sum)
		for of, n := range properties {
			one, err := s.OwnerStatement(s.Context(), s.in, of, from, until, today)
			s.OK(err)
			s.Want(len(one) == n && one[0].PropertyID == of, "%s has %d units, want %d", of, len(one), n)
		}
	}
}
