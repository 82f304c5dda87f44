package portfoliostore_test

import (
	"math/rand/v2"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/id"
	"portal/api/portfolio/property/verification"
	"portal/db/dbtest"
)

func aVerificationIsReadAsItWasSavedInItsPortfolioAlone(r *fixture) {
	here, there := r.Landlord("dana"), r.Landlord("robin")
	book := dbtest.Filled(access.Live, dbtest.NewFiller(rand.New(rand.NewPCG(21, 1)), 0))
	r.OK(r.Portfolio.Add(r.Context(), here.Live, book))
	p := book.Properties[0].ID
	v := verification.Verification{
		ID:         id.New(id.Verification, dbtest.Now),
		PropertyID: p,
		AskedAt:    clock.At(dbtest.Now),
		AskedBy:    here.ID,
		Note:       "The deed\nis recorded.",
		Status:     verification.AskedVerification,
	}
	r.OK(r.Portfolio.AddVerification(r.Context(), here.Live, &v))
	again := v
	again.ID = id.New(id.Verification, dbtest.Now)
	r.Refused(r.Portfolio.AddVerification(r.Context(), here.Live, &again), "a second open verification")
	for _, in := range []access.Portfolio{here.Test, there.Live} {
		r.Refused(r.Portfolio.AddVerification(r.Context(), in, &again), "a verification of another's property")
		r.Refused(r.Portfolio.DecideVerification(r.Context(), in, &v), "a decision about another's property")
		_, found, err := r.Portfolio.LastVerification(r.Context(), in, p)
		r.OK(err)
		r.Want(!found, "another portfolio sees it")
	}
	v.Status = verification.DeclinedVerification
	v.DecidedAt = new(clock.At(dbtest.Now) + 1)
	v.DecidedBy = &there.ID
	v.Words = new("No.")
	r.OK(r.Portfolio.DecideVerification(r.Context(), here.Live, &v))
	got, found, err := r.Portfolio.LastVerification(r.Context(), here.Live, p)
	r.OK(err)
	r.Want(found, "it is gone")
	r.Same(got, v)
	r.OK(r.Portfolio.AddVerification(r.Context(), here.Live, &again))
	all, err := r.Portfolio.VerificationCases(r.Context(), verification.Filter{Limit: 1})
	r.OK(err)
	r.Want(len(all) == 2 && all[0].ID == again.ID && all[1].Reviewer == there.Email &&
		all[0].In == here.Live && all[0].Property.ID == p, "%s", dbtest.Show(all))
}
