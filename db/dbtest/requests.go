package dbtest

import (
	"math/rand/v2"
	"sync"
	"sync/atomic"

	"portal/api/clock"
	"portal/api/developer"
	"portal/api/id"
)

var requests = []promise{
	{"AnAccessRequestIsReadAsItWasWritten", anAccessRequestIsReadAsItWasWritten},
	{"OneAccessRequestOfAnAccountIsOpen", oneAccessRequestOfAnAccountIsOpen},
	{"OfAccessRequestsAtOnceOneIsTaken", ofAccessRequestsAtOnceOneIsTaken},
}

// application is an access request with a value in every field, or in none that
// may be null.
func application(l landlord, nulls float64, seed uint64) developer.AccessRequest {
	var a developer.AccessRequest
	(&filler{rand.New(rand.NewPCG(11, seed)), nulls}).fill(&a)
	a.ID, a.Status = id.New(id.AccessRequest, noon), developer.Pending
	a.AccountID, a.SubmittedBy, a.ReviewedBy = l.account.ID, l.ID, nil
	return a
}

func anAccessRequestIsReadAsItWasWritten(r *rig) {
	var all []developer.AccessRequest
	for i, nulls := range []float64{0, 1, 0.5} {
		l := r.landlord([]string{"dana", "robin", "kim"}[i])
		_, found, err := r.OpenAccessRequest(r.Context(), l.account.ID)
		r.ok(err)
		r.want(!found, "a request before the first")
		a := application(l, nulls, uint64(i))
		r.ok(r.AddAccessRequest(r.Context(), a))
		got, found, err := r.OpenAccessRequest(r.Context(), l.account.ID)
		r.ok(err)
		r.want(found, "no request")
		r.same(got, a)
		all = append(all, a)
	}
	got, err := r.AccessRequests(r.Context())
	r.ok(err)
	r.same(sorted(pointers(got)), sorted(pointers(all)))
}

func oneAccessRequestOfAnAccountIsOpen(r *rig) {
	l, other := r.landlord("dana"), r.landlord("robin")
	r.ok(r.AddAccessRequest(r.Context(), application(other, 1, 0)))
	a := application(l, 0.5, 1)
	r.ok(r.AddAccessRequest(r.Context(), a))
	for _, step := range []struct {
		to   developer.RequestStatus
		open bool
	}{{developer.Approved, true}, {developer.Revoked, false}, {developer.Denied, false}, {developer.Withdrawn, false}} {
		at := clock.At(noon)
		a.Status, a.ReviewedAt, a.ReviewNotes, a.DenialReason, a.ReviewedBy = step.to, &at, new("notes"), nil, &other.ID
		r.ok(r.ReviewAccessRequest(r.Context(), a))
		err := r.AddAccessRequest(r.Context(), application(l, 0, 2))
		r.want((err != nil) == step.open, "beside one that is %s: %v", step.to, err)
		got, found, err := r.OpenAccessRequest(r.Context(), l.account.ID)
		r.ok(err)
		r.want(found && (got.ID == a.ID) == step.open, "the open one is %s", show(got))
		if step.open {
			r.same(got, a)
		}
		a = got
	}
	a.Status = "lost"
	r.refused(r.ReviewAccessRequest(r.Context(), a), "a status that is none")
}

func ofAccessRequestsAtOnceOneIsTaken(r *rig) {
	l := r.landlord("dana")
	var taken atomic.Int32
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() {
			if r.AddAccessRequest(r.Context(), application(l, 0.5, uint64(i))) == nil {
				taken.Add(1)
			}
		})
	}
	all.Wait()
	stored, err := r.AccessRequests(r.Context())
	r.ok(err)
	r.want(taken.Load() == 1 && len(stored) == 1, "%d were taken, %d are stored", taken.Load(), len(stored))
}
