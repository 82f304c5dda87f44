package portfoliostore_test

import (
	"cmp"
	"context"
	"slices"

	"portal/api/clock"
	"portal/api/portfolio"
	"portal/api/portfolio/ledger/report"
	"portal/db/dbtest"
)

// The ends of leases, which the demo answers by a plain loop too.
var endings = []reading{
	{"LeasesAreReadInTheOrderOfTheirEnds", leasesAreReadInTheOrderOfTheirEnds},
}

// leasesAreReadInTheOrderOfTheirEnds asks within and outside of a transaction: SQLite's
// writing connection reads through another library.
func leasesAreReadInTheOrderOfTheirEnds(s *demoStore) {
	for _, days := range []clock.Date{0, 30, 60, 365} {
		for _, property := range s.some("properties") {
			want := s.ending(property, today+days)
			s.Want(property != "" || days < 60 || len(want) > 5, "only %d leases end within %d days", len(want), days)
			for _, limit := range []int{1, 3, 100} {
				e := report.Ends{
					PropertyID: property,
					After:      report.End{Day: today},
					Through:    today + days,
					Limit:      limit,
				}
				s.Same(s.ends(s.Context(), e), want)
				s.OK(s.DB.Atomically(s.Context(), func(ctx context.Context) error {
					s.Same(s.ends(ctx, e), want)
					return nil
				}))
			}
		}
	}
}

// some are ids of a kind: none, one of each third of the records, a foreign one, an
// absent one.
func (s *demoStore) some(kind string) []string {
	ids := idsOf(s.rows[kind])
	return []string{"", ids[0], ids[len(ids)/3], ids[2*len(ids)/3], dbtest.IDOf(s.hidden[kind][0]), "absent"}
}

// ends reads all pages.
func (s *demoStore) ends(ctx context.Context, e report.Ends) []portfolio.Lease {
	all := []portfolio.Lease{}
	for {
		rows, err := s.Portfolio.ExpiringLeases(ctx, s.in, e)
		s.OK(err)
		s.Want(len(rows) <= e.Limit+1, "%d rows with limit %d", len(rows), e.Limit)
		all = append(all, rows[:min(e.Limit, len(rows))]...)
		if len(rows) <= e.Limit {
			return all
		}
		last := all[len(all)-1]
		e.After = report.End{Day: *last.EndDate, LeaseID: last.ID}
	}
}

// ending are the active leases of a property, or of all, that end from today through a
// day.
func (s *demoStore) ending(property string, through clock.Date) []portfolio.Lease {
	all := []portfolio.Lease{}
	for _, row := range s.rows["leases"] {
		l := row.(*portfolio.Lease)
		soon := l.EndDate != nil && *l.EndDate >= today && *l.EndDate <= through
		if soon && l.Status == portfolio.LeaseActive && (property == "" || l.PropertyID == property) {
			all = append(all, *l)
		}
	}
	slices.SortFunc(all, func(a, b portfolio.Lease) int {
		return cmp.Or(cmp.Compare(*a.EndDate, *b.EndDate), cmp.Compare(a.ID, b.ID))
	})
	return all
}
