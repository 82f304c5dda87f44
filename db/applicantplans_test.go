package db_test

import (
	"context"
	"strings"
	"testing"

	"portal/api/access"
	"portal/api/portfolio/lease/application"
	"portal/db/dbtest"
	"portal/db/portfoliostore"
)

func TestApplicantsAreReadInIndexOrder(t *testing.T) {
	t.Parallel()
	d := dbtest.SQLite(t)
	for _, f := range eachStanding() {
		queries, err := d.Plan(t.Context(), func(ctx context.Context) error {
			_, err := portfoliostore.New(d).Applicants(
				ctx,
				access.Portfolio{ID: 1},
				f,
				1,
			)
			return err
		})
		must(t, err)
		for _, steps := range queries {
			all := strings.Join(steps, "\n")
			if strings.Contains(all, "SCAN ") || strings.Contains(all, "TEMP B-TREE") {
				t.Errorf("%+v: %s", f, all)
			}
		}
	}
}

// eachStanding are the lists of each standing and of all, in both orders.
func eachStanding() (all []application.ApplicantFilter) {
	for _, standing := range append(application.Standing("").Values(), "") {
		f := application.ApplicantFilter{Standing: application.Standing(standing), Limit: 26}
		all = append(all, f)
		f.Ascending = true
		all = append(all, f)
	}
	return all
}
