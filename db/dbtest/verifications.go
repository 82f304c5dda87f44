package dbtest

import (
	"math/rand/v2"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/id"
	"portal/api/portfolio"
)

func aVerificationIsReadAsItWasSavedInItsPortfolioAlone(r *rig) {
	here, there := r.landlord("dana"), r.landlord("robin")
	book := filled(access.Live, &filler{rand.New(rand.NewPCG(21, 1)), 0})
	r.ok(r.Add(r.Context(), here.live, book))
	p := book.Properties[0].ID
	v := portfolio.Verification{ID: id.New(id.Verification, noon), PropertyID: p, AskedAt: clock.At(noon), AskedBy: here.ID, Note: "The deed\nis recorded.", Status: portfolio.AskedVerification}
	r.ok(r.AddVerification(r.Context(), here.live, &v))
	again := v
	again.ID = id.New(id.Verification, noon)
	r.refused(r.AddVerification(r.Context(), here.live, &again), "a second open verification")
	for _, in := range []access.Portfolio{here.test, there.live} {
		r.refused(r.AddVerification(r.Context(), in, &again), "a verification of another's property")
		r.refused(r.DecideVerification(r.Context(), in, &v), "a decision about another's property")
		_, found, err := r.LastVerification(r.Context(), in, p)
		r.ok(err)
		r.want(!found, "another portfolio sees it")
	}
	v.Status, v.DecidedAt, v.DecidedBy, v.Words = portfolio.DeclinedVerification, new(clock.At(noon)+1), &there.ID, new("No.")
	r.ok(r.DecideVerification(r.Context(), here.live, &v))
	got, found, err := r.LastVerification(r.Context(), here.live, p)
	r.ok(err)
	r.want(found, "it is gone")
	r.same(got, v)
	r.ok(r.AddVerification(r.Context(), here.live, &again))
	all, err := r.VerificationCases(r.Context(), portfolio.VerificationFilter{Limit: 1})
	r.ok(err)
	r.want(len(all) == 2 && all[0].ID == again.ID && all[1].Reviewer == there.Email && all[0].In == here.live && all[0].Property.ID == p, "%s", show(all))
}
