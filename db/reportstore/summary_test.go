package reportstore_test

import (
	"context"

	"portal/api/portfolio"
	"portal/api/portfolio/ledger/report"
)

func aSummaryCountsWhatTheListsShow(s *demoStore) {
	want := report.Summary{
		Properties: len(s.rows["properties"]),
		Units:      len(s.rows["units"]),
		Tenants:    len(s.rows["tenants"]),
	}
	for _, row := range s.rows["units"] {
		switch row.(*portfolio.Unit).Status {
		case portfolio.UnitOccupied, portfolio.UnitNotice:
			want.OccupiedUnits++
		case portfolio.UnitVacant:
			want.VacantUnits++
		}
	}
	for _, row := range s.rows["leases"] {
		*want.Leases.Of(row.(*portfolio.Lease).Status)++
	}
	for _, row := range s.rows["tickets"] {
		status := row.(*portfolio.Ticket).Status
		if status != portfolio.TicketCompleted && status != portfolio.TicketCancelled {
			want.OpenTickets++
		}
	}
	leases := map[string]portfolio.Balance{}
	for _, row := range s.rows["payments"] {
		p := row.(*portfolio.Payment)
		b := leases[p.LeaseID]
		b.Add(p, today)
		leases[p.LeaseID] = b
	}
	for _, b := range leases {
		want.ChargesDueTotal += b.Owed()
	}
	want.RentDueTotal = sumOf(s.balances(report.BalanceFilter{}, today))
	read := func(ctx context.Context) error {
		got, err := s.Insight.Summary(ctx, s.in, today)
		s.Same(got, want)
		return err
	}
	s.Want(want.ChargesDueTotal > want.RentDueTotal, "the demo owes no deposit or fee: %s", want.ChargesDueTotal)
	s.OK(read(s.Context()))
	s.OK(s.DB.Atomically(s.Context(), read))
}
