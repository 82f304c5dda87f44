package tenantportal_test

import (
	"testing"
	"time"

	"portal/api/attachment"
	"portal/api/fault"
	"portal/api/portfolio"
	"portal/api/tenantportal"
)

func TestAFormThatWasBegunBeforeTheLinkEndedDoesNothing(t *testing.T) {
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

func TestALinkHasSixtyPicturesADayLookedAt(t *testing.T) {
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
