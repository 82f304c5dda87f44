package dbtest

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
)

var records = []promise{
	{"ARecordIsReadAsItWasWritten", aRecordIsReadAsItWasWritten},
	{"AnEndpointIsReadAsItWasWritten", anEndpointIsReadAsItWasWritten},
	{"ABookIsWrittenWholeOrNotAtAll", aBookIsWrittenWholeOrNotAtAll},
	{"TicketsAreCountedOnBehindABook", ticketsAreCountedOnBehindABook},
	{"APropertyGrowsByTheUnitsThatWereAdded", aPropertyGrowsByTheUnitsThatWereAdded},
}

// A third of the books has a value in every field, a third null wherever that is
// possible, and a third is mixed.
func aRecordIsReadAsItWasWritten(r *rig) {
	for i := range 6 {
		l := r.landlord(fmt.Sprint("landlord", i))
		book := filled(access.Live, &filler{rand.New(rand.NewPCG(1, uint64(i))), []float64{0, 1, 0.5}[i%3]})
		r.ok(r.Add(r.Context(), l.live, book))
		r.readBack(r.Context(), l.live, book)
	}
}

// readBack compares a book with what is stored, record by record and as lists,
// outside of a transaction and within one: SQLite's writing connection reads
// through another library than the others.
func (r *rig) readBack(ctx context.Context, in access.Portfolio, b *portfolio.Book) {
	r.Helper()
	compare := func(ctx context.Context) error {
		for _, k := range r.kinds() {
			if err := r.compare(ctx, k, in, k.book(b)); err != nil {
				return err
			}
		}
		return r.compareUnits(ctx, in, b)
	}
	r.ok(compare(ctx))
	r.ok(r.Atomically(ctx, compare))
}

func (r *rig) compare(ctx context.Context, k kind, in access.Portfolio, want []any) error {
	r.Helper()
	all, err := k.all(ctx, in)
	if err != nil {
		return err
	}
	r.same(idsOf(all), idsOf(want))
	for i := range min(len(all), len(want)) {
		r.same(all[i], want[i])
	}
	for _, w := range want[:min(len(want), 20)] {
		one, err := k.one(ctx, in, idOf(w))
		if err != nil {
			return err
		}
		r.same(one, w)
	}
	return nil
}

func (r *rig) compareUnits(ctx context.Context, in access.Portfolio, b *portfolio.Book) error {
	r.Helper()
	n, err := r.UnitCount(ctx, in)
	if err != nil {
		return err
	}
	sum := 0
	for i := range b.Properties {
		p := &b.Properties[i]
		if in.Mode == access.Test || p.Status != portfolio.PropertyArchived {
			sum += p.UnitCount
		}
		units, err := r.UnitsOf(ctx, in, p.ID)
		if err != nil {
			return err
		}
		want := slices.DeleteFunc(slices.Clone(b.Units), func(u portfolio.Unit) bool { return u.PropertyID != p.ID })
		r.same(sorted(pointers(units)), sorted(pointers(want)))
	}
	r.same(n, sum)
	return nil
}

func anEndpointIsReadAsItWasWritten(r *rig) {
	l := r.landlord("dana")
	var all []webhook.Endpoint
	for i := range 6 {
		var e webhook.Endpoint
		f := &filler{rand.New(rand.NewPCG(2, uint64(i))), []float64{0, 1, 0.5}[i%3]}
		f.fill(&e)
		e.Record = record(id.Endpoint, "webhook_endpoint", access.Test, noon)
		e.Events, e.Secret = append(e.Events, webhook.EveryKind), nil // the secret is stored sealed, beside it
		r.ok(r.AddEndpoint(r.Context(), l.test, e, []byte("sealed")))
		all = append(all, e)
	}
	k := r.kinds()[5]
	compare := func(ctx context.Context) error { return r.compare(ctx, k, l.test, pointers(all)) }
	r.ok(compare(r.Context()))
	r.ok(r.Atomically(r.Context(), compare))
}

func aBookIsWrittenWholeOrNotAtAll(r *rig) {
	l := r.landlord("dana")
	book := filled(access.Live, &filler{rand.New(rand.NewPCG(6, 6)), 0.5})
	book.Payments[0].LeaseID = "lea_none"
	r.refused(r.Add(r.Context(), l.live, book), "a ledger row of no lease")
	r.readBack(r.Context(), l.live, &portfolio.Book{})
}

func ticketsAreCountedOnBehindABook(r *rig) {
	l := r.landlord("dana")
	next := func() string { return r.text("next_ticket_number", "portfolios WHERE id = $1", l.live.ID) }
	r.same(next(), "1001")
	book := filled(access.Live, &filler{rand.New(rand.NewPCG(3, 1)), 0.5})
	book.Tickets[0].Number = "T-2041"
	r.ok(r.Add(r.Context(), l.live, book))
	r.same(next(), "2042")
	r.same(r.text("next_ticket_number", "portfolios WHERE id = $1", l.test.ID), "1001")
	book = filled(access.Live, &filler{rand.New(rand.NewPCG(3, 2)), 0})
	book.Tickets[0].Number = "T-2041"
	r.refused(r.Add(r.Context(), l.live, book), "a ticket's number that is taken")
}

// What an import into a property of the portfolio does: it fills what was not
// known, keeps what was, and counts anew.
func aPropertyGrowsByTheUnitsThatWereAdded(r *rig) {
	l := r.landlord("dana")
	book := filled(access.Live, &filler{rand.New(rand.NewPCG(4, 4)), 1})
	p := book.Properties[0]
	r.ok(r.Add(r.Context(), l.live, book))
	extra := book.Units[0]
	extra.ID, extra.UnitNumber, extra.Status = id.New(id.Unit, noon), "extra", portfolio.UnitNotice
	r.ok(r.AddPlaces(r.Context(), l.live, &portfolio.Book{Units: []portfolio.Unit{extra}}))
	later, zip, year := clock.At(noon)+5, "78701", 1974
	r.ok(r.GrowProperty(r.Context(), l.live, p.ID, &zip, &year, later))
	r.ok(r.GrowProperty(r.Context(), l.live, p.ID, new("99999"), nil, later))

	occupied := 1
	if s := book.Units[0].Status; s == portfolio.UnitOccupied || s == portfolio.UnitNotice {
		occupied = 2
	}
	p.Version, p.UpdatedAt, p.PostalCode, p.YearBuilt, p.UnitCount, p.OccupiedUnitCount = p.Version+2, later, &zip, &year, 2, occupied
	got, err := r.Property(r.Context(), l.live, p.ID)
	r.ok(err)
	r.same(got, p)
}
