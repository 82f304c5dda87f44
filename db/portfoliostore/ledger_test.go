package portfoliostore_test

import (
	"math/rand/v2"

	"portal/api/access"
	"portal/api/id"
	"portal/api/portfolio"
	"portal/db/dbtest"
)

// repaid is the ledger row of a book with other values in all fields that the store
// leaves free.
func repaid(b *portfolio.Book, nulls float64) *portfolio.Book {
	p := dbtest.Filled(
		b.Payments[0].Mode,
		dbtest.NewFiller(rand.New(rand.NewPCG(21, rand.Uint64())), nulls),
	).Payments[0]
	like := b.Payments[0]
	p.ID = like.ID
	p.LeaseID = like.LeaseID
	p.TenantID = like.TenantID
	p.UnitID = like.UnitID
	p.PropertyID = like.PropertyID
	c := *b
	c.Payments = []portfolio.Payment{p}
	return &c
}

func aLedgerRowIsReadAsItWasAddedAndSaved(r *fixture) {
	l := r.Landlord("dana")
	for nulls, in := range map[float64]access.Portfolio{0: l.Live, 1: l.Test} {
		book := dbtest.Filled(in.Mode, dbtest.NewFiller(rand.New(rand.NewPCG(22, uint64(nulls))), nulls))
		without := *book
		without.Payments = nil
		r.OK(r.Portfolio.Add(r.Context(), in, &without))
		r.OK(r.Portfolio.AddPayment(r.Context(), in, &book.Payments[0]))
		r.readBack(r.Context(), in, book)
		r.Refused(r.Portfolio.AddPayment(r.Context(), in, &book.Payments[0]), "the same row again")
		for _, nulls := range []float64{0, 1, 0.5, 0} {
			book = repaid(book, nulls)
			r.OK(r.Portfolio.SavePayment(r.Context(), in, &book.Payments[0]))
			r.readBack(r.Context(), in, book)
		}
	}
}

func noLedgerRowIsWrittenIntoAnotherPortfolio(r *fixture) {
	here, there := r.Landlord("dana"), r.Landlord("robin")
	book := dbtest.Filled(access.Live, dbtest.NewFiller(rand.New(rand.NewPCG(23, 1)), 0))
	r.OK(r.Portfolio.Add(r.Context(), there.Live, book))
	other := repaid(book, 0.5).Payments[0]
	for _, in := range []access.Portfolio{here.Live, there.Test} {
		r.Refused(r.Portfolio.SavePayment(r.Context(), in, &other), "a row that is there")
		p := other
		p.ID = id.New(id.Payment, dbtest.Now)
		r.Refused(r.Portfolio.AddPayment(r.Context(), in, &p), "a new row of another's lease")
	}
	r.readBack(r.Context(), there.Live, book)
}
