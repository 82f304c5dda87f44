package frame_test

import (
	"testing"
	"time"

	"portal/api/access"
	"portal/api/developer"
	"portal/api/id"
	"portal/db"
	"portal/db/dbtest"
	"portal/db/developerstore"
	"portal/db/portfoliostore"
	"portal/db/reportstore"
	"portal/db/webhookstore"
	"portal/views/kit"
	"portal/web/frame"
)

func TestNavCountsArePerPortfolioAndBrieflyCached(t *testing.T) {
	dbtest.Both(t, func(t *testing.T, d *db.DB) {
		now, dana, sam := time.Now(), dbtest.LandlordIn(t, d, "dana"), dbtest.LandlordIn(t, d, "sam")
		s := frame.NewWaiting(frame.WaitingConfig{
			Records:  reportstore.NewInsight(d).Waiting,
			Troubled: webhookstore.New(d).Troubled,
			Requests: developerstore.New(d).PendingAccessRequests,
			Units:    developerstore.New(d).OpenUnitRequests,
			Verify:   portfoliostore.New(d).PendingVerifications,
			Now:      func() time.Time { return now },
		})
		of := func(in access.Portfolio) map[string]kit.NavCount {
			all, err := s.Counts(t.Context(), in)
			dbtest.OK(t, err)
			return all
		}
		if all := of(dana.Test); len(all) != 0 {
			t.Errorf("an empty portfolio has %v", all)
		}
		dbtest.OK(t, portfoliostore.New(d).Add(t.Context(), dana.Test, dbtest.DemoBook()))
		if all := of(dana.Test); len(all) != 0 {
			t.Errorf("the numbers have not stood: %v", all)
		}
		now = now.Add(5 * time.Second)
		all := of(dana.Test)
		for _, path := range []string{"/{mode}/tickets", "/{mode}/leases"} {
			if all[path].Number == "" {
				t.Errorf("%s has no number: %v", path, all)
			}
		}
		if _, has := all["/{mode}/webhooks"]; has {
			t.Error("there is a number of endpoints, of which there are none")
		}
		for name, in := range map[string]access.Portfolio{"dana's live": dana.Live, "sam's": sam.Test} {
			if others := of(in); len(others) != 0 {
				t.Errorf("%s portfolio has %v", name, others)
			}
		}
		if staff, err := s.ForStaff(t.Context()); err != nil || len(staff) != 0 {
			t.Errorf("the staff have %v, %v", staff, err)
		}
		dbtest.OK(t, developerstore.New(d).AddUnitRequest(t.Context(), developer.UnitRequest{
			ID: id.New(id.UnitRequest, now), AccountID: dana.Account.ID, AskedBy: dana.ID, Units: 300,
		}))
		now = now.Add(5 * time.Second)
		staff, err := s.ForStaff(t.Context())
		if dbtest.OK(t, err); len(staff) != 1 || staff["/staff/accounts"].Words != " asks for units" {
			t.Errorf("with a request for more units the staff have %v", staff)
		}
	})
}
