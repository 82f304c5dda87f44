package portfoliostore_test

import (
	"context"
	"math/rand/v2"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/portfolio"
	"portal/db/dbtest"
)

var saves = []promise{
	{"ASavedRecordIsReadAsItWasSaved", aSavedRecordIsReadAsItWasSaved},
	{"NothingIsSavedIntoAnotherPortfolio", nothingIsSavedIntoAnotherPortfolio},
	{"EveryPortfolioIsNamedWithItsZone", everyPortfolioIsNamedWithItsZone},
}

// changed are the lease, the unit and the tenant of a book with other values in
// all fields that the store leaves free.
func changed(b *portfolio.Book, nulls float64) *portfolio.Book {
	other := dbtest.Filled(b.Leases[0].Mode, dbtest.NewFiller(rand.New(rand.NewPCG(13, rand.Uint64())), nulls))
	l, u, t := other.Leases[0], other.Units[0], other.Tenants[0]
	l.ID = b.Leases[0].ID
	l.PropertyID = b.Leases[0].PropertyID
	l.UnitID = b.Leases[0].UnitID
	l.TenantIDs = b.Leases[0].TenantIDs
	l.Tenants, l.Landlord = b.Leases[0].Tenants, b.Leases[0].Landlord
	u.ID, u.PropertyID = b.Units[0].ID, b.Units[0].PropertyID
	t.ID, t.LeaseIDs = b.Tenants[0].ID, b.Tenants[0].LeaseIDs
	dbtest.Point(t.PropertyID, u.PropertyID)
	dbtest.Point(t.UnitID, u.ID)
	for i := range l.Tenants {
		if l.Tenants[i].ID == t.ID {
			l.Tenants[i].Name = t.Name
		}
	}
	c := *b
	c.Leases, c.Units, c.Tenants = []portfolio.Lease{l}, []portfolio.Unit{u}, []portfolio.Tenant{t, b.Tenants[1]}
	return &c
}

func aSavedRecordIsReadAsItWasSaved(r *fixture) {
	l := r.Landlord("dana")
	book := dbtest.Filled(access.Live, dbtest.NewFiller(rand.New(rand.NewPCG(14, 1)), 0))
	r.OK(r.Portfolio.Add(r.Context(), l.Live, book))
	for _, nulls := range []float64{0, 1, 0.5, 0} {
		book = changed(book, nulls)
		r.OK(r.DB.Atomically(r.Context(), func(ctx context.Context) error {
			if err := r.Portfolio.SaveLease(ctx, l.Live, &book.Leases[0]); err != nil {
				return err
			}
			if err := r.Portfolio.SaveUnit(ctx, l.Live, &book.Units[0]); err != nil {
				return err
			}
			return r.Portfolio.SaveTenant(ctx, l.Live, &book.Tenants[0])
		}))
		r.readBack(r.Context(), l.Live, book)
		got, err := r.Portfolio.Unit(r.Context(), l.Live, book.Units[0].ID)
		r.OK(err)
		r.Same(got, book.Units[0])
	}
}

func nothingIsSavedIntoAnotherPortfolio(r *fixture) {
	here, there := r.Landlord("dana"), r.Landlord("robin")
	book := dbtest.Filled(access.Live, dbtest.NewFiller(rand.New(rand.NewPCG(15, 1)), 0))
	r.OK(r.Portfolio.Add(r.Context(), there.Live, book))
	other := changed(book, 0.5)
	book.Leases[0].Tenants[1].Name = book.Tenants[0].FirstName + " " + book.Tenants[0].LastName
	book.Tenants[0].Name = book.Tenants[0].FirstName + " " + book.Tenants[0].LastName
	for _, in := range []access.Portfolio{here.Live, there.Test} {
		r.Refused(r.Portfolio.SaveLease(r.Context(), in, &other.Leases[0]), "a lease")
		r.Refused(r.Portfolio.SaveUnit(r.Context(), in, &other.Units[0]), "a unit")
		r.Refused(r.Portfolio.SaveTenant(r.Context(), in, &other.Tenants[0]), "a tenant")
		_, err := r.Portfolio.Unit(r.Context(), in, book.Units[0].ID)
		r.Want(fault.Is(err, fault.NoRecord), "a unit: %v", err)
		n, err := r.Portfolio.DuePayments(r.Context(), in, 1<<30, clock.At(dbtest.Now))
		r.OK(err)
		r.Want(n == 0, "%d ledger rows turned", n)
		turning, err := r.Portfolio.LeasesToRollOver(r.Context(), in, 1<<30, 1<<50, 10)
		r.OK(err)
		r.Want(len(turning) == 0, "%d leases turn", len(turning))
	}
	r.readBack(r.Context(), there.Live, book)
}

func everyPortfolioIsNamedWithItsZone(r *fixture) {
	dana, robin := r.Landlord("dana"), r.Landlord("robin")
	want := []access.Portfolio{dana.Live, dana.Test, robin.Live, robin.Test}
	var got []access.Portfolio
	r.OK(r.Portfolio.Portfolios(r.Context(), func(in access.Portfolio, zone string) error {
		r.Same(zone, "America/Chicago")
		_, err := r.Accounts.PortfolioOf(r.Context(), dana.Account.ID, in.Mode) // it may ask for more
		got = append(got, in)
		return err
	}))
	r.Same(got, want)
}
