package portfoliostore_test

import (
	"slices"
	"testing"

	"portal/api/access"
	"portal/api/portfolio"
	"portal/api/portfolio/lease/terms"
	"portal/api/webhook"
	"portal/db"
	"portal/db/dbtest"
	"portal/db/rows"
)

// demoStore is a store with the demo's book in the portfolios of two landlords.
type demoStore struct {
	*fixture
	in, foreign access.Portfolio
	rows        map[string][]any // of in, by the name of their kind, in ascending id
	hidden      map[string][]any // of foreign
	ordered     map[string][]any // rows, by the name of their kind and a sort, once they were wanted in its order
}

// reading is a promise whose test only reads, so that all of them share a store.
type reading struct {
	name string
	test func(*demoStore)
}

// read tests on one store: to fill it takes longer than to read it.
func read(t *testing.T, open func(testing.TB) *db.DB) {
	t.Helper()
	r := newFixture(t, open(t))
	s := &demoStore{fixture: r, in: r.Landlord("dana").Live, foreign: r.Landlord("robin").Live}
	s.rows, s.hidden = r.stock(s.in), r.stock(s.foreign)
	s.keeps(t, "AsItIsFastest", slices.Concat(filters, orders, counting, pages, isolation, endings))
	rows.ReadInOrder(s.DB)
	s.keeps(t, "InOrder", []reading{{"AnOrderPassesWhatItsFiltersPass", anOrderPassesWhatItsFiltersPass}})
}

// keeps tests promises beside each other.
func (s *demoStore) keeps(t *testing.T, how string, promises []reading) {
	t.Helper()
	t.Run(how, func(t *testing.T) {
		for _, p := range promises {
			t.Run(p.name, func(t *testing.T) {
				t.Parallel()
				own := *s
				own.fixture, own.ordered = newFixture(t, s.DB), map[string][]any{}
				p.test(&own)
			})
		}
	})
}

// stock fills a portfolio with the demo.
func (r *fixture) stock(in access.Portfolio) map[string][]any {
	r.Helper()
	book := example(in.Mode)
	r.OK(r.Portfolio.Add(r.Context(), in, book))
	for i := range book.Leases {
		book.Leases[i].Terms = terms.Terms{} // lists don't read them
		l := portfolio.Lease{Terms: agreed(book.Leases[i].ID)}
		l.ID = book.Leases[i].ID
		r.OK(r.Portfolio.SaveLeaseTerms(r.Context(), in, &l))
	}
	endpoints := webhook.Samples(dbtest.Now)
	for i := range endpoints {
		endpoints[i].Mode = in.Mode
		r.OK(r.Webhooks.AddEndpoint(r.Context(), in, endpoints[i], []byte("sealed")))
	}
	rows := map[string][]any{}
	for _, k := range r.kinds() {
		rows[k.name] = k.book(book)
	}
	rows["endpoints"] = dbtest.Sorted(dbtest.Pointers(endpoints))
	rows["units"] = dbtest.Sorted(dbtest.Pointers(book.Units))
	return rows
}

// example is the demo's book, for a portfolio of a mode.
func example(mode access.Mode) *portfolio.Book {
	b := dbtest.DemoBook()
	for i := range b.Properties {
		b.Properties[i].Mode = mode
	}
	for i := range b.Units {
		b.Units[i].Mode = mode
	}
	for i := range b.Tenants {
		b.Tenants[i].Mode = mode
	}
	for i := range b.Leases {
		b.Leases[i].Mode = mode
	}
	for i := range b.Tickets {
		b.Tickets[i].Mode = mode
	}
	for i := range b.Payments {
		b.Payments[i].Mode, b.Payments[i].BalanceDue = mode, 0 // the balance is computed when it is read
	}
	return b
}
