package tenantportal_test

import (
	"testing"
	"time"

	"portal/api/access"
	"portal/api/attachment"
	"portal/api/fault"
	"portal/api/portfolio"
	"portal/api/quota"
	"portal/api/tenantportal"
	"portal/db/dbtest"
)

func TestFormSubmittedAfterLinkRevocationDoesNothing(t *testing.T) {
	onEach(t, func(f *fixture) {
		v, err := f.Open(f.Context(), f.token)
		f.OK(err)
		made, err := f.Submit(f.Context(), v, tenantportal.Report{Description: "The tap drips."})
		f.OK(err)
		f.OK(f.RevokeLink(f.Context(), f.landlord, f.tenant.TenantID))
		_, submitted := f.Submit(f.Context(), v, tenantportal.Report{Description: "The door sticks."})
		_, kept := f.KeepPhotos(f.Context(), v, []attachment.Photo{{Content: []byte("x"), Thumbnail: []byte("x")}})
		for name, err := range map[string]error{
			"a report":     submitted,
			"a photo":      kept,
			"a comment":    f.Add(f.Context(), v, made.ID, "Still dripping.", nil),
			"cancellation": f.Cancel(f.Context(), v, made.ID),
		} {
			if !fault.Is(err, fault.NoRecord) {
				f.Errorf("%s: %v", name, err)
			}
		}
		now, err := f.rules.Tickets.Ticket(f.Context(), f.landlord, made.ID)
		f.OK(err)
		if now.Status != portfolio.TicketOpen {
			f.Error(now.Status)
		}
	})
}

func TestLinkIsLimitedTo60PhotosPerDay(t *testing.T) {
	onEach(t, func(f *fixture) {
		v, err := f.Open(f.Context(), f.token)
		f.OK(err)
		for range 12 {
			f.OK(f.Receive(f.Context(), v, 5))
		}
		if err := f.Receive(f.Context(), v, 1); !fault.Is(err, fault.RateLimited) {
			f.Error(err)
		}
		f.OK(f.Receive(f.Context(), v, 0))
		f.now = f.now.Add(24 * time.Hour)
		f.OK(f.Receive(f.Context(), v, 1))
	})
}

func TestDemoPortfolioPhotoStorageIsLimited(t *testing.T) {
	onEach(t, func(f *fixture) {
		home := dbtest.NewHome(f.T, f.DB, "erin")
		f.unit, f.landlord.Portfolio, f.landlord.AccountID = home.Unit[access.Test], home.Test, home.AccountID
		f.tenant.TenantID = f.rents(home.Test)
		v, err := f.Open(f.Context(), f.newLink(false))
		f.OK(err)
		photos := []attachment.Photo{{Content: make([]byte, 1000), Thumbnail: []byte("x"), Width: 1, Height: 1}}
		dbtest.Exec(f.T, f.DB, "UPDATE demo_usage SET bytes = $2 WHERE portfolio_id = $1",
			home.Test.ID, quota.MaxBytes-2000)
		_, err = f.KeepPhotos(f.Context(), v, photos)
		f.OK(err)
		if _, err := f.KeepPhotos(f.Context(), v, photos); !fault.Is(err, fault.DemoLimitReached) {
			f.Error(err)
		}
	})
}
