package simulate_test

import (
	"slices"
	"strings"
	"testing"

	"portal/api/access"
	"portal/db/dbtest"
	"portal/db/portfoliostore"
)

// Each day of the test clock ends with the emails about rent of that day, all of which are kept.
func TestTenantsAreEmailedAboutRentDayByDayOfClock(t *testing.T) {
	onEach(t, func(h *fixture) {
		h.exec("UPDATE portfolios SET rent_notices = 1 WHERE mode = 'test'")
		by := h.advances(33)
		if h.clock().Ahead != 33 {
			h.Fatalf("the clock is %+v", h.clock())
		}
		subjects := dbtest.Texts(h.T, h.db, "SELECT subject FROM mails WHERE status = 'kept' ORDER BY id")
		for _, want := range []string{" is due on ", " is due today", "Late fee of $"} {
			if !slices.ContainsFunc(subjects, func(s string) bool { return strings.Contains(s, want) }) {
				h.Errorf("no email says %q", want)
			}
		}
		days := dbtest.Texts(h.T, h.db, "SELECT DISTINCT day FROM rent_notices")
		if len(days) < 4 {
			h.Errorf("emails of the days %v", days)
		}
		in := access.Portfolio{ID: by.Portfolio.ID, Mode: access.Test} // as a node that has not seen the clock move
		h.ok(h.Tenants.SendRentNotices(h.Context(), in, by.Zone))
		if again := dbtest.Texts(
			h.T,
			h.db,
			"SELECT subject FROM mails WHERE status = 'kept'",
		); len(
			again,
		) != len(
			subjects,
		) {
			h.Errorf("%d emails, then %d", len(subjects), len(again))
		}
		if left := dbtest.Texts(h.T, h.db, "SELECT payment_id FROM rent_news"); len(left) != 0 {
			h.Errorf("untold: %v", left)
		}
		sent, err := portfoliostore.New(h.db).RentNoticesSent(h.Context(), h.home.Live)
		if err != nil || sent {
			h.Errorf("emails about rent of a live portfolio: %t, %v", sent, err)
		}
	})
}
