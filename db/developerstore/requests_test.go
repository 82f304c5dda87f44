package developerstore_test

import (
	"math/rand/v2"
	"sync"
	"sync/atomic"

	"portal/api/clock"
	"portal/api/developer"
	"portal/api/id"
	"portal/db/dbtest"
)

var requests = []promise{
	{"AnAccessRequestIsReadAsItWasWritten", anAccessRequestIsReadAsItWasWritten},
	{"OneAccessRequestOfAnAccountIsOpen", oneAccessRequestOfAnAccountIsOpen},
	{"OfAccessRequestsAtOnceOneIsTaken", ofAccessRequestsAtOnceOneIsTaken},
}

// accessRequest is an access request with a value in every field, or in none that
// may be null.
func accessRequest(l dbtest.Landlord, nulls float64, seed uint64) developer.AccessRequest {
	var a developer.AccessRequest
	(dbtest.NewFiller(rand.New(rand.NewPCG(11, seed)), nulls)).Fill(&a)
	a.ID, a.Status = id.New(id.AccessRequest, dbtest.Now), developer.Pending
	a.AccountID, a.SubmittedBy, a.ReviewedBy = l.Account.ID, l.ID, nil
	return a
}

func anAccessRequestIsReadAsItWasWritten(r *fixture) {
	var all []developer.AccessRequest
	for i, nulls := range []float64{0, 1, 0.5} {
		l := r.Landlord([]string{"dana", "robin", "kim"}[i])
		_, found, err := r.Developer.OpenAccessRequest(r.Context(), l.Account.ID)
		r.OK(err)
		r.Want(!found, "a request before the first")
		a := accessRequest(l, nulls, uint64(i))
		r.OK(r.Developer.AddAccessRequest(r.Context(), a))
		got, found, err := r.Developer.OpenAccessRequest(r.Context(), l.Account.ID)
		r.OK(err)
		r.Want(found, "no request")
		r.Same(got, a)
		all = append(all, a)
	}
	got, err := r.Developer.AccessRequests(r.Context())
	r.OK(err)
	r.Same(dbtest.Sorted(dbtest.Pointers(got)), dbtest.Sorted(dbtest.Pointers(all)))
}

func oneAccessRequestOfAnAccountIsOpen(r *fixture) {
	l, other := r.Landlord("dana"), r.Landlord("robin")
	r.OK(r.Developer.AddAccessRequest(r.Context(), accessRequest(other, 1, 0)))
	a := accessRequest(l, 0.5, 1)
	r.OK(r.Developer.AddAccessRequest(r.Context(), a))
	for _, step := range []struct {
		to   developer.RequestStatus
		open bool
	}{{developer.Approved, true}, {developer.Revoked, false}, {developer.Denied, false}, {developer.Withdrawn, false}} {
		at := clock.At(dbtest.Now)
		a.Status, a.ReviewedAt, a.ReviewNotes, a.DenialReason, a.ReviewedBy = step.to, &at, new("notes"), nil, &other.ID
		r.OK(r.Developer.ReviewAccessRequest(r.Context(), a))
		err := r.Developer.AddAccessRequest(r.Context(), accessRequest(l, 0, 2))
		r.Want((err != nil) == step.open, "beside one that is %s: %v", step.to, err)
		got, found, err := r.Developer.OpenAccessRequest(r.Context(), l.Account.ID)
		r.OK(err)
		r.Want(found && (got.ID == a.ID) == step.open, "the open one is %s", dbtest.Show(got))
		if step.open {
			r.Same(got, a)
		}
		a = got
	}
	a.Status = "lost"
	r.Refused(r.Developer.ReviewAccessRequest(r.Context(), a), "a status that is none")
}

func ofAccessRequestsAtOnceOneIsTaken(r *fixture) {
	l := r.Landlord("dana")
	var taken atomic.Int32
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() {
			if r.Developer.AddAccessRequest(r.Context(), accessRequest(l, 0.5, uint64(i))) == nil {
				taken.Add(1)
			}
		})
	}
	all.Wait()
	stored, err := r.Developer.AccessRequests(r.Context())
	r.OK(err)
	r.Want(taken.Load() == 1 && len(stored) == 1, "%d were taken, %d are stored", taken.Load(), len(stored))
}
