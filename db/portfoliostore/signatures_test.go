package portfoliostore_test

import (
	"math/rand/v2"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/portfolio"
	"portal/api/portfolio/lease"
	"portal/db/dbtest"
)

// unsigned is a book whose lease nobody has signed.
func unsigned(seed uint64) *portfolio.Book {
	book := dbtest.Filled(access.Live, dbtest.NewFiller(rand.New(rand.NewPCG(24, seed)), 0))
	for i := range book.Leases[0].Tenants {
		book.Leases[0].Tenants[i].SignedAt = nil
	}
	return book
}

func aPartySignsALeaseOnce(r *fixture) {
	l := r.Landlord("dana")
	book := unsigned(1)
	r.OK(r.Portfolio.Add(r.Context(), l.Live, book))
	signed := &book.Leases[0]
	for i, at := range []clock.Time{clock.At(dbtest.Now), clock.At(dbtest.Now) + 1} {
		party := &signed.Tenants[i]
		r.OK(r.Portfolio.SaveSignature(r.Context(), l.Live, signed.ID, lease.Signature{TenantID: party.ID}, at))
		party.SignedAt = &at
		r.readBack(r.Context(), l.Live, book)
		r.Refused(
			r.Portfolio.SaveSignature(r.Context(), l.Live, signed.ID, lease.Signature{TenantID: party.ID}, at+1),
			"a second signature",
		)
		r.readBack(r.Context(), l.Live, book)
	}
}

func nobodySignsALeaseOfAnotherPortfolio(r *fixture) {
	here, there := r.Landlord("dana"), r.Landlord("robin")
	book := unsigned(2)
	r.OK(r.Portfolio.Add(r.Context(), there.Live, book))
	leaseID, party := book.Leases[0].ID, book.Leases[0].Tenants[0].ID
	for _, in := range []access.Portfolio{here.Live, there.Test} {
		r.Refused(
			r.Portfolio.SaveSignature(r.Context(), in, leaseID, lease.Signature{TenantID: party}, clock.At(dbtest.Now)),
			"a signature",
		)
	}
	r.Refused(
		r.Portfolio.SaveSignature(
			r.Context(),
			there.Live,
			leaseID,
			lease.Signature{TenantID: book.Leases[0].ID},
			clock.At(dbtest.Now),
		),
		"a party that is none",
	)
	r.Refused(
		r.Portfolio.SaveSignature(
			r.Context(), there.Live, party, lease.Signature{TenantID: party}, clock.At(dbtest.Now),
		),
		"a lease that is none",
	)
	r.readBack(r.Context(), there.Live, book)
}
