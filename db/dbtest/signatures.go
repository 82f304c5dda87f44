package dbtest

import (
	"math/rand/v2"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/portfolio"
)

// unsigned is a book whose lease nobody has signed.
func unsigned(seed uint64) *portfolio.Book {
	book := filled(access.Live, &filler{rand.New(rand.NewPCG(24, seed)), 0})
	for i := range book.Leases[0].Tenants {
		book.Leases[0].Tenants[i].SignedAt = nil
	}
	return book
}

func aPartySignsALeaseOnce(r *rig) {
	l := r.landlord("dana")
	book := unsigned(1)
	r.ok(r.Add(r.Context(), l.live, book))
	lease := &book.Leases[0]
	for i, at := range []clock.Time{clock.At(noon), clock.At(noon) + 1} {
		party := &lease.Tenants[i]
		r.ok(r.SaveSignature(r.Context(), l.live, lease.ID, party.ID, at))
		party.SignedAt = &at
		r.readBack(r.Context(), l.live, book)
		r.refused(r.SaveSignature(r.Context(), l.live, lease.ID, party.ID, at+1), "a second signature")
		r.readBack(r.Context(), l.live, book)
	}
}

func nobodySignsALeaseOfAnotherPortfolio(r *rig) {
	here, there := r.landlord("dana"), r.landlord("robin")
	book := unsigned(2)
	r.ok(r.Add(r.Context(), there.live, book))
	lease, party := book.Leases[0].ID, book.Leases[0].Tenants[0].ID
	for _, in := range []access.Portfolio{here.live, there.test} {
		r.refused(r.SaveSignature(r.Context(), in, lease, party, clock.At(noon)), "a signature")
	}
	r.refused(r.SaveSignature(r.Context(), there.live, lease, book.Leases[0].ID, clock.At(noon)), "a party that is none")
	r.refused(r.SaveSignature(r.Context(), there.live, party, party, clock.At(noon)), "a lease that is none")
	r.readBack(r.Context(), there.live, book)
}
