package reportstore_test

import "portal/api/portfolio"

func whatWaitsIsCountedUpToABound(s *demoStore) {
	var want portfolio.Waiting
	for _, row := range s.rows["leases"] {
		if row.(*portfolio.Lease).Status == portfolio.LeasePendingSignature {
			want.Leases++
		}
	}
	for _, row := range s.rows["tickets"] {
		if !row.(*portfolio.Ticket).Status.Final() {
			want.Tickets++
		}
	}
	s.Want(want.Tickets > 1, "the demo has too little: %+v", want)
	got, err := s.Waiting(s.Context(), s.in, 1000)
	s.OK(err)
	s.Same(got, want)
	got, err = s.Waiting(s.Context(), s.in, 1)
	s.OK(err)
	s.Same(got, portfolio.Waiting{Leases: min(want.Leases, 1), Tickets: 1})
}
