package developerstore_test

import (
	"portal/api/clock"
	"portal/api/developer"
	"portal/api/id"
	"portal/db/dbtest"
)

var unitRequests = []promise{
	{"AUnitRequestIsReadAsItWasWritten", aUnitRequestIsReadAsItWasWritten},
	{"OneUnitRequestOfAnAccountIsOpen", oneUnitRequestOfAnAccountIsOpen},
}

func unitRequest(l dbtest.Landlord, units int) developer.UnitRequest {
	return developer.UnitRequest{
		ID:        id.New(id.UnitRequest, dbtest.Now),
		Units:     units,
		AskedAt:   clock.At(dbtest.Now),
		AskedBy:   l.ID,
		AccountID: l.Account.ID,
	}
}

func aUnitRequestIsReadAsItWasWritten(r *fixture) {
	l, other := r.Landlord("dana"), r.Landlord("robin")
	u, at := unitRequest(l, 300), clock.At(dbtest.Now)+1
	r.OK(r.Developer.AddUnitRequest(r.Context(), u))
	got, open, err := r.Developer.OpenUnitRequest(r.Context(), l.Account.ID)
	r.OK(err)
	r.Want(open, "no request is open")
	r.Same(got, u)
	_, open, err = r.Developer.OpenUnitRequest(r.Context(), other.Account.ID)
	r.OK(err)
	r.Want(!open, "another account has the request")

	u.Units, u.AskedBy, u.AskedAt, u.AnsweredAt, u.Reason = 400, other.ID, at, &at, new("Not yet.")
	r.OK(r.Developer.ChangeUnitRequest(r.Context(), u))
	all, err := r.Developer.UnitRequestsOf(r.Context(), l.Account.ID)
	r.OK(err)
	r.Same(all, []developer.UnitRequest{u})
	_, open, err = r.Developer.OpenUnitRequest(r.Context(), l.Account.ID)
	r.OK(err)
	r.Want(!open, "the answered request is open")
}

func oneUnitRequestOfAnAccountIsOpen(r *fixture) {
	l, other := r.Landlord("dana"), r.Landlord("robin")
	first, at := unitRequest(l, 300), clock.At(dbtest.Now)
	r.OK(r.Developer.AddUnitRequest(r.Context(), first))
	r.OK(r.Developer.AddUnitRequest(r.Context(), unitRequest(other, 40)))
	r.Refused(r.Developer.AddUnitRequest(r.Context(), unitRequest(l, 400)), "a second open request")
	for most, want := range map[int]int{1: 1, 10: 2} {
		n, err := r.Developer.OpenUnitRequests(r.Context(), most)
		r.OK(err)
		cases, err := r.Developer.UnitCases(r.Context(), most)
		r.OK(err)
		r.Want(n == want && len(cases) == want && cases[0].ID == first.ID, "of %d at most: %d, %+v", most, n, cases)
	}
	first.AnsweredAt = &at
	r.OK(r.Developer.ChangeUnitRequest(r.Context(), first))
	r.OK(r.Developer.AddUnitRequest(r.Context(), unitRequest(l, 400)))
}
