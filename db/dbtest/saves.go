package dbtest

import (
	"context"
	"math/rand/v2"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/portfolio"
)

var saves = []promise{
	{"ASavedRecordIsReadAsItWasSaved", aSavedRecordIsReadAsItWasSaved},
	{"NothingIsSavedIntoAnotherPortfolio", nothingIsSavedIntoAnotherPortfolio},
	{"EveryPortfolioIsNamedWithItsZone", everyPortfolioIsNamedWithItsZone},
}

// changed are the lease, the unit and the tenant of a book with other values in
// all fields that the store leaves free.
func changed(b *portfolio.Book, nulls float64) *portfolio.Book {
	other := filled(b.Leases[0].Mode, &filler{rand.New(rand.NewPCG(13, rand.Uint64())), nulls})
	l, u, t := other.Leases[0], other.Units[0], other.Tenants[0]
	l.ID, l.PropertyID, l.UnitID, l.TenantIDs, l.Tenants = b.Leases[0].ID, b.Leases[0].PropertyID, b.Leases[0].UnitID, b.Leases[0].TenantIDs, b.Leases[0].Tenants
	u.ID, u.PropertyID = b.Units[0].ID, b.Units[0].PropertyID
	t.ID, t.LeaseIDs = b.Tenants[0].ID, b.Tenants[0].LeaseIDs
	point(t.PropertyID, u.PropertyID)
	point(t.UnitID, u.ID)
	for i := range l.Tenants {
		if l.Tenants[i].ID == t.ID {
			l.Tenants[i].Name = t.Name
		}
	}
	c := *b
	c.Leases, c.Units, c.Tenants = []portfolio.Lease{l}, []portfolio.Unit{u}, []portfolio.Tenant{t, b.Tenants[1]}
	return &c
}

func aSavedRecordIsReadAsItWasSaved(r *rig) {
	l := r.landlord("dana")
	book := filled(access.Live, &filler{rand.New(rand.NewPCG(14, 1)), 0})
	r.ok(r.Add(r.Context(), l.live, book))
	for _, nulls := range []float64{0, 1, 0.5, 0} {
		book = changed(book, nulls)
		r.ok(r.Atomically(r.Context(), func(ctx context.Context) error {
			if err := r.SaveLease(ctx, l.live, &book.Leases[0]); err != nil {
				return err
			}
			if err := r.SaveUnit(ctx, l.live, &book.Units[0]); err != nil {
				return err
			}
			return r.SaveTenant(ctx, l.live, &book.Tenants[0])
		}))
		r.readBack(r.Context(), l.live, book)
		got, err := r.Unit(r.Context(), l.live, book.Units[0].ID)
		r.ok(err)
		r.same(got, book.Units[0])
	}
}

func nothingIsSavedIntoAnotherPortfolio(r *rig) {
	here, there := r.landlord("dana"), r.landlord("robin")
	book := filled(access.Live, &filler{rand.New(rand.NewPCG(15, 1)), 0})
	r.ok(r.Add(r.Context(), there.live, book))
	other := changed(book, 0.5)
	book.Leases[0].Tenants[1].Name, book.Tenants[0].Name = book.Tenants[0].FirstName+" "+book.Tenants[0].LastName, book.Tenants[0].FirstName+" "+book.Tenants[0].LastName
	for _, in := range []access.Portfolio{here.live, there.test} {
		r.refused(r.SaveLease(r.Context(), in, &other.Leases[0]), "a lease")
		r.refused(r.SaveUnit(r.Context(), in, &other.Units[0]), "a unit")
		r.refused(r.SaveTenant(r.Context(), in, &other.Tenants[0]), "a tenant")
		_, err := r.Unit(r.Context(), in, book.Units[0].ID)
		r.want(fault.Is(err, fault.NoRecord), "a unit: %v", err)
		n, err := r.DuePayments(r.Context(), in, 1<<30, clock.At(noon))
		r.ok(err)
		r.want(n == 0, "%d ledger rows turned", n)
		turning, err := r.TurningLeases(r.Context(), in, 1<<30, 1<<50, 10)
		r.ok(err)
		r.want(len(turning) == 0, "%d leases turn", len(turning))
	}
	r.readBack(r.Context(), there.live, book)
}

func everyPortfolioIsNamedWithItsZone(r *rig) {
	dana, robin := r.landlord("dana"), r.landlord("robin")
	want := []access.Portfolio{dana.live, dana.test, robin.live, robin.test}
	var got []access.Portfolio
	r.ok(r.Portfolios(r.Context(), func(in access.Portfolio, zone string) error {
		r.same(zone, "America/Chicago")
		_, err := r.PortfolioOf(r.Context(), dana.account.ID, in.Mode) // it may ask for more
		got = append(got, in)
		return err
	}))
	r.same(got, want)
}
