package dbtest

import (
	"context"

	"portal/api/portfolio"
)

func aSummaryCountsWhatTheListsShow(s *shelf) {
	want := portfolio.Summary{Properties: len(s.rows["properties"]), Units: len(s.rows["units"]), Tenants: len(s.rows["tenants"])}
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
		if status := row.(*portfolio.Ticket).Status; status != portfolio.TicketCompleted && status != portfolio.TicketCancelled {
			want.OpenTickets++
		}
	}
	want.RentDueTotal = sumOf(s.balances(portfolio.BalanceFilter{}, today))
	read := func(ctx context.Context) error {
		got, err := s.Summary(ctx, s.in, today)
		s.same(got, want)
		return err
	}
	s.ok(read(s.Context()))
	s.ok(s.Atomically(s.Context(), read))
}
