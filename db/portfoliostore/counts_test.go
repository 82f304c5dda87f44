package portfoliostore_test

import (
	"context"
	"reflect"
	"slices"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/list"
	"portal/api/portfolio"
	"portal/api/portfolio/lease/application"
	"portal/api/portfolio/ledger"
	"portal/db/dbtest"
)

var counting = []reading{
	{"CountsAreWhatPassesAFilterByStatus", countsAreWhatPassesAFilterByStatus},
	{"TotalsAreTheSumsOfWhatPassesAFilter", totalsAreTheSumsOfWhatPassesAFilter},
	{"BalancesAreTheSumsOfTheRowsOfEachLease", balancesAreTheSumsOfTheRowsOfEachLease},
}

var bounds = []promise{
	{"CountsEndAtTheMost", countsEndAtTheMost},
	{"ApplicantsAreCountedByHowFarTheyAre", applicantsAreCountedByHowFarTheyAre},
}

// counted is a method of a store that counts, for filters of any kind.
func counted[F any, S ~string](
	read func(context.Context, access.Portfolio, F) (list.Counts[S], error),
) func(context.Context, access.Portfolio, any) (map[string]list.Count, error) {
	return func(ctx context.Context, in access.Portfolio, filter any) (map[string]list.Count, error) {
		counts, err := read(ctx, in, *filter.(*F))
		all := map[string]list.Count{}
		for status, n := range counts {
			if n.N > 0 {
				all[string(status)] = n
			}
		}
		return all, err
	}
}

func (r *fixture) counters() map[string]func(context.Context, access.Portfolio, any) (map[string]list.Count, error) {
	return map[string]func(context.Context, access.Portfolio, any) (map[string]list.Count, error){
		"properties": counted(r.Portfolio.PropertyCounts),
		"tenants":    counted(r.Portfolio.TenantCounts),
		"leases":     counted(r.Portfolio.LeaseCounts),
		"tickets":    counted(r.Portfolio.TicketCounts),
		"payments": counted(func(
			ctx context.Context, in access.Portfolio, f portfolio.PaymentFilter,
		) (list.Counts[portfolio.PaymentStatus], error) {
			return r.Portfolio.PaymentCounts(ctx, in, f, today)
		}),
	}
}

func countsAreWhatPassesAFilterByStatus(s *demoStore) {
	for _, k := range s.kinds() {
		count := s.counters()[k.name]
		if count == nil {
			continue
		}
		all := slices.DeleteFunc(s.conditions(k, s.rows[k.name]), func(c condition) bool { return c.field == "Status" })
		for i, a := range all {
			for _, of := range [][]condition{{}, {a}, {a, all[(i+5)%len(all)]}} {
				if len(of) == 2 && of[0].field == of[1].field {
					continue
				}
				got, err := count(s.Context(), s.in, k.with(list.Default, of...))
				s.OK(err)
				rows := map[string]int{}
				for _, row := range s.rows[k.name] {
					if !slices.ContainsFunc(of, func(c condition) bool { return !c.passes(row) }) {
						status := reflect.ValueOf(row).Elem().FieldByName("Status").String()
						rows[status]++
					}
				}
				want := map[string]list.Count{}
				for status, n := range rows {
					want[status] = list.CountOf(n)
				}
				s.Want(reflect.DeepEqual(got, want), "%s with %v: %v, want %v", k.name, of, got, want)
			}
		}
	}
}

func totalsAreTheSumsOfWhatPassesAFilter(s *demoStore) {
	for _, k := range s.kinds() {
		if k.name != "payments" {
			continue
		}
		for _, c := range s.conditions(k, s.rows[k.name]) {
			all, err := s.Portfolio.PaymentTotals(s.Context(), s.in, today,
				portfolio.PaymentFilter{LeaseID: "absent"}, *k.with(list.Default, c).(*portfolio.PaymentFilter))
			s.OK(err)
			s.Want(all[0] == ledger.Totals{}, "no rows add up to %+v", all[0])
			got := all[1]
			var want ledger.Totals
			rows := 0
			for _, row := range s.rows[k.name] {
				if p := *row.(*portfolio.Payment); c.passes(row) {
					rows++
					p.Compute(today)
					want.Amount += p.Amount
					want.Paid += p.AmountPaid
					want.Balance += p.BalanceDue
				}
			}
			want.Rows = list.CountOf(rows)
			if rows <= list.Most { // of more it is not said which are added up
				s.Want(got == want, "%v: %+v, want %+v", c, got, want)
			}
		}
	}
}

func balancesAreTheSumsOfTheRowsOfEachLease(s *demoStore) {
	ids := append(idsOf(s.rows["leases"]), "absent", dbtest.IDOf(s.hidden["leases"][0]))
	for _, day := range []clock.Date{today - 200, today, today + 40} {
		want := map[string]portfolio.Balance{}
		for _, row := range s.rows["payments"] {
			p := row.(*portfolio.Payment)
			b := want[p.LeaseID]
			b.Add(p, day)
			want[p.LeaseID] = b
		}
		got, err := s.Portfolio.Balances(s.Context(), s.in, day, ids)
		s.OK(err)
		for _, id := range ids {
			s.Want(got[id] == want[id], "%s on %s: %+v, want %+v", id, day, got[id], want[id])
		}
	}
}

func countsEndAtTheMost(r *fixture) {
	l := r.Landlord("dana")
	book := dbtest.DemoBook()
	p := book.Payments[0]
	p.Status, p.Amount, p.AmountPaid, p.Charge = portfolio.PaymentDue, 101, 1, nil
	small := &portfolio.Book{
		Properties: book.Properties,
		Units:      book.Units,
		Tenants:    book.Tenants,
		Leases:     book.Leases,
	}
	for range list.Most + 1 {
		p.Record = dbtest.Record("pay", "payment", l.Live.Mode, dbtest.Now)
		small.Payments = append(small.Payments, p)
	}
	r.OK(r.Portfolio.Add(r.Context(), l.Live, small))
	counts, err := r.Portfolio.PaymentCounts(r.Context(), l.Live, portfolio.PaymentFilter{}, today)
	r.OK(err)
	r.Want(counts.Of(portfolio.PaymentDue).Words() == "1,000+", "%v", counts)
	r.Want(counts.Of(portfolio.PaymentVoid).Words() == "0", "%v", counts)
	r.Want(counts.Of().Words() == "1,000+", "%v", counts)
	totals, err := r.Portfolio.PaymentTotals(r.Context(), l.Live, today, portfolio.PaymentFilter{})
	r.OK(err)
	want := ledger.Totals{
		Rows:    list.Count{N: list.Most, More: true},
		Amount:  101 * (list.Most + 1),
		Paid:    list.Most + 1,
		Balance: 100 * (list.Most + 1),
	}
	r.Want(totals[0] == want, "%+v, want %+v", totals, want)
	hidden, err := r.Portfolio.PaymentCounts(r.Context(), l.Test, portfolio.PaymentFilter{}, today)
	r.OK(err)
	r.Want(hidden.Of() == list.Count{}, "%v in another portfolio", hidden)
	none, err := r.Portfolio.PaymentTotals(r.Context(), l.Test, today, portfolio.PaymentFilter{})
	r.OK(err)
	r.Want(none[0] == ledger.Totals{}, "%+v in another portfolio", none)
}

func applicantsAreCountedByHowFarTheyAre(r *fixture) {
	l := r.Landlord("dana")
	u := r.invitable(l.Live)
	first := r.invited(l.Live, u)
	r.invited(l.Live, u)
	now := dbtest.Noon()
	moved, err := r.Portfolio.MoveInvitation(r.Context(), l.Live, first.ID, application.InvitationCancelled, now)
	r.OK(err)
	r.Want(moved, "the invitation is not cancelled")
	counts, err := r.Portfolio.ApplicantCounts(r.Context(), l.Live, now)
	r.OK(err)
	r.Want(counts.Of("sent").N == 1 && counts.Of("cancelled").N == 1 && counts.Of().N == 2, "%v", counts)
	hidden, err := r.Portfolio.ApplicantCounts(r.Context(), l.Test, now)
	r.OK(err)
	r.Want(hidden.Of() == list.Count{}, "%v in another portfolio", hidden)
}
