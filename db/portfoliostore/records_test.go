package portfoliostore_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/id"
	"portal/api/portfolio"
	"portal/api/webhook"
	"portal/db/dbtest"
)

var records = []promise{
	{"ARecordIsReadAsItWasWritten", aRecordIsReadAsItWasWritten},
	{"AnEndpointIsReadAsItWasWritten", anEndpointIsReadAsItWasWritten},
	{"ABookKeepsWhatItsLeasesName", aBookKeepsWhatItsLeasesName},
	{"ABookIsWrittenWholeOrNotAtAll", aBookIsWrittenWholeOrNotAtAll},
	{"TicketsAreCountedOnBehindABook", ticketsAreCountedOnBehindABook},
	{"APropertyGrowsByTheUnitsThatWereAdded", aPropertyGrowsByTheUnitsThatWereAdded},
}

// A lease alone says what it names, and lists of leases that name something find it.
func aBookKeepsWhatItsLeasesName(r *fixture) {
	l := r.Landlord("naming")
	book := example(l.Live.Mode)
	r.OK(r.Portfolio.Add(r.Context(), l.Live, book))
	named := 0
	for i := range book.Leases {
		want := &book.Leases[i]
		got, err := r.Portfolio.Lease(r.Context(), l.Live, want.ID)
		r.OK(err)
		r.Same(got.Terms, want.Terms)
		if len(want.Terms.Pets) > 0 {
			named++
		}
	}
	found, err := r.Portfolio.Leases(r.Context(), l.Live, portfolio.LeaseFilter{
		Query: portfolio.AllLeases, HasPets: new(true),
	})
	r.OK(err)
	r.Want(len(found) == named && named > 1, "%d leases with pets, not %d", len(found), named)
}

// A third of the books has a value in every field, a third null wherever that is
// possible, and a third is mixed.
func aRecordIsReadAsItWasWritten(r *fixture) {
	for i := range 6 {
		l := r.Landlord(fmt.Sprint("landlord", i))
		book := dbtest.Filled(access.Live, dbtest.NewFiller(rand.New(rand.NewPCG(1, uint64(i))), []float64{
			0, 1, 0.5,
		}[i%3]))
		r.OK(r.Portfolio.Add(r.Context(), l.Live, book))
		r.readBack(r.Context(), l.Live, book)
	}
}

// readBack compares a book with what is stored, record by record and as lists,
// outside of a transaction and within one: SQLite's writing connection reads
// through another library than the others.
func (r *fixture) readBack(ctx context.Context, in access.Portfolio, b *portfolio.Book) {
	r.Helper()
	compare := func(ctx context.Context) error {
		for _, k := range r.kinds() {
			if err := r.compare(ctx, k, in, k.book(b)); err != nil {
				return err
			}
		}
		return r.compareUnits(ctx, in, b)
	}
	r.OK(compare(ctx))
	r.OK(r.DB.Atomically(ctx, compare))
}

func (r *fixture) compare(ctx context.Context, k kind, in access.Portfolio, want []any) error {
	r.Helper()
	all, err := k.all(ctx, in)
	if err != nil {
		return err
	}
	r.Same(idsOf(all), idsOf(want))
	for i := range min(len(all), len(want)) {
		r.Same(all[i], want[i])
	}
	for _, w := range want[:min(len(want), 20)] {
		one, err := k.one(ctx, in, dbtest.IDOf(w))
		if err != nil {
			return err
		}
		r.Same(one, w)
	}
	return nil
}

func (r *fixture) compareUnits(ctx context.Context, in access.Portfolio, b *portfolio.Book) error {
	r.Helper()
	n, err := r.Portfolio.UnitCount(ctx, in)
	if err != nil {
		return err
	}
	sum := 0
	for i := range b.Properties {
		p := &b.Properties[i]
		if in.Mode == access.Test || p.Status != portfolio.PropertyArchived {
			sum += p.UnitCount
		}
		units, err := r.Portfolio.UnitsOf(ctx, in, p.ID)
		if err != nil {
			return err
		}
		want := slices.DeleteFunc(slices.Clone(b.Units), func(u portfolio.Unit) bool { return u.PropertyID != p.ID })
		r.Same(dbtest.Sorted(dbtest.Pointers(units)), dbtest.Sorted(dbtest.Pointers(want)))
	}
	r.Same(n, sum)
	return nil
}

func anEndpointIsReadAsItWasWritten(r *fixture) {
	l := r.Landlord("dana")
	var all []webhook.Endpoint
	for i := range 6 {
		var e webhook.Endpoint
		f := dbtest.NewFiller(rand.New(rand.NewPCG(2, uint64(i))), []float64{0, 1, 0.5}[i%3])
		f.Fill(&e)
		e.Record = dbtest.Record(id.Endpoint, "webhook_endpoint", access.Test, dbtest.Now)
		e.Events, e.Secret = append(e.Events, webhook.EveryKind), nil // the secret is stored sealed, beside it
		r.OK(r.Webhooks.AddEndpoint(r.Context(), l.Test, e, []byte("sealed")))
		all = append(all, e)
	}
	k := r.kinds()[5]
	compare := func(ctx context.Context) error { return r.compare(ctx, k, l.Test, dbtest.Pointers(all)) }
	r.OK(compare(r.Context()))
	r.OK(r.DB.Atomically(r.Context(), compare))
}

func aBookIsWrittenWholeOrNotAtAll(r *fixture) {
	l := r.Landlord("dana")
	book := dbtest.Filled(access.Live, dbtest.NewFiller(rand.New(rand.NewPCG(6, 6)), 0.5))
	book.Payments[0].LeaseID = "lea_none"
	r.Refused(r.Portfolio.Add(r.Context(), l.Live, book), "a ledger row of no lease")
	r.readBack(r.Context(), l.Live, &portfolio.Book{})
}

func ticketsAreCountedOnBehindABook(r *fixture) {
	l := r.Landlord("dana")
	next := func() string { return r.Text("next_ticket_number", "portfolios WHERE id = $1", l.Live.ID) }
	r.Same(next(), "1001")
	book := dbtest.Filled(access.Live, dbtest.NewFiller(rand.New(rand.NewPCG(3, 1)), 0.5))
	book.Tickets[0].Number = "T-2041"
	r.OK(r.Portfolio.Add(r.Context(), l.Live, book))
	r.Same(next(), "2042")
	r.Same(r.Text("next_ticket_number", "portfolios WHERE id = $1", l.Test.ID), "1001")
	book = dbtest.Filled(access.Live, dbtest.NewFiller(rand.New(rand.NewPCG(3, 2)), 0))
	book.Tickets[0].Number = "T-2041"
	r.Refused(r.Portfolio.Add(r.Context(), l.Live, book), "a ticket's number that is taken")
}

// What an import into a property of the portfolio does: it fills what was not
// known, keeps what was, and counts anew.
func aPropertyGrowsByTheUnitsThatWereAdded(r *fixture) {
	l := r.Landlord("dana")
	book := dbtest.Filled(access.Live, dbtest.NewFiller(rand.New(rand.NewPCG(4, 4)), 1))
	p := book.Properties[0]
	r.OK(r.Portfolio.Add(r.Context(), l.Live, book))
	extra := book.Units[0]
	extra.ID, extra.UnitNumber, extra.Status = id.New(id.Unit, dbtest.Now), "extra", portfolio.UnitNotice
	r.OK(r.Portfolio.AddProperties(r.Context(), l.Live, &portfolio.Book{Units: []portfolio.Unit{extra}}))
	later, zip, year := clock.At(dbtest.Now)+5, "78701", 1974
	r.OK(r.Portfolio.GrowProperty(r.Context(), l.Live, p.ID, &zip, &year, later))
	r.OK(r.Portfolio.GrowProperty(r.Context(), l.Live, p.ID, new("99999"), nil, later))

	occupied := 1
	if s := book.Units[0].Status; s == portfolio.UnitOccupied || s == portfolio.UnitNotice {
		occupied = 2
	}
	p.Version = p.Version + 2
	p.UpdatedAt = later
	p.PostalCode = &zip
	p.YearBuilt = &year
	p.UnitCount = 2
	p.OccupiedUnitCount = occupied
	got, err := r.Portfolio.Property(r.Context(), l.Live, p.ID)
	r.OK(err)
	r.Same(got, p)
}
